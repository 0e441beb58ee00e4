#!/usr/bin/env node
// The two modules: the package's index loads every platform service and costs a second.
import * as NodeContext from "@effect/platform-node/NodeContext"
import { runMain } from "@effect/platform-node/NodeRuntime"
import { Effect, Layer, Logger, LogLevel } from "effect"
import { runCommandLine } from "./app.ts"
import { plainConsole } from "./console.ts"
import { colored, ProcessDisplay } from "./display.ts"
import { EXIT } from "./exit.ts"

const program = (
  colored() ? runCommandLine(process.argv) : Effect.withConsole(runCommandLine(process.argv), plainConsole)
).pipe(
  Effect.tap((code) =>
    Effect.sync(() => {
      // A command that ran a process has set that process's code already.
      if (code !== EXIT.good) process.exitCode = code
    })
  ),
  Effect.provide(Layer.mergeAll(NodeContext.layer, ProcessDisplay, Logger.minimumLogLevel(LogLevel.None)))
)

runMain(program, { disableErrorReporting: true, disablePrettyLogger: true })
