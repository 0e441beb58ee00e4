/** The operator's walk as the texts tell it, word for word: two terminals, a sale on local chains, its metrics. */
import { execFile, spawn } from "node:child_process"
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { afterAll, beforeAll, describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { freePort } from "../../scripts/sandbox/service.ts"

const ROOT = fileURLToPath(new URL("../..", import.meta.url))

/** The shell text below a heading, the `index`-th block of it. */
const blockOf = (file: string, heading: string, index: number): string => {
  const [, section = ""] = readFileSync(`${ROOT}/${file}`, "utf8").split(`## ${heading}\n`)
  return [...section.matchAll(/```sh\n([\s\S]*?)```/g)][index]?.[1] ?? ""
}

/** The first terminal: `npm run sandbox`, on a port of its own because other tests run beside it. */
const startTerminal = async () => {
  const port = await Effect.runPromise(freePort)
  const child = spawn("npm", ["run", "sandbox", "--", `--port=${port}`], { cwd: ROOT, detached: true })
  let printed = ""
  child.stdout.on("data", (chunk: Buffer) => (printed += chunk.toString()))
  child.stderr.on("data", (chunk: Buffer) => (printed += chunk.toString()))
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()))
  await new Promise<void>((resolve, reject) => {
    child.stdout.on("data", () => {
      if (printed.includes("Ctrl-C ends everything.")) resolve()
    })
    void ended.then(() => reject(new Error(`the sandbox ended:\n${printed}`)))
  })
  const stop = () => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, "SIGINT")
    return ended
  }
  return { stop, exports: (printed.match(/^\s*export .*$/gm) ?? []).join("\n") }
}

let terminal: Awaited<ReturnType<typeof startTerminal>>

/** What a command said in the second terminal, where the printed lines were pasted. */
const type = async (command: string): Promise<string> => {
  const script = `set -euo pipefail\n${terminal.exports}\n${command}`
  return (await promisify(execFile)("bash", ["-c", script], { cwd: ROOT, encoding: "utf8" })).stdout
}

const linesOf = (text: string): ReadonlyArray<string> => text.split("\n").filter((line) => line.trim() !== "")

beforeAll(async () => {
  terminal = await startTerminal()
})
afterAll(() => terminal.stop())

describe("deploy/README.md, See it sell", () => {
  it("begins with what the first terminal runs", () => {
    expect(linesOf(blockOf("deploy/README.md", "See it sell", 0))).toEqual(["npm ci", "npm run sandbox"])
  })

  it("ends with the metrics of a real sale", async () => {
    const [ready = "", screen = "", metrics = ""] = linesOf(blockOf("deploy/README.md", "See it sell", 1))
    expect(await type(ready)).toBe('{"status":"ready"}')
    expect(await type(screen)).toContain("allow")
    const sold = await type(metrics)
    expect(sold).toMatch(/^token_risk_sales_total\{.*outcome="sold".*\} 1$/m)
    expect(sold).toMatch(/^token_risk_revenue_usdc_total\{.*\} 0\.04/m)
  })
})

describe("README.md, Use it", () => {
  it("shows the terms, a free report and a paid decision", async () => {
    const [terms = "", free = "", screen = ""] = linesOf(blockOf("README.md", "Use it", 0))
    expect(await type(terms)).toMatch(/^HTTP\/1\.1 402 [\s\S]*payment-required:/i)
    expect(JSON.parse(await type(free))).toMatchObject({ free: true, verdict: "allow" })
    expect(await type(screen)).toContain("allow")
  })
})
