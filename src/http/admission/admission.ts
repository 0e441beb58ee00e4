import type { HttpApp } from "@effect/platform"
import { HttpServerRequest } from "@effect/platform"
import { Clock, Context, Effect, Layer } from "effect"
import type { RateLimit } from "../../api/errors.ts"
import { TooManyRequests, Unavailable, UnsupportedMediaType } from "../../api/errors.ts"
import { checkoutServiceConfig } from "../../checkout/config.ts"
import { addressLimitsConfig } from "../../free-tier/failure-budget.ts"
import { BUSY_RETRY_SECONDS } from "../../operations/failures.ts"
import { screenerConfig } from "../../screening/screener-live.ts"
import { ClientAddress } from "../client-address.ts"
import type { ContractError } from "../responses.ts"
import { respond, statusOf } from "../responses.ts"
import { hasBody, readBody, withBody } from "./body.ts"
import type { Buckets } from "./buckets.ts"
import { makeBuckets } from "./buckets.ts"
import type { LimitedClass, RequestClass, Room } from "./classes.ts"
import { makeClassify, makeRooms } from "./classes.ts"
import { countRefusal, type Facts, gaugeSlots, RequestFacts } from "./facts.ts"
import type { NoSlot, Slots } from "./slots.ts"
import { makeSlots } from "./slots.ts"

/**
 * Payments that were refused, or bought nothing because the token is unknown: they cost a signature check, chain reads
 * and often a screening, and nobody pays for them. An address has this many, and so many a second back.
 */
export const UNPAID_WORK = { burst: 400, perSecond: 20 }
const UNPAID: ReadonlySet<number> = new Set([402, 404])
/** The same over MCP, where every answer is a 200. */
const UNPAID_CALLS: ReadonlySet<string> = new Set(["PaymentRejected", "UnknownToken"])

const boughtNothing = ({ failure, requestClass }: Facts, status: number): boolean =>
  requestClass === "paid" && (UNPAID.has(status) || (failure !== undefined && UNPAID_CALLS.has(failure)))

/** Decides what is worked on: see `classes.ts` for the classes and their rooms. */
export class Admission extends Context.Tag("token-risk/Admission")<
  Admission,
  {
    readonly admit: <R>(app: HttpApp.Default<never, R>) => HttpApp.Default<never, R>
    /**
     * Whether a request that is answered from memory may be: it needs its address's budget, which is spent, and a free
     * slot, which it leaves in the same step. When not, nothing is spent, and `admit` says why.
     */
    readonly admitAtOnce: (requestClass: RequestClass, address: string, now: number) => boolean
    /** Slots in use and requests waiting, over all classes. */
    readonly load: () => { readonly inUse: number; readonly waiting: number }
  }
>() {}

interface Place {
  readonly name: LimitedClass
  readonly room: Room
  readonly slots: Slots
  readonly buckets: Buckets
}

const limitOf = (policy: string, burst: number, perSecond: number): RateLimit => ({
  policy,
  quota: burst,
  windowSeconds: Math.max(1, Math.ceil(burst / perSecond))
})

const tooMany = (
  policy: string,
  options: { readonly burst: number; readonly perSecond: number },
  wait: number
) =>
  TooManyRequests.after(
    "too many requests from this address, nothing was charged",
    Math.max(1, Math.ceil(wait / 1_000)),
    limitOf(policy, options.burst, options.perSecond)
  )

const full =
  ({ name, room }: Place) =>
  (error: NoSlot) => {
    const limit: RateLimit = { policy: `${name}-slots`, quota: room.slots, windowSeconds: room.seconds }
    return error.ownFault
      ? TooManyRequests.after("too many requests of this address are under way", BUSY_RETRY_SECONDS, {
          ...limit,
          quota: room.slotsPerAddress
        })
      : Unavailable.after("too busy: send the same request again", BUSY_RETRY_SECONDS, limit)
  }

const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i

const isForeignBody = (request: HttpServerRequest.HttpServerRequest): boolean => {
  const type = request.headers["content-type"]
  return request.method === "POST" && type !== undefined && hasBody(request) && !JSON_TYPE.test(type)
}

const make = Effect.gen(function* () {
  const classify = makeClassify(yield* checkoutServiceConfig)
  const { concurrency } = yield* screenerConfig
  const addressOf = yield* ClientAddress
  const isLimited = (yield* addressLimitsConfig) === "on"
  const unpaidWork = makeBuckets(UNPAID_WORK)

  const place = (name: LimitedClass, room: Room): Place => ({
    name,
    room,
    buckets: makeBuckets(room),
    slots: makeSlots(isLimited ? room : { ...room, slotsPerAddress: room.slots, waitingPerAddress: 4_096 })
  })
  const rooms = makeRooms(concurrency)
  const places: Readonly<Record<LimitedClass, Place>> = {
    documents: place("documents", rooms.documents),
    challenge: place("challenge", rooms.challenge),
    free: place("free", rooms.free),
    paid: place("paid", rooms.paid),
    checkout: place("checkout", rooms.checkout)
  }

  /** The address's own budgets. They are looked at before anything is read, and cost nothing. */
  const spend = (requestClass: LimitedClass, address: string) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => {
      if (!isLimited) return Effect.void
      const { buckets, name, room } = places[requestClass]
      const wait = buckets.take(address, now)
      if (wait > 0) return Effect.fail(tooMany(name, room, wait))
      const owed = requestClass === "paid" ? unpaidWork.peek(address, now) : 0
      return owed > 0 ? Effect.fail(tooMany("unpaid-work", UNPAID_WORK, owed)) : Effect.void
    })

  const charge = (facts: Facts, address: string, status: number) =>
    boughtNothing(facts, status)
      ? Effect.map(Clock.currentTimeMillis, (now) => unpaidWork.take(address, now))
      : Effect.void

  const inSlot = <R>(requestClass: LimitedClass, address: string, app: HttpApp.Default<never, R>) => {
    const here = places[requestClass]
    const held = gaugeSlots(here.name, here.slots)
    return here.slots
      .use(
        address,
        Effect.zipRight(
          held,
          Effect.timeoutFail(app, {
            duration: `${here.room.seconds} seconds`,
            onTimeout: () =>
              Unavailable.after("took too long: send the same request with the same payment again", 1)
          })
        )
      )
      .pipe(
        Effect.catchTag("NoSlot", (error) => Effect.fail(full(here)(error))),
        Effect.ensuring(held)
      )
  }

  const admitted = <R>(
    request: HttpServerRequest.HttpServerRequest,
    address: string,
    app: HttpApp.Default<never, R>
  ) =>
    Effect.gen(function* () {
      const facts = yield* RequestFacts
      const first = classify(request, "")
      facts.requestClass = first
      if (first !== "health") yield* spend(first, address)
      if (isForeignBody(request))
        return yield* Effect.fail(
          new UnsupportedMediaType({ error: "content-type must be application/json" })
        )
      const body = yield* readBody(request)
      const ready = Effect.provideService(app, HttpServerRequest.HttpServerRequest, withBody(request, body))
      const requestClass = classify(request, body)
      facts.requestClass = requestClass
      if (requestClass === "health") return yield* ready
      if (requestClass !== first) yield* spend(requestClass, address)
      const response = yield* inSlot(requestClass, address, ready)
      yield* charge(facts, address, response.status)
      return response
    })

  const admit = <R>(app: HttpApp.Default<never, R>): HttpApp.Default<never, R> =>
    Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
      Effect.catchAll(admitted(request, addressOf(request), app), (error: ContractError) =>
        Effect.as(countRefusal(statusOf(error)), respond(error))
      )
    )

  const admitAtOnce = (requestClass: RequestClass, address: string, now: number): boolean => {
    if (requestClass === "health") return true
    const { buckets, slots } = places[requestClass]
    return slots.isFree(address) && (!isLimited || buckets.take(address, now) === 0)
  }

  const load = () => {
    const all = Object.values(places)
    return {
      inUse: all.reduce((sum, { slots }) => sum + slots.inUse(), 0),
      waiting: all.reduce((sum, { slots }) => sum + slots.waiting(), 0)
    }
  }
  return Admission.of({ admit, admitAtOnce, load })
})

/** Requires the caller's address; reads `ADDRESS_LIMITS`, the checkout's path and how many screenings run at once. */
export const AdmissionLive = Layer.effect(Admission, make)
