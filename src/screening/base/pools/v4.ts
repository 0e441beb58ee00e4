import type { Address, Hex } from "viem"
import { keccakHex } from "../../../chain/keccak.ts"
import { WETH, USDC, ZERO_ADDRESS } from "../addresses.ts"
import { V4_DYNAMIC_FEE, V4_HOOKLESS, V4 } from "./factories.ts"
import type { RegistryRow } from "./registry/row.ts"
import { DOPPLER_INITIALIZER_ROW, HOOK_ROWS } from "./registry/launchpads.ts"
import type { V4Key } from "./pool-search.ts"
import type { Query } from "../reads/query.ts"
import { addressAt, callData, encodeWords, list, mapQuery, read, wordAt } from "../reads/query.ts"

/** `keccak256(abi.encode(key))`: the identity of a v4 pool. */
export const poolIdOf = ({ currency0, currency1, fee, tickSpacing, hooks }: V4Key): Hex =>
  keccakHex(encodeWords(currency0, currency1, fee, tickSpacing, hooks))

/** The key of a pool of two currencies, sorted as the PoolManager wants them. */
export const v4Key = (a: Address, b: Address, rest: Pick<V4Key, "fee" | "tickSpacing" | "hooks">): V4Key =>
  BigInt(a) < BigInt(b) ? { currency0: a, currency1: b, ...rest } : { currency0: b, currency1: a, ...rest }

const addresses = (rows: ReadonlyArray<RegistryRow>): ReadonlyArray<Address> =>
  rows.map(({ address }) => address)

export const CLANKER_HOOKS = addresses(HOOK_ROWS.clanker)
export const ZORA_HOOKS = addresses(HOOK_ROWS.zora)
export const DOPPLER_HOOKS = addresses(HOOK_ROWS.doppler)
const FLAUNCH_HOOKS = addresses(HOOK_ROWS.flaunch)

const KNOWN_HOOKS: ReadonlySet<Address> = new Set([
  ...CLANKER_HOOKS,
  ...ZORA_HOOKS,
  ...DOPPLER_HOOKS,
  ...FLAUNCH_HOOKS
])

/** Low 14 bits of a hook's address are its permissions: bits 3 and 2 let it change what a swap pays. */
const RETURN_DELTA_BITS = 0b1100n
/** Bits 7 and 6: it runs before or after every swap and can refuse it. */
const SWAP_BITS = 0b1100_0000n

export type HookTrust = "none" | "known" | "harmless" | "can-block-swaps" | "can-take-from-swaps"

/** What an unknown hook may do to a seller, from its permission bits alone. */
export const hookTrust = (hooks: Address): HookTrust => {
  const bits = BigInt(hooks)
  if (bits === 0n) return "none"
  if (KNOWN_HOOKS.has(hooks)) return "known"
  if ((bits & RETURN_DELTA_BITS) !== 0n) return "can-take-from-swaps"
  return (bits & SWAP_BITS) === 0n ? "harmless" : "can-block-swaps"
}

/** v4 has no enumeration: the keys that people, Clanker and Doppler really use, tried one by one. */
export const guessedKeys = (token: Address): ReadonlyArray<V4Key> => {
  const quotes = [ZERO_ADDRESS, WETH, USDC].filter((quote) => quote !== token)
  const hookless = quotes.flatMap((quote) =>
    V4_HOOKLESS.map((shape) => v4Key(token, quote, { ...shape, hooks: ZERO_ADDRESS }))
  )
  const launchpads =
    token === WETH
      ? []
      : [...CLANKER_HOOKS, DOPPLER_INITIALIZER_ROW.address].map((hooks) =>
          v4Key(token, WETH, { fee: V4_DYNAMIC_FEE, tickSpacing: 200, hooks })
        )
  return [...hookless, ...launchpads]
}

/** Five words of a pool key; `undefined` when they are no key of an initialized pool. */
const decodeKey = (data: Hex): V4Key | undefined => {
  const [currency0, currency1, hooks] = [addressAt(data, 0), addressAt(data, 1), addressAt(data, 4)]
  const [fee, tickSpacing] = [wordAt(data, 2), wordAt(data, 3)]
  if (currency0 === undefined || currency1 === undefined || hooks === undefined) return undefined
  if (fee === undefined || fee > 0xffffffn || tickSpacing === undefined || tickSpacing > 0x7fffn)
    return undefined
  if (BigInt(currency0) >= BigInt(currency1) || tickSpacing === 0n) return undefined
  return { currency0, currency1, fee: Number(fee), tickSpacing: Number(tickSpacing), hooks }
}

/** The key a Zora coin names (`getPoolKey()`); a token can lie, so the PoolManager is asked about it afterwards. */
export const zoraKey = (token: Address): Query<V4Key | undefined> =>
  read(token, callData("getPoolKey()"), decodeKey)

/** The key that some version of Flaunch's PositionManager holds for one of its tokens (`poolKey(address)`). */
export const flaunchKey = (token: Address): Query<V4Key | undefined> =>
  mapQuery(
    list(FLAUNCH_HOOKS.map((hook) => read(hook, callData("poolKey(address)", token), decodeKey))),
    (keys) => keys.find((key, index) => key !== undefined && key.hooks === FLAUNCH_HOOKS[index])
  )

/**
 * The key behind a pool id that only market data knows, from the PositionManager's mapping of the id's first 25 bytes.
 * Believed only if it hashes back to the id.
 */
export const keyOfPoolId = (poolId: Hex): Query<V4Key | undefined> =>
  read(
    V4.positionManager,
    callData("poolKeys(bytes25)", `0x${poolId.slice(2, 52).padEnd(64, "0")}`),
    (data) => {
      const key = decodeKey(data)
      return key !== undefined && poolIdOf(key) === poolId ? key : undefined
    }
  )

/** `getSlot0` of StateView; a price of zero means that the pool does not exist. */
export const v4Slot0 = (poolId: Hex): Query<{ sqrtPriceX96: bigint; feePips: number } | undefined> =>
  read(V4.stateView, callData("getSlot0(bytes32)", poolId), (data) => {
    const [sqrtPriceX96, fee] = [wordAt(data, 0), wordAt(data, 3)]
    return sqrtPriceX96 === undefined || fee === undefined
      ? undefined
      : { sqrtPriceX96, feePips: Number(fee) }
  })
