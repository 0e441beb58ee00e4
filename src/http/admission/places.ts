import { Effect } from "effect"
import type { HttpServerResponse } from "@effect/platform"
import type { RateLimit } from "../../api/errors.ts"
import { TooManyRequests, Unavailable } from "../../api/errors.ts"
import { REPEAT } from "../../domain/errors.ts"
import { BUSY_RETRY_SECONDS } from "../../operations/failures.ts"
import { within } from "../../domain/together.ts"
import type { Buckets } from "./buckets.ts"
import { makeBuckets } from "./buckets.ts"
import type { LimitedClass, Room } from "./classes.ts"
import { makeRooms } from "./classes.ts"
import { type Facts, gaugeSlots } from "./facts.ts"
import type { NoSlot, Slots } from "./slots.ts"
import { makeSlots } from "./slots.ts"
import { withNow } from "../../domain/now.ts"

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

/** The room of one class, with the budgets and slots in it. */
export interface Place {
  readonly name: LimitedClass
  readonly room: Room
  readonly slots: Slots
  readonly buckets: Buckets
}

export type Places = Readonly<Record<LimitedClass, Place>>

/** @param isLimited whether an address has a share of its own */
export const makePlaces = (concurrency: number, isLimited: boolean): Places => {
  const place = (name: LimitedClass, room: Room): Place => ({
    name,
    room,
    buckets: makeBuckets(room),
    slots: makeSlots(isLimited ? room : { ...room, slotsPerAddress: room.slots, waitingPerAddress: 4_096 })
  })
  const rooms = makeRooms(concurrency)
  return {
    documents: place("documents", rooms.documents),
    challenge: place("challenge", rooms.challenge),
    free: place("free", rooms.free),
    paid: place("paid", rooms.paid),
    checkout: place("checkout", rooms.checkout),
    webhooks: place("webhooks", rooms.webhooks)
  }
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
    // A payment that comes with it may have been executed when it was sent before.
    "too many requests from this address: send the same request again later",
    Math.max(1, Math.ceil(wait / 1_000)),
    limitOf(policy, options.burst, options.perSecond)
  )

const full =
  ({ name, room }: Place) =>
  (error: NoSlot) => {
    const limit: RateLimit = { policy: `${name}-slots`, quota: room.slots, windowSeconds: room.seconds }
    return error.isOwnLoad
      ? TooManyRequests.after("too many requests of this address are under way", BUSY_RETRY_SECONDS, {
          ...limit,
          quota: room.slotsPerAddress
        })
      : Unavailable.after("too busy: send the same request again", BUSY_RETRY_SECONDS, limit)
  }

/** The addresses' own budgets. */
export const makeBudgets = (places: Places, isLimited: boolean) => {
  const unpaidWork = makeBuckets(UNPAID_WORK)
  return {
    /** Spends one request of the address's budget. Done before anything is read, so a refusal costs nothing. */
    spend: (requestClass: LimitedClass, address: string) =>
      withNow((now) => {
        if (!isLimited) return Effect.void
        const { buckets, name, room } = places[requestClass]
        const wait = buckets.take(address, now)
        if (wait > 0) return Effect.fail(tooMany(name, room, wait))
        const owed = requestClass === "paid" ? unpaidWork.peek(address, now) : 0
        return owed > 0 ? Effect.fail(tooMany("unpaid-work", UNPAID_WORK, owed)) : Effect.void
      }),
    /** Spends from the address's budget of unpaid work where a request was worked for and bought nothing. */
    charge: (facts: Facts, address: string, status: number) =>
      Effect.suspend(() =>
        boughtNothing(facts, status)
          ? withNow((now) => Effect.succeed(unpaidWork.take(address, now)))
          : Effect.void
      )
  }
}

/** What a caller is told whose request has had its time. */
export const TOOK_TOO_LONG = `took too long: ${REPEAT}`

/** Serves in a slot of the place, for as long as its room allows; what goes on as a stream has the slot until its end. */
export const inSlot = <R>(
  here: Place,
  address: string,
  facts: Facts,
  app: Effect.Effect<HttpServerResponse.HttpServerResponse, never, R>
) => {
  const late = Effect.failSync(() => Unavailable.after(TOOK_TOO_LONG, 1))
  const millis = here.room.seconds * 1_000
  let ends = 0
  const served = withNow((now) => {
    ends = now + millis
    return within(app, millis, late)
  })
  const rest = () => {
    const { rest } = facts
    return rest && withNow((now) => within(rest.ended, Math.max(0, ends - now), rest.cut))
  }
  return Effect.catchTag(
    here.slots.use(address, served, { changed: () => gaugeSlots(here.name, here.slots), rest }),
    "NoSlot",
    (error) => Effect.fail(full(here)(error))
  )
}
