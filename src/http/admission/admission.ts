import type { HttpApp, HttpServerResponse } from "@effect/platform"
import { HttpServerRequest } from "@effect/platform"
import { Context, Effect, Layer } from "effect"
import type { ContractError } from "../../api/errors.ts"
import { UnsupportedMediaType } from "../../api/errors.ts"
import { checkoutServiceConfig } from "../../checkout/config.ts"
import { addressLimitsConfig } from "../../free-tier/failure-budget.ts"
import { screenerConfig } from "../../screening/screener-config.ts"
import { ClientAddress } from "../client-address.ts"
import { respond, statusOf } from "../responses.ts"
import { hasBody, readBody, withBody } from "./body.ts"
import { type Holding, makeBodyRoom } from "./body-room.ts"
import { makeChanges } from "./changes.ts"
import type { LimitedClass, RequestClass } from "./classes.ts"
import { makeClassify } from "./classes.ts"
import { countRefusal, type Facts, onceEnded, RequestFacts } from "./facts.ts"
import { inSlot, makeBudgets, makePlaces, type Places } from "./places.ts"

/** Decides what is worked on: see `classes.ts` for the classes and their rooms. */
export class Admission extends Context.Tag("token-risk/Admission")<
  Admission,
  {
    readonly admit: <R>(app: HttpApp.Default<never, R>) => HttpApp.Default<never, R>
    /** Serves what is known to be of a class and was read already: it needs its address's budget and a slot. */
    readonly admitRead: (
      requestClass: LimitedClass,
      address: string,
      facts: Facts,
      ready: Effect.Effect<HttpServerResponse.HttpServerResponse>
    ) => Effect.Effect<HttpServerResponse.HttpServerResponse>
    /**
     * Whether a request that is answered from memory may be: it needs its address's budget, which is spent, and a free
     * slot, which it leaves in the same step. When it may not, nothing is spent, and `admit` says why.
     */
    readonly admitAtOnce: (requestClass: RequestClass, address: string, now: number) => boolean
    /** Spends from its address's budget where there is enough for a request that needs no slot, being hardly any work. */
    readonly spendAtOnce: (requestClass: LimitedClass, address: string, now: number) => boolean
    /** Slots in use and requests waiting, over all classes. */
    readonly load: () => { readonly inUse: number; readonly waiting: number }
  }
>() {}

const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i

/** How a body comes that is not compressed, where its headers say how it comes. */
const PLAIN = { "content-encoding": "identity", "transfer-encoding": "chunked" }

/** Methods whose body is read. */
const READ: ReadonlySet<string> = new Set(["POST", "PATCH"])

/** Why a body is not read at all. Of its transfer codings Node undoes the chunks alone, and takes what is left for the body. */
const foreignness = (request: HttpServerRequest.HttpServerRequest): string | undefined => {
  if (!READ.has(request.method) || !hasBody(request)) return undefined
  const { "content-type": type = "application/json" } = request.headers
  if (!JSON_TYPE.test(type)) return "content-type must be application/json"
  const coded = Object.entries(PLAIN).find(
    ([name, plain]) => (request.headers[name] ?? plain).toLowerCase() !== plain
  )
  return coded && `${coded[0]}: the body must come as it is, not compressed`
}

/** Refused for what others, or the address itself, have under way; not for what the request is. */
const isWantOfRoom = (error: ContractError): boolean => statusOf(error) === 429 || statusOf(error) === 503

interface Parts {
  readonly places: Places
  readonly budgets: ReturnType<typeof makeBudgets>
  readonly classify: ReturnType<typeof makeClassify>
  readonly bodies: (address: string) => Holding
}

/** Serves a request when its class and its address have room for it. */
const admitted = function* <R>(
  { bodies, budgets, classify, places }: Parts,
  request: HttpServerRequest.HttpServerRequest,
  address: string,
  app: HttpApp.Default<never, R>
) {
  const facts = yield* RequestFacts
  const first = classify(request, "")
  facts.requestClass = first
  if (first !== "health") yield* budgets.spend(first, address)
  const foreign = foreignness(request)
  if (foreign !== undefined) return yield* Effect.fail(new UnsupportedMediaType({ error: foreign }))
  const body = yield* readBody(request, bodies(address))
  const ready = Effect.provideService(app, HttpServerRequest.HttpServerRequest, withBody(request, body))
  const requestClass = classify(request, body)
  facts.requestClass = requestClass
  if (requestClass === "health") return yield* ready
  if (requestClass !== first) yield* budgets.spend(requestClass, address)
  const response = yield* inSlot(places[requestClass], address, facts, ready)
  yield* onceEnded(facts, budgets.charge(facts, address, response.status))
  return response
}

const make = Effect.gen(function* () {
  const classify = makeClassify(yield* checkoutServiceConfig)
  const { concurrency } = yield* screenerConfig
  const addressOf = yield* ClientAddress
  const isLimited = (yield* addressLimitsConfig) === "on"
  const places = makePlaces(concurrency, isLimited)
  const changes = yield* makeChanges
  const budgets = makeBudgets(places, isLimited)
  const parts: Parts = { places, budgets, classify, bodies: makeBodyRoom(isLimited) }

  const told = Effect.fnUntraced(function* (error: ContractError) {
    const { requestClass } = yield* RequestFacts
    yield* countRefusal(statusOf(error))
    if (isWantOfRoom(error)) yield* changes.refused(requestClass, statusOf(error))
  })

  const admit = <R>(app: HttpApp.Default<never, R>): HttpApp.Default<never, R> =>
    Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
      Effect.catchAll(
        Effect.gen(() => admitted(parts, request, addressOf(request), app)),
        (error: ContractError) => Effect.as(told(error), respond(error))
      )
    )

  const admitRead: Admission["Type"]["admitRead"] = (requestClass, address, facts, ready) =>
    budgets.spend(requestClass, address).pipe(
      Effect.zipRight(inSlot(places[requestClass], address, facts, ready)),
      Effect.tap((response) => budgets.charge(facts, address, response.status)),
      Effect.catchAll((error) => Effect.as(told(error), respond(error)))
    )

  const spendAtOnce = (requestClass: LimitedClass, address: string, now: number): boolean =>
    !isLimited || places[requestClass].buckets.take(address, now) === 0

  const admitAtOnce = (requestClass: RequestClass, address: string, now: number): boolean =>
    requestClass === "health" ||
    (places[requestClass].slots.isFree(address) && spendAtOnce(requestClass, address, now))

  const load = () => {
    const all = Object.values(places)
    return {
      inUse: all.reduce((sum, { slots }) => sum + slots.inUse(), 0),
      waiting: all.reduce((sum, { slots }) => sum + slots.waiting(), 0)
    }
  }
  return Admission.of({ admit, admitRead, admitAtOnce, spendAtOnce, load })
})

/** Requires the caller's address; reads `ADDRESS_LIMITS`, the checkout's path and how many screenings run at once. */
export const AdmissionLive = Layer.scoped(Admission, make)
