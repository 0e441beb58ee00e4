import { spawn } from "node:child_process"
import { afterAll, beforeAll, describe, expect, it } from "@effect/vitest"
import { Effect, Schedule } from "effect"
import { bundleScript } from "../support/bundled-script.ts"

let sandbox: Awaited<ReturnType<typeof bundleScript>> | undefined

beforeAll(async () => {
  sandbox = await bundleScript("scripts/sandbox/main.ts")
})
afterAll(() => sandbox?.remove())

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

const childrenOf = (pid: number) =>
  Effect.promise(
    () =>
      new Promise<ReadonlyArray<number>>((resolve) => {
        const ps = spawn("ps", ["-o", "pid=,comm=", "--ppid", String(pid)])
        let text = ""
        ps.stdout.on("data", (chunk: Buffer) => (text += chunk.toString()))
        ps.once("close", () => {
          const anvils = text.split("\n").filter((line) => line.includes("anvil"))
          resolve(anvils.map((line) => Number.parseInt(line, 10)))
        })
      })
  )

const startMain = Effect.acquireRelease(
  Effect.sync(() => {
    const child = spawn(process.execPath, [sandbox?.program ?? "", "--chains-only"])
    const output = { text: "" }
    child.stdout.on("data", (chunk: Buffer) => (output.text += chunk.toString()))
    child.stderr.on("data", (chunk: Buffer) => (output.text += chunk.toString()))
    const ended = new Promise<void>((resolve) => child.once("close", () => resolve()))
    return { child, output, ended }
  }),
  ({ child }) => Effect.sync(() => child.kill("SIGKILL"))
)

describe("npm run sandbox", () => {
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    it.scopedLive(
      `leaves no anvil behind after ${signal}`,
      () =>
        Effect.gen(function* () {
          const { child, ended, output } = yield* startMain
          yield* Effect.sync(
            () => child.exitCode !== null || output.text.includes("Ctrl-C ends everything")
          ).pipe(
            Effect.repeat({
              until: (isOver) => isOver,
              schedule: Schedule.spaced("50 millis")
            }),
            Effect.timeout("90 seconds")
          )
          expect(output.text).toContain("anvil, chain id 8453")
          const anvils = yield* childrenOf(child.pid ?? 0)
          expect(anvils).toHaveLength(1)
          // Twice, as npm and tsx pass one Ctrl-C on.
          child.kill(signal)
          child.kill(signal)
          yield* Effect.promise(() => ended).pipe(Effect.timeout("20 seconds"))
          expect(anvils.map(isRunning)).toEqual([false])
        }),
      // Two cores shared with other suites: loading the script alone can take many seconds.
      { timeout: 120_000 }
    )
  }
})
