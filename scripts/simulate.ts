/**
 * `npm run test:simulate -- --seeds N [--from M]`: sales on a simulated Base and Solana that misbehave, by processes that
 * die, settled by ourselves or by a facilitator that lies, one seed after another. Names every seed that breaks a promise; a seed plays the same story each time.
 */
import { Effect } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { databaseAt } from "../src/storage/database.ts"
import { addReports, NOTHING, type Report } from "../test/simulation/audit.ts"
import { simulate } from "../test/simulation/simulate.ts"

const { values } = parseArgs({
  options: { seeds: { type: "string", default: "1000" }, from: { type: "string", default: "1" } }
})
const [from, count] = [Number(values.from), Number(values.seeds)]
/** Seeds between two lines of progress. */
const PROGRESS = 100

const directory = mkdtempSync(join(tmpdir(), "simulate-"))
const template = join(directory, "empty.db")
await Effect.runPromise(
  Effect.scoped(Effect.provide(Effect.void, databaseAt({ dialect: "sqlite", path: template })))
)

let total = NOTHING
const broken: Array<Report> = []
const started = Date.now()
const cpu = process.cpuUsage()
for (let seed = from; seed < from + count; seed++) {
  const report = await simulate(seed, template)
  total = addReports(total, report)
  if (report.violations.length > 0) {
    broken.push(report)
    console.log(`seed ${seed}: ${report.violations.join("; ")}`)
  }
  const played = seed - from + 1
  if (played % PROGRESS === 0) {
    console.log(
      `${played} seeds, ${broken.length} broken: ${total.payments} payments, ${total.answered} answered`
    )
  }
}
rmSync(directory, { recursive: true, force: true })

const { user } = process.cpuUsage(cpu)
const { answered, kills, lost, payments, rejected, reorganised, transfers } = total
console.log(
  `${count} seeds in ${((Date.now() - started) / 1_000).toFixed(0)} s (${(user / 1_000 / count).toFixed(0)} ms of a core each):` +
    ` ${payments} payments, ${answered} answered,` +
    ` ${transfers} transfers, ${rejected} refused, ${kills} kills, ${reorganised} transfers reorganised away,` +
    ` ${lost} of them for good`
)
console.log(
  broken.length === 0
    ? "every answer is paid once, or counted as lost to a reorganisation; nothing is paid without an answer"
    : `${broken.length} seeds broke a promise; play one again with --from SEED --seeds 1`
)
process.exit(broken.length === 0 ? 0 : 1)
