import { spawn } from "node:child_process"
import { constants } from "node:os"
import { existsSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { Effect } from "effect"
import { EXIT, Stop } from "./exit.ts"

/** The program next to this one, built or (in a checkout) as source. */
const program = (): ReadonlyArray<string> => {
  const built = fileURLToPath(new URL("../main.js", import.meta.url))
  return existsSync(built)
    ? [built]
    : ["--import", "tsx", fileURLToPath(new URL("../main.ts", import.meta.url))]
}

/**
 * `serve`: the service as a process of its own, with this environment. A child and not an import: the service is above
 * the command line, and it must get signals exactly once to drain in peace.
 */
export const serve = ({ checkConfig }: { readonly checkConfig: boolean }): Effect.Effect<void, Stop> =>
  Effect.async<void, Stop>((resume) => {
    const options = checkConfig ? ["--check-config"] : []
    const child = spawn(process.execPath, [...program(), ...options], { stdio: "inherit" })
    // A terminal sends Ctrl-C to the whole group: the service has it already and ends by itself, and so do we.
    const wait = () => {}
    const pass = () => child.kill("SIGTERM")
    process.on("SIGINT", wait)
    process.on("SIGTERM", pass)
    const release = () => {
      process.off("SIGINT", wait)
      process.off("SIGTERM", pass)
    }
    child.once("error", () => {
      release()
      resume(new Stop({ code: EXIT.unavailable, message: "the service could not be started" }))
    })
    child.once("exit", (code, signal) => {
      release()
      const ended = code ?? 128 + (signal === null ? 0 : constants.signals[signal])
      // The service's own code is the shell's to see.
      process.exitCode = ended
      resume(Effect.void)
    })
  }).pipe(Effect.uninterruptible)
