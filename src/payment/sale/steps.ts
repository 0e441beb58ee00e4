import { Effect, Either, Option } from "effect"
import { PaymentRejected, type SaleError } from "../../domain/errors.ts"
import { keepLease } from "../ledger/lease.ts"
import { Ledger, type LedgerEntry, type Refused, type Settling } from "../ledger/ledger.ts"
import { alreadyUsed, isSame, ledgerDown, type Presented } from "./attempt.ts"
import type { EarlierClaim } from "./recognise.ts"
import type { Sold } from "./sale.ts"
import { Settlement } from "./settlement.ts"
import { replayed, type SingleFlight } from "./single-flight.ts"

/** The result of one look at a payment; `None`: look again. */
export type Stepped<E = never, R = never> = Effect.Effect<Option.Option<Sold>, SaleError | E, R>

type EntryIn<S extends LedgerEntry["state"]> = Extract<LedgerEntry, { readonly state: S }>

/** What follows from each state in which the ledger can hold a payment, for a request with that payment. */
type Steps<E, R> = {
  readonly [S in LedgerEntry["state"]]: (attempt: Presented, entry: EntryIn<S>) => Stepped<E, R>
}

interface Parts {
  readonly flights: SingleFlight
  readonly ledger: Ledger["Type"]
  readonly settlement: Settlement["Type"]
}

/** Drives a row whose process died, in a fiber of the application. `None` when another process drives it. */
const resume = ({ flights, ledger, settlement }: Parts, attempt: Presented, row: Settling): Stepped =>
  Effect.map(
    flights.run(
      attempt,
      Effect.flatMap(Effect.mapError(ledger.takeOver(attempt.key), ledgerDown), (taken) =>
        taken ? Effect.asSome(keepLease(ledger, attempt.key, settlement.resume(row))) : Effect.succeedNone
      )
    ),
    Option.map(replayed)
  )

const refuse = (
  { flights, settlement }: Parts,
  attempt: Presented,
  { driven, payer, reason }: Refused,
  same: boolean
): Stepped => {
  if (!same && Either.isLeft(attempt.matched)) return Effect.fail(attempt.matched.left)
  if (driven === undefined || !same) {
    return Effect.fail(new PaymentRejected({ reason, network: attempt.payment.network, payer }))
  }
  return Effect.map(
    flights.run(attempt, Effect.asSome(settlement.reconsider(driven, reason))),
    Option.map(replayed)
  )
}

const used = (attempt: Presented, { payer }: LedgerEntry) => Effect.fail(alreadyUsed(attempt, payer))

/**
 * The table of steps. `lead` serves a payment that is free; everything else follows from what is recorded:
 *
 * | the ledger has | same payment, same order | any other |
 * |---|---|---|
 * | nothing | serve | serve |
 * | a claim that is held | look again | refuse: already used |
 * | a claim that lapsed | serve | serve |
 * | settling | drive it to its end | refuse: already used |
 * | settled | the stored answer | refuse: already used |
 * | refused, for good | refuse: its reason | refuse: its reason |
 * | refused, still watched | ask the chain again | refuse: its reason |
 *
 * Our terms matter to what is served alone: a payment that pays none of them as they are now is refused for that where it
 * would be served or was refused for another order, and otherwise goes on as it began.
 */
export const makeSteps = Effect.fnUntraced(function* (flights: SingleFlight) {
  const ledger = yield* Ledger
  const parts: Parts = { flights, ledger, settlement: yield* Settlement }

  /** One look at what is known of the payment, and the step that follows. */
  const look = function* <E, R>(
    attempt: Presented,
    follow: (attempt: Presented, entry: LedgerEntry | undefined) => Stepped<E, R>
  ) {
    const before = flights.find(attempt.key)
    if (before !== undefined) return yield* flights.follow(attempt, before)
    const entry = yield* Effect.mapError(ledger.find(attempt.key), ledgerDown)
    // Others may have begun while the ledger answered.
    const leader = flights.find(attempt.key)
    if (leader !== undefined) return yield* flights.follow(attempt, leader)
    return yield* follow(attempt, Option.getOrUndefined(entry))
  }

  return <E, R>(lead: (attempt: Presented, earlier: EarlierClaim | undefined) => Stepped<E, R>) => {
    const steps: Steps<E, R> = {
      claimed: (attempt, entry) => {
        if (entry.lapsed) return lead(attempt, entry)
        return isSame(attempt, entry) ? Effect.succeedNone : used(attempt, entry)
      },
      settling: (attempt, entry) =>
        isSame(attempt, entry) ? resume(parts, attempt, entry) : used(attempt, entry),
      settled: (attempt, entry) =>
        entry.sold !== undefined && isSame(attempt, entry)
          ? Effect.succeedSome({ ...entry.sold, replayed: true })
          : used(attempt, entry),
      refused: (attempt, entry) => refuse(parts, attempt, entry, isSame(attempt, entry))
    }

    const follow = (attempt: Presented, entry: LedgerEntry | undefined): Stepped<E, R> => {
      if (entry === undefined) return lead(attempt, undefined)
      switch (entry.state) {
        case "claimed":
          return steps.claimed(attempt, entry)
        case "settling":
          return steps.settling(attempt, entry)
        case "settled":
          return steps.settled(attempt, entry)
        case "refused":
          return steps.refused(attempt, entry)
      }
    }

    return (attempt: Presented): Stepped<E, R> => Effect.gen(() => look(attempt, follow))
  }
})
