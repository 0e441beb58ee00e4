import { afterAll, beforeAll, describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { type ChildProcess, spawn } from "node:child_process"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createServer, type Server } from "node:net"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { evmAccount, evmKey, solanaSecretKey } from "../../scripts/sandbox/accounts.ts"
import { freePort, serviceProgram } from "../../scripts/sandbox/service.ts"
import { type Screening, screen } from "../support/calls.ts"

/** Nothing listens there: a service must start, and stop, while every upstream is down. */
const NOBODY = "http://127.0.0.1:9"
const PING: Screening = {
  method: "GET",
  operation: "ping",
  chain: "solana",
  address: "So11111111111111111111111111111111111111112"
}
const root = resolve(import.meta.dirname, "..", "..")

let directory = ""
let program = ""
let base: Readonly<Record<string, string>> = {}

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "token-risk-start-"))
  program = resolve(root, await Effect.runPromise(serviceProgram))
  const { HOME = "", PATH = "" } = process.env
  base = {
    HOME,
    PATH,
    BASE_PAY_TO: evmAccount("merchant").address,
    SOLANA_PAY_TO: "So11111111111111111111111111111111111111112",
    BASE_SETTLER_PRIVATE_KEY: evmKey("settler"),
    SOLANA_FEE_PAYER_PRIVATE_KEY: await solanaSecretKey("feePayer"),
    BASE_RPC_URL: NOBODY,
    SOLANA_RPC_URL: NOBODY,
    DEXSCREENER_URL: NOBODY,
    RUGCHECK_URL: NOBODY,
    DATABASE_URL: `sqlite:${join(directory, "ledger.db")}`,
    PORT: String(await Effect.runPromise(freePort))
  }
})

afterAll(() => rmSync(directory, { recursive: true, force: true }))

const collect = (child: ChildProcess) => {
  const said = { text: "" }
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (chunk: Buffer) => (said.text += chunk.toString()))
  const ended = new Promise<number | null>((done) => child.once("close", done))
  return { said, ended }
}

const startAndEnd = async (
  environment: Readonly<Record<string, string>>,
  args: ReadonlyArray<string> = []
) => {
  const child = spawn(process.execPath, [program, ...args], {
    env: { ...base, ...environment },
    stdio: ["ignore", "pipe", "pipe"]
  })
  const { ended, said } = collect(child)
  return { code: await ended, lines: said.text.trim().split("\n") }
}

const taken = (port: number) =>
  new Promise<Server>((done) => {
    const server = createServer().listen(port, "127.0.0.1", () => done(server))
  })

describe.each(["1", "2"])(
  "a start that fails, with %s process(es), ends at once with one line that helps",
  (workers) => {
    const expectOneLine = (
      { code, lines }: { readonly code: number | null; readonly lines: ReadonlyArray<string> },
      line: RegExp
    ) => {
      expect(code).toBe(1)
      const [title, reason = "", ...others] = lines.filter((text) => !text.startsWith("{"))
      expect(title).toBe("token-risk cannot start:")
      expect(reason.trim()).toMatch(line)
      // With workers the primary adds that the worker has said it.
      expect(others.filter((text) => !/cannot start:|the reason stands above/.test(text))).toEqual([])
    }

    it("because its port is taken", async () => {
      const port = await Effect.runPromise(freePort)
      const server = await taken(port)
      const ended = await startAndEnd({ WORKERS: workers, PORT: String(port) })
      server.close()
      expectOneLine(ended, new RegExp(`^PORT: .*${port}.*; `))
    })

    it("because an argument is mistyped", async () => {
      const ended = await startAndEnd({ WORKERS: workers }, ["--check-confg"])
      expectOneLine(ended, /^--check-confg: .*--check-config.*environment/)
    })

    it("because its database is damaged", async () => {
      const file = join(directory, `damaged-${workers}.db`)
      writeFileSync(file, "this is no database".repeat(1_000))
      expectOneLine(
        await startAndEnd({ WORKERS: workers, DATABASE_URL: `sqlite:${file}` }),
        /^DATABASE_URL: .*damaged.*; restore a backup/
      )
    })

    // A worker that cannot open one database says it as it does of the other.
    if (workers !== "1") return
    it("because PostgreSQL is down", async () => {
      const url = `postgres://somebody:hunter2@127.0.0.1:${await Effect.runPromise(freePort)}/risk`
      const ended = await startAndEnd({ WORKERS: workers, DATABASE_URL: url })
      expectOneLine(ended, /^DATABASE_URL: PostgreSQL at 127\.0\.0\.1.*cannot be reached; start it/)
      expect(ended.lines.join()).not.toContain("hunter2")
    })
  }
)

describe("npm start", () => {
  it.each(["1", "2"])(
    "of %s process(es), told to stop as a group, and twice, drains and ends with 0, though clients keep connections open",
    async (workers) => {
      // The project's own scripts, for the program of these sources.
      const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
      const run = readFileSync(join(root, "deploy", "run.sh"), "utf8").replace("dist/main.js", program)
      const place = join(directory, `npm-${workers}`)
      mkdirSync(join(place, "deploy"), { recursive: true })
      writeFileSync(join(place, "deploy", "run.sh"), run, { mode: 0o755 })
      const { start } = scripts
      writeFileSync(join(place, "package.json"), JSON.stringify({ private: true, scripts: { start } }))
      const port = String(await Effect.runPromise(freePort))
      const child = spawn("npm", ["start"], {
        cwd: place,
        env: { ...base, WORKERS: workers, PORT: port, DATABASE_URL: `sqlite:${join(place, "ledger.db")}` },
        stdio: ["ignore", "pipe", "pipe"],
        detached: true
      })
      const { ended, said } = collect(child)
      const isUp = () =>
        fetch(`http://127.0.0.1:${port}/healthz`).then(
          ({ ok }) => ok,
          () => false
        )
      while (!said.text.includes("listening on")) {
        if (child.exitCode !== null) throw new Error(said.text)
        await new Promise((passed) => setTimeout(passed, 5))
      }
      // Whoever reads that it listens may ask; and keeps the connections, as clients do.
      expect(await isUp()).toBe(true)
      const unpaid = Array.from({ length: 4 }, () => screen(`http://127.0.0.1:${port}`, PING))
      for (const { status } of await Promise.all(unpaid)) expect(status).toBe(402)
      const group = -(child.pid ?? Number.NaN)
      process.kill(group, "SIGTERM")
      process.kill(group, "SIGTERM")
      expect([await ended, said.text]).toEqual([
        0,
        expect.not.stringMatching(/cannot start|a worker exited|token-risk stopped/)
      ])
      expect(await isUp()).toBe(false)
    }
  )
})
