/** How long pools have held what they hold: the ledger keeps what each transaction left in the accounts that it named. */
import { Effect, Fiber } from "effect"
import type { SolanaHistory, SolanaMoment } from "../../../chain/solana-history.ts"
import { makeSolanaHistory } from "../../../chain/solana-history.ts"
import type { SolanaAddress } from "../../../domain/address.ts"
import type { Fact } from "../../../domain/fact.ts"
import { TRUSTED_QUOTES } from "../addresses.ts"
import type { DecodedPool } from "../pools/decoded-pool.ts"
import { poolsOf } from "../pools/found.ts"
import { noLpReading } from "../pools/lp-reading.ts"
import { poolLock } from "../pools/lp-lock.ts"
import { saidOld } from "../pools/said-old.ts"
import { clockOf } from "./clock.ts"
import { factOf } from "./fetch.ts"
import { isEmpty, saidUsd } from "./liquidity-owners.ts"
import type { Reads, Upstreams } from "./reads.ts"
import { decodeTokenAccount } from "./token-account.ts"
import type { LpAccounts } from "../pools/lp-reading.ts"

/** Pools whose past is looked at, those said to be deepest first: each costs two calls for each moment. */
const MOST_POOLS = 3
/** This part of what a vault holds today it must have held at each moment: prices move what a pool holds. */
const LEAST_PART = 2n

/** What an account held, in smallest units. */
interface Held {
  readonly mint: string
  readonly amount: bigint
}

/**
 * What an account held at a moment: what the last transaction before it left there, for no other can have changed it.
 * Null: the node does not know.
 */
const heldAt = Effect.fnUntraced(function* (
  { getSignatures, getTransaction }: SolanaHistory,
  account: SolanaAddress,
  { signature, slot }: SolanaMoment
) {
  const [last] = yield* getSignatures(account, { before: signature, limit: 1 })
  if (last === undefined || BigInt(last.slot) > slot) return null
  const transaction = yield* getTransaction(last.signature)
  const change = transaction?.changes.find((one) => one.account === account)
  const held: Held | null = change === undefined ? null : { mint: change.mint, amount: change.after }
  return held
})

type Pools = ReadonlyArray<readonly [pool: SolanaAddress, vault: SolanaAddress, decoded: DecodedPool]>

/** Pools said to be old, with where their quote lies. */
const oldPools = (reads: Reads, mint: SolanaAddress): Pools => {
  const old = saidOld(reads)
  const said = saidUsd(reads)
  return poolsOf(reads, mint)
    .flatMap(([address, pool]) =>
      old.has(address) && pool.quoteVault !== null && TRUSTED_QUOTES.has(pool.quoteMint ?? "")
        ? [[address, pool.quoteVault, pool] as const]
        : []
    )
    .toSorted(([a], [b]) => (said.get(b) ?? 0) - (said.get(a) ?? 0))
    .slice(0, MOST_POOLS)
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
  /** Pools that are proven to have held most of the quote that they hold for a month. */
  readonly conclude: (reads: Reads) => Effect.Effect<ReadonlySet<string>>
}

/** Whether a vault that holds so much today held most of it at every moment. */
const isSeasoned = (past: Fact<ReadonlyArray<Held | null>>, today: Held | null): boolean =>
  past.known &&
  past.value.length > 0 &&
  past.value.every(
    (held) =>
      held !== null && today !== null && held.mint === today.mint && held.amount * LEAST_PART >= today.amount
  )

export const makeAges = Effect.fn("SolanaPlan.makeAges")(function* (
  { moments, rpc }: Pick<Upstreams, "moments" | "rpc">,
  mint: SolanaAddress
) {
  const scope = yield* Effect.scope
  const history = makeSolanaHistory(rpc.together)
  const running = new Map<SolanaAddress, Fiber.RuntimeFiber<Fact<ReadonlyArray<Held | null>>>>()

  const ask = (reads: Reads, vault: SolanaAddress) =>
    Effect.suspend(() => {
      const known = running.get(vault)
      if (known !== undefined) return Effect.succeed(known)
      const asked = Effect.flatMap(moments(clockOf(reads)), (all) =>
        Effect.forEach(all, (moment) => heldAt(history, vault, moment), { concurrency: "unbounded" })
      )
      return Effect.tap(
        Effect.forkIn(factOf(asked, "the node does not tell the past"), scope),
        (fiber) => void running.set(vault, fiber)
      )
    })

  const ages: Ages = {
    prepare: (reads) =>
      saidOld(reads).size === 0 ? Effect.void : Effect.asVoid(Effect.forkIn(moments(clockOf(reads)), scope)),
    begin: (reads, lpAccounts) =>
      Effect.forEach(
        oldPools(reads, mint).filter(([address, , pool]) => !isLocked(reads, pool, lpAccounts.get(address))),
        ([, vault]) => ask(reads, vault),
        { discard: true }
      ),
    conclude: Effect.fn("SolanaPlan.agesOf")(function* (reads) {
      const asked = yield* Effect.forEach(oldPools(reads, mint), ([address, vault]) =>
        Effect.map(ask(reads, vault), (fiber) => ({ address, vault, fiber }))
      )
      const found = yield* Effect.forEach(asked, ({ address, fiber, vault }) =>
        Effect.map(Fiber.join(fiber), (past) =>
          isSeasoned(past, decodeTokenAccount(reads.book.get(vault) ?? null)) ? [address] : []
        )
      )
      return new Set<string>(found.flat())
    })
  }
  return ages
})
