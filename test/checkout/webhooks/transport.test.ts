import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { createSocket } from "node:dgram"
import { lookup } from "node:dns/promises"
import { readFileSync } from "node:fs"
import { stat } from "node:fs/promises"
import type { IncomingMessage, ServerResponse } from "node:http"
import { createServer } from "node:https"
import { join } from "node:path"
import type { TransportOptions } from "../../../src/checkout/webhooks/transport.ts"
import { makeResolve, makeWebhookTransport } from "../../../src/checkout/webhooks/transport.ts"
import { isPublicAddress } from "../../../src/checkout/webhooks/url.ts"

/** A key and certificate made for these tests only; the name exists nowhere. */
const pem = (name: string) =>
  readFileSync(join(import.meta.dirname, "../../support/checkout/tls", name), "utf8")

const receiver = (answer: (request: IncomingMessage, body: string, response: ServerResponse) => void) =>
  Effect.acquireRelease(
    Effect.async<{ readonly port: number; readonly close: () => void }>((resume) => {
      const server = createServer(
        { key: pem("key.pem"), cert: pem("certificate.pem") },
        (request, response) => {
          let body = ""
          request.on("data", (chunk: Buffer) => (body += chunk.toString()))
          request.on("end", () => answer(request, body, response))
        }
      )
      server.listen(0, "127.0.0.1", () => {
        const address = server.address()
        const port = typeof address === "object" && address !== null ? address.port : 0
        const close = () => {
          server.closeAllConnections()
          server.close()
        }
        resume(Effect.succeed({ port, close }))
      })
    }),
    ({ close }) => Effect.sync(close)
  )

const local = (port: number, change: Partial<TransportOptions> = {}) =>
  makeWebhookTransport({
    resolve: async () => [{ address: "127.0.0.1", family: 4 }],
    isAllowed: () => true,
    tls: { ca: pem("certificate.pem"), port },
    ...change
  })

const HOOK = "https://hooks.example/checkout"

describe("sending a webhook", () => {
  it.scopedLive("posts the body and headers and reads the status alone", () =>
    Effect.gen(function* () {
      const seen: Array<string> = []
      const { port } = yield* receiver((request, body, response) => {
        seen.push(
          `${request.method} ${request.headers["host"]} ${request.url} ${request.headers["webhook-id"]} ${body}`
        )
        response.writeHead(204).end()
      })
      expect((yield* local(port).send(HOOK, { "webhook-id": "msg_1" }, "{}")).status).toBe(204)
      expect(seen).toEqual([expect.stringMatching(/^POST hooks\.example\S* \/checkout msg_1 \{\}$/)])
    })
  )

  it.scopedLive("follows no redirect", () =>
    Effect.gen(function* () {
      let calls = 0
      const { port } = yield* receiver((_request, _body, response) => {
        calls += 1
        response.writeHead(302, { location: "https://169.254.169.254/" }).end()
      })
      expect((yield* local(port).send(HOOK, {}, "{}")).status).toBe(302)
      expect(calls).toBe(1)
    })
  )

  it.scopedLive("tells when the receiver wants to be asked again", () =>
    Effect.gen(function* () {
      const { port } = yield* receiver((_request, _body, response) =>
        response.writeHead(429, { "retry-after": "90" }).end()
      )
      expect(yield* local(port).send(HOOK, {}, "{}")).toEqual({ status: 429, retryAfter: "90" })
    })
  )

  it.scopedLive("does not wait for an endless answer", () =>
    Effect.gen(function* () {
      const { port } = yield* receiver((_request, _body, response) => {
        response.writeHead(200)
        response.write("x".repeat(1000))
      })
      expect((yield* local(port).send(HOOK, {}, "{}")).status).toBe(200)
    })
  )

  it.scopedLive("gives up on a receiver that never answers", () =>
    Effect.gen(function* () {
      const { port } = yield* receiver(() => {})
      const error = yield* Effect.flip(local(port, { timeoutMillis: 100 }).send(HOOK, {}, "{}"))
      expect(error.kind).toBe("timeout")
    })
  )

  it.scopedLive("refuses a certificate of another name", () =>
    Effect.gen(function* () {
      const { port } = yield* receiver((_request, _body, response) => response.end())
      const error = yield* Effect.flip(local(port).send("https://other.example/", {}, "{}"))
      expect(error.kind).toBe("transport")
    })
  )

  it.scopedLive("tries the next address of the name when one takes no connection", () =>
    Effect.gen(function* () {
      const { port } = yield* receiver((_request, _body, response) => response.end())
      const resolve = async () => [
        { address: "127.0.0.2", family: 4 },
        { address: "127.0.0.1", family: 4 }
      ]
      expect((yield* local(port, { resolve }).send(HOOK, {}, "{}")).status).toBe(200)
    })
  )

  it.scopedLive("resolves once and connects to what it checked, however the name changes afterwards", () =>
    Effect.gen(function* () {
      let lookups = 0
      let calls = 0
      const { port } = yield* receiver((_request, _body, response) => {
        calls += 1
        response.end()
      })
      const rebinding = local(port, {
        resolve: async () => {
          lookups += 1
          return [{ address: lookups === 1 ? "127.0.0.1" : "127.0.0.2", family: 4 }]
        },
        isAllowed: (address) => address === "127.0.0.1"
      })
      expect((yield* rebinding.send(HOOK, {}, "{}")).status).toBe(200)
      expect([lookups, calls]).toEqual([1, 1])
    })
  )

  it.live.each([
    ["a private address", ["10.0.0.1"]],
    ["a public and a private address", ["8.8.8.8", "127.0.0.1"]],
    ["the metadata service", ["169.254.169.254"]],
    ["loopback in IPv6", ["::1"]]
  ] as const)("refuses a name that resolves to %s", ([, addresses]) =>
    Effect.gen(function* () {
      const transport = makeWebhookTransport({
        resolve: async () => addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
        isAllowed: isPublicAddress
      })
      expect((yield* Effect.flip(transport.send(HOOK, {}, "{}"))).kind).toBe("forbidden")
    })
  )
})

/** A name server that takes every question and answers none, at its address. How many it was asked. */
const silentNameServer = Effect.acquireRelease(
  Effect.promise(async () => {
    const socket = createSocket("udp4")
    const server = { asked: 0, socket, address: "" }
    socket.on("message", () => (server.asked += 1))
    await new Promise<void>((done) => socket.bind(0, "127.0.0.1", done))
    server.address = `127.0.0.1:${socket.address().port}`
    return server
  }),
  ({ socket }) => Effect.sync(() => socket.close())
)

describe("names whose name server never answers", () => {
  it.scopedLive("hold up no other look-up, and no file or database work", () =>
    Effect.gen(function* () {
      const server = yield* silentNameServer
      const resolve = makeResolve([server.address])
      const stuck = yield* Effect.fork(
        Effect.forEach(
          Array.from({ length: 60 }, (_, n) =>
            local(1, { resolve }).send(`https://dead-${n}.example/`, {}, "{}")
          ),
          Effect.either,
          { concurrency: "unbounded" }
        )
      )
      while (server.asked < 60) yield* Effect.sleep("5 millis")
      // The pool of four threads that the system's look-ups and files share is free.
      const others = Array.from({ length: 8 }, () => [lookup("localhost"), stat(import.meta.dirname)]).flat()
      yield* Effect.promise(() => Promise.all(others))
      expect(stuck.unsafePoll()).toBeNull()
    })
  )
})
