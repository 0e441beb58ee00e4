import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect } from "@effect/vitest"
import { Effect } from "effect"
import { evmKey, solanaSecretKey } from "../../scripts/sandbox/accounts.ts"
import { againstService, RunningService } from "../support/service.ts"
import { run } from "../support/cli/run.ts"

const KEY = evmKey("payer")
const environment = { TOKEN_RISK_BASE_KEY: KEY }

const scratch = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "token-risk-cli-"))),
  (directory) => Effect.sync(() => rmSync(directory, { recursive: true }))
)

const fileOf = (name: string, text: string, mode = 0o600) =>
  Effect.map(scratch, (directory) => {
    const path = join(directory, name)
    writeFileSync(path, text, { mode })
    return path
  })

const jwksFile = (url: string) =>
  Effect.promise(async () => (await fetch(`${url}/.well-known/jwks.json`)).text()).pipe(
    Effect.flatMap((text) => fileOf("jwks.json", text))
  )

const wide = (text: string) =>
  text.split("\n").filter((line) => line.length > 80 && !line.includes("https://"))

againstService("the command line, against the running service", (it) => {
  it.scoped("screen buys ping and deep, prints the decision in 80 columns, and ends with 0", () =>
    Effect.gen(function* () {
      const { sandbox, service } = yield* RunningService
      const { base } = sandbox
      const before = yield* base.usdcBalance(base.accounts.payer.address)
      const args = [
        "screen",
        "base",
        base.tokens.clean.address,
        "--order",
        "250",
        "--url",
        service.url,
        "--yes"
      ]
      const { code, err, out } = yield* run(args, { environment })
      expect(err).toBe("")
      expect(code).toBe(0)
      expect(out).toMatch(/SAFE[\s\S]*ALLOW[\s\S]*attested[\s\S]*TRADE/)
      expect(out).toContain("0.04 USD in USDC on Base")
      // These chains are this machine's own: no explorer of the world's shows what was paid on them.
      expect(out).toMatch(/^ {2}0x[0-9a-f]{64}$/m)
      expect(out).not.toContain("basescan")
      expect(out).toContain("Spent 0.045 USD in all.")
      expect(wide(out)).toEqual([])
      expect(before - (yield* base.usdcBalance(base.accounts.payer.address))).toBe(45_000n)
      expect(out + err).not.toContain(KEY.slice(2))
    })
  )

  it.scoped("pays on Solana from a key file, and warns when others can read it", () =>
    Effect.gen(function* () {
      const { sandbox, service } = yield* RunningService
      const { solana } = sandbox
      const secret = yield* Effect.promise(() => solanaSecretKey("payer"))
      const key = yield* fileOf("solana.key", `${secret}\n`, 0o644)
      const args = ["ping", "solana", solana.tokens.clean.address, "--url", service.url]
      const { code, err, out } = yield* run([...args, "--solana-key-file", key, "--yes"], {
        environment: { SOLANA_RPC_URL: `${solana.url},https://unused.example` }
      })
      expect(code).toBe(0)
      expect(out).toMatch(/^ {2}[1-9A-HJ-NP-Za-km-z]{80,90}$/m)
      expect(err).toContain("chmod 600")
      expect(out + err).not.toContain(secret)
    })
  )

  it.scoped("avoid ends with 20 and lists what failed", () =>
    Effect.gen(function* () {
      const { sandbox, service } = yield* RunningService
      const { code, out } = yield* run([
        "deep",
        "base",
        sandbox.base.tokens.honeypot.address,
        "--url",
        service.url,
        "--client-id",
        "cli-1"
      ])
      expect(code).toBe(20)
      expect(out).toMatch(/AVOID\n.*█.* 100 of 100, critical/)
      expect(out).toContain("nothing: a free call")
      expect(wide(out)).toEqual([])
    })
  )

  it.scoped("spends nothing that nobody confirmed, and asks with price, chain and recipient", () =>
    Effect.gen(function* () {
      const { sandbox, service } = yield* RunningService
      const { base } = sandbox
      const before = yield* base.usdcBalance(base.accounts.payer.address)
      const args = ["ping", "base", base.tokens.clean.address, "--url", service.url]
      const alone = yield* run(args, { environment })
      expect(alone.code).toBe(3)
      expect(alone.err).toContain("--yes")
      const no = yield* run(args, { environment, answer: false })
      expect(no.code).toBe(3)
      expect(no.questions).toEqual([`Pay 0.005 USD in USDC on Base to ${base.accounts.merchant.address}?`])
      const dear = yield* run([...args, "--yes", "--max-price", "0.004"], { environment })
      expect(dear.code).toBe(3)
      expect(dear.err).toContain("above the cap per call")
      const poor = yield* run([...args, "--yes", "--budget", "0.001"], { environment })
      expect(poor.code).toBe(3)
      expect(yield* base.usdcBalance(base.accounts.payer.address)).toBe(before)
      const yes = yield* run(args, { environment, answer: true })
      expect(yes.code).toBe(0)
      expect(before - (yield* base.usdcBalance(base.accounts.payer.address))).toBe(5_000n)
    })
  )

  it.scoped("--json prints a report that verify accepts offline, and refuses once it is changed", () =>
    Effect.gen(function* () {
      const { sandbox, service } = yield* RunningService
      const args = [
        "deep",
        "base",
        sandbox.base.tokens.clean.address,
        "--url",
        service.url,
        "--client-id",
        "cli-2"
      ]
      const { code, out } = yield* run([...args, "--json"])
      expect(code).toBe(0)
      const keys = yield* jwksFile(service.url)
      const verifyText = (text: string) =>
        Effect.flatMap(fileOf("report.json", text), (file) => run(["verify", file, "--jwks", keys]))
      const genuine = yield* verifyText(out)
      expect(genuine.code).toBe(0)
      expect(genuine.out).toContain("VERIFIED")
      const forged = yield* verifyText(out.replace('"allow"', '"avoid"'))
      expect(forged.code).toBe(6)
      expect(forged.err).toContain("digest-mismatch")
      const doubled = yield* verifyText(out.replace('"verdict":', '"verdict": "avoid", "verdict":'))
      expect(doubled.code).toBe(6)
      expect(doubled.err).toContain("same key twice")
    })
  )

  it.scoped("has an exit code for every way to fail", () =>
    Effect.gen(function* () {
      const { sandbox, service } = yield* RunningService
      const { clean, unlisted } = sandbox.base.tokens
      const ping = (address: string, ...more: ReadonlyArray<string>) =>
        run(["ping", "base", address, "--yes", "--url", service.url, ...more], { environment })
      expect((yield* ping(unlisted.address)).code).toBe(4)
      expect((yield* ping("not-an-address")).code).toBe(2)
      expect((yield* run(["ping", "doge", clean.address])).code).toBe(2)
      expect((yield* run(["ping", "base", clean.address, "--max-price", "1e3"])).code).toBe(2)
      expect((yield* run(["ping", "base", clean.address, "--url", service.url])).code).toBe(3)
      expect((yield* run(["verify", "/no/such/file", "--url", service.url])).code).toBe(2)
      const bad = yield* run(["ping", "base", clean.address, "--url", service.url], {
        environment: { TOKEN_RISK_BASE_KEY: `${KEY}00` }
      })
      expect(bad.code).toBe(2)
      expect(bad.err).not.toContain(KEY.slice(2, 20))
      const nobody = yield* run(["deep", "base", clean.address, "--url", "http://127.0.0.1:9", "--yes"], {
        environment
      })
      expect(nobody.code).toBe(5)
      expect(nobody.err).not.toContain("signed")
    })
  )

  it.scoped("a payer without money is refused and told that nothing was charged", () =>
    Effect.gen(function* () {
      const { sandbox, service } = yield* RunningService
      const { code, err } = yield* run(
        ["ping", "base", sandbox.base.tokens.clean.address, "--yes", "--url", service.url],
        { environment: { TOKEN_RISK_BASE_KEY: evmKey("a payer without money") } }
      )
      expect(code).toBe(7)
      expect(err).toContain("Nothing was charged")
    })
  )

  it.scoped("doctor ends with 0 on a sound deployment and with 1 on anything else", () =>
    Effect.gen(function* () {
      const { sandbox, service } = yield* RunningService
      const sound = yield* run(["doctor", service.url, "--free-call"])
      expect(sound.code).toBe(0)
      expect(sound.out).toContain("0 warnings, 0 failures")
      expect(wide(sound.out)).toEqual([])
      expect((yield* run(["doctor", sandbox.solana.url])).code).toBe(1)
      const unnamed = yield* run(["doctor"], { environment: { TOKEN_RISK_URL: service.url } })
      expect(unnamed.out.split("\n")[0]).toBe(service.url)
      expect(unnamed.code).toBe(0)
    })
  )

  it.scoped("prints its help in 80 columns, with the exit codes", () =>
    Effect.gen(function* () {
      const { code, out } = yield* run(["--help"])
      expect(code).toBe(0)
      expect(out).toContain("Exit codes")
      expect(out.split("\n").every((line) => line.length <= 80)).toBe(true)
    })
  )
})
