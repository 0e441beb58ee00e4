/** Clients made by two public generators from our description: compiled strictly, and run against the service. */
import { execFile } from "node:child_process"
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { afterAll, beforeAll, describe, expect, it } from "@effect/vitest"
import { evmKey } from "../../scripts/sandbox/accounts.ts"
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

const VERDICT = expect.stringMatching(/^(?:allow|caution|avoid)$/)
/** What the engine says of the token is its own suites' to check. */
const ANSWERS = { unpaid: 402, free: [VERDICT, true], paid: [expect.any(Boolean), VERDICT, false, true] }

/** The official x402 client, as the `fetch` of a generated one. */
const PAY = `
import { x402Client, wrapFetchWithPayment } from "@x402/fetch"
import { ExactEvmScheme } from "@x402/evm/exact/client"
import { privateKeyToAccount } from "viem/accounts"
const account = privateKeyToAccount(process.env.TOKEN_RISK_BASE_KEY)
export const pay = wrapFetchWithPayment(fetch, new x402Client().register("eip155:8453", new ExactEvmScheme(account)))
`

/** Each prints what GET and POST answered: unpaid, free (and whether both agree), and paid (ping by GET, deep by POST). */
const OPENAPI_FETCH = `
import createClient from "openapi-fetch"
import type { paths } from "./schema.js"
import { pay } from "./pay.js"
const [url = "", address = ""] = process.argv.slice(2)
const client = createClient<paths>({ baseUrl: url })
const unpaid = await client.GET("/api/token-risk/v1/ping", { params: { query: { chain: "base", address } } })
const header = { "x-client-id": "openapi-fetch" }
const free = await client.POST("/api/token-risk/v1/deep", { params: { header }, body: { chain: "base", address } })
const byGet = await client.GET("/api/token-risk/v1/deep", { params: { header, query: { chain: "base", address } } })
const verdict: "allow" | "caution" | "avoid" | undefined = free.data?.verdict
const paying = createClient<paths>({ baseUrl: url, fetch: pay })
const ping = await paying.GET("/api/token-risk/v1/ping", { params: { query: { chain: "base", address } } })
const deep = await paying.POST("/api/token-risk/v1/deep", { body: { chain: "base", address } })
const receipt = deep.response.headers.has("payment-response")
console.log(JSON.stringify({
  unpaid: unpaid.response.status,
  free: [verdict, byGet.data?.score === free.data?.score],
  paid: [ping.data?.safe, deep.data?.verdict, deep.data?.free, receipt]
}))
`
const OAZAPFTS = `
import * as api from "./client.js"
import { pay } from "./pay.js"
const [url = "", address = ""] = process.argv.slice(2)
api.defaults.baseUrl = url
const unpaid = await api.checkTokenSafetyPingGet("base", address)
const free = await api.checkTokenRiskDeep({ chain: "base", address }, { xClientId: "oazapfts" })
const byGet = await api.checkTokenRiskDeepGet("base", address, { xClientId: "oazapfts" })
const verdict: "allow" | "caution" | "avoid" | undefined = free.status === 200 ? free.data.verdict : undefined
const same = byGet.status === 200 && free.status === 200 && byGet.data.score === free.data.score
let receipt = false
api.defaults.fetch = async (input, init) => {
  const answer = await pay(input, init)
  receipt = answer.headers.has("payment-response")
  return answer
}
const ping = await api.checkTokenSafetyPingGet("base", address)
const deep = await api.checkTokenRiskDeep({ chain: "base", address })
console.log(JSON.stringify({
  unpaid: unpaid.status,
  free: [verdict, same],
  paid: [
    ping.status === 200 ? ping.data.safe : undefined,
    deep.status === 200 ? deep.data.verdict : undefined,
    deep.status === 200 ? deep.data.free : undefined,
    receipt
  ]
}))
`

describe("a generated client", () => {
  // Official clients pay what the challenge names, wherever that says it is.
  const { service, stage } = useService(() => ({ PUBLIC_URL: undefined }))
  let project = ""
  // Not the blocking kind: a compiler on a busy machine takes longer than the test runner waits for a sign of life.
  const run = async (command: string, ...args: ReadonlyArray<string>) =>
    (
      await promisify(execFile)(command, args, {
        cwd: project,
        encoding: "utf8",
        env: { ...process.env, TOKEN_RISK_BASE_KEY: evmKey("payer") }
      })
    ).stdout

  beforeAll(async () => {
    // Inside the checkout, where the generators' runtimes are.
    project = mkdtempSync(join(ROOT, ".dist-generated-"))
    symlinkSync(join(ROOT, "node_modules"), join(project, "node_modules"))
    const document = await (await fetch(`${service().url}/openapi.json`)).text()
    writeFileSync(join(project, "openapi.json"), document)
    writeFileSync(join(project, "package.json"), '{"type":"module"}')
    writeFileSync(join(project, "pay.js"), PAY)
    writeFileSync(join(project, "pay.d.ts"), "export declare const pay: typeof fetch")
  })
  afterAll(() => {
    rmSync(project, { recursive: true, force: true })
  })

  const compileAndRun = async (name: string, text: string): Promise<unknown> => {
    writeFileSync(join(project, `${name}.ts`), text)
    await run(
      process.execPath,
      join(ROOT, "node_modules/typescript/bin/tsc"),
      ...STRICT,
      "--types",
      "node",
      `${name}.ts`
    )
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
