import type { Socket } from "node:net"
import { createServer } from "node:net"
import { setImmediate as nextRound } from "node:timers/promises"
import { Worker } from "node:worker_threads"
import { Effect } from "effect"
import { describe, expect, it } from "@effect/vitest"
import { makeInputTurns, WAITING_BYTES } from "../../src/server/input-turns.ts"
import { BYTES_PER_ROUND } from "../../src/server/reading.ts"

const CONNECTIONS = 200
const SENT_BYTES = 65_536
const PATIENCE_MILLIS = 20_000

/** Opens connections from a thread of its own; when all are open and it is told so, sends on all of them together. */
const SENDER = `
  const { workerData: { go, sent, count, bytes, port } } = require("node:worker_threads")
  const { connect } = require("node:net")
  const text = "x".repeat(bytes)
  const sockets = Array.from({ length: count }, () => connect(port, "127.0.0.1").on("error", () => {}))
  const begin = () => {
    if (Atomics.load(go, 0) === 0) return setTimeout(begin, 5)
    let left = count
    for (const socket of sockets) socket.write(text, () => {
      left -= 1
      if (left === 0) { Atomics.store(sent, 0, 1); Atomics.notify(sent, 0) }
    })
  }
  begin()
`

const flag = () => new Int32Array(new SharedArrayBuffer(4))

describe("connections that send all at once", () => {
  it.scopedLive("are read a part at a time, each to its end", () =>
    Effect.gen(function* () {
      const bound = makeInputTurns(2 * WAITING_BYTES)
      const sockets: Array<Socket> = []
      let readInRound = 0
      let most = 0
      let given = 0
      const isWhole = () => given === CONNECTIONS * SENT_BYTES
      const server = yield* Effect.acquireRelease(
        Effect.async<ReturnType<typeof createServer>>((resume) => {
          const opened = createServer((socket) => {
            sockets.push(socket)
            bound(socket)
            socket.on("error", () => undefined)
            socket.on("data", (chunk: Buffer) => (given += chunk.length))
            // Beneath what bounds it stands what Node calls with all that it has read.
            const push = socket.push.bind(socket)
            socket.push = (chunk: Buffer | null) => {
              if (readInRound === 0) setImmediate(() => (readInRound = 0))
              readInRound += chunk?.length ?? 0
              most = Math.max(most, readInRound)
              return push(chunk)
            }
          })
          opened.listen({ port: 0, host: "127.0.0.1" }, () => resume(Effect.succeed(opened)))
        }),
        (opened) =>
          Effect.sync(() => {
            opened.close()
            for (const socket of sockets) socket.destroy()
          })
      )
      const [go, sent] = [flag(), flag()]
      const address = server.address()
      const port = typeof address === "object" && address !== null ? address.port : 0
      const workerData = { go, sent, count: CONNECTIONS, bytes: SENT_BYTES, port }
      yield* Effect.acquireRelease(
        Effect.sync(() => new Worker(SENDER, { eval: true, workerData })),
        (worker) => Effect.promise(() => worker.terminate())
      )
      yield* Effect.promise(async () => {
        while (sockets.length < CONNECTIONS) await nextRound()
      })
      Atomics.store(go, 0, 1)
      // This thread reads nothing until all of it is there.
      expect(Atomics.wait(sent, 0, 0, PATIENCE_MILLIS)).not.toBe("timed-out")
      yield* Effect.promise(async () => {
        while (!isWhole()) await nextRound()
      })
      expect(most).toBeLessThan(BYTES_PER_ROUND + SENT_BYTES)
    })
  )
})
