import {
  Cause,
  Clock,
  Deferred,
  Duration,
  Effect,
  Exit,
  Fiber,
  FiberId,
  FiberSet,
  Layer,
  Option,
  Ref
} from "effect"
import { createHash } from "node:crypto"
import { PaymentRejected, PaymentUnavailable, PaymentUnresolved } from "../../domain/errors.ts"
import { makeGuard } from "./guard.ts"
import { encodePayload } from "../ledger/ledger-row.ts"
import { keepLease } from "../ledger/lease.ts"
import { Ledger, type NewClaim, type Settling } from "../ledger/ledger.ts"
import { checkLocally } from "../verifier/local-check.ts"
import { type MatchedPayment, matchPayment } from "../message/match.ts"
import type { Payment } from "../message/payment.ts"
import { PaymentVerifier } from "../verifier/payment-verifier.ts"
import { type Order, Sale, type Sold } from "./sale.ts"
import { Settlement, SettlementLive } from "./settlement.ts"
import { parsePayment, parsePaymentObject } from "../message/parse-payment.ts"

/** Work that takes longer is given up unpaid: a Solana blockhash lives a minute, and settling needs its share. */
const WORK_BUDGET = Duration.seconds(25)
/** How long a repeated payment waits for the request that is being served with it. */
const WAIT = Duration.seconds(25)
/** How often a request looks for the outcome of another process's work. */
const POLL = Duration.millis(250)
/** How long a stopping process waits for sales it has begun. */
const DRAIN = Duration.seconds(20)
const RETRY_AFTER_SECONDS = 2

type SaleError = PaymentRejected | PaymentUnresolved | PaymentUnavailable

/** One attempt to sell: the payment beside our terms, and what the ledger knows it by. */
interface Bid extends MatchedPayment {
  readonly key: string
  readonly fingerprint: string
  readonly payload: string
}

/** What a request that is being served tells those that wait for it: nothing when it gave its claim back. */
type Shared = Option.Option<Effect.Effect<Sold, SaleError>>

interface InFlight {
  readonly fingerprint: string
  readonly payload: string
  readonly done: Deferred.Deferred<Shared>
}

const ledgerDown = () => new PaymentUnavailable({ upstream: "database" })
const again = () => new PaymentUnresolved({ retryAfterSeconds: RETRY_AFTER_SECONDS })
const digest = (text: string): string => createHash("sha256").update(text).digest("hex")
const isSaleError = (error: unknown): error is SaleError =>
  error instanceof PaymentRejected ||
  error instanceof PaymentUnresolved ||
  error instanceof PaymentUnavailable

const replayed = (sold: Sold): Sold => ({ ...sold, replayed: true })

/** Payment failures hold for everyone with the same payment; failed or stopped work may succeed for the next. */
const shareable = (exit: Exit.Exit<Option.Option<Sold>, unknown>): Shared => {
  if (Exit.isSuccess(exit)) return Option.map(exit.value, Effect.succeed)
  return Option.map(Option.filter(Cause.failureOption(exit.cause), isSaleError), Effect.fail)
}

const make = Effect.gen(function* () {
  const ledger = yield* Ledger
  const settlement = yield* Settlement
  const verifier = yield* PaymentVerifier
  const guard = yield* makeGuard
  const inFlight = new Map<string, InFlight>()
  const fibers = yield* FiberSet.make<unknown, unknown>()
  yield* Effect.addFinalizer(() =>
    FiberSet.awaitEmpty(fibers).pipe(Effect.interruptible, Effect.timeoutOption(DRAIN))
  )

  const alreadyUsed = (bid: Bid, payer?: string) =>
    new PaymentRejected({ reason: "payment_already_used", network: bid.payment.network, payer })

  const isSame = (bid: Bid, other: { readonly fingerprint: string; readonly payload: string }) =>
    bid.fingerprint === other.fingerprint && bid.payload === other.payload

  const verify = (bid: Bid) => verifier.verify(bid.payment, bid.requirements)

  const newClaim = (bid: Bid, payer: string): NewClaim => ({
    authorizationKey: bid.key,
    fingerprint: bid.fingerprint,
    network: bid.requirements.network,
    payer,
    amount: bid.requirements.amount,
    payload: bid.payload,
    requirements: bid.requirements
  })

  /** The work beside the chain's verdict; the first failure stops the other and costs the payer nothing. */
  const workVerified = <E, R>(bid: Bid, proven: boolean, work: Effect.Effect<string, E, R>) =>
    work.pipe(
      Effect.zipLeft(proven ? Effect.asVoid(verify(bid)) : Effect.void, { concurrent: true }),
      Effect.timeoutFail({
        duration: WORK_BUDGET,
        onTimeout: () =>
          new PaymentUnavailable({ upstream: bid.payment.scheme === "svm" ? "solana-rpc" : "base-rpc" })
      }),
      // The window may have closed while we worked.
      Effect.zipLeft(checkLocally(bid))
    )

  const releaseUnless = (bid: Bid) => (exit: Exit.Exit<unknown, unknown>) =>
    Exit.isSuccess(exit) ? Effect.void : Effect.ignoreLogged(ledger.release(bid.key, "no usable result"))

  /** Claimed → settled. */
  const settle = (bid: Bid, payer: string, answer: string) =>
    ledger.settling(bid.key, answer).pipe(
      // The record may have been written although its confirmation was lost.
      Effect.mapError(again),
      Effect.filterOrFail((moved) => moved, again),
      Effect.zipRight(
        settlement.execute({
          authorizationKey: bid.key,
          payer,
          payment: bid.payment,
          requirements: bid.requirements,
          answer,
          transaction: null
        })
      )
    )

  const countFailure = (payer: string) => (error: unknown) =>
    error instanceof PaymentRejected ? guard.failed(payer) : Effect.void

  /** Claim, work, settle. `None` when another process holds the claim. `begin` is the point of no return. */
  const serve = <E, R>(bid: Bid, work: Effect.Effect<string, E, R>, begin: Effect.Effect<void>) =>
    Effect.gen(function* () {
      const { payer, proven } = yield* checkLocally(bid)
      if (!proven) yield* verify(bid)
      yield* guard.admit(payer)
      const sold = Effect.uninterruptibleMask((restore) =>
        Effect.gen(function* () {
          const isOurs = yield* Effect.mapError(ledger.claim(newClaim(bid, payer)), ledgerDown)
          if (!isOurs) return Option.none<Sold>()
          const worked = restore(Effect.zipLeft(workVerified(bid, proven, work), begin))
          const answer = yield* keepLease(ledger, bid.key, Effect.onExit(worked, releaseUnless(bid)))
          return Option.some(yield* keepLease(ledger, bid.key, restore(settle(bid, payer, answer))))
        })
      )
      return yield* Effect.zipLeft(Effect.tapError(sold, countFailure(payer)), guard.paid(payer))
    })

  /** Runs in a fiber of the application and tells everyone who waits what came out of it. */
  const launch = <A extends Option.Option<Sold>, E, R>(
    bid: Bid,
    entry: InFlight,
    served: Effect.Effect<A, E, R>
  ) =>
    FiberSet.run(
      fibers,
      Effect.onExit(Effect.interruptible(served), (exit) =>
        Effect.zipRight(
          Effect.sync(() => inFlight.delete(bid.key)),
          Deferred.succeed(entry.done, shareable(exit))
        )
      )
    )

  /** Serves this bid first. The caller may stop it until it settles; the rest happens with or without him. */
  const lead = <E, R>(bid: Bid, work: Effect.Effect<string, E, R>) =>
    Effect.uninterruptibleMask((restore) =>
      Effect.gen(function* () {
        const phase = yield* Ref.make<"working" | "settling" | "cancelled">("working")
        const enter = (next: "settling" | "cancelled") =>
          Ref.modify(phase, (now) => (now === "working" ? [true, next] : [now === next, now]))
        const begin = Effect.flatMap(enter("settling"), (begun) => (begun ? Effect.void : Effect.interrupt))
        const fiber = yield* launch(bid, register(bid), guard.bounded(serve(bid, work, begin)))
        const cancel = Effect.flatMap(enter("cancelled"), (cancelled) =>
          cancelled ? Fiber.interruptFork(fiber) : Effect.void
        )
        return yield* Effect.onInterrupt(restore(Fiber.join(fiber)), () => cancel)
      })
    )

  /** Drives a row whose process died, in a fiber of the application. `None` when another process drives it. */
  const resume = (bid: Bid, row: Settling) =>
    Effect.uninterruptibleMask((restore) =>
      Effect.gen(function* () {
        const driven = Effect.flatMap(Effect.mapError(ledger.takeOver(bid.key), ledgerDown), (taken) =>
          taken ? Effect.asSome(keepLease(ledger, bid.key, settlement.resume(row))) : Effect.succeedNone
        )
        return yield* restore(Fiber.join(yield* launch(bid, register(bid), driven)))
      })
    )

  const register = (bid: Bid): InFlight => {
    const entry: InFlight = { ...bid, done: Deferred.unsafeMake(FiberId.none) }
    inFlight.set(bid.key, entry)
    return entry
  }

  /** The outcome of a request of this process for the same payment; `None` when it gave its claim back. */
  const follow = (bid: Bid, leader: InFlight) =>
    isSame(bid, leader)
      ? Deferred.await(leader.done).pipe(
          Effect.flatMap(Effect.transposeOption),
          Effect.map(Option.map(replayed)),
          Effect.timeoutFail({ duration: WAIT, onTimeout: again })
        )
      : Effect.fail(alreadyUsed(bid))

  /** One look at what is known of the payment, and the step that follows. `None`: look again. */
  const step = <E, R>(bid: Bid, work: Effect.Effect<string, E, R>) =>
    Effect.gen(function* () {
      const before = inFlight.get(bid.key)
      if (before !== undefined) return yield* follow(bid, before)
      const entry = Option.getOrUndefined(yield* Effect.mapError(ledger.find(bid.key), ledgerDown))
      // Others may have begun while the ledger answered.
      const leader = inFlight.get(bid.key)
      if (leader !== undefined) return yield* follow(bid, leader)
      if (entry === undefined || (entry.state === "claimed" && entry.lapsed)) return yield* lead(bid, work)
      if (!isSame(bid, entry)) return yield* alreadyUsed(bid, entry.payer)
      switch (entry.state) {
        case "settled":
          return Option.some<Sold>({ answer: entry.answer, settlement: entry.settlement, replayed: true })
        case "settling":
          return Option.map(yield* resume(bid, entry), replayed)
        case "claimed":
          return Option.none<Sold>()
      }
    })

  const sell = Effect.fn("Sale.sell")(function* <E, R>(
    payment: Payment,
    order: Order,
    work: Effect.Effect<string, E, R>
  ) {
    const matched = yield* matchPayment(payment, order)
    const bid: Bid = {
      ...matched,
      key: payment.authorizationKey,
      fingerprint: digest(order.fingerprint),
      payload: encodePayload(matched.payment)
    }
    const deadline = (yield* Clock.currentTimeMillis) + Duration.toMillis(WAIT)
    while (true) {
      const sold = yield* step(bid, work)
      if (Option.isSome(sold)) return sold.value
      if ((yield* Clock.currentTimeMillis) > deadline) return yield* again()
      yield* Effect.sleep(POLL)
    }
  })

  return Sale.of({ parse: parsePayment, parseObject: parsePaymentObject, sell })
})

/**
 * The sale over the ledger and the settlement verifier. Requires `PaymentVerifier` and `SqlClient`. Closing it waits
 * for begun sales, so close it before the database and the chains.
 */
export const SaleLive = Layer.scoped(Sale, make).pipe(Layer.provide(SettlementLive))
