import { Effect, FiberRef, GlobalValue, Metric } from "effect"
import type { RequestClass } from "./classes.ts"
import type { Slots } from "./slots.ts"

/** What becomes known of a request while it is served, for its log line, its metrics and its trace. */
export interface Facts {
  readonly requestId: string
  requestClass: RequestClass
  /** What the caller paid, decimal USD; `undefined` for everything nobody paid for. */
  costUsd: string | undefined
  /** The answer was a free call's. */
  free: boolean
}

export const makeFacts = (requestId: string): Facts => ({
  requestId,
  requestClass: "documents",
  costUsd: undefined,
  free: false
})

const current = GlobalValue.globalValue("token-risk/RequestFacts", () =>
  FiberRef.unsafeMake<Facts>(makeFacts("none"))
)

/** The facts of the request this fiber serves. */
export const RequestFacts: Effect.Effect<Facts> = FiberRef.get(current)

/** Remembers for the log whether an answer was sold, and for how much (decimal USD), or free. */
export const noteDelivery = (answer: { readonly settlement: unknown }, priceUsd: string) =>
  Effect.map(RequestFacts, (facts) => {
    if (answer.settlement === null) facts.free = true
    else facts.costUsd = priceUsd
  })

export const withFacts = (facts: Facts) => Effect.locally(current, facts)

const requests = Metric.counter("token_risk_http_requests_total", {
  description: "Requests answered, by route, class and status.",
  incremental: true
})

const refusals = Metric.counter("token_risk_admission_refusals_total", {
  description: "Requests refused before any work was done for them, by class and status.",
  incremental: true
})

const slotsInUse = Metric.gauge("token_risk_slots_in_use", {
  description: "Requests being worked on, by class."
})

const slotsWaiting = Metric.gauge("token_risk_slots_waiting", {
  description: "Requests waiting for a slot, by class."
})

const labelled = (counter: Metric.Metric.Counter<number>, requestClass: RequestClass, status: number) =>
  Metric.tagged(Metric.tagged(counter, "class", requestClass), "status", String(status))

/** `route` is a path of ours or `other`: a label callers could choose would grow without end. */
export const countRequest = (route: string, facts: Facts, status: number) =>
  Metric.update(Metric.tagged(labelled(requests, facts.requestClass, status), "route", route), 1)

export const countRefusal = (status: number) =>
  Effect.flatMap(RequestFacts, ({ requestClass }) =>
    Metric.update(labelled(refusals, requestClass, status), 1)
  )

export const gaugeSlots = (name: RequestClass, slots: Slots) => {
  const inUse = Metric.tagged(slotsInUse, "class", name)
  const waiting = Metric.tagged(slotsWaiting, "class", name)
  return Effect.suspend(() =>
    Effect.zipRight(Metric.set(inUse, slots.inUse()), Metric.set(waiting, slots.waiting()))
  )
}
