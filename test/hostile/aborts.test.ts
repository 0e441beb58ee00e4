import { describe, expect, it } from "@effect/vitest"
import { Deferred, Effect, Metric, MetricState } from "effect"
import { ask, ATTACKER, eventually, HONEST, openMany, readAll } from "../support/hostile/clients.ts"
import { Served, served } from "../support/hostile/served.ts"

const PING = "/api/token-risk/v1/ping"
const TOKEN = '{"chain":"base","address":"0x4200000000000000000000000000000000000006"}'
const paid = { path: PING, body: TOKEN, headers: { "payment-signature": "signed" } }

/** How many attackers a run has: many in the long form, enough to show the rule in the short one. */
const MANY = process.env["HOSTILE"] === "long" ? 600 : 60

const headOf = (headers: ReadonlyArray<string>) =>
  [`POST ${PING} HTTP/1.1`, "host: x", "content-type: application/json", ...headers, "", ""].join("\r\n")

/** Slots, waiting requests, connections and fibers once the attackers have gone. */
const nothingLeft = Effect.flatMap(Served, ({ connections, fibers, load }) =>
  eventually(
    Effect.map(Effect.all([connections, fibers]), ([open, living]) => ({ ...load(), open, living })),
    ({ inUse, living, open, waiting }) => inUse + waiting + open + living === 0
  )
)

const NOTHING = { inUse: 0, waiting: 0, open: 0, living: 0 }

/** Prices told until now. */
const pricesTold = Effect.map(Metric.snapshot, (pairs) =>
  pairs
    .filter(({ metricKey: { name, tags } }) => {
      const isPrice = tags.some(({ key, value }) => key === "class" && value === "challenge")
      return name === "token_risk_http_requests_total" && isPrice
    })
    .reduce(
      (sum, { metricState }) =>
        sum + (MetricState.isCounterState(metricState) ? Number(metricState.count) : 0),
      0
    )
)

describe("callers that hang up", () => {
  it.scopedLive("in mid-body leave nothing behind, and a payer is served meanwhile and afterwards", () =>
    Effect.gen(function* () {
      const { port } = yield* Served
      const attack = Effect.gen(function* () {
        const sockets = yield* openMany(MANY, port, ATTACKER)
        for (const socket of sockets)
          socket?.write(`${headOf(["transfer-encoding: chunked"])}11170\r\n${"x".repeat(70_000)}`)
        expect((yield* ask(port, paid)).status).toBe(200)
        expect((yield* ask(port, { path: "/healthz", from: ATTACKER })).status).toBe(200)
      })
      yield* Effect.scoped(attack)
      expect(yield* nothingLeft).toEqual(NOTHING)
      expect((yield* ask(port, paid)).status).toBe(200)
    }).pipe(Effect.provide(served()))
  )

  it.scopedLive("while they are being served end that work", () =>
    Effect.gen(function* () {
      const ended = yield* Deferred.make<void>()
      const slow = Effect.onInterrupt(Effect.never, () => Deferred.succeed(ended, undefined))
      yield* Effect.gen(function* () {
        const { load, port } = yield* Served
        const body = headOf([`content-length: ${TOKEN.length}`, "payment-signature: signed"]) + TOKEN
        yield* Effect.scoped(
          Effect.gen(function* () {
            const [socket] = yield* openMany(1, port, ATTACKER)
            socket?.write(body)
            expect((yield* eventually(Effect.sync(load), ({ inUse }) => inUse === 1)).inUse).toBe(1)
          })
        )
        yield* Deferred.await(ended)
        expect(yield* nothingLeft).toEqual(NOTHING)
      }).pipe(Effect.provide(served({ outcome: slow })))
    })
  )

  it.scopedLive("after a pipelined burst they never read leave nothing behind", () =>
    Effect.gen(function* () {
      const { port } = yield* Served
      const request = `GET ${PING} HTTP/1.1\r\nhost: x\r\n\r\n`
      yield* Effect.scoped(
        Effect.gen(function* () {
          const sockets = yield* openMany(8, port, ATTACKER)
          for (const socket of sockets) socket?.pause().write(request.repeat(500))
          expect((yield* ask(port, { path: PING, from: HONEST })).status).toBe(402)
        })
      )
      expect(yield* nothingLeft).toEqual(NOTHING)
    }).pipe(Effect.provide(served()))
  )

  it.scopedLive(
    "are cut off with their 17th request sent ahead, and nothing but the first is worked on",
    () =>
      Effect.gen(function* () {
        const { port } = yield* Served
        const before = yield* pricesTold
        yield* Effect.scoped(
          Effect.gen(function* () {
            const [socket] = yield* openMany(1, port, ATTACKER)
            if (socket === undefined) return yield* Effect.dieMessage("no connection")
            socket.write(`GET ${PING} HTTP/1.1\r\nhost: x\r\n\r\n`.repeat(500))
            yield* readAll(socket)
          })
        )
        expect((yield* pricesTold) - before).toBe(1)
      }).pipe(Effect.provide(served()))
  )
})
