/** Runs an effect as the terminal's program. */
// The one module: the package's index loads every platform service and costs a second.
import { runMain } from "@effect/platform-node/NodeRuntime"
import type { Effect } from "effect"

/**
 * Like `runMain`, but a second signal does not cut the clean-up: with npm and tsx between the terminal and this
 * process, one Ctrl-C arrives twice. Every finalizer has its own time limit, so the end is never far. A closed
 * terminal counts as Ctrl-C.
 */
export const runForeground = <A, E>(effect: Effect.Effect<A, E>): void => {
  const alreadyEnding = (): void => {}
  process.on("SIGINT", alreadyEnding)
  process.on("SIGTERM", alreadyEnding)
  process.once("SIGHUP", () => process.kill(process.pid, "SIGTERM"))
  runMain(effect)
}
