import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { spawn } from "node:child_process"
import { bundleScript } from "../support/bundled-script.ts"

const PROGRAM = "test/support/server/after-a-burst.ts"
const NODE = ["--expose-gc", "--no-memory-reducer"]

/** Runs until it ends by itself; the exit code. */
const run = (program: string) =>
  Effect.async<number | null>((resume) => {
    const child = spawn(process.execPath, [...NODE, program], { stdio: "inherit" })
    child.once("close", (code) => resume(Effect.succeed(code)))
    return Effect.sync(() => child.kill("SIGKILL"))
  })

it.scoped("what a burst of requests took is given back though nothing more is asked of the process", () =>
  Effect.gen(function* () {
    const { program } = yield* Effect.acquireRelease(
      Effect.promise(() => bundleScript(PROGRAM)),
      ({ remove }) => Effect.sync(remove)
    )
    expect(yield* run(program)).toBe(0)
  })
)
