/**
 * `npm run test:faults -- --kills N [--database sqlite|postgres] [--seed M] [--beside]`: the real service on local chains,
 * ended by SIGKILL at N random steps of sales and checkouts, half of them on each database unless one is named. With
 * `--beside` a second process on the same database lives on, and payers turn to it meanwhile. Compares what the chains
 * moved, what the ledger holds and what the clients were told.
 */
import { Effect } from "effect"
import { parseArgs } from "node:util"
import { playFaults } from "../test/faults/faults.ts"

const { values } = parseArgs({
  options: {
    kills: { type: "string", default: "100" },
    seed: { type: "string", default: "1" },
    database: { type: "string" },
    beside: { type: "boolean", default: false }
  }
})
const kinds = (["sqlite", "postgres"] as const).filter(
  (kind) => values.database === undefined || values.database === kind
)
const kills = Math.ceil(Number(values.kills) / kinds.length)

let isWhole = true
for (const database of kinds) {
  const started = Date.now()
  const report = await Effect.runPromise(
    playFaults({
      database,
      kills,
      seed: Number(values.seed),
      beside: values.beside,
      tell: (line) => console.log(line)
    })
  )
  isWhole &&= report.violations.length === 0 && report.cutShort === undefined
  const seconds = ((Date.now() - started) / 1_000).toFixed(0)
  console.log(
    `${database}: ${report.kills} kills in ${seconds} s, ${report.payments} payments, ${report.answered} answered,` +
      ` ${report.refused} refused, ${report.violations.length} violations`
  )
  for (const violation of report.violations) console.log(`  ${violation}`)
  if (report.cutShort !== undefined) console.log(`  ended early: ${report.cutShort}`)
}
process.exit(isWhole ? 0 : 1)
