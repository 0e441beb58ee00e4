/** The quick starts as a newcomer runs them: copied from the served page, word for word, paying on local chains. */
import { execFile } from "node:child_process"
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { afterAll, beforeAll, describe, expect, it } from "@effect/vitest"
import { build } from "esbuild"
import { evmKey, solanaSecretKey } from "../../scripts/sandbox/accounts.ts"
import type { PageSnippet } from "../support/snippets.ts"
import { installedRuntimes } from "../support/runtimes.ts"
import { snippetsOf } from "../support/snippets.ts"
import { movedSince, readBooks } from "../support/books.ts"
import { useService } from "../support/stage.ts"

const ROOT = fileURLToPath(new URL("../..", import.meta.url))
const PACKAGES = ["requests", "eth_account", "solders"]
const { service, stage } = useService(() => ({ PUBLIC_URL: undefined }))

let project = ""
let snippets: ReadonlyMap<string, PageSnippet> = new Map()
let pythonPath = ""

const execute = async (command: string, args: ReadonlyArray<string>, options: object = {}) =>
  (await promisify(execFile)(command, args, { encoding: "utf8", ...options })).stdout

/** Only what is not installed gets a stand-in. */
const standIns = async (): Promise<string> => {
  const folder = join(project, "python")
  mkdirSync(folder)
  for (const name of PACKAGES)
    await execute("python3", ["-c", `import ${name}`]).catch(() => {
      const file = name === "solders" ? name : `${name}.py`
      symlinkSync(join(ROOT, "test/support/python", file), join(folder, file))
    })
  return folder
}

/** As the package's own build does, but into the project: another suite packs it at the same time. */
const buildClient = async () => {
  const target = join(project, "node_modules/token-risk-client")
  const source = join(ROOT, "packages/client")
  const tsc = join(ROOT, "node_modules/typescript/bin/tsc")
  await execute(process.execPath, [
    tsc,
    "-p",
    join(source, "tsconfig.json"),
    "--outDir",
    join(target, "dist")
  ])
  copyFileSync(join(source, "package.json"), join(target, "package.json"))
}

beforeAll(async () => {
  // Inside the checkout, where the libraries of the snippets are.
  project = mkdtempSync(join(ROOT, ".dist-quickstart-"))
  mkdirSync(join(project, "node_modules/.bin"), { recursive: true })
  await buildClient()
  await build({
    entryPoints: [join(ROOT, "src/cli/main.ts")],
    outfile: join(project, "node_modules/.bin/token-risk"),
    bundle: true,
    packages: "external",
    platform: "node",
    format: "esm",
    logLevel: "silent"
  })
  chmodSync(join(project, "node_modules/.bin/token-risk"), 0o755)
  mkdirSync(join(project, "node_modules/@modelcontextprotocol"))
  const { inspector } = installedRuntimes()
  symlinkSync(inspector.package, join(project, "node_modules/@modelcontextprotocol/inspector"))
  symlinkSync(inspector.command, join(project, "node_modules/.bin/inspector"))
  for (const chain of ["base", "solana"]) mkdirSync(join(project, chain))
  snippets = snippetsOf(await (await fetch(`${service().url}/docs/quickstart`)).text())
  pythonPath = await standIns()
})
afterAll(() => rmSync(project, { recursive: true, force: true }))

const snippet = (id: string): PageSnippet => {
  const found = snippets.get(id)
  if (found === undefined) throw new Error(`the page has no snippet ${id}`)
  return found
}

type Chain = "base" | "solana"
const write = (chain: Chain, id: string) =>
  writeFileSync(join(project, chain, snippet(id).file), snippet(id).text)

const environment = async (chain: Chain) => {
  const { base, solana } = stage().sandbox
  return {
    PATH: process.env["PATH"],
    HOME: project,
    PYTHONPATH: pythonPath,
    PYTHONDONTWRITEBYTECODE: "1",
    TOKEN_RISK_URL: service().url,
    CHAIN: chain,
    TOKEN_RISK_CLIENT_ID: `newcomer-${chain}`,
    TOKEN: chain === "base" ? base.tokens.clean.address : solana.tokens.clean.address,
    ...(chain === "base"
      ? { TOKEN_RISK_BASE_KEY: evmKey("payer") }
      : { TOKEN_RISK_SOLANA_KEY: await solanaSecretKey("payer"), SOLANA_RPC_URL: solana.url })
  }
}

/** Types lines into a shell in the chain's folder. */
const shell = async (chain: Chain, lines: string) =>
  execute("bash", ["-eo", "pipefail", "-c", lines], {
    cwd: join(project, chain),
    env: await environment(chain)
  })

const FILES = { base: ["wallet-base", "screen-base"], solana: ["wallet-solana", "screen-solana"] } as const
const SHARED = ["buy", "sign", "mcp"]

describe.each(["base", "solana"] as const)("the quick starts, paying on %s", (chain) => {
  beforeAll(() => {
    for (const id of [...FILES[chain], ...SHARED]) write(chain, id)
  })

  /** Runs and says how much the seller got on this chain, in smallest units. */
  const paid = async (lines: string) => {
    const before = await readBooks(stage())
    const out = await shell(chain, lines)
    return { out, amount: (await movedSince(stage(), before))[chain] }
  }

  it("of curl show the terms, a free report, and a paid ping", async () => {
    expect(await shell(chain, snippet("curl-terms").text)).toMatch(
      /^HTTP\/1.1 402[\s\S]*payment-required: [\s\S]*"accepts"/i
    )
    expect(JSON.parse(await shell(chain, snippet("curl-free").text))).toMatchObject({
      free: true,
      verdict: "allow"
    })
    const { amount, out } = await paid(snippet("curl-paid").text)
    expect(out).toMatch(/^HTTP\/1.1 200[\s\S]*payment-response: [\s\S]*"safe":/i)
    expect(amount).toBe(5_000n)
  })

  it("of TypeScript pay for a ping by the official client, and for a decision by our own", async () => {
    const ping = await paid("npx tsx buy.mts")
    expect(ping.out).toMatch(/^200 \{\s*safe: /)
    expect(ping.amount).toBe(5_000n)
    const decision = await paid("npx tsx screen.mts")
    expect(decision.out).toMatch(/^(?:true|false) \S+/)
    expect(decision.amount).toBe(45_000n)
  })

  it("of Python pay for a ping by hand", async () => {
    const python = snippet(`python-${chain}`)
    write(chain, python.id)
    const { amount, out } = await paid(`python3 ${python.file}`)
    expect(out).toMatch(/^200 \{'safe': /)
    expect(amount).toBe(5_000n)
  })

  it("of MCP list the tools, read the terms and pay for a deep report", async () => {
    const { amount, out } = await paid("npx tsx mcp.mts")
    expect(out).toMatch(/verdict: 'allow'[\s\S]*success: true/)
    expect(amount).toBe(40_000n)
    // It ends with a failure, because the unpaid call is one.
    expect(await shell(chain, `${snippet("inspector").text} || true`)).toMatch(
      /"x402\/error": \{\s*"x402Version": 2/
    )
  })

  it("of the command line screen, save, verify, and read tokens from stdin", async () => {
    const mine = `export TOKEN_RISK_CLIENT_ID=command-line-${chain}`
    const { amount, out } = await paid(`${mine}\n${snippet("cli").text}`)
    expect(out).toMatch(/TRADE[\s\S]*verified[\s\S]*"address"/i)
    // Two pings; the three deep reports of a day are free.
    expect(amount).toBe(10_000n)
    expect(JSON.parse(readFileSync(join(project, chain, "report.json"), "utf8"))).toMatchObject({
      result: { verdict: "allow" }
    })
  })
})

describe("the quick starts in TypeScript", () => {
  it("compile strictly, each chain's", async () => {
    const files = (["base", "solana"] as const).flatMap((chain) => {
      for (const id of [...FILES[chain], ...SHARED]) write(chain, id)
      return [...FILES[chain], ...SHARED].map((id) => join(chain, snippet(id).file))
    })
    const options = [
      "--noEmit",
      "--strict",
      "--skipLibCheck",
      "--target",
      "es2022",
      "--module",
      "nodenext",
      "--types",
      "node"
    ]
    // The compiler's complaints are its output, and its exit code throws.
    const tsc = join(ROOT, "node_modules/typescript/bin/tsc")
    expect(await execute(process.execPath, [tsc, ...options, ...files], { cwd: project })).toBe("")
  })
})
