import type { Address } from "viem"
import { UNISWAP_V3_POSITIONS } from "./factories.ts"
import {
  CLANKER_V3,
  CLANKER_V4_LOCKER_ROWS,
  DOPPLER_INITIALIZER_ROW,
  DOPPLER_INITIALIZER_ROWS,
  LAUNCHPAD_ROWS
} from "./registry/launchpads.ts"
import type { Pool } from "./pool.ts"
import type { V4Key } from "./pool-search.ts"
import type { Query } from "../reads/query.ts"
import {
  account,
  addressAt,
  both,
  callData,
  list,
  mapQuery,
  pure,
  read,
  uint,
  wordAt
} from "../reads/query.ts"
import { tickAt, tickOf } from "./position-reads.ts"
import {
  NOTHING_OWED,
  type PoolTick,
  type PositionShares,
  type Stretch,
  sharesOf
} from "./position-shares.ts"
import { CLANKER_HOOKS, DOPPLER_HOOKS, ZORA_HOOKS, flaunchKey, poolIdOf, zoraKey } from "./v4.ts"

const CLANKER_V4 = LAUNCHPAD_ROWS.clankerV4.address
const ZORA_FACTORY = LAUNCHPAD_ROWS.zora.address
const DOPPLER_AIRLOCK = LAUNCHPAD_ROWS.dopplerAirlock.address
const DOPPLER_NO_MIGRATION = LAUNCHPAD_ROWS.dopplerNoMigration.address
const CLANKER_V4_LOCKERS = new Set(CLANKER_V4_LOCKER_ROWS.map(({ address }) => address))
const DOPPLER_INITIALIZERS = new Set(DOPPLER_INITIALIZER_ROWS.map(({ address }) => address))

/** A launchpad that says, in its own contract, that it made the token; and what that proves about liquidity. */
export type Launchpad =
  | { readonly name: "clanker-v4"; readonly hook: Address }
  | { readonly name: "clanker-v3"; readonly positionId: bigint; readonly locker: Address }
  | { readonly name: "zora" }
  | { readonly name: "flaunch"; readonly key: V4Key }
  | { readonly name: "doppler" }

/** `tokenDeploymentInfo(token)` → (token, hook, locker, extensions[]); a dynamic tuple, so its words start one later. */
const clankerV4 = (token: Address): Query<Launchpad | undefined> =>
  read(CLANKER_V4, callData("tokenDeploymentInfo(address)", token), (data) => {
    const [made, hook, locker] = [addressAt(data, 1), addressAt(data, 2), addressAt(data, 3)]
    if (made !== token || hook === undefined || locker === undefined) return undefined
    return CLANKER_HOOKS.includes(hook) && CLANKER_V4_LOCKERS.has(locker)
      ? { name: "clanker-v4", hook }
      : undefined
  })

/** `deploymentInfoForToken(token)` → (token, positionId, locker). */
const clankerV3 = (token: Address): ReadonlyArray<Query<Launchpad | undefined>> =>
  CLANKER_V3.map(({ address, locker }) =>
    read(address, callData("deploymentInfoForToken(address)", token), (data) => {
      const [made, positionId, holder] = [addressAt(data, 0), wordAt(data, 1), addressAt(data, 2)]
      return made === token && positionId !== undefined && holder === locker
        ? { name: "clanker-v3", positionId, locker }
        : undefined
    })
  )

/** `getVersionForDeployedCoin(coin)`: zero for what the factory did not make (ourzora/zora-protocol). */
const zora = (token: Address): Query<Launchpad | undefined> =>
  mapQuery(uint(ZORA_FACTORY, "getVersionForDeployedCoin(address)", token), (version) =>
    version === undefined || version === 0n ? undefined : { name: "zora" }
  )

const flaunch = (token: Address): Query<Launchpad | undefined> =>
  mapQuery(flaunchKey(token), (key) =>
    key !== undefined && (key.currency0 === token || key.currency1 === token)
      ? { name: "flaunch", key }
      : undefined
  )

/** What Doppler's Airlock says of an asset. */
interface DopplerAsset {
  readonly launchpad: Launchpad | undefined
  readonly hookRuler: Address | null
}

const NO_DOPPLER: DopplerAsset = { launchpad: undefined, hookRuler: null }

/**
 * `getAssetData(token)` of the Airlock; liquidity stays only where nothing can migrate it. Of pools whose hook is the current
 * initializer the asset's timelock may at any time have another contract asked about every swap, which keeps any share of it
 * (`setDopplerHook`; `RehypeDopplerHook`, up to all). Source: whetstoneresearch/doppler.
 */
const doppler = (token: Address): Query<DopplerAsset> =>
  mapQuery(
    read(DOPPLER_AIRLOCK, callData("getAssetData(address)", token), (data): DopplerAsset | undefined => {
      const [timelock, migrator, initializer] = [addressAt(data, 1), addressAt(data, 3), addressAt(data, 4)]
      if (initializer === undefined) return undefined
      const isKept = migrator === DOPPLER_NO_MIGRATION && DOPPLER_INITIALIZERS.has(initializer)
      return {
        launchpad: isKept ? { name: "doppler" } : undefined,
        hookRuler: initializer === DOPPLER_INITIALIZER_ROW.address ? (timelock ?? null) : null
      }
    }),
    (asset) => asset ?? NO_DOPPLER
  )

/** What the launchpads say about a token, and the v4 keys they or the token name. */
export interface LaunchpadClaims {
  readonly launchpad: Launchpad | undefined
  readonly keys: ReadonlyArray<V4Key>
  /** Who rules what the hook of Doppler's current initializer asks about the token's swaps; null where that was not told. */
  readonly hookRuler: Address | null
}

/** Asked in the first wave: every launchpad's own mapping, and the token's own idea of its pool. */
export const readLaunchpads = (token: Address): Query<LaunchpadClaims> =>
  mapQuery(
    both(
      list([clankerV4(token), ...clankerV3(token), zora(token), flaunch(token)]),
      both(doppler(token), zoraKey(token))
    ),
    ([found, [asset, named]]) => {
      const launchpad = found.find((candidate) => candidate !== undefined) ?? asset.launchpad
      const own = launchpad?.name === "flaunch" ? [launchpad.key] : []
      return { launchpad, keys: named === undefined ? own : [...own, named], hookRuler: asset.hookRuler }
    }
  )

const NOBODY: ReadonlySet<Address> = new Set()

/**
 * Who holds a launchpad's V4 pool where nobody can take it from: its lockers, or the hook itself. What others put into
 * the pool after the launch is theirs, and not among what these hold. Empty where the launchpad does not name the pool.
 */
export const launchpadHolders = (
  launchpad: Launchpad | undefined,
  { v4 }: Pick<Pool, "v4">
): ReadonlySet<Address> => {
  if (v4 === undefined) return NOBODY
  switch (launchpad?.name) {
    case "clanker-v4":
      return v4.hooks === launchpad.hook ? new Set([v4.hooks, ...CLANKER_V4_LOCKERS]) : NOBODY
    case "zora":
      return ZORA_HOOKS.includes(v4.hooks) ? new Set([v4.hooks]) : NOBODY
    case "flaunch":
      return v4.poolId === poolIdOf(launchpad.key) ? new Set([v4.hooks]) : NOBODY
    case "doppler":
      return DOPPLER_HOOKS.includes(v4.hooks) ? new Set([v4.hooks, ...DOPPLER_INITIALIZERS]) : NOBODY
    default:
      return NOBODY
  }
}

/** The position in a V3 pool that a launchpad's locker is proven to hold, and the pool's state. */
export interface LockedPosition extends Stretch {
  readonly pool: Address
  readonly state: PoolTick
}

const positionPool = (positionId: bigint) =>
  read(UNISWAP_V3_POSITIONS, callData("positions(uint256)", positionId), (data) => {
    const [token0, token1, fee, liquidity] = [
      addressAt(data, 2),
      addressAt(data, 3),
      wordAt(data, 4),
      wordAt(data, 7)
    ]
    return token0 === undefined || token1 === undefined || fee === undefined || liquidity === undefined
      ? undefined
      : { token0, token1, fee, liquidity, tickLower: tickAt(data, 5), tickUpper: tickAt(data, 6) }
  })

/** Second wave, Clanker v2 to v3.1: who owns the position NFT, in which pool, and what it is. */
export const readLockedPositions = (
  launchpad: Launchpad | undefined,
  pools: ReadonlyArray<{
    readonly address: Address
    readonly dex: string
    readonly quote: Address
    readonly feePips: number | null
  }>
): Query<ReadonlyArray<LockedPosition>> => {
  if (launchpad?.name !== "clanker-v3") return pure([])
  const { positionId, locker } = launchpad
  const candidates = pools.filter(({ dex }) => dex === "uniswap-v3")
  const states = list(candidates.map(({ address }) => tickOf(address)))
  const position = both(
    account(UNISWAP_V3_POSITIONS, "ownerOf(uint256)", positionId),
    positionPool(positionId)
  )
  return mapQuery(both(position, states), ([[owner, of], ticks]) => {
    if (owner !== locker || of === undefined) return []
    const { fee, liquidity, tickLower, tickUpper, token0, token1 } = of
    return candidates.flatMap(({ address, quote, feePips }, index) => {
      const state = ticks[index]
      const same = (quote === token0 || quote === token1) && feePips === Number(fee)
      return state === undefined || !same
        ? []
        : [{ pool: address, state, liquidity, owed: NOTHING_OWED, tickLower, tickUpper }]
    })
  })
}

/** Whose a pool's liquidity is by that position alone: the locker's, and the rest nobody's we know. */
export const sharesOfLocked = (
  { pool, state, ...stretch }: LockedPosition,
  {
    quote,
    quoteReserve,
    token,
    tokenReserve
  }: Pick<Pool, "quote" | "quoteReserve" | "token" | "tokenReserve">
): PositionShares =>
  sharesOf({
    state,
    tokenIs0: BigInt(token) < BigInt(quote),
    tokenReserve,
    quoteReserve,
    held: [{ ...stretch, pool, holder: pool, nft: true }],
    unread: [],
    whole: false,
    fees: null,
    holdOf: () => "locked"
  })
