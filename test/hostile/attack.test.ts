import { expect, it } from "@effect/vitest"
import { Duration, Effect, Fiber } from "effect"
import { ask, ATTACKER, eventually, HONEST, openMany } from "../support/hostile/clients.ts"
import { Served, served } from "../support/hostile/served.ts"

const PING = "/api/token-risk/v1/ping"
const TOKEN = '{"chain":"base","address":"0x4200000000000000000000000000000000000006"}'
const paid = { path: PING, body: TOKEN, headers: { "payment-signature": "signed" } }

const isLong = process.env["HOSTILE"] === "long"
const MANY = isLong ? 500 : 40
const DURATION = Duration.millis(isLong ? 20_000 : 500)

/** One wave of everything an address can do without paying, given up after a while. */
const wave = (port: number) =>
  Effect.scoped(
    Effect.gen(function* () {
      const sockets = yield* openMany(MANY, port, ATTACKER)
      for (const [index, socket] of sockets.entries()) {
        const head = `POST ${PING} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n`
        if (index % 4 === 0)
          socket?.write(`${head}transfer-encoding: chunked\r\n\r\n11170\r\n${"x".repeat(70_000)}`)
        if (index % 4 === 1) socket?.write(`${head}content-length: 500\r\n\r\n{`)
        if (index % 4 === 2) socket?.pause().write(`GET ${PING} HTTP/1.1\r\nhost: x\r\n\r\n`.repeat(60))
      }
      yield* Effect.all(
        Array.from({ length: 20 }, () => ask(port, { ...paid, from: ATTACKER })),
        { concurrency: 20 }
      )
      yield* Effect.sleep("200 millis")
    })
  )

const slowest = (times: ReadonlyArray<number>): number => Math.round(Math.max(...times))

it.scopedLive(
  "whatever one address does, a payer at another is served, and everything is back afterwards",
  () =>
    Effect.gen(function* () {
      const { connections, fibers, load, port } = yield* Served
      yield* wave(port)
      globalThis.gc?.()
      const before = process.memoryUsage.rss()
      const attack = yield* Effect.fork(Effect.forever(wave(port)))
      const times: { paid: Array<number>; health: Array<number> } = { paid: [], health: [] }
      const victims = Effect.gen(function* () {
        const sold = yield* ask(port, { ...paid, from: HONEST })
        const health = yield* ask(port, { path: "/healthz", from: HONEST })
        expect([sold.status, health.status]).toEqual([200, 200])
        times.paid.push(sold.milliseconds)
        times.health.push(health.milliseconds)
        yield* Effect.sleep("50 millis")
      })
      yield* Effect.timeoutTo(Effect.forever(victims), {
        duration: DURATION,
        onTimeout: () => undefined,
        onSuccess: () => undefined
      })
      yield* Fiber.interrupt(attack)
      const ended = performance.now()
      const left = yield* eventually(
        Effect.map(Effect.all([connections, fibers]), ([open, living]) => ({ ...load(), open, living })),
        ({ inUse, living, open, waiting }) => inUse + waiting + open + living === 0
      )
      const back = performance.now() - ended
      expect(left).toEqual({ inUse: 0, waiting: 0, open: 0, living: 0 })
      expect((yield* ask(port, { ...paid, from: ATTACKER })).status).toBeLessThan(500)
      globalThis.gc?.()
      yield* Effect.logInfo("attack").pipe(
        Effect.annotateLogs({
          asked: times.paid.length,
          slowestPaidMillis: slowest(times.paid),
          slowestHealthMillis: slowest(times.health),
          backAfterMillis: Math.round(back),
          memoryBefore: before,
          memoryAfter: process.memoryUsage.rss()
        })
      )
      if (!isLong) return
      expect(slowest(times.paid)).toBeLessThan(2_000)
      expect(slowest(times.health)).toBeLessThan(1_000)
      expect(back).toBeLessThan(5_000)
    }).pipe(Effect.provide(served()))
)
