import { createInterface } from "node:readline"
import { Context, Effect, Fiber, Layer } from "effect"

/** What the terminal is like, and the two things only a terminal can do: show a passing status, ask a question. */
export class Display extends Context.Tag("token-risk/cli/Display")<
  Display,
  {
    readonly color: boolean
    /** Whether a person can be asked: input and error output are both a terminal. */
    readonly interactive: boolean
    /** Shows a status on stderr while the effect runs, with the seconds gone by. `status` is read again each time. */
    readonly during: <A, E, R>(
      status: () => string | undefined,
      effect: Effect.Effect<A, E, R>
    ) => Effect.Effect<A, E, R>
    /** Asks for yes or no on stderr; anything but yes is no. */
    readonly confirm: (question: string) => Effect.Effect<boolean>
  }
>() {}

const CLEAR_LINE = "\r\u001b[2K"
const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"]
const FRAME_MILLIS = 120

const spinner = (status: () => string | undefined) =>
  Effect.gen(function* () {
    const started = Date.now()
    for (let frame = 0; ; frame = (frame + 1) % FRAMES.length) {
      const text = status()
      const seconds = Math.floor((Date.now() - started) / 1_000)
      if (text !== undefined) process.stderr.write(`${CLEAR_LINE}${FRAMES[frame]} ${text} (${seconds} s)`)
      yield* Effect.sleep(FRAME_MILLIS)
    }
  })

/** Runs beside the effect and ends with it; who is interrupted hears what the effect has to say about that. */
const beside = <A, E, R>(effect: Effect.Effect<A, E, R>, shown: Effect.Effect<never>) =>
  Effect.acquireUseRelease(Effect.fork(Effect.interruptible(shown)), () => effect, Fiber.interrupt)

const onTerminal = <A, E, R>(status: () => string | undefined, effect: Effect.Effect<A, E, R>) =>
  beside(effect, spinner(status)).pipe(Effect.ensuring(Effect.sync(() => process.stderr.write(CLEAR_LINE))))

/** Without a terminal each status is one line, once. */
const asLines = <A, E, R>(status: () => string | undefined, effect: Effect.Effect<A, E, R>) => {
  let shown: string | undefined
  const show = Effect.sync(() => {
    const text = status()
    if (text !== undefined && text !== shown) process.stderr.write(`${text}\n`)
    shown = text
  })
  return beside(effect, Effect.forever(Effect.delay(show, FRAME_MILLIS)))
}

const ask = (question: string) =>
  Effect.async<boolean>((resume) => {
    const reader = createInterface({ input: process.stdin, output: process.stderr })
    // The terminal gives Ctrl-C to the question; it is meant for the command.
    reader.once("SIGINT", () => {
      reader.close()
      process.kill(process.pid, "SIGINT")
    })
    // The end of input is a no.
    reader.once("close", () => resume(Effect.succeed(false)))
    reader.question(`${CLEAR_LINE}${question} [y/N] `, (answer) => {
      resume(Effect.succeed(/^y(?:es)?$/i.test(answer.trim())))
      reader.close()
    })
    return Effect.sync(() => reader.close())
  })

/** Colours only on a terminal, and never against `NO_COLOR` (no-color.org). */
export const colored = (): boolean =>
  process.stdout.isTTY === true && (process.env["NO_COLOR"] ?? "") === "" && process.env["TERM"] !== "dumb"

/** The process's terminal. */
export const DisplayLive = Layer.sync(Display, () => {
  const onScreen = process.stderr.isTTY === true
  return {
    color: colored(),
    interactive: onScreen && process.stdin.isTTY === true,
    during: onScreen ? onTerminal : asLines,
    confirm: ask
  }
})
