import { Effect, FiberRef, GlobalValue, HashMap, Metric, MetricKey } from "effect"
import { labelledCounter } from "../../domain/labelled-counter.ts"
import type { RequestClass } from "./classes.ts"
import { CLASSES } from "./classes.ts"
import type { Slots } from "./slots.ts"

/** What goes on of an answer after its beginning was sent: the request is worked on until it has ended. */
export interface Rest {
  readonly ended: Effect.Effect<void>
  /** Ends it, because it took too long. */
  readonly cut: Effect.Effect<void>
}

/** What becomes known of a request while it is served, for its log line, its metrics and its trace. */
export interface Facts {
  readonly requestId: string
  requestClass: RequestClass
  /** What the caller paid, decimal USD; `undefined` where nothing was paid. */
  costUsd: string | undefined
  /** The transaction that paid us, or a checkout's merchant: an answer that is fetched again has the same one, and a line of its own. */
  transaction: string | undefined
  /** The answer was a free call's. */
  free: boolean
  /** The error of a tool call, whose HTTP status is 200 nevertheless. */
  failure: string | undefined
  /** Why the payment that came along was refused: the code that its sender is given. */
  refusal: string | undefined
  /** Where the answer goes on as a stream. */
  rest: Rest | undefined
}

export const makeFacts = (requestId: string): Facts => ({
  requestId,
  requestClass: "documents",
  costUsd: undefined,
  transaction: undefined,
  free: false,
  failure: undefined,
  refusal: undefined,
  rest: undefined
})

const current = GlobalValue.globalValue("token-risk/RequestFacts", () =>
  FiberRef.unsafeMake<Facts>(makeFacts("none"))
)

/** The facts of the request this fiber serves. */
export const RequestFacts: Effect.Effect<Facts> = FiberRef.get(current)

interface Settled {
  readonly settlement: { readonly transaction: string }
}

/** Remembers by which transaction a checkout was paid: its merchant was, and nothing of it is ours. */
export const noteSettled = ({ settlement }: Settled) =>
  Effect.map(RequestFacts, (facts) => {
    facts.transaction = settlement.transaction
  })

interface Delivered {
  readonly settlement: Settled["settlement"] | null
}

/** Remembers for the log whether an answer was sold, for how much (decimal USD) and by which transaction, or free. */
export const noteDelivery = ({ settlement }: Delivered, priceUsd: string) =>
  Effect.map(RequestFacts, (facts) => {
    if (settlement === null) {
      facts.free = true
      return
    }
    facts.costUsd = priceUsd
    facts.transaction = settlement.transaction
  })

/** Remembers how a tool call failed: its answer's status does not tell. */
export const noteFailure = ({ _tag }: { readonly _tag: string }) =>
  Effect.map(RequestFacts, (facts) => {
    facts.failure = _tag
  })

/** Remembers why a payment was refused. */
export const noteRefusal = ({ reason }: { readonly reason: string }) =>
  Effect.map(RequestFacts, (facts) => {
    facts.refusal = reason
  })

/** Does what belongs after the answer: at once, and where that goes on as a stream, when it has ended. */
export const onceEnded = (facts: Facts, after: Effect.Effect<unknown>): Effect.Effect<unknown> =>
  facts.rest === undefined ? after : Effect.forkDaemon(Effect.zipRight(facts.rest.ended, after))

/** A fiber that serves this request and nothing else: its facts, and its id in every line of its log. */
export const adoptFacts = (facts: Facts): Effect.Effect<void> =>
  Effect.zipRight(
    FiberRef.set(current, facts),
    FiberRef.update(
      FiberRef.currentLogAnnotations,
      HashMap.set<string, unknown>("requestId", facts.requestId)
    )
  )

export const withFacts = (facts: Facts) => Effect.locally(current, facts)

const requests = labelledCounter(
  "token_risk_http_requests_total",
  "Requests answered, by route, class and status.",
  ["class", "status", "route"]
)

const refusals = labelledCounter(
  "token_risk_admission_refusals_total",
  "Requests refused before any work was done for them, by class and status.",
  ["class", "status"]
)

/** One gauge per class, looked up once: they are set at both ends of every request. */
const slotGauges = (name: string, description: string) => {
  const key = MetricKey.gauge(name, { description })
  const gaugeOf = (requestClass: RequestClass) =>
    Metric.fromMetricKey(MetricKey.tagged(key, "class", requestClass))
  const gauges = new Map(CLASSES.map((requestClass) => [requestClass, gaugeOf(requestClass)]))
  return (requestClass: RequestClass, value: number): void =>
    gauges.get(requestClass)?.unsafeUpdate(value, [])
}

const setInUse = slotGauges("token_risk_slots_in_use", "Requests being worked on, by class.")
const setWaiting = slotGauges("token_risk_slots_waiting", "Requests waiting for a slot, by class.")

/** `route` is a path of ours or `other`: a label callers could choose would grow without end. */
export const countRequest = (route: string, facts: Facts, status: number) =>
  requests.add({ class: facts.requestClass, status: String(status), route })

/** What counts one more answer that no fiber gives. */
export const countingAtOnce = (route: string, requestClass: RequestClass, status: number) =>
  requests.counting({ class: requestClass, status: String(status), route })

export const countRefusal = (status: number) =>
  Effect.flatMap(RequestFacts, ({ requestClass }) =>
    refusals.add({ class: requestClass, status: String(status) })
  )

export const gaugeSlots = (name: RequestClass, slots: Slots): void => {
  setInUse(name, slots.inUse())
  setWaiting(name, slots.waiting())
}
