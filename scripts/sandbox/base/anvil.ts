/** An anvil process on a free loopback port, ended by the scope. */
import { spawn } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { createInterface } from "node:readline"
import type { Scope } from "effect"
import { Effect } from "effect"
import { BASE_CHAIN_ID } from "../../../src/domain/chain.ts"

export interface Anvil {
  readonly url: string
  readonly pid: number
}

export interface AnvilOptions {
  /** TCP port on 127.0.0.1; a free one when absent. */
  readonly port?: number
  /**
   * Seconds between blocks, beside the block mined for each transaction. Base has one every 2 seconds; without
   * them the chain's clock would stand still while nobody pays. `null` mines for transactions only.
   */
  readonly blockTime?: number | null
  /**
   * A process group of its own, so that Ctrl-C reaches the service first and the chain last. Only for programs that
   * always run their finalizers; a test runner that is cut off would leave it behind.
   */
  readonly detached?: boolean
}

// The npm command is a wrapper process; its child would outlive a killed wrapper, so the binary is started directly.
const binary = (): string => {
  const resolve = createRequire(import.meta.url).resolve
  const architecture = process.arch === "x64" ? "amd64" : process.arch
  const manifest = createRequire(resolve("@foundry-rs/anvil/package.json")).resolve(
    `@foundry-rs/anvil-${process.platform}-${architecture}/package.json`
  )
  return join(dirname(manifest), "bin", process.platform === "win32" ? "anvil.exe" : "anvil")
}

// Of a chain that goes on by itself the last 1,500 states are in memory, and none is written: with a file for each block
// it would take more and more of the processor and the disk.
const blockArguments = (blockTime: number | null): ReadonlyArray<string> =>
  blockTime === null ? [] : ["--block-time", String(blockTime), "--mixed-mining", "--max-persisted-states=0"]

/** Starts anvil with Base's chain id and waits until it listens. Dies when it cannot. */
export const startAnvil = (options: AnvilOptions = {}): Effect.Effect<Anvil, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.async<Anvil & { readonly stop: Effect.Effect<void> }>((resume) => {
      // Left alone, anvil writes the states of blocks beyond some hundred below the user's home, gigabytes that stay
      // there when it is killed.
      const states = mkdtempSync(join(tmpdir(), "anvil-states-"))
      const child = spawn(
        binary(),
        [
          "--host=127.0.0.1",
          `--port=${options.port ?? 0}`,
          `--chain-id=${BASE_CHAIN_ID}`,
          "--gas-limit=60000000",
          "--accounts=1",
          `--cache-path=${states}`,
          ...blockArguments(options.blockTime === undefined ? 2 : options.blockTime)
        ],
        { stdio: ["ignore", "pipe", "pipe"], detached: options.detached ?? false }
      )
      const removeStates = () => rmSync(states, { recursive: true, force: true, maxRetries: 3 })
      const killNow = () => child.kill("SIGKILL")
      const leave = () => {
        killNow()
        removeStates()
      }
      process.once("exit", leave)
      const ended = new Promise<void>((resolve) => child.once("close", () => resolve()))
      const stop = Effect.promise(async () => {
        process.off("exit", leave)
        child.kill("SIGTERM")
        const force = setTimeout(killNow, 2_000)
        await ended
        clearTimeout(force)
        removeStates()
      })
      let errors = ""
      child.stderr.on("data", (chunk: Buffer) => (errors += chunk.toString()))
      child.once("error", (cause) => resume(Effect.die(new Error("anvil did not start", { cause }))))
      child.once("close", (code) => resume(Effect.die(new Error(`anvil ended with code ${code}: ${errors}`))))
      createInterface({ input: child.stdout }).on("line", (line) => {
        const address = /^Listening on (127\.0\.0\.1:\d+)/.exec(line)?.[1]
        if (address !== undefined && child.pid !== undefined) {
          resume(Effect.succeed({ url: `http://${address}`, pid: child.pid, stop }))
        }
      })
    }),
    ({ stop }) => stop
  )
