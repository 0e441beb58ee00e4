/** Clients made by two public generators from our description: compiled strictly, and run against the service. */
import { execFile } from "node:child_process"
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { afterAll, beforeAll, describe, expect, it } from "@effect/vitest"
import { useService } from "../support/stage.ts"

const ROOT = fileURLToPath(new URL("../..", import.meta.url))
const BIN = join(ROOT, "node_modules/.bin")
const STRICT = [
  "--strict",
  "--target",
  "es2022",
  "--module",
  "nodenext",
  "--moduleResolution",
  "nodenext",
  "--skipLibCheck"
]

/** What the engine says of the token is its own suites' to check. */
const ANSWERS = [402, expect.stringMatching(/^(?:allow|caution|avoid)$/), true]

/** Each prints what a GET and a POST answered: status without payment, verdict of a free report, error of a bad input. */
const OPENAPI_FETCH = `
import createClient from "openapi-fetch"
import type { paths } from "./schema.js"
const [url = "", address = ""] = process.argv.slice(2)
const client = createClient<paths>({ baseUrl: url })
const unpaid = await client.GET("/api/token-risk/v1/ping", { params: { query: { chain: "base", address } } })
const header = { "x-client-id": "openapi-fetch" }
const free = await client.POST("/api/token-risk/v1/deep", { params: { header }, body: { chain: "base", address } })
const byGet = await client.GET("/api/token-risk/v1/deep", { params: { header, query: { chain: "base", address } } })
const verdict: "allow" | "caution" | "avoid" | undefined = free.data?.verdict
console.log(JSON.stringify([unpaid.response.status, verdict, byGet.data?.score === free.data?.score]))
`
const OAZAPFTS = `
import * as api from "./client.js"
const [url = "", address = ""] = process.argv.slice(2)
api.defaults.baseUrl = url
const unpaid = await api.checkTokenSafetyPingGet("base", address)
const free = await api.checkTokenRiskDeep({ chain: "base", address }, { xClientId: "oazapfts" })
const byGet = await api.checkTokenRiskDeepGet("base", address, { xClientId: "oazapfts" })
const verdict: "allow" | "caution" | "avoid" | undefined = free.status === 200 ? free.data.verdict : undefined
const same = byGet.status === 200 && free.status === 200 && byGet.data.score === free.data.score
console.log(JSON.stringify([unpaid.status, verdict, same]))
`

describe("a generated client", () => {
  const { service, stage } = useService()
  let project = ""
  // Not the blocking kind: a compiler on a busy machine takes longer than the test runner waits for a sign of life.
  const run = async (command: string, ...args: ReadonlyArray<string>) =>
    (await promisify(execFile)(command, args, { cwd: project, encoding: "utf8" })).stdout

  beforeAll(async () => {
    // Inside the checkout, where the generators' runtimes are.
    project = mkdtempSync(join(ROOT, ".dist-generated-"))
    symlinkSync(join(ROOT, "node_modules"), join(project, "node_modules"))
    const document = await (await fetch(`${service().url}/openapi.json`)).text()
    writeFileSync(join(project, "openapi.json"), document)
    writeFileSync(join(project, "package.json"), '{"type":"module"}')
  })
  afterAll(() => {
    rmSync(project, { recursive: true, force: true })
  })

  const compileAndRun = async (name: string, text: string): Promise<unknown> => {
    writeFileSync(join(project, `${name}.ts`), text)
    await run(process.execPath, join(BIN, "tsc"), ...STRICT, "--types", "node", `${name}.ts`)
    const token = stage().sandbox.base.tokens.clean.address
    return JSON.parse(await run(process.execPath, `${name}.js`, service().url, token))
  }

  it("of openapi-typescript makes its calls by GET and by POST", async () => {
    await run(process.execPath, join(BIN, "openapi-typescript"), "openapi.json", "-o", "schema.ts")
    expect(await compileAndRun("fetch", OPENAPI_FETCH)).toEqual(ANSWERS)
  })

  it("of oazapfts makes its calls by GET and by POST", async () => {
    await run(process.execPath, join(BIN, "oazapfts"), "openapi.json", "client.ts")
    expect(await compileAndRun("functions", OAZAPFTS)).toEqual(ANSWERS)
  })
})
