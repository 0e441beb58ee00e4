import { Console, Effect } from "effect"

/** The colours the command-line framework puts into its help whether they can be seen or not. */
// oxlint-disable-next-line no-control-regex
const ANSI = /\u001b\[[0-9;]*m/g

/** Printed parts without colours. */
export const stripped = (parts: ReadonlyArray<unknown>): ReadonlyArray<unknown> =>
  parts.map((part) => (typeof part === "string" ? part.replace(ANSI, "") : part))

const inner = Effect.runSync(Console.consoleWith(Effect.succeed))

/** A console without colours. */
export const plainConsole: Console.Console = {
  ...inner,
  log: (...parts) => inner.log(...stripped(parts)),
  error: (...parts) => inner.error(...stripped(parts))
}
