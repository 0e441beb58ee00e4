import type { Address, Hex } from "viem"
import { keccak256 } from "viem"
import { WETH, USDC, ZERO_ADDRESS } from "../addresses.ts"
import { V4_DYNAMIC_FEE, V4_HOOKLESS, V4 } from "./factories.ts"
import type { V4Key } from "./pool-search.ts"
import type { Query } from "../reads/query.ts"
import { addressAt, callData, read, wordAt } from "../reads/query.ts"

/** `keccak256(abi.encode(key))`: the identity of a v4 pool. */
export const poolIdOf = ({ currency0, currency1, fee, tickSpacing, hooks }: V4Key): Hex =>
  keccak256(callData("0x", currency0, currency1, fee, tickSpacing, hooks))

/** The key of a pool of two currencies, sorted as the PoolManager wants them. */
export const v4Key = (a: Address, b: Address, rest: Pick<V4Key, "fee" | "tickSpacing" | "hooks">): V4Key =>
  BigInt(a) < BigInt(b) ? { currency0: a, currency1: b, ...rest } : { currency0: b, currency1: a, ...rest }

/** Clanker v4's and v5's hooks; their pools have the dynamic fee and spacing 200. */
export const CLANKER_HOOKS: ReadonlyArray<Address> = [
  "0xdd5eeaff7bd481ad55db083062b13a3cdf0a68cc",
  "0xb429d62f8f3bffb98cdb9569533ea23bf0ba28cc",
  "0x34a45c6b61876d739400bd71228cbcbd4f53e8cc",
  "0xd60d6b218116cfd801e28f78d011a203d2b068cc",
  "0x5e320ea6278107968c119942e57d876c5f922acc"
]

/** Zora's hooks, from Uniswap's own routing allowlist and npm @zoralabs/protocol-deployments 0.7.6. */
export const ZORA_HOOKS: ReadonlyArray<Address> = [
  "0xfbce3d80c659c765bc6c55e29e87d839c7609040",
  "0x854f820475b229b7805a386f758cfb285023d040",
  "0x9301690be9ac901de52c5ebff883862bbfc99040",
  "0x5e5d19d22c85a4aef7c1fdf25fb22a5a38f71040",
  "0xd61a675f8a0c67a73dc3b54fb7318b4d91409040",
  "0x8218fa8d7922e22aed3556a09d5a715f16ad5040",
  "0x1258e5f3c71ca9dce95ce734ba5759532e46d040",
  "0xa1ebdd5ca6470bbd67114331387f2dda7bfad040",
  "0xb030fd8c2f8576f8ab05cfbbe659285e7d7a1040",
  "0xe61bdf0c9e665f02df20fede6dcef379cb751040",
  "0x81542dc43aff247eff4a0ecefc286a2973ae1040",
  "0x5bf219b3cc11e3f6dd8dc8fc89d7d1deb0431040",
  "0x9ea932730a7787000042e34390b8e435dd839040",
  "0xff74be9d3596ea7a33bb4983dd7906fb34135040",
  "0x2b15a16b3ef024005ba899bb51764fcd58cf9040",
  "0xc8d077444625eb300a427a6dfb2b1dbf9b159040",
  "0xf6d0a13609bb5779bc5d639f2ba3bfda83d4d0c0"
]

/** Source: whetstoneresearch/doppler Deployments.json. */
export const DOPPLER_INITIALIZER: Address = "0xbdf938149ac6a781f94faa0ed45e6a0e984c6544"

/** Doppler's hooks from the same allowlist. */
export const DOPPLER_HOOKS: ReadonlyArray<Address> = [
  "0x77bb2a8f1ab2a384918a4c090cd8ae82dc5078e0",
  "0xbb7784a4d481184283ed89619a3e3ed143e1adc0",
  DOPPLER_INITIALIZER
]

/** Flaunch's PositionManager is its pools' hook. Source: flayerlabs/flaunchgg-contracts README. */
export const FLAUNCH_HOOK: Address = "0x51bba15255406cfe7099a42183302640ba7dafdc"

const KNOWN_HOOKS: ReadonlySet<Address> = new Set([
  ...CLANKER_HOOKS,
  ...ZORA_HOOKS,
  ...DOPPLER_HOOKS,
  FLAUNCH_HOOK
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

/** v4 has no enumeration: the keys people and Clanker really use, tried one by one. */
export const guessedKeys = (token: Address): ReadonlyArray<V4Key> => {
  const quotes = [ZERO_ADDRESS, WETH, USDC].filter((quote) => quote !== token)
  const hookless = quotes.flatMap((quote) =>
    V4_HOOKLESS.map((shape) => v4Key(token, quote, { ...shape, hooks: ZERO_ADDRESS }))
  )
  const clanker =
    token === WETH
      ? []
      : CLANKER_HOOKS.map((hooks) => v4Key(token, WETH, { fee: V4_DYNAMIC_FEE, tickSpacing: 200, hooks }))
  // Doppler's current initializer is its pools' hook; they have the same shape as Clanker's.
  const doppler =
    token === WETH
      ? []
      : [v4Key(token, WETH, { fee: V4_DYNAMIC_FEE, tickSpacing: 200, hooks: DOPPLER_INITIALIZER })]
  return [...hookless, ...clanker, ...doppler]
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
export const zoraKey = (token: Address): Query<V4Key | undefined> => read(token, "0x683e76e0", decodeKey)

/** The key Flaunch's PositionManager holds for one of its tokens (`poolKey(address)`). */
export const flaunchKey = (token: Address): Query<V4Key | undefined> =>
  read(FLAUNCH_HOOK, callData("0x55d1cb60", token), decodeKey)

/**
 * The key behind a pool id that only market data knows, from the PositionManager's mapping of the id's first 25 bytes.
 * Believed only if it hashes back to the id.
 */
export const keyOfPoolId = (poolId: Hex): Query<V4Key | undefined> =>
  read(V4.positionManager, callData("0x86b6be7d", `0x${poolId.slice(2, 52).padEnd(64, "0")}`), (data) => {
    const key = decodeKey(data)
    return key !== undefined && poolIdOf(key) === poolId ? key : undefined
  })

/** `getSlot0` and `getLiquidity` of StateView; zero price means the pool does not exist. */
export const v4Slot0 = (poolId: Hex): Query<{ sqrtPriceX96: bigint; feePips: number } | undefined> =>
  read(V4.stateView, callData("0xc815641c", poolId), (data) => {
    const [sqrtPriceX96, fee] = [wordAt(data, 0), wordAt(data, 3)]
    return sqrtPriceX96 === undefined || sqrtPriceX96 === 0n || fee === undefined
      ? undefined
      : { sqrtPriceX96, feePips: Number(fee) }
  })
