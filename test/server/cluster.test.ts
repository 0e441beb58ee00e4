/** The primary over workers that are no services: each only says that it serves, or ends at once. */
import { afterEach, expect, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import cluster from "node:cluster"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { runPrimary } from "../../src/server/cluster.ts"

const directory = mkdtempSync(join(tmpdir(), "token-risk-cluster-"))
afterEach(() => {
  cluster.setupPrimary({ exec: process.argv[1], execArgv: process.execArgv })
  rmSync(directory, { recursive: true, force: true })
})

const STARTS = join(directory, "starts")

/** A worker of which the starts that are named here fail. */
const workerFailing = (at: ReadonlyArray<number>): string => {
  const path = join(directory, "worker.mjs")
  writeFileSync(STARTS, "")
  writeFileSync(
    path,
    `import { appendFileSync, readFileSync } from "node:fs"
    appendFileSync(${JSON.stringify(STARTS)}, "x")
    if (${JSON.stringify(at)}.includes(readFileSync(${JSON.stringify(STARTS)}).length)) process.exit(1)
    process.on("message", () => process.exit(0))
    process.send("token-risk/serving")`
  )
  return path
}

const running = () => Object.values(cluster.workers ?? {})
const starts = () => readFileSync(STARTS).length

const until = (holds: () => boolean) =>
  Effect.repeat(Effect.delay(Effect.sync(holds), "20 millis"), { until: (held) => held })

it.live("the primary keeps as many workers as it was told, also where a restart fails at first", () =>
  Effect.gen(function* () {
    cluster.setupPrimary({ exec: workerFailing([3]), execArgv: [] })
    const primary = yield* Effect.fork(runPrimary(2, Effect.void))
    yield* until(() => starts() === 2 && running().length === 2)
    running()[0]?.process.kill("SIGKILL")
    yield* until(() => starts() === 4)
    // Longer than the primary waits before it starts another one.
    yield* Effect.sleep("2 seconds")
    expect([starts(), running().length]).toEqual([4, 2])
    yield* Fiber.interrupt(primary)
    expect(running()).toEqual([])
  })
)
