/** Runs a command line in this process, with what it prints caught. */
import * as NodeContext from "@effect/platform-node/NodeContext"
import { ConfigProvider, Console, Effect, Layer } from "effect"
import { runCommandLine } from "../../../src/cli/app.ts"
import { Display } from "../../../src/cli/display.ts"

export interface Terminal {
  readonly environment?: Readonly<Record<string, string>>
  /** What the person at the terminal answers; nobody is there when left out. */
  readonly answer?: boolean
}

export interface Ran {
  readonly code: number
  readonly out: string
  readonly err: string
  readonly questions: ReadonlyArray<string>
}

const inner = Effect.runSync(Console.consoleWith(Effect.succeed))

export const run = (args: ReadonlyArray<string>, terminal: Terminal = {}): Effect.Effect<Ran> =>
  Effect.gen(function* () {
    const out: Array<string> = []
    const err: Array<string> = []
    const questions: Array<string> = []
    const caught: Console.Console = {
      ...inner,
      log: (...parts) => Effect.sync(() => out.push(parts.join(" "))),
      error: (...parts) => Effect.sync(() => err.push(parts.join(" ")))
    }
    const display = Layer.succeed(Display, {
      color: false,
      interactive: terminal.answer !== undefined,
      during: (_status, effect) => effect,
      confirm: (question) =>
        Effect.sync(() => {
          questions.push(question)
          return terminal.answer ?? false
        })
    })
    const code = yield* runCommandLine(["node", "token-risk", ...args]).pipe(
      Effect.withConsole(caught),
      Effect.withConfigProvider(ConfigProvider.fromMap(new Map(Object.entries(terminal.environment ?? {})))),
      Effect.provide(Layer.mergeAll(NodeContext.layer, display))
    )
    return { code, out: out.join("\n"), err: err.join("\n"), questions }
  })
