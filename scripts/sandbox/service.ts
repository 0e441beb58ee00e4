/** The service as a child process: the build when it is of these sources, else a bundle of them. */
import { spawn } from "node:child_process"
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync
} from "node:fs"
import { createServer } from "node:net"
import { dirname, join, resolve } from "node:path"
import type { Scope } from "effect"
import { Data, Effect } from "effect"
import { bundle, fingerprint } from "../bundle.mjs"
import { ALLOCATOR } from "./allocator.ts"

export interface ServiceProcess {
  readonly url: string
  readonly pid: number
  /** What runs, from the project's root: `dist/main.js`, or a bundle in the cache. */
  readonly program: string
  /** Everything it has printed so far. */
  readonly output: () => string
  readonly signal: (name: "SIGTERM" | "SIGKILL") => void
  /** Waits for its end; the exit code, `null` after a signal it did not survive. */
  readonly ended: Effect.Effect<number | null>
}

export interface ServiceOptions {
  /** TCP port on 127.0.0.1; a free one when absent. */
  readonly port?: number
  /** Where the service's own lines go: with this process's, or nowhere unless it fails to start. */
  readonly output?: "inherit" | "quiet"
  /** A process group of its own: else Ctrl-C reaches it beside our SIGTERM, and a second signal cuts the drain. */
  readonly detached?: boolean
  /** Arguments for Node itself, before the program's name. */
  readonly nodeArguments?: ReadonlyArray<string>
}

const root = join(import.meta.dirname, "..", "..")
const START_TIMEOUT_MS = 100_000
const DRAIN_TIMEOUT_MS = 15_000
const POLL_MS = 50

const BUILT = "dist"

const stampOf = (directory: string): string | undefined => {
  const file = join(root, directory, "build.sha256")
  return existsSync(file) ? readFileSync(file, "utf8") : undefined
}

/** Longer than a bundle takes on the busiest machine. */
const MAKING_MS = 120_000

/** Whether whoever said in a file that he makes a bundle still does. */
const isMaking = (file: string): boolean => {
  try {
    if (Date.now() - statSync(file).mtimeMs > MAKING_MS) return false
    // Nothing is sent: it throws where there is no such process.
    return process.kill(Number(readFileSync(file, "utf8")), 0)
  } catch {
    return false
  }
}

/** Says in a file that this process makes a bundle; false where another one has said so. */
const claims = (file: string): boolean => {
  try {
    writeFileSync(file, String(process.pid), { flag: "wx" })
    return true
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "EEXIST") return false
    throw cause
  }
}

const makeBundle = async (directory: string): Promise<void> => {
  const fresh = mkdtempSync(join(root, dirname(directory), "fresh-"))
  await bundle(fresh, { maps: false })
  // Another process may have been faster with the same bytes.
  if (existsSync(join(root, directory))) rmSync(fresh, { recursive: true })
  else renameSync(fresh, join(root, directory))
}

/**
 * A bundle of these very sources, made once: through tsx every start would cost seconds of both cores. Of processes that
 * need it at the same time, as test workers do, one makes it, which takes ten seconds of CPU, and the others wait.
 */
const bundled = async (sources: string): Promise<string> => {
  const directory = join("node_modules", ".cache", "token-risk", sources)
  const making = join(root, `${directory}.making`)
  mkdirSync(dirname(making), { recursive: true })
  while (!existsSync(join(root, directory))) {
    if (claims(making)) await makeBundle(directory).finally(() => rmSync(making, { force: true }))
    else if (isMaking(making)) await new Promise((passed) => setTimeout(passed, POLL_MS))
    else rmSync(making, { force: true })
  }
  return directory
}

/** The build when it is of these sources: an older one would show yesterday's service. */
const currentProgram = async (): Promise<string> => {
  const sources = fingerprint()
  return join(stampOf(BUILT) === sources ? BUILT : await bundled(sources), "main.js")
}

let program: Promise<string> | undefined

/** The file to run for the service. `SANDBOX_PROGRAM` names another build, for example an installed one. */
export const serviceProgram: Effect.Effect<string> = Effect.promise(
  () => (program ??= Promise.resolve(process.env["SANDBOX_PROGRAM"] ?? currentProgram()))
)

/** The file to run for the command line, of the same build; an absolute path. */
export const commandLineProgram: Effect.Effect<string> = Effect.map(serviceProgram, (main) =>
  resolve(root, dirname(main), "cli", "main.js")
)

export const freePort: Effect.Effect<number> = Effect.async((resume) => {
  const server = createServer()
  server.listen(0, "127.0.0.1", () => {
    const address = server.address()
    const port = typeof address === "object" && address !== null ? address.port : 0
    server.close(() => resume(Effect.succeed(port)))
  })
})

const isHealthy = async (url: string): Promise<boolean> => {
  try {
    return (await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(1_000) })).ok
  } catch {
    return false
  }
}

/** Another process took the port between its choice and its use. */
class PortTaken extends Data.TaggedError("PortTaken") {}
const SAYS_TAKEN = "is taken by another process"
const SAYS_LISTENING = "listening on"

type Child = ReturnType<typeof spawnService>

const spawnService = (
  program: string,
  environment: Readonly<Record<string, string>>,
  options: ServiceOptions & { readonly port: number }
) => {
  const { HOME, PATH, TMPDIR } = process.env
  const inherited = { HOME, PATH, TMPDIR, NODE_ENV: "production", ...ALLOCATOR }
  const started = spawn(process.execPath, [...(options.nodeArguments ?? []), resolve(root, program)], {
    cwd: root,
    env: { ...inherited, ...environment, PORT: String(options.port) },
    stdio: ["ignore", "pipe", "pipe"],
    detached: options.detached ?? false
  })
  let output = ""
  for (const stream of [started.stdout, started.stderr]) {
    stream.on("data", (chunk: Buffer) => {
      output += chunk.toString()
      if (options.output === "inherit") process.stdout.write(chunk)
    })
  }
  const killNow = () => started.kill("SIGKILL")
  process.once("exit", killNow)
  const ended = new Promise<number | null>((done) => {
    started.once("close", (code) => done(code))
    started.once("error", () => done(null))
  })
  return { process: started, ended, killNow, output: () => output }
}

const stop = async ({ ended, killNow, process: started }: Child): Promise<void> => {
  process.off("exit", killNow)
  started.kill("SIGTERM")
  const force = setTimeout(killNow, DRAIN_TIMEOUT_MS)
  await ended
  clearTimeout(force)
}

const untilHealthy = async (url: string, child: Child): Promise<"healthy" | "port taken"> => {
  const deadline = Date.now() + START_TIMEOUT_MS
  // Asked only once it says that it listens: on a busy machine, asking all the while took half a second of the CPU that it waits for.
  while (!child.output().includes(SAYS_LISTENING) || !(await isHealthy(url))) {
    if (child.process.exitCode !== null) {
      // What it has printed may come after its end.
      await child.ended
      if (child.output().includes(SAYS_TAKEN)) return "port taken"
    }
    if (child.process.exitCode !== null || Date.now() > deadline)
      throw new Error(`the service did not start:\n${child.output()}`)
    await new Promise((passed) => setTimeout(passed, POLL_MS))
  }
  return "healthy"
}

const startAt = (
  environment: Readonly<Record<string, string>>,
  options: ServiceOptions & { readonly port: number }
): Effect.Effect<ServiceProcess, PortTaken, Scope.Scope> =>
  Effect.gen(function* () {
    const program = yield* serviceProgram
    const url = `http://127.0.0.1:${options.port}`
    const child = yield* Effect.acquireRelease(
      Effect.sync(() => spawnService(program, environment, options)),
      (started) => Effect.promise(() => stop(started))
    )
    if ((yield* Effect.promise(() => untilHealthy(url, child))) === "port taken")
      return yield* new PortTaken()
    return {
      url,
      pid: child.process.pid ?? 0,
      program,
      output: child.output,
      signal: (name) => child.process.kill(name),
      ended: Effect.promise(() => child.ended)
    }
  })

/**
 * Starts the service with exactly the given variables (and the ones a process needs), waits for `/healthz`, and
 * ends it with SIGTERM when the scope closes. Dies with the service's output when it does not become healthy.
 */
export const startService = (
  environment: Readonly<Record<string, string>>,
  options: ServiceOptions = {}
): Effect.Effect<ServiceProcess, never, Scope.Scope> => {
  const { port } = options
  return port === undefined
    ? freePort.pipe(
        Effect.flatMap((chosen) => startAt(environment, { ...options, port: chosen })),
        Effect.retry({ times: 2 }),
        Effect.orDie
      )
    : Effect.orDie(startAt(environment, { ...options, port }))
}
