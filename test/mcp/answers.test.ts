import { describe, expect, it } from "@effect/vitest"
import { Context, Deferred, Effect, HashMap, Layer, Logger } from "effect"
import { MCP_PATH } from "../../src/domain/catalog.ts"
import { HttpServerResponse } from "@effect/platform"
import { answeredIdIn } from "../../src/http/admission/tool-calls.ts"
import { META } from "../../src/domain/mcp-meta.ts"
import { Patience, wholeOrStream } from "../../src/mcp/answers.ts"
import { Served, served } from "../support/hostile/served.ts"
import { quiet, WETH } from "../support/two-ways.ts"

const HEADERS = { "content-type": "application/json", accept: "application/json, text/event-stream" }

/** A call as clients of the older generations send it: they are answered on a stream. */
const call = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "tools/call",
  params: {
    name: "check_token_safety_ping",
    arguments: { chain: "base", address: WETH },
    _meta: { [META.payment]: {} }
  }
})

/** The event loop goes round. */
const aRound = Effect.async<void>((resume) => void setImmediate(() => resume(Effect.void)))

/** A tool that says when it has begun, and ends when it is told to. */
const heldTool = Effect.gen(function* () {
  const begun = yield* Deferred.make<void>()
  const goOn = yield* Deferred.make<void>()
  const outcome = Deferred.succeed(begun, undefined).pipe(
    Effect.zipRight(Deferred.await(goOn)),
    Effect.as('{"safe":true}')
  )
  return { begun, goOn, outcome }
})

describe("a tool call that is answered on a stream", () => {
  it.scopedLive("has its slot until it has ended, and is answered in one piece", () =>
    Effect.gen(function* () {
      const { begun, goOn, outcome } = yield* heldTool
      const channel = yield* Layer.build(Layer.fresh(served({ outcome })))
      const { load, port } = Context.get(channel, Served)
      const answer = yield* Effect.fork(
        Effect.promise(() =>
          fetch(`http://127.0.0.1:${port}${MCP_PATH}`, { method: "POST", headers: HEADERS, body: call })
        )
      )
      yield* Deferred.await(begun)
      yield* Effect.repeatN(aRound, 20)
      expect(load().inUse).toBe(1)
      yield* Deferred.succeed(goOn, undefined)
      const response = yield* answer
      const text = yield* Effect.promise(() => response.text())
      expect(response.headers.get("content-type")).toBe("text/event-stream")
      expect(Number(response.headers.get("content-length"))).toBe(Buffer.byteLength(text))
      expect(text).toMatch(/^event: message\ndata: .*"safe":true.*\n\n$/)
      expect(load().inUse).toBe(0)
    }).pipe(Effect.provide(quiet))
  )

  it.scopedLive("gives its slot back when its caller hangs up", () =>
    Effect.gen(function* () {
      const begun = yield* Deferred.make<void>()
      const outcome = Effect.zipRight(Deferred.succeed(begun, undefined), Effect.never)
      const channel = yield* Layer.build(Layer.fresh(served({ outcome })))
      const { load, port } = Context.get(channel, Served)
      const caller = new AbortController()
      fetch(`http://127.0.0.1:${port}${MCP_PATH}`, {
        method: "POST",
        headers: HEADERS,
        body: call,
        signal: caller.signal
      }).catch(() => {})
      yield* Deferred.await(begun)
      caller.abort()
      yield* Effect.yieldNow().pipe(Effect.repeat({ until: () => load().inUse === 0 }))
    }).pipe(Effect.provide(quiet))
  )

  it.effect("goes on as a stream where it takes long: what was said before, then the rest, and the end", () =>
    Effect.promise(async () => {
      const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
      const writer = writable.getWriter()
      const say = (text: string) => writer.write(Buffer.from(text))
      const answer = wholeOrStream(
        new Response(readable, { headers: { "content-type": "text/event-stream" } }),
        1,
        0
      )
      await say(": alive\n\n")
      const response = HttpServerResponse.toWeb((await answer).response)
      expect(response.headers.get("content-type")).toBe("text/event-stream")
      expect(response.headers.has("content-length")).toBe(false)
      const text = response.text()
      await say("data: 1\n\n")
      await writer.close()
      expect(await text).toBe(": alive\n\ndata: 1\n\n")
    })
  )

  it.effect("ends what it reads from when the caller of a long one hangs up", () =>
    Effect.promise(async () => {
      let cancel: () => void = () => {}
      const cancelled = new Promise<void>((resolve) => (cancel = resolve))
      const silent = new ReadableStream<Uint8Array>({ cancel: () => cancel() })
      const { response, rest } = await wholeOrStream(new Response(silent), 1, 0)
      await HttpServerResponse.toWeb(response).body?.cancel()
      await cancelled
      await Effect.runPromise(rest?.ended ?? Effect.never)
    })
  )

  it.effect("tells the caller of one that has had its time, and ends what it reads from", () =>
    Effect.promise(async () => {
      let cancel: () => void = () => {}
      const cancelled = new Promise<void>((resolve) => (cancel = resolve))
      const silent = new ReadableStream<Uint8Array>({ cancel: () => cancel() })
      const { response, rest } = await wholeOrStream(new Response(silent), 7, 0)
      await Effect.runPromise(rest?.cut ?? Effect.never)
      await cancelled
      await Effect.runPromise(rest?.ended ?? Effect.never)
      const message = {
        jsonrpc: "2.0",
        id: 7,
        error: {
          code: -32_001,
          message:
            "took too long: repeat the request, with the same payment if it carried one, never with a new one"
        }
      }
      expect(await HttpServerResponse.toWeb(response).text()).toBe(
        `event: message\ndata: ${JSON.stringify(message)}\n\n`
      )
    })
  )

  it.scopedLive("has its slot and its line in the log until its stream has ended", () =>
    Effect.gen(function* () {
      const { begun, goOn, outcome } = yield* heldTool
      const lines: Array<Readonly<Record<string, unknown>>> = []
      const logger = Logger.make(({ annotations, message }) => {
        if (Array.isArray(message) && message[0] === "request")
          lines.push(Object.fromEntries(HashMap.toEntries(annotations)))
      })
      const channel = yield* Layer.build(
        Layer.fresh(served({ outcome })).pipe(Layer.provide(Logger.replace(Logger.defaultLogger, logger)))
      )
      const { load, port } = Context.get(channel, Served)
      const response = yield* Effect.promise(() =>
        fetch(`http://127.0.0.1:${port}${MCP_PATH}`, { method: "POST", headers: HEADERS, body: call })
      )
      yield* Deferred.await(begun)
      yield* Effect.repeatN(aRound, 20)
      expect(response.headers.has("content-length")).toBe(false)
      expect(load().inUse).toBe(1)
      expect(lines).toEqual([])
      yield* Deferred.succeed(goOn, undefined)
      expect(yield* Effect.promise(() => response.text())).toMatch(/data: .*"safe":true/)
      yield* aRound.pipe(Effect.repeat({ until: () => load().inUse === 0 && lines.length > 0 }))
      expect(lines).toMatchObject([{ paid: true, costUsd: "0.005", status: 200 }])
    }).pipe(Effect.provide(Layer.succeed(Patience, 0)))
  )

  it.scopedLive("gives its slot back when the caller of its stream hangs up", () =>
    Effect.gen(function* () {
      const outcome = Effect.never
      const channel = yield* Layer.build(Layer.fresh(served({ outcome })))
      const { load, port } = Context.get(channel, Served)
      const caller = new AbortController()
      const response = yield* Effect.promise(() =>
        fetch(`http://127.0.0.1:${port}${MCP_PATH}`, {
          method: "POST",
          headers: HEADERS,
          body: call,
          signal: caller.signal
        })
      )
      expect(load().inUse).toBe(1)
      caller.abort()
      yield* Effect.exit(Effect.tryPromise(() => response.text()))
      yield* aRound.pipe(Effect.repeat({ until: () => load().inUse === 0 }))
    }).pipe(Effect.provide(Layer.succeed(Patience, 0)), Effect.provide(quiet))
  )
})

const LATEST = "2026-07-28"
const CLIENT = { name: "test", version: "1" }
const rpc = (method: string, params: object) => JSON.stringify({ jsonrpc: "2.0", id: 1, method, params })

describe("a message that calls no tool", () => {
  const asked = (body: string, headers: Readonly<Record<string, string>> = {}) =>
    Effect.gen(function* () {
      const channel = yield* Layer.build(Layer.fresh(served({ outcome: Effect.die("no tool is called") })))
      const { port } = Context.get(channel, Served)
      return yield* Effect.promise((signal) =>
        fetch(`http://127.0.0.1:${port}${MCP_PATH}`, {
          method: "POST",
          headers: { ...HEADERS, ...headers },
          body,
          signal
        })
      )
    }).pipe(Effect.provide(quiet))

  it.scopedLive.each([
    { name: "a list", body: rpc("tools/list", {}) },
    {
      name: "a handshake",
      body: rpc("initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: CLIENT })
    }
  ])(
    "$name is answered in one piece, as the event that clients of the older generations expect",
    ({ body }) =>
      Effect.gen(function* () {
        const response = yield* asked(body)
        const text = yield* Effect.promise(() => response.text())
        expect(response.headers.get("content-type")).toBe("text/event-stream")
        expect(Number(response.headers.get("content-length"))).toBe(Buffer.byteLength(text))
        expect(text).toMatch(/^event: message\ndata: \{"result":.*\}\n\n$/)
      })
  )

  it("is known by its own id where its answer is cut, a batch by its tool call's, and what has none by none", () => {
    const list = { jsonrpc: "2.0", id: "a", method: "tools/list" }
    const asked = [
      list,
      [list, { ...list, id: 2, method: "tools/call" }],
      [list],
      { ...list, id: {} },
      undefined
    ]
    expect(asked.map(answeredIdIn)).toEqual(["a", 2, null, null, null])
  })

  it.scopedLive("a notification gets no answer, and what is no JSON is told so", () =>
    Effect.gen(function* () {
      const noted = yield* asked(JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" }))
      expect(noted.status).toBe(202)
      const broken = yield* asked("{")
      expect(broken.status).toBe(400)
      expect(yield* Effect.promise(() => broken.json())).toMatchObject({ error: { code: -32_700 } })
    })
  )

  it.scopedLive("a subscription is a stream from its first word on: nobody waits for its end", () =>
    Effect.gen(function* () {
      const _meta = {
        "io.modelcontextprotocol/protocolVersion": LATEST,
        "io.modelcontextprotocol/clientInfo": CLIENT,
        "io.modelcontextprotocol/clientCapabilities": {}
      }
      const response = yield* asked(rpc("subscriptions/listen", { notifications: {}, _meta }), {
        "mcp-protocol-version": LATEST,
        "mcp-method": "subscriptions/listen"
      })
      expect(response.headers.has("content-length")).toBe(false)
      const reader = response.body?.getReader()
      const first = yield* Effect.promise(async () => reader?.read())
      expect(Buffer.from(first?.value ?? []).toString()).toMatch(/notifications\/subscriptions\/acknowledged/)
      yield* Effect.promise(async () => reader?.cancel())
    }).pipe(Effect.provide(Layer.succeed(Patience, 3_600_000)))
  )
})
