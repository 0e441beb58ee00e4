/**
 * `npm run test:simulate -- --seeds N [--from M] [--jobs J]`: sales on a simulated Base and Solana that misbehave, by
 * processes that die, settled by ourselves or by a facilitator that lies, one seed after another in each of J processes
 * (two where there are as many cores). Names every seed that breaks a promise; a seed plays the same story each time.
 */
import { Effect } from "effect"
import { fork } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { availableParallelism, tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { databaseAt } from "../src/storage/database.ts"
import { addReports, NOTHING, type Report } from "../test/simulation/audit.ts"
import { simulate } from "../test/simulation/simulate.ts"

const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "1000" },
    from: { type: "string", default: "1" },
    jobs: { type: "string", default: String(Math.min(2, availableParallelism())) },
    /** Which of the jobs a child process does. */
    part: { type: "string" }
  }
})
const [from, count, jobs] = [Number(values.from), Number(values.seeds), Number(values.jobs)]
/** Seeds between two lines of progress. */
const PROGRESS = 100

/** Plays every seed of one part; the parts take turns at them, so that each ends at the same time. */
const playPart = async (part: number, tell: (report: Report) => void) => {
  const directory = mkdtempSync(join(tmpdir(), "simulate-"))
  const template = join(directory, "empty.db")
  await Effect.runPromise(
    Effect.scoped(Effect.provide(Effect.void, databaseAt({ dialect: "sqlite", path: template })))
  )
  for (let seed = from + part; seed < from + count; seed += jobs) tell(await simulate(seed, template))
  rmSync(directory, { recursive: true, force: true })
}

interface Sums {
  total: typeof NOTHING
  played: number
  broken: number
}

const take = (sums: Sums, report: Report): void => {
  sums.total = addReports(sums.total, report)
  sums.played += 1
  if (report.violations.length > 0) {
    sums.broken += 1
    console.log(`seed ${report.seed}: ${report.violations.join("; ")}`)
  }
  if (sums.played % PROGRESS === 0) {
    const { answered, payments } = sums.total
    console.log(`${sums.played} seeds, ${sums.broken} broken: ${payments} payments, ${answered} answered`)
  }
}

/** One part in a process of its own. Fails when it ends before it has told of every seed. */
const forkPart = async (part: number, tell: (report: Report) => void): Promise<void> => {
  const child = fork(import.meta.filename, [
    ...process.argv.slice(2),
    "--jobs",
    String(jobs),
    "--part",
    String(part)
  ])
  child.on("message", (report: Report) => tell(report))
  const [code] = await once(child, "exit")
  if (code !== 0) console.log(`part ${part} ended with ${String(code)} before its last seed`)
}

const say = ({ broken, played, total }: Sums, seconds: number): void => {
  const { answered, kills, lost, payments, rejected, reorganised, transfers } = total
  console.log(
    `${played} seeds in ${seconds.toFixed(0)} s: ${payments} payments, ${answered} answered,` +
      ` ${transfers} transfers, ${rejected} refused, ${kills} kills, ${reorganised} transfers reorganised away,` +
      ` ${lost} of them for good`
  )
  console.log(
    broken === 0
      ? "every answer is paid once, or counted as lost to a reorganisation; nothing is paid without an answer"
      : `${broken} seeds broke a promise; play one again with --from SEED --seeds 1`
  )
}

const main = async (): Promise<boolean> => {
  const sums: Sums = { total: NOTHING, played: 0, broken: 0 }
  const started = Date.now()
  const tell = (report: Report) => take(sums, report)
  const parts = Array.from({ length: Math.min(jobs, count) }, (_, part) => part)
  await (parts.length > 1 ? Promise.all(parts.map((part) => forkPart(part, tell))) : playPart(0, tell))
  say(sums, (Date.now() - started) / 1_000)
  return sums.broken === 0 && sums.played === count
}

if (values.part === undefined) process.exit((await main()) ? 0 : 1)
await playPart(Number(values.part), (report) => process.send?.(report))
// What was told is on its way until the channel is closed.
process.disconnect()
