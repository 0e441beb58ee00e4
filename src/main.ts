import { NodeRuntime } from "@effect/platform-node"
import { Effect } from "effect"
import { isWorker, obeyPrimary } from "./server/cluster.ts"
import { unlistRoots } from "./server/fiber-roots.ts"
import { processFor } from "./server/run.ts"
import { makeTurnScheduler, nodeLoop } from "./server/turn-scheduler.ts"
import { makeUnguessable } from "./server/unguessable.ts"
import { collectWhenIdle } from "./server/minor-collection.ts"

// The first signal begins the drain; a second one, which service managers and impatient people send, must not cut it.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => {})
if (isWorker) obeyPrimary()
unlistRoots()

NodeRuntime.runMain(
  processFor(process.argv.slice(2)).pipe(
    Effect.withRandom(makeUnguessable()),
    Effect.withScheduler(makeTurnScheduler(nodeLoop(collectWhenIdle())))
  ),
  { disableErrorReporting: true, disablePrettyLogger: true }
)
