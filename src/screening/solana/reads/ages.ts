/** How long pools have held what they hold. */
import { Effect, Fiber } from "effect"
import type { SolanaAddress } from "../../../domain/address.ts"
import type { Fact } from "../../../domain/fact.ts"
import { missing } from "../../../domain/fact.ts"
import { TRUSTED_QUOTES } from "../addresses.ts"
import type { DecodedPool } from "../pools/decoded-pool.ts"
import { poolsOf } from "../pools/found.ts"
import type { PoolOf } from "../pools/harvest.ts"
import { poolLock } from "../pools/lp-lock.ts"
import type { LpAccounts } from "../pools/lp-reading.ts"
import { noLpReading } from "../pools/lp-reading.ts"
import { saidUsd } from "../pools/said.ts"
import type { Seasoned } from "../pools/seasoned.ts"
import { MUCH_USD } from "../../patience.ts"
import { saidOld } from "../pools/seasoned.ts"
import { clockOf } from "./clock.ts"
import { factOf } from "./fetch.ts"
import { isEmpty, MAX_TRACED_POOLS } from "./liquidity-owners.ts"
import type { Held, Reach } from "./past.ts"
import type { Reads, Upstreams } from "./reads.ts"
import type { TokenAccount } from "./token-account.ts"
import { decodeTokenAccount } from "./token-account.ts"

/** Pools are looked at from the one that is said to be deepest on, until they are said to hold so much of all. */
const COVERED = 0.9
/** This part of what a vault holds today it must have held at each moment: prices move what a pool holds. */
const LEAST_PART = 2n

/** With so much liquidity, by what market data says, nobody will ask for more than a month. */
const SURELY_MUCH = 4 * MUCH_USD
const MONTH_ONLY: ReadonlyArray<Reach> = ["month"]
const BOTH: ReadonlyArray<Reach> = ["month", "half-year"]

interface OldPool {
  readonly address: SolanaAddress
  readonly pool: DecodedPool
  /** Where its quote lies. */
  readonly vault: SolanaAddress
  /** How far into its past it is worth to look. */
  readonly reaches: ReadonlyArray<Reach>
}

/** The deepest pools that are said to be old. */
const oldPools = (reads: Reads, mint: SolanaAddress): ReadonlyArray<OldPool> => {
  const old = saidOld(reads)
  const said = saidUsd(reads)
  const depth = ({ address }: Pick<OldPool, "address">): number => said.get(address) ?? 0
  const pools = poolsOf(reads, mint)
    .flatMap(([address, pool]) =>
      old.month.has(address) && pool.quoteVault !== null && TRUSTED_QUOTES.has(pool.quoteMint ?? "")
        ? [{ address, pool, vault: pool.quoteVault }]
        : []
    )
    .toSorted((a, b) => depth(b) - depth(a))
  const whole = pools.reduce((sum, pool) => sum + depth(pool), 0)
  let covered = 0
  return pools
    .slice(0, MAX_TRACED_POOLS)
    .filter((pool, index) => {
      const isNeeded = index === 0 || covered < COVERED * whole
      covered += depth(pool)
      return isNeeded
    })
    .map((pool) => ({
      ...pool,
      reaches: whole < SURELY_MUCH && old.halfYear.has(pool.address) ? BOTH : MONTH_ONLY
    }))
}

/** With so much of it locked nobody asks how long the rest has been there. */
const MOST_LOCKED = 0.8

/** Whether most of a pool's liquidity is seen to be locked already, so that its age will hardly matter. */
const isLocked = (reads: Reads, place: PoolOf, accounts: LpAccounts | undefined): boolean => {
  const { claim } = place.pool
  if (claim.kind === "lp-tokens" && isEmpty(reads.book, claim.lpMint)) return true
  const reading = accounts === undefined ? noLpReading : { ...noLpReading, accounts }
  return poolLock(place, reading, reads.book, clockOf(reads).seconds).locked.low >= MOST_LOCKED
}

/** The past of one token's pools. */
export interface Ages {
  /** Begins to draw the moments, where market data says that a pool is old. */
  readonly prepare: (reads: Reads) => Effect.Effect<void>
  /** Begins what will be asked for if it turns out to matter. Concludes nothing. */
  readonly begin: (reads: Reads, lpAccounts: ReadonlyMap<SolanaAddress, LpAccounts>) => Effect.Effect<void>
  /** Which pools are proven to have held half of the quote that they hold today all the time. */
  readonly conclude: (reads: Reads) => Effect.Effect<Seasoned>
}

type Told = Fact<ReadonlyArray<Held> | null>

/** How long the past is waited for, once all else has been read: a ledger of months may be slow to answer. */
const PATIENCE = "3 seconds"

const patiently = (fiber: Fiber.RuntimeFiber<Told>): Effect.Effect<Told> =>
  Effect.timeoutTo(Fiber.join(fiber), {
    duration: PATIENCE,
    onTimeout: (): Told => missing("the node takes long over the past"),
    onSuccess: (told): Told => told
  })

/**
 * Whether an account that holds so much today held half of it at every moment, and was the same owner's: some programs take
 * accounts that somebody has had for long for a pool's vaults, and what he held there was never anybody's exit.
 */
const isSeasoned = (past: Told, today: TokenAccount | null): boolean =>
  past.known &&
  past.value !== null &&
  past.value.every(
    ({ amount, mint, owner }) =>
      today !== null && mint === today.mint && owner === today.owner && amount * LEAST_PART >= today.amount
  )

export const makeAges = Effect.fn("SolanaPlan.makeAges")(function* (
  { past }: Pick<Upstreams, "past">,
  mint: SolanaAddress
) {
  const scope = yield* Effect.scope
  const running = new Map<string, Fiber.RuntimeFiber<Told>>()

  const ask = (reads: Reads, vault: SolanaAddress, reach: Reach): Effect.Effect<Fiber.RuntimeFiber<Told>> =>
    Effect.suspend(() => {
      const key = `${reach} ${vault}`
      const known = running.get(key)
      if (known !== undefined) return Effect.succeed(known)
      const asked = factOf(
        past.of({ token: mint, account: vault, reach }, clockOf(reads)),
        "the node does not tell the past"
      )
      return Effect.tap(Effect.forkIn(asked, scope), (fiber) => void running.set(key, fiber))
    })

  /** Pools whose vaults have held half of today's quote at every moment that this reach adds. */
  const heldFor = Effect.fnUntraced(function* (reads: Reads, pools: ReadonlyArray<OldPool>, reach: Reach) {
    const asked = yield* Effect.forEach(
      pools.filter(({ reaches }) => reaches.includes(reach)),
      ({ address, vault }) => Effect.map(ask(reads, vault, reach), (fiber) => ({ address, vault, fiber }))
    )
    const found = yield* Effect.forEach(
      asked,
      ({ address, fiber, vault }) =>
        Effect.map(patiently(fiber), (told) =>
          isSeasoned(told, decodeTokenAccount(reads.book.get(vault) ?? null)) ? [address] : []
        ),
      { concurrency: "unbounded" }
    )
    return new Set<string>(found.flat())
  })

  const ages: Ages = {
    prepare: (reads) => {
      const { halfYear, month } = saidOld(reads)
      const reaches = halfYear.size > 0 ? BOTH : month.size > 0 ? MONTH_ONLY : []
      return Effect.forEach(reaches, (reach) => Effect.forkIn(past.prepare(reach, clockOf(reads)), scope), {
        discard: true
      })
    },
    begin: (reads, lpAccounts) =>
      Effect.forEach(
        oldPools(reads, mint).filter(
          ({ address, pool }) => !isLocked(reads, { pool, token: mint }, lpAccounts.get(address))
        ),
        ({ reaches, vault }) => Effect.forEach(reaches, (reach) => ask(reads, vault, reach)),
        { discard: true }
      ),
    conclude: Effect.fn("SolanaPlan.agesOf")(function* (reads) {
      const pools = oldPools(reads, mint)
      const [month, longer] = yield* Effect.all(
        [heldFor(reads, pools, "month"), heldFor(reads, pools, "half-year")],
        { concurrency: "unbounded" }
      )
      return { month, halfYear: new Set([...longer].filter((address) => month.has(address))) }
    })
  }
  return ages
})
