/** What the alerts fire on, asked of Prometheus itself: `test/deploy/alerts.rules.yml` has the cases. */
import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { Schema } from "effect"
import { parse } from "yaml"

const ROOT = join(import.meta.dirname, "..", "..")
const RULES = "deploy/prometheus/alerts.yml"
const CASES = "test/deploy/alerts.rules.yml"

const promtool = (...args: ReadonlyArray<string>) => {
  const { error, status, stderr, stdout } = spawnSync("promtool", args, { cwd: ROOT, encoding: "utf8" })
  return { status, said: error === undefined ? `${stdout}${stderr}` : error.message }
}

const Named = Schema.Struct({
  groups: Schema.Array(Schema.Struct({ rules: Schema.Array(Schema.Struct({ alert: Schema.String })) }))
})

// It comes with Debian's `prometheus`. CI installs it: there its absence is a failure.
const isMissing = process.env["CI"] === undefined && promtool("--version").status !== 0

describe("alerts", () => {
  it.skipIf(isMissing)("are rules that Prometheus takes", () => {
    const { said, status } = promtool("check", "rules", RULES)
    expect(said).toContain("SUCCESS")
    expect(status).toBe(0)
  })

  it.skipIf(isMissing)("fire on what they are for, and leave a busy and a quiet service alone", () => {
    const { said, status } = promtool("test", "rules", CASES)
    expect(said).toContain("SUCCESS")
    expect(status).toBe(0)
  })

  it("have a case each", () => {
    const { groups } = Schema.decodeUnknownSync(Named)(parse(readFileSync(join(ROOT, RULES), "utf8")))
    const cases = readFileSync(join(ROOT, CASES), "utf8")
    const names = groups.flatMap(({ rules }) => rules.map(({ alert }) => alert))
    expect(names.filter((name) => !cases.includes(name))).toEqual([])
  })
})
