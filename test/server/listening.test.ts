import { existsSync, readFileSync } from "node:fs"
import { Worker } from "node:worker_threads"
import { ConfigProvider, Effect, Layer } from "effect"
import { describe, expect, it } from "@effect/vitest"
import { ListeningLive, NodeServerLive } from "../../src/server/listening.ts"
import { freePort } from "../../scripts/sandbox/service.ts"

const CONNECTIONS = 1_000
const WORD_BYTES = 4
/** Long enough for any machine; where the system takes all of them, it does so in milliseconds. */
const PATIENCE_MILLIS = 20_000

/** Linux gives no server more than this; others tell no limit here. */
const SYSTEM_LIMIT = "/proc/sys/net/core/somaxconn"
const systemKeeps = existsSync(SYSTEM_LIMIT) ? Number(readFileSync(SYSTEM_LIMIT, "utf8")) : 0

/** Opens connections from a thread of its own; says so when all of them are open. */
const OPENER = `
  const { workerData: { all, count, port } } = require("node:worker_threads")
  const { connect } = require("node:net")
  let open = 0
  for (let index = 0; index < count; index += 1)
    connect(port, "127.0.0.1", () => {
      open += 1
      if (open === count) { Atomics.store(all, 0, 1); Atomics.notify(all, 0) }
    }).on("error", () => {})
`

const opening = (port: number, all: Int32Array) =>
  Effect.acquireRelease(
    Effect.sync(() => new Worker(OPENER, { eval: true, workerData: { all, count: CONNECTIONS, port } })),
    (worker) => Effect.promise(() => worker.terminate())
  )

describe("the port", () => {
  it.scopedLive.skipIf(systemKeeps < CONNECTIONS)(
    "keeps a thousand connections waiting while the process does something else",
    () =>
      Effect.gen(function* () {
        const port = yield* freePort
        const config = ConfigProvider.fromMap(new Map([["PORT", String(port)]]))
        yield* Layer.build(
          ListeningLive.pipe(Layer.provide(NodeServerLive), Layer.provide(Layer.setConfigProvider(config)))
        )
        const all = new Int32Array(new SharedArrayBuffer(WORD_BYTES))
        yield* opening(port, all)
        // Nothing is taken meanwhile: this thread, whose event loop would take it, waits.
        expect(Atomics.wait(all, 0, 0, PATIENCE_MILLIS)).not.toBe("timed-out")
      })
  )
})
