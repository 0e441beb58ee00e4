import { Effect } from "effect"
import type { Address, Hex } from "viem"
import type { BaseRpc } from "../../../chain/chain-rpc.ts"
import { atLeastZero } from "../../../domain/bigint.ts"
import { FLETH } from "../addresses.ts"
import type { Held } from "../pools/ladder.ts"
import { readHeld } from "../pools/ladder.ts"
import type { Mints } from "../pools/minted.ts"
import { readMints } from "../pools/minted.ts"
import type { PoolCandidate } from "../pools/pool-search.ts"
import { MAX_LP_POOLS, isV2Type, poolKey } from "../pools/pool-search.ts"
import { redeemsEther } from "../pools/redemption.ts"
import { recentBuyers } from "../simulation/buyers.ts"
import type { FirstWave } from "./first-wave.ts"
import { launchBlock, sinceLaunch } from "./log-windows.ts"
import type { Moments, Past, Reserves } from "./past.ts"
import { isMeasured, ladderAsks, pastOf, reservesAgo } from "./past.ts"
import { callData } from "./query.ts"

/** What goes beside the second wave's batch. Each is missing where its node does not serve it, and says so. */
export interface Aids {
  /** Quote reserves some minutes ago; empty where the node keeps no such state. */
  readonly earlier: Reserves
  /** Quote reserves a month ago and half a year ago, the ages from which a token is trusted, and at moments since. */
  readonly past: Past
  /** `balanceOf(pool)` as V2-type pools themselves are answered. */
  readonly seenByPools: ReadonlyMap<Address, bigint>
  /** Accounts that bought lately, newest first. */
  readonly buyers: ReadonlyArray<Address>
  /** Positions opened in concentrated pools, as far as events were served. */
  readonly minted: Mints
  /** flETH could be turned into ether; false where no pool asks for it. */
  readonly redeems: boolean
  /** What stands in V4 pools, by pool id. */
  readonly held: ReadonlyMap<Hex, Held>
}

/** How far back liquidity is compared: about four minutes, and within the 128 blocks of state every node keeps. */
const EARLIER_BLOCKS = 120n
/** Reads the report can do without must not hold it up. */
const AID_TIMEOUT = "3 seconds"

/** What is known when they are asked for. */
type Known = Pick<FirstWave, "blockNumber" | "blockTime" | "decimals" | "market">

const NO_RESERVES: Reserves = new Map()

/** Seconds since the first pool market data knows; null where it knows none. */
export const ageOf = ({ market, blockTime }: Pick<FirstWave, "market" | "blockTime">): bigint | null => {
  if (!market.known) return null
  const created = market.value.flatMap(({ createdAt }) => (createdAt === null ? [] : [createdAt]))
  if (created.length === 0) return null
  return atLeastZero(blockTime - BigInt(Math.floor(Math.min(...created) / 1000)))
}

const NOBODY_TOLD: ReadonlyMap<Address, bigint> = new Map()

/** What pools themselves are told they hold: some tokens answer differently to different callers, or to one of them. */
const balancesSeenByPools = (
  rpc: BaseRpc,
  token: Address,
  blockNumber: bigint,
  candidates: ReadonlyArray<PoolCandidate>
) => {
  const pools = candidates
    .filter(isV2Type)
    .slice(0, MAX_LP_POOLS)
    .map(({ address }) => address)
  if (pools.length === 0) return Effect.succeed(NOBODY_TOLD)
  const calls = pools.map((pool) => ({
    from: pool,
    to: token,
    data: callData("balanceOf(address)", pool),
    blockNumber
  }))
  return rpc.callAll(calls).pipe(
    Effect.map(
      (results) =>
        new Map(
          results.flatMap(({ data, ok }, at) => {
            const pool = pools[at]
            return pool !== undefined && ok && data.length === 66 ? [[pool, BigInt(data)] as const] : []
          })
        )
    ),
    Effect.timeout(AID_TIMEOUT),
    Effect.catchAll(() => Effect.succeed(NOBODY_TOLD))
  )
}

/** All of them at once, at the block of the evidence. Never fails. */
export const readAids = (
  rpc: BaseRpc,
  token: Address,
  first: Known,
  candidates: ReadonlyArray<PoolCandidate>,
  moments: Effect.Effect<Moments>
): Effect.Effect<Aids> => {
  const { blockNumber } = first
  const age = ageOf(first)
  const ago = (blocks: bigint) => reservesAgo(rpc, token, first, candidates, blocks)
  return Effect.all(
    {
      earlier: Effect.map(ago(EARLIER_BLOCKS), (found) => found ?? NO_RESERVES),
      past: Effect.flatMap(moments, (drawn) => pastOf(age, drawn, ago)),
      seenByPools: balancesSeenByPools(rpc, token, blockNumber, candidates),
      buyers: recentBuyers(rpc, candidates, blockNumber),
      minted: readMints(rpc, candidates, sinceLaunch(blockNumber, age), launchBlock(blockNumber, age)),
      redeems: candidates.some(({ quote }) => quote === FLETH)
        ? redeemsEther(rpc, blockNumber)
        : Effect.succeed(false),
      held: readHeld(rpc, ladderAsks(candidates), blockNumber)
    },
    { concurrency: "unbounded" }
  ).pipe(
    Effect.map(({ earlier, past, ...aids }): Aids => {
      const measured = new Set(candidates.filter(isMeasured(aids.held)).map(poolKey))
      const comparable = (then: Reserves): Reserves => new Map([...then].filter(([key]) => measured.has(key)))
      const month = past.month?.map(comparable) ?? null
      const halfYear = past.halfYear?.map(comparable) ?? null
      return { ...aids, earlier: comparable(earlier), past: { month, halfYear } }
    })
  )
}
