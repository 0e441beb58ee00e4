import { connect, type Socket } from "node:net"
import type { IncomingMessage } from "node:http"
import { Agent } from "node:http"
import { setImmediate as nextRound } from "node:timers/promises"
import { Worker } from "node:worker_threads"
import { describe, expect, it } from "vitest"
import { get, listen, raw } from "../support/server/raw-http.ts"

describe("the draining server", () => {
  it("finishes what is in flight, closes kept-alive connections, and then is closed", async () => {
    let arrived: (finish: () => void) => void
    const inFlight = new Promise<() => void>((resolve) => (arrived = resolve))
    const { port, server } = await listen((_request: unknown, response: { end: (text: string) => void }) =>
      arrived(() => response.end("done"))
    )
    const agent = new Agent({ keepAlive: true })
    const answer = get(port, agent)
    const finish = await inFlight
    const closed = new Promise<void>((resolve) => server.close(() => resolve()))
    finish()
    expect(await answer).toMatchObject({ status: 200, body: "done", connection: "close" })
    await closed
    agent.destroy()
  })

  it("answers 503 with Retry-After once the application has detached", async () => {
    const handler = () => {}
    const { port, server } = await listen(handler)
    server.off("request", handler)
    expect(await get(port, undefined)).toMatchObject({ status: 503, connection: "close" })
    await new Promise<void>((resolve) => server.close(() => resolve()))
  })

  it("says that it is stopping on new connections too, until the last answer is out", async () => {
    let arrived: (finish: () => void) => void
    const inFlight = new Promise<() => void>((resolve) => (arrived = resolve))
    const handler = (_request: unknown, response: { end: (text: string) => void }) =>
      arrived(() => response.end("done"))
    const { port, server } = await listen(handler)
    const answer = get(port, undefined)
    const finish = await inFlight
    server.off("request", handler)
    const closed = new Promise<void>((resolve) => server.close(() => resolve()))
    expect(await get(port, undefined)).toMatchObject({ status: 503, connection: "close" })
    finish()
    expect(await answer).toMatchObject({ status: 200, body: "done", connection: "close" })
    await closed
  })

  it("is closed at once when nobody is being served, whoever holds connections open", async () => {
    const { port, server } = await listen(() => {})
    const sockets = Array.from({ length: 3 }, () => connect(port, "127.0.0.1"))
    for (const socket of sockets) await new Promise<void>((open) => socket.once("connect", () => open()))
    await new Promise<void>((resolve) => server.close(() => resolve()))
    expect(server.listening).toBe(false)
    for (const socket of sockets) socket.destroy()
  })

  it("waits for nobody who leaves a whole answer unread: all others are told to come again until it is closed", async () => {
    const large = "x".repeat(16 * 1_048_576)
    const answerAll = (_request: unknown, response: { end: (text: string) => void }) => response.end(large)
    const { port, server } = await listen(answerAll, 0)
    const idler = connect(port, "127.0.0.1", () => idler.write("GET / HTTP/1.1\r\nhost: x\r\n\r\n"))
    idler.on("error", () => {})
    await new Promise<void>((begun) => idler.once("readable", () => begun()))
    await new Promise<void>((resolve) => server.close(() => resolve()))
    expect(server.listening).toBe(false)
    idler.destroy()
  })

  it("answers oversized headers and garbage with a 4xx in JSON", async () => {
    const { port, server } = await listen(() => {})
    const large = await raw(
      port,
      `GET / HTTP/1.1\r\nhost: x\r\npayment-signature: ${"A".repeat(1_000_000)}\r\n\r\n`
    )
    expect(large).toMatch(/^HTTP\/1\.1 431 [^]*\{"error":"headers are too large"\}$/)
    expect(await raw(port, "RUBBISH\r\n\r\n")).toMatch(/^HTTP\/1\.1 400 [^]*\{"error":/)
    await new Promise<void>((resolve) => server.close(() => resolve()))
  })
})

/** Asks on each of some connections and breaks all of them off, in a thread of its own; says so when that is done. */
const BREAKER = `
  const { workerData: { broken, count, port } } = require("node:worker_threads")
  const { connect } = require("node:net")
  let left = count
  for (let index = 0; index < count; index += 1) {
    const socket = connect(port, "127.0.0.1", () => socket.write("GET / HTTP/1.1\\r\\nhost: x\\r\\n\\r\\n", () => socket.resetAndDestroy()))
    socket.on("error", () => {}).on("close", () => {
      left -= 1
      if (left === 0) { Atomics.store(broken, 0, 1); Atomics.notify(broken, 0) }
    })
  }
`

describe("a connection that was broken off before it was taken", () => {
  it("is not served", async () => {
    let served = 0
    const { port, server } = await listen((_request: unknown, response: { end: (text: string) => void }) => {
      served += 1
      response.end("served")
    })
    const broken = new Int32Array(new SharedArrayBuffer(4))
    const worker = new Worker(BREAKER, { eval: true, workerData: { broken, count: 20, port } })
    // This thread takes none until all of them are broken off.
    expect(Atomics.wait(broken, 0, 0, 20_000)).not.toBe("timed-out")
    expect(await get(port, undefined)).toMatchObject({ status: 200 })
    expect(served).toBe(1)
    await worker.terminate()
    await new Promise<void>((resolve) => server.close(() => resolve()))
  })
})

/** Connections that are open at both ends. */
const openAt = async ({ port, server }: Awaited<ReturnType<typeof listen>>, count: number) => {
  const taken: Array<Socket> = []
  server.on("connection", (socket: Socket) => taken.push(socket))
  const callers = Array.from({ length: count }, () => connect(port, "127.0.0.1").on("error", () => {}))
  while (taken.length < count) await nextRound()
  return { callers, taken }
}

describe("requests that are sent ahead", () => {
  it("are made a few at a time, and none after the connection was cut", async () => {
    let made = 0
    const listening = await listen(() => (made += 1))
    const { callers, taken } = await openAt(listening, 1)
    callers[0]?.write("GET / HTTP/1.1\r\nhost:\r\n\r\n".repeat(1_000))
    while (taken[0]?.destroyed === false) await nextRound()
    // Sixteen may wait; the 64 lines that the seventeenth comes in hold 22 of these.
    expect(made).toBeLessThanOrEqual(22)
    await new Promise<void>((resolve) => listening.server.close(() => resolve()))
  })

  it("leave no written trace of every one that nobody answers, and other errors have theirs", async () => {
    const traces: Array<string | undefined> = []
    const listening = await listen((incoming: IncomingMessage) =>
      incoming.on("error", ({ stack }) => traces.push(stack))
    )
    const { callers, taken } = await openAt(listening, 1)
    const closed = new Promise<void>((resolve) => taken[0]?.once("close", () => resolve()))
    callers[0]?.end("GET / HTTP/1.1\r\nhost: x\r\n\r\n".repeat(3), () => callers[0]?.destroy())
    await closed
    while (traces.length < 3) await nextRound()
    expect(traces).toEqual(traces.map(() => "Error: aborted"))
    expect(new Error("other").stack).toMatch(/\n +at /)
    await new Promise<void>((resolve) => listening.server.close(() => resolve()))
  })
})

describe("requests whose time is up together", () => {
  it("are answered and closed in turns", async () => {
    const listening = await listen(() => {})
    const { callers, taken } = await openAt(listening, 50)
    const late = Object.assign(new Error("late"), { code: "ERR_HTTP_REQUEST_TIMEOUT" })
    for (const socket of taken) listening.server.emit("clientError", late, socket)
    const told = () => taken.filter(({ writableEnded }) => writableEnded).length
    expect(told()).toBe(0)
    for (let before = 0; before < taken.length; before = told()) {
      await nextRound()
      expect(told() - before).toBeLessThanOrEqual(16)
    }
    for (const caller of callers) caller.destroy()
    await new Promise<void>((resolve) => listening.server.close(() => resolve()))
  })

  it("are told nothing where they were answered meanwhile: it would be taken for the next one's answer", async () => {
    const listening = await listen(() => {})
    const { callers, taken } = await openAt(listening, 1)
    const [socket] = taken
    let heard = ""
    callers[0]?.on("data", (chunk) => (heard += String(chunk)))
    const late = Object.assign(new Error("late"), { code: "ERR_HTTP_REQUEST_TIMEOUT" })
    listening.server.emit("clientError", late, socket)
    socket?.write("answered")
    while (!heard.includes("answered")) await nextRound()
    for (let round = 0; round < 4; round++) await nextRound()
    expect(socket?.writableEnded).toBe(false)
    expect(heard).toBe("answered")
    callers[0]?.destroy()
    await new Promise<void>((resolve) => listening.server.close(() => resolve()))
  })
})
