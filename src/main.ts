import { NodeRuntime } from "@effect/platform-node"
import { isWorker, obeyPrimary } from "./server/cluster.ts"
import { checkConfig, program } from "./server/run.ts"

// The first signal begins the drain; a second one, which service managers and impatient people send, must not cut it.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => {})
if (isWorker) obeyPrimary()

NodeRuntime.runMain(process.argv.includes("--check-config") ? checkConfig : program, {
  disableErrorReporting: true,
  disablePrettyLogger: true
})
