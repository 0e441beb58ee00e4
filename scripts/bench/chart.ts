/**
 * Draws `results.json` as the chart of the documentation: `npm run bench:chart`. With `--check` it only compares, and
 * fails when the chart in the documentation is not of these results.
 */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Schema } from "effect"
import { format } from "prettier"

const Figures = Schema.Struct({
  name: Schema.String,
  cpuMillis: Schema.Number,
  perSecond: Schema.Number,
  p50Millis: Schema.Number,
  p99Millis: Schema.Number,
  peakMegabytes: Schema.Number,
  ratio: Schema.Number
})
type Figures = typeof Figures.Type

const Cold = Schema.Struct({
  chain: Schema.String,
  operation: Schema.String,
  p50Millis: Schema.Number,
  roundTrips: Schema.Number,
  cpuMillis: Schema.optional(Schema.Number)
})

const Crowd = Schema.Struct({ chain: Schema.String, one: Schema.Number, crowd: Schema.Number })

const Growth = Schema.Struct({
  workers: Schema.Number,
  connections: Schema.Number,
  perSecond: Schema.Number,
  p99Millis: Schema.Number,
  cpuMillis: Schema.Number,
  megabytes: Schema.Number
})

const Start = Schema.Struct({ p50Millis: Schema.Number, cpuMillis: Schema.Number })

const LedgerSize = Schema.Struct({ rows: Schema.Number, millis: Schema.Number, ratio: Schema.Number })

/** A run of chosen cases has nothing of these. */
const listOf = <A, I>(item: Schema.Schema<A, I>) =>
  Schema.optionalWith(Schema.Array(item), { default: () => [] })

const Results = Schema.parseJson(
  Schema.Struct({
    node: Schema.String,
    titles: Schema.Record({ key: Schema.String, value: Schema.String }),
    results: Schema.Record({ key: Schema.String, value: Schema.Array(Figures) }),
    cold: listOf(Cold),
    crowd: listOf(Crowd),
    start: Schema.optional(Start),
    growth: listOf(Growth),
    ledger: listOf(LedgerSize)
  })
)

const SOURCE = join(import.meta.dirname, "results.json")
const TARGET = join(import.meta.dirname, "../../src/web/site/docs/speed-chart.ts")

const WIDTH = 640
const LABEL = 110
const ROW = 22
const BARS = WIDTH - LABEL - 150

const text = (x: number, y: number, words: string, more = "") =>
  `<text x="${x}" y="${y}" fill="currentColor" font-size="13"${more}>${words}</text>`

const bar = (one: Figures, most: number, y: number): string => {
  const width = Math.max(2, Math.round((BARS * one.cpuMillis) / most))
  const isOurs = one.name === "token-risk"
  const fill = isOurs ? "#0b5" : "currentColor"
  const opacity = isOurs ? "1" : "0.45"
  return [
    text(0, y + 14, one.name),
    `<rect x="${LABEL}" y="${y + 3}" width="${width}" height="14" rx="2" fill="${fill}" fill-opacity="${opacity}"/>`,
    text(
      LABEL + width + 8,
      y + 14,
      `${one.cpuMillis.toFixed(2)} ms${isOurs ? "" : `, ${one.ratio.toFixed(1)} x`}`
    )
  ].join("")
}

/** One group of bars per case that somebody else can do too. */
const draw = ({ results, titles }: typeof Results.Type): string => {
  let y = 0
  const groups = Object.entries(results)
    .filter(([, figures]) => figures.length > 1)
    .map(([id, figures]) => {
      const most = Math.max(...figures.map(({ cpuMillis }) => cpuMillis))
      const top = y
      y += 26 + ROW * figures.length + 12
      const bars = figures.map((one, at) => bar(one, most, top + 26 + at * ROW))
      return text(0, top + 16, titles[id] ?? id, ' font-weight="bold"') + bars.join("")
    })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${y}" role="img" aria-label="CPU time of the server per request, by case and server">${groups.join("")}</svg>`
}

const results = Schema.decodeUnknownSync(Results)(readFileSync(SOURCE, "utf8"))
const rows = Object.entries(results.results).flatMap(([id, figures]) =>
  figures.map((one) => [
    results.titles[id] ?? id,
    one.name,
    one.cpuMillis.toFixed(2),
    one.ratio.toFixed(2),
    one.p50Millis.toFixed(1),
    one.p99Millis.toFixed(1),
    one.peakMegabytes.toFixed(0)
  ])
)

const coldRows = [
  ...results.cold.map(({ chain, cpuMillis, operation, p50Millis, roundTrips }) => [
    `cold ${operation}, ${chain}`,
    `${p50Millis.toFixed(0)} ms, ${roundTrips.toFixed(1)} exchanges` +
      (cpuMillis === undefined ? "" : `, ${cpuMillis.toFixed(0)} ms of the processor`)
  ]),
  ...results.crowd.map(({ chain, crowd, one }) => [
    `1,000 callers at once for one cold token, ${chain}`,
    `${crowd} requests to upstreams (${one} for one caller)`
  ])
]
const startRows = (results.start === undefined ? [] : [results.start]).map(({ cpuMillis, p50Millis }) => [
  `${p50Millis.toFixed(0)} ms`,
  `${cpuMillis.toFixed(0)} ms`
])
const growthRows = results.growth.map((one) => [
  String(one.workers),
  one.connections.toLocaleString("en"),
  one.perSecond.toFixed(0),
  one.p99Millis.toFixed(0),
  one.cpuMillis.toFixed(2),
  one.megabytes.toFixed(0)
])
const ledgerRows = results.ledger.map(({ millis, ratio, rows: size }) => [
  size.toLocaleString("en"),
  millis.toFixed(2),
  ratio.toFixed(2)
])

const exported = (name: string, comment: string, value: ReadonlyArray<ReadonlyArray<string>>): string =>
  `/** ${comment} */\nexport const ${name}: ReadonlyArray<ReadonlyArray<string>> = ${JSON.stringify(value)}\n`

const code = await format(
  [
    `/** Written by \`npm run bench:chart\` from the last full run of \`npm run bench\`. */
import type { Markup } from "../../page.ts"

/** CPU time of the server per request, by case and server. */
export const speedChart: Markup = { markup: ${JSON.stringify(draw(results))} }
`,
    exported(
      "speedRows",
      "The same in figures: case, server, CPU in milliseconds, times ours, median and 99th percentile in milliseconds, MB.",
      rows
    ),
    exported(
      "coldRows",
      "Screenings of unknown tokens, every upstream 50 ms away: what, and how long.",
      coldRows
    ),
    exported(
      "startRows",
      "From a start to the first answer: milliseconds, and milliseconds of CPU.",
      startRows
    ),
    exported(
      "growthRows",
      "Workers, connections, requests a second, 99th percentile and CPU in milliseconds, MB of all processes.",
      growthRows
    ),
    exported("ledgerRows", "Rows of the ledger, milliseconds a sale, times the empty ledger.", ledgerRows)
  ].join("\n"),
  { parser: "typescript", semi: false, trailingComma: "none", printWidth: 110 }
)
if (!process.argv.includes("--check")) writeFileSync(TARGET, code)
else if (readFileSync(TARGET, "utf8") !== code) {
  console.error("the chart is not of scripts/bench/results.json: npm run bench:chart")
  process.exitCode = 1
}
