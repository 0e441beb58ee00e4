import { describe, expect, it } from "@effect/vitest"
import { Context, Deferred, Effect, Layer } from "effect"
import { Agent, request as send } from "node:http"
import {
  PayerMustWait,
  PaymentConflict,
  PaymentRejected,
  PaymentUnavailable,
  PaymentUnresolved
} from "../../src/domain/errors.ts"
import { PaymentDue } from "../../src/operations/operations.ts"
import type { FakeChannel } from "../support/channels.ts"
import { Served, served } from "../support/hostile/served.ts"
import {
  type Asked,
  ask,
  comparable,
  DEEP,
  openWith,
  PING,
  quiet,
  runs,
  WETH,
  WSOL
} from "../support/two-ways.ts"

const PAID = { "payment-signature": "signed" }

const posted = (body: unknown): Asked => ({
  method: "POST",
  path: PING,
  headers: { ...PAID, "content-type": "application/json", "x-request-id": "mine" },
  body: JSON.stringify(body),
  late: false
})

const named = (one: Asked, id: string, others: Asked["headers"] = {}): Asked => {
  const { "payment-signature": _, ...headers } = one.headers
  return { ...one, path: one.path.replace(PING, DEEP), headers: { ...headers, ...others, "x-client-id": id } }
}

const sold = posted({ chain: "base", address: WETH })

const paidCalls: ReadonlyArray<Asked> = [
  sold,
  { ...posted({ address: WSOL, chain: "solana" }), path: DEEP },
  { method: "GET", path: `${DEEP}?chain=base&address=${WETH}`, headers: PAID, body: undefined, late: false }
]

/** Calls of those who have free ones, with a payment and without, and of those who have none left. */
const namedCalls: ReadonlyArray<Asked> = paidCalls.flatMap((one) => [
  named(one, "me"),
  named(one, "me", PAID),
  named(one, "somebody"),
  named(one, "somebody", PAID)
])

/** Content types that a JSON body does not come with, and some that it does. `undefined` is none at all. */
const TYPES = ["text/plain", "text/application/json", "application/jsonp", "application/json;charset=latin1"]
const JSON_TYPES = [
  "application/problem+json",
  "application/json; charset=utf-8",
  "APPLICATION/JSON",
  undefined
]

const declared = ({ headers, ...one }: Asked, type: string | undefined): Asked => {
  const { "content-type": _, ...others } = headers
  return { ...one, headers: type === undefined ? others : { ...others, "content-type": type } }
}

const encoded = (one: Asked, encoding: string): Asked => ({
  ...one,
  headers: { ...one.headers, "content-encoding": encoding }
})

const network = "eip155:8453"

/** What a sale may come to: every kind of answer, and a bug. */
const outcomes: ReadonlyArray<FakeChannel["outcome"]> = [
  Effect.succeed('{"safe":true}'),
  Effect.fail(new PaymentRejected({ reason: "invalid_exact_evm_signature", network })),
  Effect.fail(new PaymentUnresolved({ retryAfterSeconds: 2 })),
  Effect.fail(new PaymentUnavailable({ upstream: "base-rpc" })),
  Effect.fail(new PayerMustWait({ payer: WETH, retryAfterSeconds: 7 })),
  Effect.fail(new PaymentConflict({ payer: WETH })),
  Effect.fail(new PaymentDue()),
  Effect.dieMessage("a bug")
]

describe("the way of a plain call", () => {
  it.scopedLive("answers every paid and every named call as the long way does, whatever it comes to", () =>
    Effect.gen(function* () {
      for (const outcome of outcomes) {
        const { agent, fast, long } = yield* openWith(outcome)
        for (const one of [...paidCalls, ...namedCalls]) {
          const before = { ...runs }
          const [quick, slow] = yield* Effect.promise(() =>
            Promise.all([ask(fast, agent, one), ask(long, agent, one)])
          )
          expect(comparable(quick, one)).toEqual(comparable(slow, one))
          expect([runs.fast - before.fast, runs.long - before.long]).toEqual([1, 1])
        }
      }
    })
  )

  it.scopedLive(
    "answers free calls whose report is known as the long way does, without running anything",
    () =>
      Effect.gen(function* () {
        const small = { text: '{"verdict":"allow","free":true}', isCountable: true }
        const large = { ...small, text: JSON.stringify({ filler: "ä".repeat(40_000) }) }
        for (const known of [small, large, { ...small, isCountable: false }]) {
          const { agent, fast, long } = yield* openWith(undefined, { known })
          for (const one of namedCalls) {
            const before = { ...runs }
            const [quick, slow] = yield* Effect.promise(() =>
              Promise.all([ask(fast, agent, one), ask(long, agent, one)])
            )
            expect(comparable(quick, one)).toEqual(comparable(slow, one))
            const isKnown = one.path.startsWith(DEEP) && one.headers["payment-signature"] === undefined
            expect({ one, runs: [runs.fast - before.fast, runs.long - before.long] }).toEqual({
              one,
              runs: [isKnown ? 0 : 1, 1]
            })
          }
        }
      })
  )

  it.scopedLive(
    "answers a body by what it is declared as, paid, named and unpaid, as the long way does",
    () =>
      Effect.gen(function* () {
        const { agent, fast, long } = yield* openWith(Effect.succeed('{"safe":true}'))
        const { "payment-signature": _, ...unpaid } = sold.headers
        for (const one of [sold, named(sold, "me"), { ...sold, headers: unpaid }])
          for (const typed of [
            ...[...TYPES, ...JSON_TYPES].map((type) => declared(one, type)),
            ...["gzip", "br", "identity", "Identity"].map((encoding) => encoded(one, encoding))
          ]) {
            const [quick, slow] = yield* Effect.promise(() =>
              Promise.all([ask(fast, agent, typed), ask(long, agent, typed)])
            )
            expect(comparable(quick, typed)).toEqual(comparable(slow, typed))
          }
      })
  )

  it.scopedLive(
    "answers a body that is no plain token as the long way does: it is read there as it came",
    () =>
      Effect.gen(function* () {
        const { agent, fast, long } = yield* openWith(Effect.succeed('{"safe":true}'))
        const bodies = [
          {},
          { chain: "base", address: "0x12" },
          { chain: "base", address: WETH, note: "x" },
          [WETH]
        ]
        for (const body of bodies)
          for (const one of [posted(body), named(posted(body), "me")]) {
            const [quick, slow] = yield* Effect.promise(() =>
              Promise.all([ask(fast, agent, one), ask(long, agent, one)])
            )
            expect(comparable(quick, one)).toEqual(comparable(slow, one))
          }
      })
  )

  it.scopedLive(
    "sells nothing for a body that is declared as something else than JSON, or as compressed",
    () =>
      Effect.gen(function* () {
        const { agent, fast } = yield* openWith(Effect.succeed('{"safe":true}'))
        const before = runs.fast
        for (const foreign of [declared(sold, "text/plain"), encoded(sold, "gzip")]) {
          const told = yield* Effect.promise(() => ask(fast, agent, foreign))
          expect([told.status, runs.fast - before]).toEqual([415, 0])
        }
      })
  )

  it.scopedLive("answers a hundred of them at once, each on its own connection", () =>
    Effect.gen(function* () {
      const known = { text: '{"free":true}', isCountable: true }
      const { fast } = yield* openWith(undefined, { known })
      const agent = new Agent({ keepAlive: true, maxSockets: 100 })
      const one = { method: "GET", path: `${DEEP}?chain=base&address=${WETH}`, body: undefined, late: false }
      const told = yield* Effect.promise(() =>
        Promise.all(
          Array.from({ length: 100 }, (_, at) =>
            ask(fast, agent, { ...one, headers: { "x-client-id": "me", "x-request-id": `id-${at}` } })
          )
        )
      )
      agent.destroy()
      expect(told.map(({ headers }) => headers["x-request-id"])).toEqual(told.map((_, at) => `id-${at}`))
      expect(new Set(told.map(({ body, status }) => `${status} ${body}`))).toEqual(
        new Set([`200 ${known.text}`])
      )
    }).pipe(Effect.provide(quiet))
  )

  it.scopedLive("ends the work for a payer who has gone, and gives the slot back", () =>
    Effect.gen(function* () {
      const begun = yield* Deferred.make<void>()
      const ended = yield* Deferred.make<void>()
      const outcome = Deferred.succeed(begun, undefined).pipe(
        Effect.zipRight(Effect.never),
        Effect.onInterrupt(() => Deferred.succeed(ended, undefined))
      )
      const channel = yield* Layer.build(Layer.fresh(served({ outcome })))
      const { load, port } = Context.get(channel, Served)
      const call = send({
        host: "127.0.0.1",
        port,
        path: `${PING}?chain=base&address=${WETH}`,
        headers: PAID
      })
      call.on("error", () => {})
      call.end()
      yield* Deferred.await(begun)
      expect(load().inUse).toBe(1)
      call.destroy()
      yield* Deferred.await(ended)
      yield* Effect.yieldNow().pipe(Effect.repeat({ until: () => load().inUse === 0 }))
    }).pipe(Effect.provide(quiet))
  )
})
