import { Clock, Duration, Effect, Layer, Schedule } from "effect"
import { tellingTrouble } from "../domain/trouble.ts"
import { retained } from "../storage/retention.ts"
import { CheckoutRepo } from "./checkout-repo.ts"
import { Checkouts } from "./checkouts.ts"
import { checkoutConfig } from "./config.ts"
import { Refunds } from "./refunds/refunds.ts"
import { UnassignedTransfers } from "./watch/unassigned-transfers.ts"
import { expiredMessage } from "./webhooks/events.ts"
import { WebhookOutbox } from "./webhooks/outbox.ts"
import { WebhookSender } from "./webhooks/sender.ts"

const SWEEP_INTERVAL = Duration.seconds(2)
/** When nothing happens: fifteen looks a minute at Solana and four at Base. */
export const LOOK_INTERVAL = Duration.seconds(4)
export const PLAIN_INTERVAL = Duration.seconds(15)
const REFUND_INTERVAL = Duration.seconds(10)
/** Longest pause between looks while the node refuses them. */
const LONGEST_PAUSE = Duration.minutes(1)
const WEBHOOK_INTERVAL = Duration.seconds(1)
const PURGE_INTERVAL = Duration.hours(1)

/** Ends checkouts whose clock ran out and puts the event into the outbox. */
export const expireCheckouts = Effect.gen(function* () {
  const repo = yield* CheckoutRepo
  return yield* repo.expire(yield* Clock.currentTimeMillis, expiredMessage)
}).pipe(Effect.withSpan("Checkouts.expire"))

const purge = Effect.gen(function* () {
  const repo = yield* CheckoutRepo
  const outbox = yield* WebhookOutbox
  const unassigned = yield* UnassignedTransfers
  const { retention } = yield* checkoutConfig
  const now = yield* Clock.currentTimeMillis
  const before = now - retention
  yield* repo.purge(before, now)
  // What another process's clock wrote that ran ahead.
  yield* outbox.hasten(now)
  yield* outbox.purge(before)
  yield* unassigned.purge(before)
  // None of these purges says how many rows it dropped.
  return 0
}).pipe(Effect.withSpan("Checkouts.purge"))

/**
 * Repeats a round for ever. A failing one is told to the log, and the pause doubles, up to a minute, until a round succeeds: a
 * node that refuses us is not asked more often.
 */
export const forever = <E, R>(
  name: string,
  round: Effect.Effect<unknown, E, R>,
  interval: Duration.Duration
) => {
  const backoff = Schedule.exponential(interval).pipe(Schedule.union(Schedule.spaced(LONGEST_PAUSE)))
  return round.pipe(
    tellingTrouble(name),
    Effect.sandbox,
    Effect.retry(backoff),
    Effect.ignore,
    Effect.repeat(Schedule.spaced(interval)),
    Effect.forkScoped
  )
}

/**
 * The work that no request asks for: unfinished payments are brought to their end (first at start, then on a timer),
 * expired checkouts are ended, events are delivered, old rows forgotten. Safe in every process at once.
 */
export const CheckoutWorkerLive = Layer.scopedDiscard(
  Effect.gen(function* () {
    const checkouts = yield* Checkouts
    const refunds = yield* Refunds
    const webhooks = yield* WebhookSender
    yield* forever("resuming checkouts", checkouts.resume, SWEEP_INTERVAL)
    yield* forever("looking for wallet transfers", checkouts.findTransfers, LOOK_INTERVAL)
    yield* forever("looking for plain transfers", checkouts.findPlainTransfers, PLAIN_INTERVAL)
    yield* forever("looking for refunds", refunds.find, REFUND_INTERVAL)
    yield* forever("expiring checkouts", expireCheckouts, SWEEP_INTERVAL)
    yield* forever("delivering webhooks", webhooks.start, WEBHOOK_INTERVAL)
    yield* retained("checkouts", PURGE_INTERVAL, purge)
  })
)
