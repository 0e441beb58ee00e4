/** What token accounts held in the past: the ledger keeps what each transaction left in the accounts that it named. */
import { Clock, Effect } from "effect"
import type { SolanaHistory, SolanaMoment } from "../../../chain/solana-history.ts"
import type { SolanaAddress } from "../../../domain/address.ts"
import type { UpstreamError } from "../../../domain/errors.ts"
import type { ChainTime } from "../pools/terms.ts"
import { makeMoments } from "./moments.ts"

/** What an account held, in smallest units. */
export interface Held {
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

/** What an account held at each of the moments by which everybody's past is judged. Null: it was not told, or not asked for. */
type PastOf = ReadonlyArray<Held> | null

export interface Past {
  /** Draws the moments, unless they stand. */
  readonly prepare: (now: ChainTime) => Effect.Effect<void>
  readonly of: (account: SolanaAddress, now: ChainTime) => Effect.Effect<PastOf, UpstreamError>
}

/** The past stays what it was: of so many accounts it is kept for so long. Milliseconds. */
const MOST_KEPT = 2000
const KEPT_FOR = 6 * 3_600_000

/**
 * The past of so many accounts is asked for in a minute. Payments look into the same ledger, and a node that is asked too
 * often for a method answers nobody.
 */
const MOST_ASKED = 30
const MINUTE = 60_000

/** Counts what is asked, minute by minute. */
const makeTurns = () => {
  let [since, asked] = [0, 0]
  /** Whether there is a turn left at this time. */
  return (now: number): boolean => {
    if (now - since >= MINUTE) [since, asked] = [now, 0]
    asked += 1
    return asked <= MOST_ASKED
  }
}

export const makePast = (history: SolanaHistory): Effect.Effect<Past> =>
  Effect.map(makeMoments(history), (moments) => {
    const kept = new Map<SolanaAddress, { readonly until: number; readonly held: ReadonlyArray<Held> }>()
    const keep = (account: SolanaAddress, held: ReadonlyArray<Held>, now: number): void => {
      const [oldest] = kept.keys()
      if (kept.size >= MOST_KEPT && oldest !== undefined) kept.delete(oldest)
      kept.set(account, { held, until: now + KEPT_FOR })
    }
    const hasTurn = makeTurns()
    const of = Effect.fnUntraced(function* (account: SolanaAddress, now: ChainTime) {
      const time = yield* Clock.currentTimeMillis
      const known = kept.get(account)
      if (known !== undefined && time < known.until) return known.held
      if (!hasTurn(time)) return null
      const all = yield* moments(now)
      const told = yield* Effect.forEach(all, (moment) => heldAt(history, account, moment), {
        concurrency: "unbounded"
      })
      const held = told.filter((one) => one !== null)
      if (all.length === 0 || held.length < all.length) return null
      kept.delete(account)
      keep(account, held, time)
      return held
    })
    const past: Past = { of, prepare: (now) => Effect.asVoid(moments(now)) }
    return past
  })
