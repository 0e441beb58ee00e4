/** What token accounts held in the past: the ledger keeps what each transaction left in the accounts that it named. */
import { Clock, Effect } from "effect"
import type { SolanaHistory, SolanaMoment } from "../../../chain/solana-history.ts"
import type { SolanaAddress } from "../../../domain/address.ts"
import type { UpstreamError } from "../../../domain/errors.ts"
import type { ChainTime } from "../pools/terms.ts"
import { HALF_YEAR, makeMoments, MONTH } from "./moments.ts"

/** What an account held, in smallest units. */
export interface Held {
  readonly mint: string
  /** Null: the node did not write down whose it was. */
  readonly owner: string | null
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
  const held: Held | null =
    change === undefined ? null : { mint: change.mint, owner: change.owner, amount: change.after }
  return held
})

/** What an account held at each of the moments by which everybody's past is judged. Null: it was not told, or not asked for. */
type PastOf = ReadonlyArray<Held> | null

/** How far back the moments lie: to a month ago, or beyond that to half a year ago. */
export type Reach = "month" | "half-year"

export interface Past {
  /** Draws the moments, unless they stand. */
  readonly prepare: (reach: Reach, now: ChainTime) => Effect.Effect<void>
  readonly of: (account: SolanaAddress, reach: Reach, now: ChainTime) => Effect.Effect<PastOf, UpstreamError>
}

/** Of so many accounts the past is kept for so long. Milliseconds. */
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

/** The past stays what it was: what accounts held is kept by them for some hours. */
const makeKept = () => {
  const kept = new Map<string, { readonly until: number; readonly held: ReadonlyArray<Held> }>()
  return {
    get: (key: string, now: number): ReadonlyArray<Held> | undefined => {
      const known = kept.get(key)
      return known !== undefined && now < known.until ? known.held : undefined
    },
    put: (key: string, held: ReadonlyArray<Held>, now: number): void => {
      kept.delete(key)
      const [oldest] = kept.keys()
      if (kept.size >= MOST_KEPT && oldest !== undefined) kept.delete(oldest)
      kept.set(key, { held, until: now + KEPT_FOR })
    }
  }
}

export const makePast = Effect.fnUntraced(function* (history: SolanaHistory) {
  const moments = {
    month: yield* makeMoments(history, MONTH),
    "half-year": yield* makeMoments(history, HALF_YEAR)
  }
  const kept = makeKept()
  const hasTurn = makeTurns()
  const of = Effect.fnUntraced(function* (account: SolanaAddress, reach: Reach, now: ChainTime) {
    const time = yield* Clock.currentTimeMillis
    const key = `${reach} ${account}`
    const known = kept.get(key, time)
    if (known !== undefined) return known
    if (!hasTurn(time)) return null
    const all = yield* moments[reach](now)
    const told = yield* Effect.forEach(all, (moment) => heldAt(history, account, moment), {
      concurrency: "unbounded"
    })
    const held = told.filter((one) => one !== null)
    if (all.length === 0 || held.length < all.length) return null
    kept.put(key, held, time)
    return held
  })
  const past: Past = { of, prepare: (reach, now) => Effect.asVoid(moments[reach](now)) }
  return past
})
