/**
 * Our service beside `@x402/hono`, `@x402/express` and bare `node:http`, in one run, interleaved, on the same local
 * chains. CPU of the server process per request is the figure that holds on a shared machine; everything else is for the
 * run it stands in.
 *
 *     npm run bench                    all cases, growth, ledger and cold screenings; writes scripts/bench/results.json
 *     npm run bench -- --quick         fewer requests, a few minutes, no growth; --write goes on and writes
 *     npm run bench -- --case=402,ping only the cases whose id begins so; --write writes them alone
 *     npm run bench -- --minutes=10    only full load over 1,000 connections for so long, and its memory
 */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { Effect, Either } from "effect"
import { type Sandbox, startSandbox } from "../sandbox/sandbox.ts"
import { openPurses } from "./buying.ts"
import { CASES } from "./cases.ts"
import { coldScreenings } from "./cold.ts"
import { startNode, startOurs, startRival } from "./contenders.ts"
import { growth } from "./growth.ts"
import { ledgerGrowth } from "./ledger.ts"
import { type Figures, measure } from "./measure.ts"
import { soak } from "./soak.ts"
import { starts } from "./starts.ts"
import { table } from "./table.ts"

const { values } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    write: { type: "boolean", default: false },
    case: { type: "string", default: "" },
    minutes: { type: "string", default: "0" }
  }
})
const { case: wanted, quick } = values
const minutes = Number(values.minutes)
const isWhole = wanted === "" && (!quick || values.write)
const chosen = CASES.filter(({ id }) => wanted.split(",").some((prefix) => id.startsWith(prefix)))

const growthAndCold = (sandbox: Sandbox) =>
  Effect.gen(function* () {
    const cold = yield* coldScreenings
    console.log(cold.lines.join("\n"))
    const started = yield* starts(sandbox)
    console.log(started.lines.join("\n"))
    const grown = yield* growth(sandbox)
    console.log(grown.lines.join("\n"))
    const ledger = yield* ledgerGrowth
    console.log(ledger.lines.join("\n"))
    return {
      cold: cold.figures,
      crowd: cold.crowd,
      start: started.figures,
      growth: grown.figures,
      ledger: ledger.figures
    }
  })

/** All contenders' figures of the chosen cases. They are gone when the next things are measured, which are measured alone. */
const measured = Effect.fnUntraced(function* (sandbox: Sandbox) {
  const ours = yield* startOurs(sandbox)
  const sample = yield* Effect.promise(async () => (await fetch(`${ours.url}/api/token-risk/v1/ping`)).text())
  const others = yield* Effect.all([
    startRival(sandbox, "hono"),
    startRival(sandbox, "express"),
    startNode(sample)
  ])
  const shop = { sandbox, purses: yield* openPurses(sandbox) }
  const results: Record<string, ReadonlyArray<Figures>> = {}
  for (const one of chosen) {
    const figures = yield* Effect.either(
      Effect.tryPromise({
        try: () => measure(one, shop, [ours, ...others], { rounds: quick ? 2 : 5, quick }),
        catch: String
      })
    )
    if (Either.isRight(figures)) results[one.id] = figures.right
    else process.exitCode = 1
    console.log(
      Either.isRight(figures) ? table(one.title, figures.right) : `\n${one.title}\n  ${figures.left}`
    )
  }
  return results
}, Effect.scoped)

const program = Effect.gen(function* () {
  const sandbox = yield* startSandbox()
  if (minutes > 0) return yield* Effect.asVoid(soak(sandbox, minutes))
  const results = yield* measured(sandbox)
  if (!isWhole && !values.write) return
  const beyond = isWhole ? yield* growthAndCold(sandbox) : {}
  const path = join(import.meta.dirname, "results.json")
  const titles = Object.fromEntries(chosen.map(({ id, title }) => [id, title]))
  writeFileSync(path, `${JSON.stringify({ node: process.version, titles, results, ...beyond }, null, 2)}\n`)
  console.log(`written to ${path}; the chart: npm run bench:chart`)
})

await Effect.runPromise(Effect.scoped(program))
