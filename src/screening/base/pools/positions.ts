import { Effect } from "effect"
import type { Address, Hex } from "viem"
import type { BaseRpc } from "../../../chain/chain-rpc.ts"
import type { CodeAnalyser } from "../analysis/analyser.ts"
import { BURN_ADDRESSES, isNobody } from "../addresses.ts"
import type { Range } from "../reads/log-windows.ts"
import { both, list } from "../reads/query.ts"
import { gaugeOf, unstaked } from "./gauges.ts"
import { MIN_LOCK_SECONDS } from "./lp-lock.ts"
import type { Mints } from "./minted.ts"
import type { Found, PoolKey, PoolSides } from "./position-reads.ts"
import { readNfts } from "./nft-reads.ts"
import { withDates } from "./position-locks.ts"
import { feesOf, isV4, keyOfPool, readDirect, tickOf } from "./position-reads.ts"
import type { Hold, HeldPosition, PositionShares } from "./position-shares.ts"
import { sharesOf } from "./position-shares.ts"
import { LAUNCHPAD_LOCKERS, POSITION_LOCKERS } from "./registry/registry.ts"

export type { PositionShares } from "./position-shares.ts"
export type { PoolKey } from "./position-reads.ts"
export { keyOfPool } from "./position-reads.ts"

const TIMEOUT = "5 seconds"
/** Holders whose code is read: those with most. Everybody else can take out what they have. */
const MAX_INSPECTED = 16

export interface PositionInput {
  readonly mints: Mints
  readonly pools: ReadonlyArray<PoolSides>
  /** Who holds a launchpad's pool where nobody can take it from: its locker, or its hook. */
  readonly launchpadHolders: (pool: PoolSides) => ReadonlySet<Address>
  /** Lockers that the operator vouches for. */
  readonly vouched: ReadonlySet<Address>
  readonly blockNumber: bigint
  /** Unix seconds of that block. */
  readonly now: bigint
  /** Where events are looked for. */
  readonly range: Range
  readonly hasNoWayOut: CodeAnalyser["Type"]["hasNoWayOut"]
}

const largestHolders = (held: ReadonlyArray<HeldPosition>): ReadonlyArray<Address> => {
  const liquidity = new Map<Address, bigint>()
  for (const { holder, liquidity: amount } of held)
    liquidity.set(holder, (liquidity.get(holder) ?? 0n) + amount)
  return [...liquidity]
    .toSorted(([, a], [, b]) => (a < b ? 1 : -1))
    .slice(0, MAX_INSPECTED)
    .map(([holder]) => holder)
}

const isBurned = (holder: Address): boolean => isNobody(holder) || BURN_ADDRESSES.includes(holder)

/** Contracts in whose own name V3 pools keep liquidity and that provably cannot take it out. */
const readBoxes = (rpc: BaseRpc, held: ReadonlyArray<HeldPosition>, input: PositionInput) =>
  Effect.gen(function* () {
    const holders = largestHolders(held.filter(({ pool, nft }) => !nft && !isV4(pool)))
    const inspected = yield* rpc.inspect(
      holders.map((address) => ({ address })),
      { blockNumber: input.blockNumber }
    )
    const codes = holders.map((holder, index) => ({ holder, code: inspected[index]?.code ?? "0x" }) as const)
    const boxes = yield* Effect.filter(
      codes.filter(({ code }) => code !== "0x"),
      ({ code }) => input.hasNoWayOut(code),
      { concurrency: "unbounded" }
    )
    return new Set(boxes.map(({ holder }) => holder))
  })

const holdIn =
  (boxes: ReadonlySet<Address>, launchpad: ReadonlySet<Address>, { now, vouched }: PositionInput) =>
  ({ holder, nft, pool, until }: HeldPosition): Hold => {
    if (isBurned(holder)) return "burned"
    if (launchpad.has(holder) || LAUNCHPAD_LOCKERS.has(holder) || vouched.has(holder)) return "locked"
    if (!nft && !isV4(pool) && boxes.has(holder)) return "locked"
    if (!POSITION_LOCKERS.has(holder)) return "free"
    if (until === undefined) return "undated"
    return until >= now + MIN_LOCK_SECONDS ? "locked" : "free"
  }

const present = <A>(values: ReadonlyArray<A | undefined>): ReadonlyArray<A> =>
  values.filter((value) => value !== undefined)

const tokenIs0 = ({ token, quote }: PoolSides): boolean => BigInt(token) < BigInt(quote)

/**
 * Third wave: whose the liquidity of each concentrated pool is. A pool whose liquidity in range is not wholly accounted
 * for keeps a remainder that counts as one owner's. Never fails: a pool that could not be read is not in the answer.
 */
export const readPositions = (
  rpc: BaseRpc,
  input: PositionInput
): Effect.Effect<ReadonlyMap<PoolKey, PositionShares>> => {
  const { mints, blockNumber } = input
  const pools = input.pools.filter(
    (pool) =>
      mints.positions.some(({ pool: key }) => key === keyOfPool(pool)) || mints.whole.has(keyOfPool(pool))
  )
  if (pools.length === 0) return Effect.succeed(new Map())
  const named = mints.positions.filter(({ pool }) => pools.some((one) => keyOfPool(one) === pool))
  const ticks = list(pools.map((pool) => tickOf(keyOfPool(pool))))
  const gauges = list(pools.map(gaugeOf))
  const fees = list(pools.map(feesOf))
  const asked = both(both(ticks, gauges), fees)
  return Effect.gen(function* () {
    const [{ results }, direct, nfts] = yield* Effect.all(
      [
        rpc.readAll(asked.reads, { blockNumber }),
        readDirect(rpc, named, blockNumber),
        readNfts(rpc, named, pools, blockNumber)
      ],
      { concurrency: 3 }
    )
    const [[states, staked], earned] = asked.decode(results)
    const dated = yield* withDates(rpc, nfts.held, input.range)
    const owned = yield* unstaked(rpc, dated, new Set(present(staked)), input.range)
    const all: Found = {
      held: [...direct.held, ...owned.held],
      unread: [...direct.unread, ...nfts.unread, ...owned.unread]
    }
    const boxes = yield* readBoxes(rpc, all.held, input)
    return new Map(
      pools.flatMap((pool, index) => {
        const [state, key] = [states[index], keyOfPool(pool)]
        if (state === undefined) return []
        const shares = sharesOf({
          state,
          tokenIs0: tokenIs0(pool),
          tokenReserve: pool.tokenReserve,
          quoteReserve: pool.quoteReserve,
          held: all.held.filter((position) => position.pool === key),
          unread: all.unread.filter((position) => position.pool === key),
          whole: mints.whole.has(key),
          fees: earned[index] ?? null,
          holdOf: holdIn(boxes, input.launchpadHolders(pool), input)
        })
        return [[key, shares] as const]
      })
    )
  }).pipe(
    Effect.timeout(TIMEOUT),
    Effect.catchAll(() => Effect.succeed(new Map<Hex, PositionShares>()))
  )
}
