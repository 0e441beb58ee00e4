import { readFile } from "node:fs/promises"
import { text } from "node:stream/consumers"
import { Effect } from "effect"
import { EXIT, Stop } from "./exit.ts"
import { plain } from "./text.ts"

/** The text of a file, or of standard input for `-`. */
export const readInput = (source: string, what: string): Effect.Effect<string, Stop> =>
  Effect.tryPromise({
    try: () => (source === "-" ? text(process.stdin) : readFile(source, "utf8")),
    catch: () =>
      new Stop({
        code: EXIT.usage,
        message: `cannot read ${what} from ${source === "-" ? "standard input" : plain(source)}`
      })
  })
