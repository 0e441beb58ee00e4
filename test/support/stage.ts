/** A sandbox for one end-to-end file, and services started on it. Everything ends with the file. */
import { afterAll, afterEach, beforeAll, beforeEach } from "@effect/vitest"
import { Effect, Exit, Scope } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { KeyPairSigner } from "@solana/kit"
import type { PrivateKeyAccount } from "viem/accounts"
import { evmAccount, solanaSigner } from "../../scripts/sandbox/accounts.ts"
import { USDC_MINT } from "../../scripts/sandbox/solana/addresses.ts"
import type { Sandbox } from "../../scripts/sandbox/sandbox.ts"
import { serviceEnvironment, startSandbox } from "../../scripts/sandbox/sandbox.ts"
import type { ServiceProcess } from "../../scripts/sandbox/service.ts"
import { startService } from "../../scripts/sandbox/service.ts"
import { sharedService } from "./service.ts"

/** Not where the service listens: whatever it says of itself must come from its configuration. */
export const PUBLIC_URL = "https://risk.example"

export type Environment = Readonly<Record<string, string | undefined>>

export interface Stage {
  readonly sandbox: Sandbox
  /** Runs an effect whose resources live until the end of the test, or of the file when no test runs. */
  readonly run: <A>(effect: Effect.Effect<A, never, Scope.Scope>) => Promise<A>
  /** Starts a service on the sandbox's chains, by default with a database in memory. */
  readonly start: (environment?: Environment) => Promise<ServiceProcess>
  /** `DATABASE_URL` of a new SQLite file. */
  readonly databaseFile: () => string
}

const newScope = () => Effect.runSync(Scope.make())
const close = (scope: Scope.CloseableScope) => Effect.runPromise(Scope.close(scope, Exit.void))

const openStage = async (
  scope: () => Scope.Scope,
  open: Effect.Effect<Sandbox, never, Scope.Scope>
): Promise<Stage> => {
  const run: Stage["run"] = (effect) => Effect.runPromise(Scope.extend(effect, scope()))
  const directory = mkdtempSync(join(tmpdir(), "token-risk-e2e-"))
  await run(Effect.addFinalizer(() => Effect.sync(() => rmSync(directory, { recursive: true, force: true }))))
  const sandbox = await run(open)
  let files = 0
  return {
    sandbox,
    run,
    start: (environment = {}) =>
      run(startService(serviceEnvironment(sandbox, { PUBLIC_URL, ...environment }))),
    databaseFile: () => `sqlite:${join(directory, `ledger-${(files += 1)}.db`)}`
  }
}

/** Opens a stage before the tests of the file, on chains of its own. */
export const useStage = (
  open: Effect.Effect<Sandbox, never, Scope.Scope> = startSandbox()
): (() => Stage) => {
  const file = newScope()
  let current = file
  let stage: Stage | undefined
  beforeAll(async () => {
    stage = await openStage(() => current, open)
  })
  beforeEach(() => {
    current = newScope()
  })
  afterEach(async () => {
    await close(current)
    current = file
  })
  afterAll(() => close(file))
  return () => {
    if (stage === undefined) throw new Error("the stage opens before the tests")
    return stage
  }
}

const beforeTests = (start: () => Promise<ServiceProcess>): (() => ServiceProcess) => {
  let service: ServiceProcess | undefined
  beforeAll(async () => {
    service = await start()
  })
  return () => {
    if (service === undefined) throw new Error("the service starts before the tests")
    return service
  }
}

/** A stage with one service, whose variables may depend on the sandbox. */
export const useService = (
  environment: (stage: Stage) => Environment | Promise<Environment> = () => ({})
): { readonly stage: () => Stage; readonly service: () => ServiceProcess } => {
  const stage = useStage()
  return { stage, service: beforeTests(async () => stage().start(await environment(stage()))) }
}

/** The stage of the service that all files of a worker share: fresh payers, no settings, nothing taken away. */
export const useSharedService = (): {
  readonly stage: () => Stage
  readonly service: () => ServiceProcess
} => {
  const stage = useStage(Effect.promise(async () => (await sharedService()).sandbox))
  return { stage, service: beforeTests(async () => (await sharedService()).service) }
}

let accounts = 0
const freshLabel = (): string => `e2e ${(accounts += 1)}`

/** A new payer on Base with 10 USDC: a payer whose payments fail has to wait, and must not slow down other tests. */
export const newBasePayer = async (
  { run, sandbox }: Stage,
  usdc = 10_000_000n
): Promise<PrivateKeyAccount> => {
  const account = evmAccount(freshLabel())
  if (usdc > 0n) await run(sandbox.base.mintUsdc(account.address, usdc))
  return account
}

/** A new payer on Solana with 10 USDC. */
export const newSolanaPayer = async ({ sandbox }: Stage, amount = 10_000_000n): Promise<KeyPairSigner> => {
  const signer = await solanaSigner(freshLabel())
  await sandbox.solana.place.tokenAccount({ mint: USDC_MINT, owner: signer.address, amount })
  return signer
}

/** Between two looks: a payment that is sent again is work for the service that is to do what is waited for. */
const [SHORTEST_MS, LONGEST_MS] = [50, 300]

/** Looks until something holds, ever more rarely. For events of other processes that announce themselves nowhere. */
export const eventually = async <A>(
  look: () => Promise<A> | A,
  holds: (value: A) => boolean,
  seconds = 75
): Promise<A> => {
  const deadline = Date.now() + seconds * 1_000
  for (let pause = SHORTEST_MS; ; pause = Math.min(pause * 1.2, LONGEST_MS)) {
    const value = await look()
    if (holds(value)) return value
    if (Date.now() > deadline) throw new Error(`did not happen within ${seconds} s: ${String(look)}`)
    await new Promise((passed) => setTimeout(passed, pause))
  }
}
