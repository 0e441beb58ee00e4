/** The measured servers, each in a process of its own, on the same two chains. */
import { type ChildProcess, spawn } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import type { Scope } from "effect"
import { Effect } from "effect"
import { parseEther } from "viem"
import { evmAccount, evmKey, solanaSecretKey, solanaSigner } from "../sandbox/accounts.ts"
import { SYSTEM_PROGRAM } from "../sandbox/solana/addresses.ts"
import type { Sandbox } from "../sandbox/sandbox.ts"
import { serviceEnvironment } from "../sandbox/sandbox.ts"
import { ALLOCATOR } from "../sandbox/allocator.ts"
import { freePort, serviceProgram } from "../sandbox/service.ts"
import { type Usage, usageIn } from "./usage.ts"

/** `beside`: another build of our service. */
export type Name = "token-risk" | "beside" | "hono" | "express" | "node"

/** One server under load. */
export interface Contender {
  readonly name: Name
  readonly url: string
  /** What it has used so far, workers included. */
  readonly usage: () => Promise<Usage>
  /** The end of what it has printed. */
  readonly output: () => string
}

interface Program {
  readonly name: Name
  readonly arguments: ReadonlyArray<string>
  readonly environment: Readonly<Record<string, string>>
}

const REPORTER = join(import.meta.dirname, "usage-reporter.mjs")
const START_MILLIS = 60_000
/** Between two looks at whether a process answers: what a start is measured to. */
const LOOK_MILLIS = 10
/** Where our service leaves a CPU profile of what was measured. */
const PROFILES = process.env["BENCH_PROFILE_DIRECTORY"]
const PROFILE_AFTER = process.env["BENCH_PROFILE_AFTER"]

const answers = async (url: string): Promise<boolean> => {
  try {
    return (await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(1_000) })).ok
  } catch {
    return false
  }
}

const awaitAnswer = async (url: string, child: ChildProcess, output: () => string): Promise<void> => {
  const deadline = Date.now() + START_MILLIS
  while (!(await answers(url))) {
    if (child.exitCode !== null || Date.now() > deadline) throw new Error(`did not start:\n${output()}`)
    await new Promise((passed) => setTimeout(passed, LOOK_MILLIS))
  }
}

const stop = async (child: ChildProcess): Promise<void> => {
  const ended = new Promise((done) => child.once("close", done))
  if (child.exitCode !== null) return
  child.kill("SIGTERM")
  const force = setTimeout(() => child.kill("SIGKILL"), 5_000)
  await ended
  clearTimeout(force)
}

/** Starts a program with what a process needs and the given variables, and waits until it answers. */
const start = (program: Program): Effect.Effect<Contender, never, Scope.Scope> =>
  Effect.gen(function* () {
    const port = yield* freePort
    const url = `http://127.0.0.1:${port}`
    const reports = yield* Effect.acquireRelease(
      Effect.sync(() => mkdtempSync(join(tmpdir(), "bench-"))),
      (directory) => Effect.sync(() => rmSync(directory, { recursive: true, force: true }))
    )
    const { HOME, PATH, TMPDIR } = process.env
    const inherited = { HOME, PATH, TMPDIR, NODE_ENV: "production", BENCH_USAGE_DIRECTORY: reports }
    let output = ""
    yield* Effect.acquireRelease(
      Effect.promise(async () => {
        const child = spawn(process.execPath, ["--import", REPORTER, ...program.arguments], {
          env: { ...inherited, ...program.environment, PORT: String(port) },
          stdio: ["ignore", "pipe", "pipe"]
        })
        for (const stream of [child.stdout, child.stderr])
          stream.on("data", (chunk) => (output = (output + String(chunk)).slice(-10_000)))
        await awaitAnswer(url, child, () => output)
        return child
      }),
      (child) => Effect.promise(() => stop(child))
    )
    return { name: program.name, url, usage: () => usageIn(reports), output: () => output }
  })

/** Our service. A durable ledger on disk, screenings that stay warm, and no limits per address: there is one caller. */
export const startOurs = (
  sandbox: Sandbox,
  overrides: Readonly<Record<string, string>> = {},
  program?: string
) =>
  Effect.gen(function* () {
    const directory = yield* Effect.acquireRelease(
      Effect.sync(() => mkdtempSync(join(tmpdir(), "bench-ledger-"))),
      (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
    )
    const environment = serviceEnvironment(sandbox, {
      DATABASE_URL: `sqlite:${join(directory, "ledger.db")}`,
      CACHE_TTL: "1 hour",
      ADDRESS_LIMITS: "off",
      FREE_DEEP_CALLS: "1000000",
      FREE_CALLS_PER_IP: "1000000",
      FREE_CALLS_GLOBAL: "1000000",
      LOG_LEVEL: "warning",
      ...overrides
    })
    return yield* start({
      name: "token-risk",
      arguments: [program ?? (yield* serviceProgram)],
      environment: {
        ...ALLOCATOR,
        ...environment,
        ...(PROFILES && { BENCH_PROFILE_DIRECTORY: PROFILES, BENCH_PROFILE_AFTER: PROFILE_AFTER ?? "0" })
      }
    })
  })

/** Another build of our service, settling with keys of its own. `directory`: where its `dist` lies. */
export const startBeside = (sandbox: Sandbox, directory: string) =>
  Effect.gen(function* () {
    const { secret } = yield* newKeys(sandbox, "bench beside")
    const keys = { BASE_SETTLER_PRIVATE_KEY: evmKey("bench beside"), SOLANA_FEE_PAYER_PRIVATE_KEY: secret }
    const contender = yield* startOurs(sandbox, keys, join(resolve(directory), "dist", "main.js"))
    return { ...contender, name: "beside" as const }
  })

/** Keys that can pay fees on both chains. */
const newKeys = ({ base, solana }: Sandbox, label: string) =>
  Effect.promise(async () => {
    await base.devnet.setBalance(evmAccount(label).address, parseEther("100"))
    const { address } = await solanaSigner(label)
    solana.place.account(address, {
      owner: SYSTEM_PROGRAM,
      data: new Uint8Array(),
      lamports: 100_000_000_000n
    })
    return { secret: await solanaSecretKey(label) }
  })

/** A server with the official library; it settles with keys of its own, so that nobody waits for another's nonces. */
export const startRival = (sandbox: Sandbox, name: "hono" | "express") =>
  Effect.gen(function* () {
    const { base, solana } = sandbox
    const label = `bench ${name}`
    const { secret } = yield* newKeys(sandbox, label)
    return yield* start({
      name,
      arguments: [join(import.meta.dirname, "rivals", `${name}.mjs`)],
      environment: {
        BASE_RPC_URL: base.url,
        SOLANA_RPC_URL: solana.url,
        BASE_PAY_TO: base.accounts.merchant.address,
        SOLANA_PAY_TO: solana.accounts.merchant.address,
        BASE_KEY: evmKey(label),
        SOLANA_KEY: secret
      }
    })
  })

/** Bare Node, which sends this body and nothing else. */
export const startNode = (body: string) =>
  start({
    name: "node",
    arguments: [join(import.meta.dirname, "rivals", "node.mjs")],
    environment: { BENCH_BODY: body }
  })
