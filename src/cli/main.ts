#!/usr/bin/env node
// The two modules: the package's index loads every platform service and costs a second.
import * as NodeContext from "@effect/platform-node/NodeContext"
import { runMain } from "@effect/platform-node/NodeRuntime"
import { Effect, Exit, Layer, Logger, LogLevel } from "effect"
import { runCommandLine } from "./app.ts"
import { plainConsole } from "./console.ts"
import { colored, DisplayLive } from "./display.ts"
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
  Effect.provide(Layer.mergeAll(NodeContext.layer, DisplayLive, Logger.minimumLogLevel(LogLevel.None)))
)

runMain(program, {
  disableErrorReporting: true,
  disablePrettyLogger: true,
  // A command that was cut short has not done what the next one in a shell's `&&` relies on.
  teardown: (exit, end) => {
    const code = Exit.isSuccess(exit) ? EXIT.good : EXIT.interrupted
    end(typeof process.exitCode === "number" ? process.exitCode : code)
  }
})
