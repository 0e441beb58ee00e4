/** The primary over workers that are no services: each only says that it serves, or ends at once. */
import { afterEach, beforeEach, expect, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import cluster from "node:cluster"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { runPrimary } from "../../src/server/cluster.ts"

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "token-risk-cluster-"))
})
afterEach(() => {
  cluster.setupPrimary({ exec: process.argv[1], execArgv: process.execArgv })
  rmSync(directory, { recursive: true, force: true })
})

const workerOf = (lines: ReadonlyArray<string>): void => {
  const exec = join(directory, "worker.mjs")
  writeFileSync(exec, lines.join("\n"))
  cluster.setupPrimary({ exec, execArgv: [] })
}

const SERVES = `process.on("message", () => process.exit(0))
process.send("token-risk/serving")`

/** Those that run. Node lists a worker that has died for as long as what it said has not been read to its end. */
const running = () => Object.values(cluster.workers ?? {}).filter((worker) => worker?.isDead() === false)

const until = (holds: () => boolean) =>
  Effect.repeat(Effect.delay(Effect.sync(holds), "20 millis"), { until: (held) => held })

it.live("the primary keeps as many workers as it was told, also where a restart fails at first", () =>
  Effect.gen(function* () {
    const path = join(directory, "starts")
    writeFileSync(path, "")
    const starts = () => readFileSync(path).length
    workerOf([
      `import { appendFileSync, readFileSync } from "node:fs"`,
      `appendFileSync(${JSON.stringify(path)}, "x")`,
      `if (readFileSync(${JSON.stringify(path)}).length === 3) process.exit(1)`,
      SERVES
    ])
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

it.scopedLive(
  "the primary does not wait for a worker that has died and whose channel somebody still holds",
  () =>
    Effect.gen(function* () {
      const path = join(directory, "holder")
      workerOf([
        `import { spawn } from "node:child_process"`,
        `import { writeFileSync } from "node:fs"`,
        `const holder = spawn("sleep", ["600"], { detached: true, stdio: ["ignore", "ignore", "ignore", 3] })`,
        `writeFileSync(${JSON.stringify(path)}, String(holder.pid))`,
        SERVES
      ])
      const serves = yield* Effect.makeLatch(false)
      const primary = yield* Effect.fork(runPrimary(1, serves.open))
      yield* serves.await
      const [worker] = running()
      const holder = Number(readFileSync(path, "utf8"))
      yield* Effect.addFinalizer(() => Effect.sync(() => process.kill(holder)))
      worker?.process.kill("SIGKILL")
      yield* until(() => running().length === 0)
      expect(worker?.isConnected()).toBe(true)
      yield* Fiber.interrupt(primary)
    })
)
