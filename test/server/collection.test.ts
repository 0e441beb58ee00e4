import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { spawn } from "node:child_process"
import { join } from "node:path"

const PROGRAM = join(import.meta.dirname, "..", "support", "server", "after-a-burst.ts")
const NODE = ["--expose-gc", "--no-memory-reducer", "--import", "tsx"]

/** Runs until it ends by itself; the exit code. */
const run = (program: string) =>
  Effect.async<number | null>((resume) => {
    const child = spawn(process.execPath, [...NODE, program], { stdio: "inherit" })
    child.once("close", (code) => resume(Effect.succeed(code)))
    return Effect.sync(() => child.kill("SIGKILL"))
  })

it.effect("what a burst of requests took is given back though nothing more is asked of the process", () =>
  Effect.gen(function* () {
    expect(yield* run(PROGRAM)).toBe(0)
  })
)
