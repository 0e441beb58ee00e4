import { NodeRuntime } from "@effect/platform-node"
import { program } from "./server/run.ts"

NodeRuntime.runMain(program, { disableErrorReporting: true, disablePrettyLogger: true })
