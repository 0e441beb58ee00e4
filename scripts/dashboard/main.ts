/**
 * Looks at the dashboard without Grafana: Prometheus scrapes a running service for a while, every panel's queries are
 * asked of it, and the answers are drawn. Says which panels had no data, and how deploy's alerts stand.
 *
 *     npm run dashboard -- [--url http://127.0.0.1:3402] [--seconds 60] [--out dashboard]
 *
 * Needs `prometheus` (apt-get install prometheus), and for the PNG `chromium`.
 */
import { spawnSync } from "node:child_process"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { parseArgs } from "node:util"
import { Effect, Schema } from "effect"
import { type DrawnPanel, drawDashboard } from "./draw.ts"
import { type Prometheus, startPrometheus } from "./prometheus.ts"

const { values } = parseArgs({
  options: {
    url: { type: "string", default: "http://127.0.0.1:3402" },
    seconds: { type: "string", default: "60" },
    out: { type: "string", default: "dashboard" }
  }
})

const Panel = Schema.Struct({
  title: Schema.String,
  type: Schema.String,
  gridPos: Schema.Struct({ x: Schema.Number, y: Schema.Number, w: Schema.Number, h: Schema.Number }),
  fieldConfig: Schema.Struct({ defaults: Schema.Struct({ unit: Schema.String }) }),
  targets: Schema.Array(Schema.Struct({ expr: Schema.String, legendFormat: Schema.String }))
})
const file = resolve(import.meta.dirname, "..", "..", "deploy", "grafana", "dashboards", "token-risk.json")
const { panels } = Schema.decodeUnknownSync(Schema.parseJson(Schema.Struct({ panels: Schema.Array(Panel) })))(
  readFileSync(file, "utf8")
)

const named = (legend: string, labels: Readonly<Record<string, string>>): string =>
  legend.replaceAll(/\{\{\s*(\w+)\s*\}\}/g, (_whole, label: string) => labels[label] ?? "")

const asked = (prometheus: Prometheus, from: number, to: number): Promise<ReadonlyArray<DrawnPanel>> =>
  Promise.all(
    panels.map(async ({ fieldConfig, gridPos, targets, title, type }) => {
      const series = await Promise.all(
        targets.map(async ({ expr, legendFormat }) =>
          (await prometheus.range(expr, from, to)).map(({ metric, values: points }) => ({
            name: named(legendFormat, metric),
            values: points
          }))
        )
      )
      return { title, type, unit: fieldConfig.defaults.unit, place: gridPos, series: series.flat() }
    })
  )

const write = (drawn: ReadonlyArray<DrawnPanel>): string => {
  const out = resolve(values.out)
  mkdirSync(out, { recursive: true })
  const { height, svg, width } = drawDashboard(drawn)
  const picture = join(out, "dashboard.svg")
  writeFileSync(picture, svg)
  const png = join(out, "dashboard.png")
  const flags = ["--headless=new", "--no-sandbox", "--disable-gpu", `--window-size=${width},${height}`]
  const { status } = spawnSync("chromium", [...flags, `--screenshot=${png}`, `file://${picture}`], {
    stdio: "ignore"
  })
  return status === 0 ? `${picture}, ${png}` : picture
}

const look = Effect.gen(function* () {
  const prometheus = yield* startPrometheus(new URL(values.url).host)
  const from = Date.now() / 1_000
  yield* Effect.sleep(`${Number(values.seconds)} seconds`)
  const drawn = yield* Effect.promise(() => asked(prometheus, from, Date.now() / 1_000))
  const alerts = yield* Effect.promise(() => prometheus.alerts())
  const empty = drawn.filter(({ series }) => series.length === 0).map(({ title }) => title)
  console.log(`written: ${write(drawn)}`)
  console.log(`panels: ${drawn.length}; without data: ${empty.length === 0 ? "none" : empty.join(", ")}`)
  for (const { health, name, state } of alerts) console.log(`alert ${name}: ${state} (${health})`)
  if (alerts.some(({ health }) => health === "err")) process.exitCode = 1
})

await Effect.runPromise(Effect.scoped(look))
