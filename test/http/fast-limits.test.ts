/** What is answered without the router has the limits of what goes through it, and is counted for whom it was. */
import { describe, expect, it } from "@effect/vitest"
import { HttpServerResponse } from "@effect/platform"
import { Deferred, Effect, HashMap, Layer, Logger } from "effect"
import { request } from "node:http"
import { ask, ATTACKER, eventually, HONEST, keptConnections } from "../support/hostile/clients.ts"
import { Served, served } from "../support/hostile/served.ts"
import { makeRooms } from "../../src/http/admission/classes.ts"
import { DEEP, quiet, WETH } from "../support/two-ways.ts"

const known = { text: '{"free":true}', isCountable: true }
const freeCall = { path: `${DEEP}?chain=base&address=${WETH}`, headers: { "x-client-id": "me" } }
const rooms = makeRooms(32)

describe("an address that asks more than its budget", () => {
  const document = { path: "/llms.txt" }
  it.scoped.each([
    ["documents", document, rooms.documents.burst],
    ["free reports that are known", freeCall, rooms.free.burst]
  ] as const)("for %s is told so, and no other address is", ([_name, asked, burst]) =>
    Effect.gen(function* () {
      const { port } = yield* Served
      const agent = yield* keptConnections
      const all = yield* Effect.forEach(
        Array.from({ length: burst + 1 }),
        () => ask(port, { ...asked, agent, from: ATTACKER }),
        { concurrency: 16 }
      )
      const statuses = all.map(({ status }) => status)
      expect(statuses.filter((status) => status === 200)).toHaveLength(burst)
      expect(statuses.filter((status) => status === 429)).toHaveLength(1)
      expect(yield* ask(port, asked)).toMatchObject({ status: 200 })
    }).pipe(
      Effect.provide(
        served({ freeFor: "me", known, documents: { "/llms.txt": HttpServerResponse.text("# words") } })
      ),
      Effect.provide(quiet)
    )
  )
})

describe("a free report that is known", () => {
  it.scopedLive("is counted for the address that asked, and for nobody who has gone meanwhile", () => {
    const given: Array<readonly [ip: string, isThere: boolean]> = []
    return Effect.gen(function* () {
      const [isAsked, mayGo] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const counting = Effect.zipRight(Deferred.succeed(isAsked, undefined), Deferred.await(mayGo))
      const channel = served({
        freeFor: "me",
        known,
        counting,
        onGiven: ({ ip }, isThere) => void given.push([ip, isThere])
      })
      yield* Effect.gen(function* () {
        const { connections, port } = yield* Served
        const call = request({ host: "127.0.0.1", port, localAddress: ATTACKER, ...freeCall })
        call.on("error", () => {}).end()
        yield* Deferred.await(isAsked)
        call.destroy()
        yield* eventually(connections, (open) => open === 0)
        yield* Deferred.succeed(mayGo, undefined)
        expect((yield* ask(port, { ...freeCall, from: HONEST })).text).toBe(known.text)
        expect(given).toEqual([
          [ATTACKER, false],
          [HONEST, true]
        ])
      }).pipe(Effect.provide(channel))
    }).pipe(Effect.provide(quiet))
  })

  it.scopedLive("has a line in the log that calls it free", () => {
    const lines: Array<Readonly<Record<string, unknown>>> = []
    const logger = Logger.make(({ annotations, message }) => {
      if (Array.isArray(message) && message[0] === "request")
        lines.push(Object.fromEntries(HashMap.toEntries(annotations)))
    })
    return Effect.gen(function* () {
      const { port } = yield* Served
      yield* ask(port, freeCall)
      const [line] = yield* eventually(
        Effect.sync(() => lines),
        ({ length }) => length > 0
      )
      expect(line).toMatchObject({ class: "free", status: 200, free: true, paid: false, costUsd: "0" })
    }).pipe(
      Effect.provide(
        served({ freeFor: "me", known, onRun: () => expect.fail("went the long way") }).pipe(
          Layer.provide(Logger.replace(Logger.defaultLogger, logger)),
          Layer.provide(Layer.setTracerEnabled(false))
        )
      )
    )
  })
})
