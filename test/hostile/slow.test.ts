import { HttpServerResponse } from "@effect/platform"
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Socket } from "node:net"
import { ask, ATTACKER, eventually, HONEST, openMany, readAll } from "../support/hostile/clients.ts"
import { Served, served } from "../support/hostile/served.ts"

const PING = "/api/token-risk/v1/ping"
const TOKEN = '{"chain":"base","address":"0x4200000000000000000000000000000000000006"}'
const paid = { path: PING, body: TOKEN, headers: { "payment-signature": "signed" } }
const isLong = process.env["HOSTILE"] === "long"

describe("bodies that do not end", () => {
  it.scopedLive("starve nobody, hold no slot, and are told 408 within seconds", () =>
    Effect.gen(function* () {
      const { load, port } = yield* Served
      const sockets = yield* openMany(isLong ? 520 : 100, port, ATTACKER)
      for (const socket of sockets)
        socket?.write(`POST ${PING} HTTP/1.1\r\nhost: x\r\ncontent-length: 500\r\n\r\n{`)
      expect((yield* ask(port, paid)).status).toBe(200)
      expect((yield* ask(port, { path: PING, from: ATTACKER })).status).toBe(402)
      expect((yield* ask(port, { path: "/healthz", from: ATTACKER })).status).toBe(200)
      expect(load()).toEqual({ inUse: 0, waiting: 0 })
      const [first] = sockets
      if (first !== undefined) expect(yield* readAll(first)).toMatch(/^HTTP\/1\.1 408 [^]*\{"error":/)
    }).pipe(Effect.provide(served()))
  )
})

describe("bodies that nearly end", () => {
  it.scopedLive(
    "may hold one megabyte of an address: the next is told 429 and goes, and others are served",
    () =>
      Effect.gen(function* () {
        const { port } = yield* Served
        const sockets = yield* openMany(20, port, ATTACKER)
        for (const socket of sockets)
          socket?.write(
            `POST ${PING} HTTP/1.1\r\nhost: x\r\ncontent-length: 65001\r\n\r\n${"x".repeat(65_000)}`
          )
        const answered = yield* Effect.raceAll(sockets.flatMap((one) => (one ? [readAll(one)] : [])))
        expect(answered).toMatch(/^HTTP\/1\.1 429 [^]*connection: close[^]*\{"error":/i)
        expect((yield* ask(port, paid)).status).toBe(200)
      }).pipe(Effect.provide(served()))
  )
})

describe("connections on which nothing comes", () => {
  it.scopedLive("make room for new ones, the attacker's own as well as everybody else's", () =>
    Effect.gen(function* () {
      const { connections, port } = yield* Served
      yield* openMany(isLong ? 4_096 : 200, port, ATTACKER)
      const held = yield* eventually(connections, (count) => count <= 64)
      expect(held).toBeLessThanOrEqual(64)
      for (const from of [ATTACKER, HONEST]) {
        expect((yield* ask(port, { path: "/healthz", from })).status).toBe(200)
        expect((yield* ask(port, { ...paid, from })).status).toBe(200)
      }
    }).pipe(Effect.provide(served({}, { total: 128, perPeer: 64 })))
  )

  it.scopedLive("of many peers make room too", () =>
    Effect.gen(function* () {
      const { port } = yield* Served
      for (let peer = 10; peer < 20; peer++) yield* openMany(10, port, `127.0.0.${peer}`)
      expect((yield* ask(port, paid)).status).toBe(200)
    }).pipe(Effect.provide(served({}, { total: 64, perPeer: 32 })))
  )
})

describe("answers that nobody reads", () => {
  /** More than the system takes off our hands for a connection. */
  const large = { "/large": HttpServerResponse.text("x".repeat(16 * 1_048_576)) }
  const limits = { total: 12, perPeer: 6 }

  /** Asks for the large answer, and for it once more behind that, and reads nothing of what has begun to come. */
  const askAndLeave = (socket: Socket | undefined) =>
    Effect.async<void>((resume) => {
      socket?.once("readable", () => resume(Effect.void))
      socket?.write("GET /large HTTP/1.1\r\nhost: x\r\n\r\n".repeat(2))
    })

  const fillFrom = (port: number, ...all: ReadonlyArray<string>) =>
    Effect.forEach(all, (from) =>
      Effect.flatMap(openMany(limits.perPeer, port, from), Effect.forEach(askAndLeave))
    )

  it.scopedLive("make room for others, and for more of the same caller's own", () =>
    Effect.gen(function* () {
      const { port } = yield* Served
      yield* fillFrom(port, ATTACKER, "127.0.0.4")
      expect((yield* ask(port, paid)).status).toBe(200)
      expect((yield* ask(port, { ...paid, from: ATTACKER })).status).toBe(200)
    }).pipe(Effect.scoped, Effect.provide(served({ documents: large }, limits, 0)))
  )

  it.scopedLive("are given time: who reads slowly is not cut off at once", () =>
    Effect.gen(function* () {
      const { connections, port } = yield* Served
      yield* fillFrom(port, ATTACKER, "127.0.0.4")
      expect((yield* ask(port, paid)).status).toBe(0)
      expect(yield* connections).toBe(limits.total)
    }).pipe(Effect.scoped, Effect.provide(served({ documents: large }, limits)))
  )
})
