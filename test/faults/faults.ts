/** Kills the real service at every step of a sale and of a checkout, and compares chain, ledger and answers. */
import { SqlClient } from "@effect/sql"
import { Effect, Exit, Redacted, Scope } from "effect"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Sandbox } from "../../scripts/sandbox/sandbox.ts"
import { serviceEnvironment, startSandbox } from "../../scripts/sandbox/sandbox.ts"
import { type ServiceProcess, startService } from "../../scripts/sandbox/service.ts"
import { databaseAt } from "../../src/storage/database.ts"
import type { DatabaseUrl } from "../../src/storage/database-url.ts"
import { Dice } from "../simulation/dice.ts"
import type { Answer } from "../support/calls.ts"
import { startPostgres } from "../support/postgres.ts"
import { checkoutOf, pingOf, type Purchase } from "./purchases.ts"
import { scopedFolder } from "../support/scoped-folder.ts"

export interface FaultsReport {
  readonly kills: number
  readonly payments: number
  readonly answered: number
  readonly refused: number
  /** What ended the run before its last kill. */
  readonly cutShort: string | undefined
  /** What must never be. */
  readonly violations: ReadonlyArray<string>
}

interface FaultsOptions {
  readonly database: "sqlite" | "postgres"
  /** Processes that are killed. */
  readonly kills: number
  readonly seed: number
  /** Whether a second process on the same database sells all the while, to which a payer turns as soon as he likes. */
  readonly beside?: boolean
  readonly tell?: (line: string) => void
}

/** Steps of one sale on either database, and of what the process does beside it: a kill is somewhere among them. */
const STEPS = 90
/** Longest time in which a payment must get its final word: leases, windows and proofs end before. */
const PATIENCE = 420_000

/** Times that the chains are asked for one thing. A busy machine answers late, which says nothing about the service. */
const TRIES = 3

const pause = (millis: number) => new Promise((passed) => setTimeout(passed, millis))

const urlText = (url: DatabaseUrl): string =>
  url.dialect === "sqlite" ? `sqlite:${url.path}` : Redacted.value(url.url)

/** 200, or a refusal with its reason: everything else asks to come again with the same payment. */
const isFinal = ({ headers, status }: Answer): boolean =>
  status === 200 || (status === 402 && headers.has("payment-response")) || status === 404 || status === 410

const asked = (purchase: Purchase, url: string): Promise<Answer | undefined> =>
  Promise.race([purchase.present(url).catch(() => undefined), pause(60_000).then(() => undefined)])

/** Presents a payment until it has its final word. */
const insist = async (purchase: Purchase, url: string): Promise<Answer | undefined> => {
  const deadline = Date.now() + PATIENCE
  while (Date.now() < deadline) {
    const answer = await asked(purchase, url)
    if (answer !== undefined && isFinal(answer)) return answer
    await pause(250)
  }
  return undefined
}

/** What the sandbox does for the run, tried again where it fails. Fails in words that name it. */
const persistently = async <A>(
  what: string,
  tell: (line: string) => void,
  attempt: (at: number) => Promise<A>
): Promise<A> => {
  for (let at = 1; ; at++) {
    try {
      return await attempt(at)
    } catch (cause) {
      const line = `${what} failed: ${cause instanceof Error ? cause.message : String(cause)}`
      if (at === TRIES) throw new Error(line, { cause })
      tell(line)
    }
  }
}

const readLedger = (url: DatabaseUrl) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql<{ payer: string; state: string; transfers: number | string }>`SELECT payer, state,
      (SELECT COUNT(*) FROM payment_evidence WHERE claimed_by = authorization_key) AS transfers FROM payments`
  ).pipe(Effect.provide(databaseAt(url)), Effect.scoped)

class Machine {
  current: ServiceProcess | undefined
  /** Another one on the same database, which lives on. */
  readonly beside: Machine | undefined
  private scope = Effect.runSync(Scope.make())
  private readonly sandbox: Sandbox
  private readonly database: DatabaseUrl
  private readonly plan: string

  constructor(sandbox: Sandbox, database: DatabaseUrl, plan: string, beside?: Machine) {
    this.sandbox = sandbox
    this.database = database
    this.plan = plan
    this.beside = beside
  }

  async start(): Promise<ServiceProcess> {
    await this.end()
    this.spare()
    const environment = serviceEnvironment(this.sandbox, {
      DATABASE_URL: urlText(this.database),
      // A payment names the resource it buys, and the one who comes after listens on another port.
      PUBLIC_URL: "https://risk.example",
      // The wait for a dead process's payments, which is most of what a kill costs.
      PAYMENT_LEASE: "2 seconds",
      KILL_PLAN: this.plan,
      NODE_OPTIONS: `--import ${join(import.meta.dirname, "kill-loader.mjs")}`,
      LOG_LEVEL: "error"
    })
    this.scope = Effect.runSync(Scope.make())
    const started = startService(environment, { output: "quiet" })
    this.current = await Effect.runPromise(Scope.extend(started, this.scope))
    return this.current
  }

  /** The next payment that is presented is the process's last. */
  doom(step: number, after: boolean): void {
    writeFileSync(this.plan, JSON.stringify({ step, after }))
  }

  spare(): void {
    writeFileSync(this.plan, "")
  }

  end(): Promise<void> {
    return Effect.runPromise(Scope.close(this.scope, Exit.void))
  }
}

const purchasesFor = (
  sandbox: Sandbox,
  url: string,
  round: number,
  run: string
): Promise<Array<Purchase>> => {
  const label = (what: string) => `${run} ${round} ${what}`
  const network = round % 2 === 0 ? "base" : "solana"
  const other = round % 2 === 0 ? "solana" : "base"
  return Promise.all([
    pingOf(sandbox, network, url, label("first")),
    round % 3 === 2
      ? checkoutOf(sandbox, network, url, label("checkout"))
      : pingOf(sandbox, other, url, label("second"))
  ])
}

/**
 * One process that dies while it sells, and the one after it, or beside it, which must finish what was begun. Whoever pays
 * may turn to the one beside it at any moment.
 */
const round = async (machine: Machine, purchases: ReadonlyArray<Purchase>, dice: Dice) => {
  const doomed = machine.current ?? (await machine.start())
  const other = machine.beside && (machine.beside.current ?? (await machine.beside.start()))
  machine.doom(dice.between(1, STEPS), dice.hits(0.5))
  const first = purchases.map((purchase) => asked(purchase, doomed.url))
  const impatience = dice.between(0, 400)
  const turned =
    other && pause(impatience).then(() => Promise.all(purchases.map((one) => insist(one, other.url))))
  await Promise.race([Effect.runPromise(doomed.ended), Promise.all(first).then(() => pause(1_000))])
  // Its plan may lie behind what it had to do: then it dies here, with everything answered.
  doomed.signal("SIGKILL")
  await Effect.runPromise(doomed.ended)
  const heard = await Promise.all(first)
  const heir = await machine.start()
  const elsewhere = await turned
  const final = await Promise.all(purchases.map((purchase) => insist(purchase, heir.url)))
  return purchases.map((purchase, at) => ({
    purchase,
    heard: [heard[at], ...(elsewhere === undefined ? [] : [elsewhere[at]])],
    final: final[at]
  }))
}

type Sold = Awaited<ReturnType<typeof round>>[number]

const faultsOf = async (
  { final, heard, purchase }: Sold,
  rows: Effect.Effect.Success<ReturnType<typeof readLedger>>
): Promise<ReadonlyArray<string>> => {
  const spent = await purchase.spent()
  const own = rows.filter(({ payer }) => payer === purchase.payer)
  const settled = own.filter(({ state }) => state === "settled")
  const evidence = own.reduce((sum, { transfers }) => sum + Number(transfers), 0)
  const answers = final?.status === 200 ? 1 : 0
  return [
    ...(final === undefined ? ["no final word"] : []),
    ...(spent !== BigInt(answers) * purchase.price
      ? [`${answers} answers, and ${spent} of ${purchase.price} moved`]
      : []),
    ...(settled.length !== answers || evidence !== answers
      ? [`${answers} answers, ${settled.length} settled rows, ${evidence} evidence rows`]
      : []),
    ...(heard.some((answer) => answer?.status === 200 && answer.text !== final?.text)
      ? ["another answer after the crash"]
      : [])
  ].map((fault) => `${purchase.name} by ${purchase.payer}: ${fault}`)
}

const openDatabase = (kind: FaultsOptions["database"], directory: string) =>
  kind === "sqlite"
    ? Effect.succeed<DatabaseUrl>({ dialect: "sqlite", path: join(directory, "ledger.db") })
    : Effect.flatMap(startPostgres, ({ database }) => database("faults"))

interface Played {
  readonly sold: ReadonlyArray<Sold>
  readonly kills: number
  readonly cutShort: string | undefined
}

/** The rounds, as far as they come. */
const playRounds = async (
  machine: Machine,
  sandbox: Sandbox,
  { database, kills, seed, tell = () => {} }: FaultsOptions
): Promise<Played> => {
  const dice = new Dice(seed)
  const sold: Array<Sold> = []
  for (let at = 0; at < kills; at++) {
    try {
      const { url } = machine.current ?? (await machine.start())
      const purchases = await persistently("preparing the purchases", tell, (attempt) =>
        // Each attempt has payers of its own, whose money is counted from nothing.
        purchasesFor(sandbox, url, at, `faults ${database} ${seed} ${attempt}`)
      )
      sold.push(...(await round(machine, purchases, dice)))
    } catch (error) {
      return { sold, kills: at, cutShort: error instanceof Error ? error.message : String(error) }
    }
    tell(`${database}: ${at + 1} kills`)
  }
  return { sold, kills, cutShort: undefined }
}

/** Plays rounds of sales, each of which kills a process, and audits them all in the end. */
export const playFaults = (options: FaultsOptions) =>
  Effect.gen(function* () {
    const { tell = () => {} } = options
    const directory = yield* scopedFolder
    const database = yield* openDatabase(options.database, directory)
    const sandbox = yield* startSandbox()
    const beside =
      options.beside === true ? new Machine(sandbox, database, join(directory, "spared.json")) : undefined
    const machine = new Machine(sandbox, database, join(directory, "plan.json"), beside)
    yield* Effect.addFinalizer(() => Effect.promise(() => Promise.all([machine.end(), beside?.end()])))
    const { cutShort, kills, sold } = yield* Effect.promise(() => playRounds(machine, sandbox, options))
    const rows = yield* readLedger(database)
    const audit = (one: Sold) =>
      persistently("reading a payer's balance", tell, () => faultsOf(one, rows)).catch((error: unknown) => [
        `${one.purchase.name} by ${one.purchase.payer} could not be audited: ${String(error)}`
      ])
    const violations = yield* Effect.promise(() => Promise.all(sold.map(audit)))
    const answered = sold.filter(({ final }) => final?.status === 200).length
    const report: FaultsReport = {
      kills,
      payments: sold.length,
      answered,
      refused: sold.length - answered,
      cutShort,
      violations: violations.flat()
    }
    return report
  }).pipe(Effect.scoped)
