/**
 * A program that writes so many long lines to its log, whether or not they are read, and a last one when all were; or ends
 * in the middle of it, `abruptly`.
 */
import { Effect } from "effect"
import { setImmediate as turn } from "node:timers/promises"
import { TelemetryLive } from "../../../src/server/telemetry.ts"

const [lines = "0", how] = process.argv.slice(2)

const allRead = Effect.promise(async () => {
  for (let turns = 0; turns < 10; turns++) {
    await turn()
    if (process.stdout.writableLength > 0) turns = 0
  }
})

const program = Effect.gen(function* () {
  for (let line = 0; line < Number(lines); line++) {
    yield* Effect.logInfo(`${line} ${"x".repeat(4_000)}`)
    if (line % 50 === 0) yield* Effect.promise(() => turn())
  }
  yield* Effect.sync(() => process.stderr.write("went on\n"))
  if (how === "abruptly") process.exit(0)
  yield* allRead
  yield* Effect.logInfo("the last line")
})
await Effect.runPromise(program.pipe(Effect.provide(TelemetryLive)))
process.exit(0)
