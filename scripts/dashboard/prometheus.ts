/** Prometheus for a minute: it scrapes the service, evaluates deploy's own alert rules, and answers the dashboard's queries. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { Effect, Schema } from "effect"
import { freePort } from "../sandbox/service.ts"

const RULES = resolve(import.meta.dirname, "..", "..", "deploy", "prometheus", "alerts.yml")

const Matrix = Schema.Struct({
  data: Schema.Struct({
    result: Schema.Array(
      Schema.Struct({
        metric: Schema.Record({ key: Schema.String, value: Schema.String }),
        values: Schema.Array(Schema.Tuple(Schema.Number, Schema.NumberFromString))
      })
    )
  })
})
export type Series = (typeof Matrix.Type)["data"]["result"][number]

const Alerts = Schema.Struct({
  data: Schema.Struct({
    groups: Schema.Array(
      Schema.Struct({
        rules: Schema.Array(
          Schema.Struct({ name: Schema.String, state: Schema.String, health: Schema.String })
        )
      })
    )
  })
})

export interface Prometheus {
  /** The series of a query over these Unix seconds. Rejects with Prometheus' own words where it is wrong. */
  readonly range: (query: string, from: number, to: number) => Promise<ReadonlyArray<Series>>
  /** Each alert of deploy's with its state (inactive, pending, firing) and whether its query could be evaluated. */
  readonly alerts: () => Promise<
    ReadonlyArray<{ readonly name: string; readonly state: string; readonly health: string }>
  >
}

const get = async (url: string): Promise<unknown> => {
  const response = await fetch(url)
  if (!response.ok) throw new Error(await response.text())
  return response.json()
}

const until = async (holds: () => Promise<boolean>, child: ChildProcess): Promise<void> => {
  for (let tries = 0; tries < 300; tries += 1) {
    if (await holds().catch(() => false)) return
    if (child.exitCode !== null) break
    await new Promise((passed) => setTimeout(passed, 100))
  }
  throw new Error("Prometheus did not start: apt-get install prometheus")
}

/** Scrapes the service at `host:port` every second, until the scope closes. */
export const startPrometheus = (target: string) =>
  Effect.gen(function* () {
    const port = yield* freePort
    const { child, directory } = yield* Effect.acquireRelease(
      Effect.sync(() => {
        const directory = mkdtempSync(join(tmpdir(), "token-risk-prometheus-"))
        copyFileSync(RULES, join(directory, "alerts.yml"))
        writeFileSync(
          join(directory, "prometheus.yml"),
          `global: { scrape_interval: 1s, evaluation_interval: 1s }\nrule_files: [alerts.yml]\nscrape_configs:\n  - job_name: token-risk\n    static_configs: [{ targets: ["${target}"] }]\n`
        )
        const child = spawn(
          "prometheus",
          [
            `--config.file=${directory}/prometheus.yml`,
            `--storage.tsdb.path=${directory}/data`,
            `--web.listen-address=127.0.0.1:${port}`
          ],
          { stdio: "ignore" }
        )
        return { child, directory }
      }),
      ({ child, directory }) =>
        Effect.promise(async () => {
          const ended = new Promise((done) => child.once("exit", done))
          if (child.exitCode === null) child.kill("SIGTERM")
          await ended
          rmSync(directory, { recursive: true, force: true })
        })
    )
    const api = `http://127.0.0.1:${port}/api/v1`
    yield* Effect.promise(() =>
      until(async () => (await fetch(`http://127.0.0.1:${port}/-/ready`)).ok, child)
    )
    spawnSync("promtool", ["check", "rules", join(directory, "alerts.yml")], { stdio: "inherit" })
    return {
      range: async (query, from, to) => {
        const params = new URLSearchParams({ query, start: String(from), end: String(to), step: "1" })
        return Schema.decodeUnknownSync(Matrix)(await get(`${api}/query_range?${params}`)).data.result
      },
      alerts: async () =>
        Schema.decodeUnknownSync(Alerts)(await get(`${api}/rules`)).data.groups.flatMap(({ rules }) => rules)
    } satisfies Prometheus
  })
