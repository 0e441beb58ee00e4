import { Data, Duration, Effect, Exit, Option } from "effect"
import { BASE_NETWORK, type Network, SOLANA_NETWORK, SOLANA_VALIDITY_SECONDS } from "../../domain/chain.ts"
import {
  PaymentConflict,
  PaymentRejected,
  PaymentUnavailable,
  PaymentUnresolved,
  type SaleError
} from "../../domain/errors.ts"
import { both, type Limit, within } from "../../domain/together.ts"
import { keepLease } from "../ledger/lease.ts"
import { type Driven, Ledger, type LedgerEntry } from "../ledger/ledger.ts"
import { upstreamOf } from "../message/payment.ts"
import type { Height } from "../outcome.ts"
import { VerifiedPayment, requireOpenWindow } from "../verifier/verified-payment.ts"
import { type BeforeHandOver, PaymentVerifier } from "../verifier/payment-verifier.ts"
import { type Accepted, again, type Attempt, ledgerDown, newClaim, notClaimed } from "./attempt.ts"
import { makeHandedOver } from "./handed-over.ts"
import type { Throttle } from "./throttle.ts"
import { type EarlierClaim, makeRecognise } from "./recognise.ts"
import type { Sold } from "./sale.ts"
import { Settlement } from "./settlement.ts"
import { makeUnderWay } from "./under-way.ts"

/**
 * Work that takes longer is given up unpaid: settling needs its share of the time in which a payment can land, which on
 * Solana is that of its blockhash.
 */
const WORK_BUDGET: Readonly<Record<Network, Duration.Duration>> = {
  [BASE_NETWORK]: Duration.seconds(25),
  [SOLANA_NETWORK]: Duration.seconds(SOLANA_VALIDITY_SECONDS / 2)
}

/** Another process has taken the payment since the ledger was asked: to be looked at again, not refused. */
class Overtaken extends Data.TaggedError("Overtaken") {}

/** It is on chain already, where everybody can read it: whoever presents it need not be its payer. */
class Used extends Data.TaggedError("Used")<{ readonly why: PaymentRejected }> {}

type Accept = Effect.Effect<Accepted, SaleError | Overtaken | Used>

/** Where we have seen it unused before; 0 was never written down as such a place. */
const unusedAt = (earlier: EarlierClaim | undefined): Height | undefined =>
  earlier === undefined || earlier.since === 0 ? undefined : earlier.since

/** One request to serve. `begin` is the point of no return: from there on nothing stops it. */
export interface Serving<E, R> {
  readonly attempt: Attempt
  readonly earlier: EarlierClaim | undefined
  readonly work: Effect.Effect<string, E, R>
  readonly begin: Effect.Effect<void>
}

const drivenOf = (attempt: Attempt, { since, verified }: Accepted, answer: string): Driven => ({
  authorizationKey: attempt.key,
  verified,
  answer,
  transaction: null,
  since
})

/** The window may have closed while we worked. A transfer that is there already needs none. */
const requireOpen = ({ onChain: { stillOpen = Effect.void, used }, verified }: Accepted) =>
  used === undefined ? Effect.zipRight(requireOpenWindow(verified), stillOpen) : Effect.void

interface Parts {
  readonly throttle: Throttle
  readonly ledger: Ledger["Type"]
  readonly settlement: Settlement["Type"]
}

const isTaken = (entry: LedgerEntry): boolean => entry.state !== "claimed" || !entry.lapsed

/**
 * Asks the ledger once more before anybody is told that nothing was sold. What a process of ours sends is recorded before
 * it is on chain; while another one sells for this payment, the chain shows it as used, or its payer without money, or its
 * window closes, or the work for it fails here alone: whoever heard of that would take it for unpaid.
 */
const unlessOvertaken =
  ({ ledger }: Parts, { key }: Attempt) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.catchAll(effect, (failure) =>
      Effect.flatMap(
        Effect.mapError(ledger.find(key), ledgerDown),
        (entry): Effect.Effect<never, E | Overtaken> =>
          Option.exists(entry, isTaken) ? new Overtaken() : Effect.fail(failure)
      )
    )

/** The time that what nobody has paid for yet may take. */
const budgetOf = (attempt: Attempt): Limit<PaymentUnavailable> => ({
  duration: WORK_BUDGET[attempt.requirements.network],
  late: () => new PaymentUnavailable({ upstream: upstreamOf(attempt.payment) })
})

/** What nobody has paid for yet: bounded in time, and in number per network. */
const unpaid = <A, E, R>({ throttle }: Parts, attempt: Attempt, effect: Effect.Effect<A, E, R>) => {
  const { duration, late } = budgetOf(attempt)
  return throttle.bounded(attempt.payment.network, within(effect, duration, Effect.failSync(late)))
}

/** Settles a row that is in "settling" now. */
const settle = ({ ledger, settlement }: Parts, attempt: Attempt, accepted: Accepted, answer: string) => {
  const row = drivenOf(attempt, accepted, answer)
  const { used } = accepted.onChain
  const settled = used === undefined ? settlement.execute(row) : settlement.recognise(row, used)
  return Effect.asSome(keepLease(ledger, attempt.key, settled))
}

/** Work that may run twice needs no claim: what it made is recorded with the payment, by the first to have it. */
const beside = function* <E, R>(parts: Parts, { attempt, begin, work }: Serving<E, R>, accept: Accept) {
  const [answer, accepted] = yield* parts.throttle.bounded(
    attempt.payment.network,
    both(unlessOvertaken(parts, attempt)(work), accept, budgetOf(attempt))
  )
  yield* unlessOvertaken(parts, attempt)(requireOpen(accepted))
  yield* begin
  const claim = newClaim(attempt, accepted)
  // The record may have been written although its confirmation was lost.
  const isOurs = yield* Effect.mapError(
    parts.ledger.begin(claim, answer),
    notClaimed(accepted.verified.payer, again)
  )
  return isOurs ? yield* settle(parts, attempt, accepted, answer) : Option.none<Sold>()
}

/** Work with effects of its own runs under the ledger's exclusive claim. */
const underClaim = <E, R>(parts: Parts, { attempt, begin, work }: Serving<E, R>, accept: Accept) =>
  Effect.uninterruptibleMask((restore) =>
    Effect.gen(function* () {
      const { ledger } = parts
      const accepted = yield* restore(unpaid(parts, attempt, accept))
      const claim = newClaim(attempt, accepted)
      if (!(yield* Effect.mapError(ledger.claim(claim), notClaimed(claim.payer, ledgerDown))))
        return Option.none<Sold>()
      const releaseUnless = (exit: Exit.Exit<unknown, unknown>) =>
        Exit.isSuccess(exit)
          ? Effect.void
          : Effect.ignoreLogged(ledger.release(attempt.key, "no usable result"))
      const worked = restore(
        Effect.zipLeft(Effect.zipLeft(unpaid(parts, attempt, work), requireOpen(accepted)), begin)
      )
      const answer = yield* keepLease(ledger, attempt.key, Effect.onExit(worked, releaseUnless))
      if (!(yield* Effect.mapError(ledger.settling(attempt.key, answer), again))) return yield* again()
      return yield* restore(settle(parts, attempt, accepted, answer))
    })
  )

/** Before any work: an id that names another payment sells nothing. */
const requireFreeIdentifier = (
  { ledger }: Parts,
  { key, payment: { identifier } }: Attempt,
  payer: string
) =>
  identifier === undefined
    ? Effect.void
    : Effect.flatMap(Effect.mapError(ledger.named(payer, identifier), ledgerDown), (named) =>
        Option.isNone(named) || named.value === key ? Effect.void : new PaymentConflict({ payer })
      )

const countFailure =
  ({ throttle }: Parts, { key }: Attempt, payer: string) =>
  (error: unknown) => {
    if (error instanceof Used) return throttle.failed(key)
    const isPayers = error instanceof PaymentUnresolved && error.isRefusedNow === true
    return isPayers || error instanceof PaymentRejected ? throttle.failed(payer) : Effect.void
  }

/**
 * The way of a payment that nobody holds yet: verified here and on chain, worked for, recorded, settled. Nothing is written
 * before the chain has confirmed that the payment is signed, unused and funded. `None`: another process was faster.
 */
export const makeServe = Effect.fnUntraced(function* (throttle: Throttle) {
  const parts: Parts = { throttle, ledger: yield* Ledger, settlement: yield* Settlement }
  const verifier = yield* PaymentVerifier
  const recognise = yield* makeRecognise
  const handedOver = yield* makeHandedOver
  const underWay = makeUnderWay()

  const verify = (
    verified: VerifiedPayment,
    { attempt, earlier }: Pick<Serving<never, never>, "attempt" | "earlier">,
    beforeHandOver: BeforeHandOver
  ) =>
    verifier.verify(verified, beforeHandOver, unusedAt(earlier)).pipe(
      Effect.flatMap((onChain) =>
        Effect.mapBoth(recognise(attempt, onChain, earlier), {
          onSuccess: (since): Accepted => ({ verified, onChain, since }),
          onFailure: (why) => (why instanceof PaymentRejected ? new Used({ why }) : why)
        })
      ),
      unlessOvertaken(parts, attempt)
    )

  const sold = function* <E, R>(
    serving: Serving<E, R>,
    verified: VerifiedPayment,
    beforeHandOver: BeforeHandOver
  ) {
    const { payer, signatureVerified } = verified
    const { attempt } = serving
    const verifying = verify(verified, serving, beforeHandOver)
    // A payer who may be a contract is asked first: an invented signature must cost us no work, and the payer no wait.
    const onChain = signatureVerified ? verifying : Effect.succeed(yield* unpaid(parts, attempt, verifying))
    yield* throttle.admit(payer)
    yield* throttle.admit(payer, attempt.key)
    yield* requireFreeIdentifier(parts, attempt, payer)
    const isBeside = attempt.order.work === "beside"
    return yield* underWay(verified, (requireRoom) => {
      const accept = Effect.tap(onChain, ({ onChain }) => requireRoom(onChain))
      return isBeside ? Effect.gen(() => beside(parts, serving, accept)) : underClaim(parts, serving, accept)
    }).pipe(
      Effect.tapError(countFailure(parts, attempt, payer)),
      Effect.tap((sold) => (Option.isSome(sold) ? throttle.paid(payer) : Effect.void))
    )
  }

  const served = function* <E, R>(serving: Serving<E, R>) {
    const { attempt, earlier } = serving
    const verified = yield* VerifiedPayment.verify(attempt)
    const { before, during, ended } = handedOver({ attempt, earlier, verified })
    const work = during(serving.work)
    const ending: Effect.Effect<Option.Option<Sold>, SaleError | E, R> = Effect.gen(() =>
      sold({ ...serving, work }, verified, before)
    ).pipe(
      Effect.mapError((error) => (error instanceof Used ? error.why : error)),
      Effect.catchTag("Overtaken", () => Effect.succeedNone)
    )
    return yield* Effect.onExit(ending, ended)
  }

  return <E, R>(serving: Serving<E, R>): Effect.Effect<Option.Option<Sold>, SaleError | E, R> =>
    Effect.gen(() => served(serving))
})
