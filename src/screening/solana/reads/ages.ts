/** How long pools have held what they hold. */
import { Effect, Fiber } from "effect"
import type { SolanaAddress } from "../../../domain/address.ts"
import type { Fact } from "../../../domain/fact.ts"
import { missing } from "../../../domain/fact.ts"
import { TRUSTED_QUOTES } from "../addresses.ts"
import type { DecodedPool } from "../pools/decoded-pool.ts"
import { poolsOf } from "../pools/found.ts"
import { poolLock } from "../pools/lp-lock.ts"
import type { LpAccounts } from "../pools/lp-reading.ts"
import { noLpReading } from "../pools/lp-reading.ts"
import { saidOld } from "../pools/said-old.ts"
import { clockOf } from "./clock.ts"
import { factOf } from "./fetch.ts"
import { isEmpty, MAX_TRACED_POOLS, saidUsd } from "./liquidity-owners.ts"
import type { Held } from "./past.ts"
import type { Reads, Upstreams } from "./reads.ts"
import { decodeTokenAccount } from "./token-account.ts"

/** Pools are looked at from the one that is said to be deepest on, until they are said to hold so much of all. */
const COVERED = 0.9
/** This part of what a vault holds today it must have held at each moment: prices move what a pool holds. */
const LEAST_PART = 2n

interface OldPool {
  readonly address: SolanaAddress
  readonly pool: DecodedPool
  /** Where its quote lies. */
  readonly vault: SolanaAddress
}

/** The deepest pools that are said to be old. */
const oldPools = (reads: Reads, mint: SolanaAddress): ReadonlyArray<OldPool> => {
  const old = saidOld(reads)
  const said = saidUsd(reads)
  const depth = ({ address }: Pick<OldPool, "address">): number => said.get(address) ?? 0
  const pools = poolsOf(reads, mint)
    .flatMap(([address, pool]) =>
      old.has(address) && pool.quoteVault !== null && TRUSTED_QUOTES.has(pool.quoteMint ?? "")
        ? [{ address, pool, vault: pool.quoteVault }]
        : []
    )
    .toSorted((a, b) => depth(b) - depth(a))
  const whole = pools.reduce((sum, pool) => sum + depth(pool), 0)
  let covered = 0
  return pools.slice(0, MAX_TRACED_POOLS).filter((pool, index) => {
    const isNeeded = index === 0 || covered < COVERED * whole
    covered += depth(pool)
    return isNeeded
  })
}

/** With so much of it locked nobody asks how long the rest has been there. */
const MOST_LOCKED = 0.8

/** Whether most of a pool's liquidity is seen to be locked already, so that its age will hardly matter. */
const isLocked = (reads: Reads, { claim }: DecodedPool, accounts: LpAccounts | undefined): boolean => {
  if (claim.kind === "lp-tokens" && isEmpty(reads.book, claim.lpMint)) return true
  const reading = accounts === undefined ? noLpReading : { ...noLpReading, accounts }
  return poolLock(claim, reading, reads.book, clockOf(reads).seconds).locked.low >= MOST_LOCKED
}

/** The past of one token's pools. */
export interface Ages {
  /** Begins to draw the moments, where market data says that a pool is old. */
  readonly prepare: (reads: Reads) => Effect.Effect<void>
  /** Begins what will be asked for if it turns out to matter. Concludes nothing. */
  readonly begin: (reads: Reads, lpAccounts: ReadonlyMap<SolanaAddress, LpAccounts>) => Effect.Effect<void>
  /** Pools that are proven to have held half of the quote that they hold today for a month, at least. */
  readonly conclude: (reads: Reads) => Effect.Effect<ReadonlySet<string>>
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

/** Whether an account that holds so much today held half of it at every moment. */
const isSeasoned = (past: Told, today: Held | null): boolean =>
  past.known &&
  past.value !== null &&
  past.value.every(
    ({ amount, mint }) => today !== null && mint === today.mint && amount * LEAST_PART >= today.amount
  )

export const makeAges = Effect.fn("SolanaPlan.makeAges")(function* (
  { past }: Pick<Upstreams, "past">,
  mint: SolanaAddress
) {
  const scope = yield* Effect.scope
  const running = new Map<SolanaAddress, Fiber.RuntimeFiber<Told>>()

  const ask = (reads: Reads, { vault }: OldPool): Effect.Effect<Fiber.RuntimeFiber<Told>> =>
    Effect.suspend(() => {
      const known = running.get(vault)
      if (known !== undefined) return Effect.succeed(known)
      const asked = factOf(past.of(vault, clockOf(reads)), "the node does not tell the past")
      return Effect.tap(Effect.forkIn(asked, scope), (fiber) => void running.set(vault, fiber))
    })

  const ages: Ages = {
    prepare: (reads) =>
      saidOld(reads).size === 0
        ? Effect.void
        : Effect.asVoid(Effect.forkIn(past.prepare(clockOf(reads)), scope)),
    begin: (reads, lpAccounts) =>
      Effect.forEach(
        oldPools(reads, mint).filter(({ address, pool }) => !isLocked(reads, pool, lpAccounts.get(address))),
        (pool) => ask(reads, pool),
        { discard: true }
      ),
    conclude: Effect.fn("SolanaPlan.agesOf")(function* (reads) {
      const asked = yield* Effect.forEach(oldPools(reads, mint), (old) =>
        Effect.map(ask(reads, old), (fiber) => ({ ...old, fiber }))
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
  }
  return ages
})
