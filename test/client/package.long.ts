/** The client as its users get it: packed, installed elsewhere, compiled, bundled, and run in a browser. */
import { execFile, execFileSync } from "node:child_process"
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "@effect/vitest"
import { build } from "esbuild"
import { evmKey } from "../../scripts/sandbox/accounts.ts"
import { openChromium } from "../support/browser/chromium.ts"
import { footprint } from "../support/footprint.ts"
import { installedRuntimes } from "../support/runtimes.ts"
import { useService } from "../support/stage.ts"

const ROOT = fileURLToPath(new URL("../..", import.meta.url))
const TSC = join(ROOT, "node_modules/typescript/bin/tsc")

let project = ""
const inProject = (name: string, text: string) => writeFileSync(join(project, name), text)
const run = (command: string, ...args: ReadonlyArray<string>) =>
  execFileSync(command, args, { cwd: project, encoding: "utf8" })

const PAGE = '<!doctype html><script type="module" src="/page.js"></script>'

/** What a newcomer writes, in strict TypeScript. */
const USE = `
import { createTokenRiskClient, evmWallet, solanaWallet, combineWallets, TokenRiskError } from "token-risk-client"
import type { Decision } from "token-risk-client"
import { privateKeyToAccount } from "viem/accounts"
import { generateKeyPairSigner } from "@solana/kit"
export const decide = async (url: string, key: \`0x\${string}\`, token: string): Promise<Decision> => {
  const wallet = combineWallets(
    evmWallet(privateKeyToAccount(key)),
    solanaWallet(await generateKeyPairSigner(), "https://rpc.example")
  )
  const risk = await createTokenRiskClient({ baseUrl: url, wallet })
  try {
    const { result } = await risk.ping("base", token, { timeoutMs: 30_000, signal: new AbortController().signal })
    const safe: boolean | null = result.safe
    void safe
    return await risk.screen("base", token, 250, { timeoutMs: 30_000 })
  } catch (error) {
    if (error instanceof TokenRiskError) throw new Error(error.code + ": " + error.message + " " + String(error.charged))
    throw error
  }
}
`

beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), "token-risk-newcomer-"))
  const pack = execFileSync("npm", ["pack", "--json", "--pack-destination", project], {
    cwd: join(ROOT, "packages/client"),
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"]
  })
  const tarball = join(project, JSON.parse(pack.slice(pack.indexOf("[")))[0].filename)
  inProject("package.json", JSON.stringify({ name: "newcomer", private: true, type: "module" }))
  // Offline: the package needs nothing from a registry. Its wallets' libraries are this checkout's own.
  run(
    "npm",
    "install",
    "--offline",
    "--ignore-scripts",
    "--no-audit",
    "--no-fund",
    "--legacy-peer-deps",
    tarball
  )
  mkdirSync(join(project, "node_modules/@solana"), { recursive: true })
  for (const name of ["viem", "@solana/kit"])
    symlinkSync(join(ROOT, "node_modules", name), join(project, "node_modules", name))
  inProject("use.ts", USE)
})

afterAll(() => {
  rmSync(project, { recursive: true, force: true })
})

describe("the packed client, in an empty project", () => {
  it.each(["viem", "@solana/kit"])("is below 60 packages and 120 MB with %s as its wallet", (wallet) => {
    const { bytes, packages } = footprint([wallet], ROOT)
    expect(packages + 1).toBeLessThan(60)
    expect(bytes + statSync(join(project, "node_modules/token-risk-client")).size).toBeLessThan(120e6)
  })

  it("brings no other package and no native module", () => {
    const names = readdirSync(join(project, "node_modules"), { recursive: true }).map(String)
    expect(existsSync(join(project, "node_modules/token-risk-client/dist/client/index.d.ts"))).toBe(true)
    expect(names.filter((name) => name.endsWith(".node"))).toEqual([])
    const top = names.filter((name) => !name.includes("/") && !name.startsWith("."))
    // The others are the links this suite made.
    expect(top.toSorted()).toEqual(["@solana", "token-risk-client", "viem"])
  })

  it.each(["nodenext", "bundler"])("compiles in strict TypeScript with moduleResolution %s", (resolution) => {
    const module = resolution === "nodenext" ? "nodenext" : "esnext"
    const options = [
      "--noEmit",
      "--strict",
      "--exactOptionalPropertyTypes",
      "--target",
      "es2022",
      "--skipLibCheck"
    ]
    // The compiler's complaints are its output, and its exit code throws.
    expect(
      run(process.execPath, TSC, ...options, "--module", module, "--moduleResolution", resolution, "use.ts")
    ).toBe("")
  })

  it("runs in plain Node", () => {
    inProject(
      "run.mjs",
      `import { createTokenRiskClient, combineWallets } from "token-risk-client"
       const risk = await createTokenRiskClient({ baseUrl: "http://127.0.0.1:9", wallet: combineWallets() })
       await risk.ping("base", "0x4200000000000000000000000000000000000006").catch((error) =>
         console.log(error instanceof Error, error.name, error.code, error.charged))`
    )
    expect(run(process.execPath, "run.mjs").trim()).toBe("true NetworkError network false")
  })
})

// The address of the service must be the one it names as its own: the client pays no other.
const { service, stage } = useService(() => ({ PUBLIC_URL: undefined }))

describe("the sample of the package's README", () => {
  const [, sample = ""] =
    /```ts\n([^]*?)```/.exec(readFileSync(join(ROOT, "packages/client/README.md"), "utf8")) ?? []

  it("compiles in strict TypeScript, and buys what it says, as printed but for the address of the service and the token", async () => {
    inProject("sample.ts", sample)
    const options = ["--noEmit", "--strict", "--target", "es2022", "--module", "nodenext", "--skipLibCheck"]
    const types = ["--types", "node", "--typeRoots", join(ROOT, "node_modules/@types")]
    expect(run(process.execPath, TSC, ...options, ...types, "sample.ts")).toBe("")
    const here = sample
      .replaceAll("https://risk.example", service().url)
      .replaceAll("0x4200000000000000000000000000000000000006", stage().sandbox.base.tokens.clean.address)
    inProject("here.ts", `${here}\nconsole.log(JSON.stringify({ safe: result.safe, tradable, why }))`)
    await build({
      entryPoints: [join(project, "here.ts")],
      absWorkingDir: project,
      outfile: join(project, "here.mjs"),
      format: "esm",
      logLevel: "silent"
    })
    const env = { ...process.env, TOKEN_RISK_BASE_KEY: evmKey("payer") }
    const { stdout } = await promisify(execFile)(process.execPath, ["here.mjs"], { cwd: project, env })
    expect(JSON.parse(stdout)).toEqual({ safe: true, tradable: true, why: expect.any(String) })
  })
})

describe("the bundled client, in Chromium", () => {
  it("pays for a screening on the sandbox and verifies its report", async () => {
    const token = stage().sandbox.base.tokens.clean.address
    inProject(
      "page.ts",
      `import { decide } from "./use.ts"
       decide(${JSON.stringify(service().url)}, ${JSON.stringify(evmKey("payer"))}, ${JSON.stringify(token)}).then(
         ({ tradable, deep }) => ({ tradable, verdict: deep?.result.verdict, paid: deep?.receipt?.success }),
         (error) => ({ error: String(error) })
       ).then((result) => fetch("/result", { method: "POST", body: JSON.stringify(result) }))`
    )
    const { outputFiles } = await build({
      entryPoints: [join(project, "page.ts")],
      absWorkingDir: project,
      bundle: true,
      write: false,
      format: "esm",
      platform: "browser",
      logLevel: "silent"
    })
    const bundle = outputFiles[0]?.text ?? ""
    const result = new Promise<string>((resolve) => {
      const server = createServer((request, response) => {
        if (request.url === "/page.js") response.setHeader("content-type", "text/javascript").end(bundle)
        else if (request.url === "/result") void text(request).then(resolve)
        else response.setHeader("content-type", "text/html").end(PAGE)
      }).listen(0, "127.0.0.1", () => {
        const { port }: AddressInfo = Object.assign({ port: 0, family: "", address: "" }, server.address())
        const browser = openChromium(`http://127.0.0.1:${port}/`)
        onTestFinished(async () => {
          server.closeAllConnections()
          server.close()
          await browser.close()
        })
      })
    })
    // What the engine says of the token is its own suites' to check; a deep report was paid for and verified.
    expect(JSON.parse(await result)).toEqual({
      tradable: expect.any(Boolean),
      verdict: expect.stringMatching(/^(?:allow|caution|avoid)$/),
      paid: true
    })
  })
})

describe("the packed client pays for a ping", () => {
  const runtimes = installedRuntimes()

  /** Runs the same in every runtime; the edge runtimes have no modules and no standard output. */
  const program = (finish: string) => `
    import { createTokenRiskClient, evmWallet } from "token-risk-client"
    import { privateKeyToAccount } from "viem/accounts"
    const wallet = evmWallet(privateKeyToAccount(${JSON.stringify(evmKey("payer"))}))
    const buy = async () => {
      const risk = await createTokenRiskClient({ baseUrl: ${JSON.stringify(service().url)}, wallet, timeoutMs: 60_000 })
      const { receipt, result } = await risk.ping("base", ${JSON.stringify(stage().sandbox.base.tokens.clean.address)})
      return JSON.stringify({ safe: result.safe, paid: receipt.success })
    }
    ${finish}`
  const PAID = { safe: true, paid: true }
  const runLater = async (command: string, ...args: ReadonlyArray<string>): Promise<unknown> =>
    JSON.parse((await promisify(execFile)(command, args, { cwd: project, encoding: "utf8" })).stdout)

  it("in Deno and in Bun", async () => {
    inProject("ping.mjs", program("console.log(await buy())"))
    const deno = ["run", "--allow-all", "--no-config", "--no-lock", "--node-modules-dir=manual", "ping.mjs"]
    expect(await runLater(runtimes.deno, ...deno)).toEqual(PAID)
    expect(await runLater(runtimes.bun, "run", "ping.mjs")).toEqual(PAID)
  })

  it("in an edge runtime, which has nothing of Node's", async () => {
    inProject("edge.mjs", program("globalThis.outcome = buy()"))
    await build({
      entryPoints: [join(project, "edge.mjs")],
      outfile: join(project, "edge.js"),
      absWorkingDir: project,
      bundle: true,
      format: "iife",
      platform: "browser",
      conditions: ["worker"],
      logLevel: "silent"
    })
    inProject(
      "edge-host.mjs",
      `import { readFileSync } from "node:fs"
       import { EdgeVM } from ${JSON.stringify(runtimes.edge)}
       const vm = new EdgeVM()
       vm.evaluate(readFileSync("edge.js", "utf8"))
       console.log(await vm.evaluate("outcome"))`
    )
    expect(await runLater(process.execPath, "edge-host.mjs")).toEqual(PAID)
  })
})
