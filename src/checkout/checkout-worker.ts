import { Clock, Duration, Effect, Layer, Schedule } from "effect"
import { CheckoutRepo } from "./checkout-repo.ts"
import { Checkouts } from "./checkouts.ts"
import { checkoutConfig } from "./config.ts"
import { expiredMessage } from "./webhooks/events.ts"
import { WebhookOutbox } from "./webhooks/outbox.ts"
import { deliverWebhooks } from "./webhooks/sender.ts"

const SWEEP_INTERVAL = Duration.seconds(2)
const PURGE_INTERVAL = Duration.hours(1)

/** Ends checkouts whose clock ran out and puts the event into the outbox. */
export const expireCheckouts = Effect.gen(function* () {
  const repo = yield* CheckoutRepo
  return yield* repo.expire(yield* Clock.currentTimeMillis, expiredMessage)
}).pipe(Effect.withSpan("Checkouts.expire"))

const purge = Effect.gen(function* () {
  const repo = yield* CheckoutRepo
  const outbox = yield* WebhookOutbox
  const { retention } = yield* checkoutConfig
  const before = (yield* Clock.currentTimeMillis) - retention
  yield* repo.purge(before)
  yield* outbox.purge(before)
}).pipe(Effect.withSpan("Checkouts.purge"))

/** A failing round is logged and repeated; the worker itself never ends. */
const forever = <E, R>(name: string, round: Effect.Effect<unknown, E, R>, interval: Duration.Duration) =>
  round.pipe(
    Effect.catchAllCause((cause) => Effect.logWarning(`${name} failed`, cause)),
    Effect.repeat(Schedule.spaced(interval)),
    Effect.forkScoped
  )

/**
 * The work nobody asks for: unfinished payments are brought to their end (first at start, then on a timer), expired
 * checkouts are ended, events are delivered, old rows forgotten. Safe in every process at once.
 */
export const CheckoutWorkerLive = Layer.scopedDiscard(
  Effect.gen(function* () {
    const checkouts = yield* Checkouts
    yield* forever("resuming checkouts", checkouts.resume, SWEEP_INTERVAL)
    yield* forever("looking for wallet transfers", checkouts.findTransfers, SWEEP_INTERVAL)
    yield* forever("expiring checkouts", expireCheckouts, SWEEP_INTERVAL)
    yield* forever("delivering webhooks", deliverWebhooks, SWEEP_INTERVAL)
    yield* forever("purging checkouts", purge, PURGE_INTERVAL)
  })
)
