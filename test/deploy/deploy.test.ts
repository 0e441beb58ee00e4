import { describe, expect, it } from "@effect/vitest"
import { Schema } from "effect"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { parseAllDocuments } from "yaml"
import { GLIBC, JEMALLOC } from "../../scripts/sandbox/allocator.ts"

const root = join(import.meta.dirname, "..", "..")
const read = (...path: ReadonlyArray<string>) => readFileSync(join(root, ...path), "utf8")

/** Parses strictly: a key named twice, or anything YAML warns of, throws. */
const yamlOf = (...path: ReadonlyArray<string>): ReadonlyArray<unknown> =>
  parseAllDocuments(read(...path), { uniqueKeys: true, strict: true }).map((document): unknown => {
    const [problem] = [...document.errors, ...document.warnings]
    if (problem !== undefined) throw problem
    return document.toJS()
  })

const sources = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".ts"))
  .map((name) => read("src", name))

const namesIn = (pattern: RegExp): ReadonlyArray<string> =>
  sources
    .flatMap((text) => Array.from(text.matchAll(pattern), ([, name = ""]) => name))
    .map((name) => (name.startsWith("token_risk_") ? name : `token_risk_${name}`))

/** Every metric declared in the source, under the names the exporter gives it. */
const declared = new Set([
  ...namesIn(/Metric(?:Key)?\.gauge\(\s*"([a-z_]+)"/g),
  ...namesIn(/\b(?:gauge|slotGauges)\(\s*"([a-z_]+)"/g),
  ...namesIn(/(?:Metric(?:Key)?\.counter|labelledCounter)\(\s*"([a-z_]+)"/g).map((name) =>
    name.endsWith("_total") ? name : `${name}_total`
  ),
  ...namesIn(/Metric(?:Key)?\.histogram\(\s*"([a-z_]+)"/g).flatMap((name) =>
    ["bucket", "sum", "count"].map((part) => `${name}_${part}`)
  )
])

const FUNCTIONS = /^(?:sum|max|min|rate|increase|histogram_quantile|time|and|or|unless|up)$/

/** Names of metrics and functions in a query; labels, their values and durations are none. */
const wordsOf = (query: string): ReadonlyArray<string> =>
  query
    .replace(/\{[^}]*\}|\[[^\]]*\]|\bby\s*\([^)]*\)|\boffset \d+[smhd]\b/g, " ")
    .match(/[a-z_][a-z0-9_]*/gi) ?? []

const count = (text: string, char: string): number => text.split(char).length

const expectQuery = (query: string) => {
  for (const [open, close] of [
    ["(", ")"],
    ["[", "]"],
    ["{", "}"]
  ] as const)
    expect(count(query, open)).toBe(count(query, close))
  expect(wordsOf(query).filter((word) => !declared.has(word) && !FUNCTIONS.test(word))).toEqual([])
}

const Rule = Schema.Struct({
  alert: Schema.String,
  expr: Schema.String,
  for: Schema.String,
  annotations: Schema.Struct({ summary: Schema.String, action: Schema.String })
})
const Rules = Schema.Struct({ groups: Schema.Array(Schema.Struct({ rules: Schema.Array(Rule) })) })
const Target = Schema.Struct({ expr: Schema.String })
const Dashboard = Schema.parseJson(
  Schema.Struct({
    panels: Schema.Array(Schema.Struct({ title: Schema.String, targets: Schema.Array(Target) }))
  })
)

/** Longest drain there is, in seconds; every deploy file waits longer before it kills. */
const DRAIN_SECONDS = 60

describe("what deploy/ offers", () => {
  it("alerts ask for metrics that exist, and say what to do", () => {
    const { groups } = Schema.decodeUnknownSync(Rules)(yamlOf("deploy", "prometheus", "alerts.yml")[0])
    const rules = groups.flatMap((group) => group.rules)
    expect(rules.map(({ alert }) => alert)).toEqual(
      expect.arrayContaining(["PaymentsUnresolved", "BalanceLow", "BreakerOpen", "ServerErrors"])
    )
    for (const { expr } of rules) expectQuery(expr)
    expect(rules.find(({ alert }) => alert === "PaymentsUnresolved")?.for).toBe("5m")
  })

  it("alerts see the first event of a counter, which begins with it, and a service that has sold nothing yet", () => {
    const { groups } = Schema.decodeUnknownSync(Rules)(yamlOf("deploy", "prometheus", "alerts.yml")[0])
    const exprOf = (name: string) =>
      groups.flatMap(({ rules }) => rules).find(({ alert }) => alert === name)?.expr ?? ""
    // `== 0` is never true of what does not exist.
    expect(exprOf("NothingSold")).toMatch(/ unless sum\(rate\(.*outcome="sold".*\)\) > 0$/)
    // `increase` takes the first value it sees for the beginning.
    expect(exprOf("SettlingKeyShared")).toMatch(/ or sum\(\S+ unless \S+ offset 30m\) > 0$/)
  })

  it("a dashboard asks for metrics that exist", () => {
    const text = read("deploy", "grafana", "dashboards", "token-risk.json")
    const { panels } = Schema.decodeUnknownSync(Dashboard)(text)
    expect(panels.length).toBeGreaterThan(10)
    for (const { targets } of panels) for (const { expr } of targets) expectQuery(expr)
  })

  it("compose file, Prometheus and Grafana find one another", () => {
    const compose = JSON.stringify(yamlOf("deploy", "compose.yaml"))
    for (const service of ["service", "postgres", "prometheus", "grafana"])
      expect(compose).toContain(`"${service}":`)
    expect(compose).toContain('"read_only":true')
    expect(JSON.stringify(yamlOf("deploy", "prometheus", "prometheus.yml"))).toContain("service:3402")
    const datasources = yamlOf("deploy", "grafana", "provisioning", "datasources", "prometheus.yaml")
    expect(JSON.stringify(datasources)).toContain("http://prometheus:9090")
    yamlOf("deploy", "grafana", "provisioning", "dashboards", "token-risk.yaml")
  })

  it("publishes no port beyond this machine, and no file holds a secret", () => {
    const compose = read("deploy", "compose.yaml")
    const ports = Array.from(compose.matchAll(/ports: \["([^"]*)"\]/g), ([, port]) => port)
    expect(ports).toHaveLength(3)
    for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:/)
    expect(compose).not.toMatch(/PASSWORD: (?!\$\{)/)
  })

  it("Kubernetes probes ask what lives and what can sell, and pods may not write or be root", () => {
    const [deployment, service, budget] = yamlOf("deploy", "kubernetes.yaml")
    const text = JSON.stringify(deployment)
    expect(text).toContain('"livenessProbe":{"httpGet":{"path":"/healthz"')
    expect(text).toContain('"readinessProbe":{"httpGet":{"path":"/readyz"')
    expect(text).toContain('"readOnlyRootFilesystem":true')
    expect(text).toContain('"runAsNonRoot":true')
    expect(JSON.stringify(service)).toContain('"kind":"Service"')
    expect(JSON.stringify(budget)).toContain('"minAvailable":1')
  })

  it("nothing kills the process before it has drained", () => {
    const graces = [
      /stop_grace_period: (\d+)s/.exec(read("deploy", "compose.yaml")),
      /terminationGracePeriodSeconds: (\d+)/.exec(read("deploy", "kubernetes.yaml")),
      /TimeoutStopSec=(\d+)/.exec(read("deploy", "token-risk.service"))
    ]
    for (const grace of graces) expect(Number(grace?.[1])).toBeGreaterThan(DRAIN_SECONDS)
  })

  it("the systemd unit checks the configuration first and keeps its secrets in a file", () => {
    const unit = read("deploy", "token-risk.service")
    for (const section of ["[Unit]", "[Service]", "[Install]"]) expect(unit).toContain(section)
    expect(unit).toMatch(/ExecStartPre=.*--check-config/)
    expect(unit).toContain("EnvironmentFile=")
    expect(unit).not.toMatch(/^Environment=.*(?:KEY|TOKEN)=/m)
  })

  it("the image has an exact Node, no compiler, no TypeScript, no root", () => {
    const [, runtime = ""] = read("Dockerfile").split(/^FROM (?=gcr)/m)
    expect(read("Dockerfile")).toMatch(/^FROM node:\d+\.\d+\.\d+-/m)
    expect(runtime).toMatch(/distroless/)
    expect(runtime).not.toMatch(/\bnpm\b|apt-get|g\+\+|COPY src/)
    expect(runtime).toMatch(/^USER 65532:65532$/m)
  })

  it("every way to start it has a C library that gives back what a burst of requests took", () => {
    const run = read("deploy", "run.sh")
    for (const [name, value] of Object.entries({ ...GLIBC, ...JEMALLOC }))
      expect(run).toContain(`${name}=${value}`)
    expect(read("package.json")).toContain('"start": "exec deploy/run.sh"')
    expect(read("deploy", "token-risk.service")).toMatch(/^ExecStart=.*\/deploy\/run\.sh$/m)
    expect(read("Dockerfile")).toContain(`MALLOC_CONF=${JEMALLOC.MALLOC_CONF}`)
    expect(read("Dockerfile")).toMatch(/^ENV LD_PRELOAD=\/usr\/local\/lib\/libjemalloc\.so\.2$/m)
  })

  it("the proxy shows nobody the metrics and does not repeat payments by itself", () => {
    const caddy = read("deploy", "Caddyfile")
    expect(caddy).toMatch(/path \/metrics/)
    expect(caddy).toContain("lb_retries 0")
  })

  it("every test that the security page names is there", () => {
    const named = Array.from(
      read("deploy", "SECURITY.md").matchAll(/`((?:test|deploy)\/[\w./-]+)`/g),
      ([, path = ""]) => path
    )
    expect(named.length).toBeGreaterThan(15)
    expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([])
  })
})
