/** What token accounts held in the past: the ledger keeps what each transaction left in the accounts that it named. */
import { Clock, Effect } from "effect"
import type { SolanaHistory, SolanaMoment } from "../../../chain/solana-history.ts"
import type { SolanaAddress } from "../../../domain/address.ts"
import type { UpstreamError } from "../../../domain/errors.ts"
import { lasts } from "../../../domain/lasts.ts"
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

/** Whose past is asked for: an account in which a pool of the token keeps its quote. */
export interface LookUp {
  readonly token: SolanaAddress
  readonly account: SolanaAddress
  readonly reach: Reach
}

export interface Past {
  /** Draws the moments, unless they stand. */
  readonly prepare: (reach: Reach, now: ChainTime) => Effect.Effect<void>
  readonly of: (lookUp: LookUp, now: ChainTime) => Effect.Effect<PastOf, UpstreamError>
}

/** Of so many accounts the past is kept for so long; that a node did not tell it, for a minute. Milliseconds. */
const MOST_KEPT = 2000
const MINUTE = 60_000
const KEPT_FOR = 6 * 3_600_000

/**
 * The past of so many accounts is asked for in a minute. Payments look into the same ledger, and a node that is asked too
 * often for a method answers nobody.
 */
const MOST_ASKED = 30
/** Of these so many are kept for tokens that have had none in the minute: a few tokens of many pools take nobody's only one. */
const FOR_OTHERS = 10

/** Counts what is asked, minute by minute. */
const makeTurns = () => {
  let [since, asked] = [0, 0]
  const served = new Set<SolanaAddress>()
  /** Whether there is a turn left for a token at this time, which is then taken. */
  return (token: SolanaAddress, now: number): boolean => {
    if (!lasts(since + MINUTE, MINUTE, now)) {
      since = now
      asked = 0
      served.clear()
    }
    if (asked >= (served.has(token) ? MOST_ASKED - FOR_OTHERS : MOST_ASKED)) return false
    asked += 1
    served.add(token)
    return true
  }
}

/** The past stays what it was: what accounts held is kept by them for some hours. */
const makeKept = () => {
  const kept = new Map<string, { readonly until: number; readonly held: PastOf }>()
  return {
    get: (key: string, now: number): PastOf | undefined => {
      const known = kept.get(key)
      return known !== undefined && lasts(known.until, KEPT_FOR, now) ? known.held : undefined
    },
    put: (key: string, held: PastOf, now: number): void => {
      kept.delete(key)
      const [oldest] = kept.keys()
      if (kept.size >= MOST_KEPT && oldest !== undefined) kept.delete(oldest)
      kept.set(key, { held, until: now + (held === null ? MINUTE : KEPT_FOR) })
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

  /** What the account held at each moment; null where there are none, or where one was not told. */
  const heldAtAll = Effect.fnUntraced(function* ({ account, reach }: LookUp, now: ChainTime) {
    const all = yield* moments[reach](now)
    const told = yield* Effect.forEach(all, (moment) => heldAt(history, account, moment), {
      concurrency: "unbounded"
    })
    const held = told.filter((one) => one !== null)
    return all.length === 0 || held.length < all.length ? null : held
  })

  const of = Effect.fnUntraced(function* (lookUp: LookUp, now: ChainTime) {
    const time = yield* Clock.currentTimeMillis
    const key = `${lookUp.reach} ${lookUp.account}`
    const known = kept.get(key, time)
    if (known !== undefined) return known
    if (!hasTurn(lookUp.token, time)) return null
    const keep = (held: PastOf) => Effect.sync(() => kept.put(key, held, time))
    return yield* Effect.tapBoth(heldAtAll(lookUp, now), { onSuccess: keep, onFailure: () => keep(null) })
  })
  const past: Past = { of, prepare: (reach, now) => Effect.asVoid(moments[reach](now)) }
  return past
})
