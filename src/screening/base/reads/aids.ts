import { Effect } from "effect"
import type { Address, Hex } from "viem"
import type { BaseRpc } from "../../../chain/chain-rpc.ts"
import { atLeastZero } from "../../../domain/bigger.ts"
import type { Depth } from "../../../domain/screening.ts"
import { FLETH } from "../addresses.ts"
import type { Held } from "../pools/ladder.ts"
import { readHeld } from "../pools/ladder.ts"
import type { Mints } from "../pools/minted.ts"
import { readMints } from "../pools/minted.ts"
import type { PoolCandidate } from "../pools/pool-search.ts"
import { isV2Type, poolKey } from "../pools/pool-search.ts"
import { readPools } from "../pools/pool-state.ts"
import { redeemsEther } from "../pools/redemption.ts"
import { recentBuyers } from "../simulation/buyers.ts"
import type { FirstWave } from "./first-wave.ts"
import { PROVEN_UNTIL_SECONDS } from "../holders/age.ts"
import { BLOCK_SECONDS, launchBlock, sinceLaunch } from "./log-windows.ts"
import { callData } from "./query.ts"

/** What goes beside the second wave's batch. Each is missing where its node does not serve it, and says so. */
export interface Aids {
  /** Quote reserves some minutes ago by pool; empty where the node keeps no such state. */
  readonly earlier: ReadonlyMap<string, bigint>
  /** Quote reserves a month ago, the age from which a token is trusted, by pool; null where that was not read. */
  readonly monthEarlier: ReadonlyMap<string, bigint> | null
  readonly balanceSeenByPool: { readonly pool: Address; readonly balance: bigint } | null
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
const present = <A>(values: ReadonlyArray<A | undefined>): ReadonlyArray<A> =>
  values.filter((value) => value !== undefined)

/** What is known when they are asked for. */
type Known = Pick<FirstWave, "blockNumber" | "blockTime" | "decimals" | "market">

const NO_RESERVES: ReadonlyMap<string, bigint> = new Map()

/** Pool reserves so many blocks ago; null from a node without that state: they are an aid, not a condition. */
const reservesAgo = (
  rpc: BaseRpc,
  token: Address,
  first: Known,
  candidates: ReadonlyArray<PoolCandidate>,
  blocks: bigint
): Effect.Effect<ReadonlyMap<string, bigint> | null> => {
  const { reads, decode } = readPools(token, first.decimals ?? 18, candidates)
  if (reads.length === 0 || first.blockNumber <= blocks) return Effect.succeed(null)
  return rpc.readAll(reads, { blockNumber: first.blockNumber - blocks }).pipe(
    // A pool that was not there held nothing.
    Effect.map(
      ({ results }) =>
        new Map([
          ...candidates.map((candidate) => [poolKey(candidate), 0n] as const),
          ...present(decode(results)).map((pool) => [poolKey(pool), pool.quoteReserve] as const)
        ])
    ),
    Effect.timeout(AID_TIMEOUT),
    Effect.catchAll(() => Effect.succeed(null))
  )
}

/** Seconds since the first pool market data knows; null where it knows none. */
export const ageOf = ({ market, blockTime }: Pick<FirstWave, "market" | "blockTime">): bigint | null => {
  if (!market.known) return null
  const created = market.value.flatMap(({ createdAt }) => (createdAt === null ? [] : [createdAt]))
  if (created.length === 0) return null
  return atLeastZero(blockTime - BigInt(Math.floor(Math.min(...created) / 1000)))
}

/** What the pool itself is told it holds: some tokens answer differently to different callers. */
const balanceSeenByPool = (
  rpc: BaseRpc,
  token: Address,
  blockNumber: bigint,
  candidates: ReadonlyArray<PoolCandidate>
) => {
  const pool = candidates.find(isV2Type)
  if (pool === undefined) return Effect.succeed(null)
  const call = {
    from: pool.address,
    to: token,
    data: callData("balanceOf(address)", pool.address),
    blockNumber
  }
  return rpc.call(call).pipe(
    Effect.map((result) =>
      result.ok && result.data.length === 66 ? { pool: pool.address, balance: BigInt(result.data) } : null
    ),
    Effect.timeout(AID_TIMEOUT),
    Effect.catchAll(() => Effect.succeed(null))
  )
}

/** All of them at once, at the block of the evidence. Never fails. */
export const readAids = (
  rpc: BaseRpc,
  token: Address,
  first: Known,
  candidates: ReadonlyArray<PoolCandidate>,
  depth: Depth
): Effect.Effect<Aids> => {
  const { blockNumber } = first
  const age = ageOf(first)
  const v4 = candidates.flatMap(({ v4: key, tickSpacing = 0 }) =>
    key === undefined ? [] : [{ poolId: key.poolId, tickSpacing }]
  )
  return Effect.all(
    {
      earlier:
        depth === "deep"
          ? Effect.map(
              reservesAgo(rpc, token, first, candidates, EARLIER_BLOCKS),
              (found) => found ?? NO_RESERVES
            )
          : Effect.succeed(NO_RESERVES),
      monthEarlier:
        age === null || age < PROVEN_UNTIL_SECONDS
          ? Effect.succeed(null)
          : reservesAgo(rpc, token, first, candidates, PROVEN_UNTIL_SECONDS / BLOCK_SECONDS),
      balanceSeenByPool: balanceSeenByPool(rpc, token, blockNumber, candidates),
      buyers: recentBuyers(rpc, candidates, blockNumber),
      minted: readMints(rpc, candidates, sinceLaunch(blockNumber, age), launchBlock(blockNumber, age)),
      redeems: candidates.some(({ quote }) => quote === FLETH)
        ? redeemsEther(rpc, blockNumber)
        : Effect.succeed(false),
      held: readHeld(rpc, v4, blockNumber)
    },
    { concurrency: "unbounded" }
  )
}
