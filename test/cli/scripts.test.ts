import { spawn } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { evmKey } from "../../scripts/sandbox/accounts.ts"
import { commandLineProgram } from "../../scripts/sandbox/service.ts"
import { run } from "../support/cli/run.ts"
import { openShop } from "../support/cli/shop.ts"

const environment = { TOKEN_RISK_BASE_KEY: evmKey("payer") }
const TOKEN = "0x4200000000000000000000000000000000000006"
const pingArgs = (url: string, ...more: ReadonlyArray<string>) => [
  "ping",
  "base",
  TOKEN,
  "--url",
  url,
  ...more
]

const fileOf = (text: string) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const directory = mkdtempSync(join(tmpdir(), "token-risk-cli-"))
      const path = join(directory, "tokens.txt")
      writeFileSync(path, text)
      return { directory, path }
    }),
    ({ directory }) => Effect.sync(() => rmSync(directory, { recursive: true }))
  ).pipe(Effect.map(({ path }) => path))

const addresses = (count: number) =>
  Array.from({ length: count }, (_, at) => `0x${(at + 1).toString(16).padStart(40, "0")}`)

/** A command line in a process of its own; `ready` says when it gets the signal. */
const interrupted = (args: ReadonlyArray<string>, signal: "SIGINT" | "SIGTERM", ready: () => boolean) =>
  Effect.flatMap(commandLineProgram, (program) =>
    Effect.promise(
      () =>
        new Promise<{ readonly code: number | null; readonly out: string }>((resolve) => {
          const child = spawn(process.execPath, [program, ...args], {
            env: { ...process.env, ...environment },
            stdio: ["ignore", "pipe", "ignore"]
          })
          let out = ""
          child.stdout.on("data", (chunk) => (out += String(chunk)))
          const waiting = setInterval(() => {
            if (ready()) {
              clearInterval(waiting)
              child.kill(signal)
            }
          }, 20)
          // Not "exit": what it has printed may come after that.
          child.once("close", (code) => {
            clearInterval(waiting)
            resolve({ code, out })
          })
        })
    )
  )

describe("a command that is interrupted", () => {
  it.scopedLive("ends with 130, so that nothing after && runs, and says what it knows of the money", () =>
    Effect.gen(function* () {
      const shop = yield* openShop
      shop.mode = "silent"
      const ping = pingArgs(shop.url, "--json", "--yes")
      const early = yield* interrupted(ping, "SIGTERM", () => shop.asked() > 0)
      expect(early.code).toBe(130)
      expect(JSON.parse(early.out)).toEqual({
        error: "Interrupted. Nothing was paid.",
        code: "interrupted",
        charged: false
      })
      shop.mode = "silent when paid"
      const late = yield* interrupted(ping, "SIGINT", () => shop.paid() > 0)
      expect(late.code).toBe(130)
      expect(JSON.parse(late.out)).toMatchObject({ code: "interrupted", charged: null })
    })
  )

  it.scopedLive("names the payment it had sent, also one that was signed before", () =>
    Effect.gen(function* () {
      const shop = yield* openShop
      shop.mode = "silent when paid"
      const ping = pingArgs(shop.url, "--json")
      const first = yield* interrupted([...ping, "--yes"], "SIGINT", () => shop.paid() > 0)
      const { payment } = JSON.parse(first.out)
      const again = yield* interrupted([...ping, "--payment", payment], "SIGINT", () => shop.paid() > 1)
      expect(again.code).toBe(130)
      expect(JSON.parse(again.out)).toMatchObject({ code: "interrupted", charged: null, payment })
      shop.mode = "safe"
      const answered = yield* run([...ping, "--payment-file", yield* fileOf(again.out)])
      expect(answered.code).toBe(0)
      expect(shop.paid()).toBe(3)
    })
  )
})

describe("somebody at a terminal whose payment has no outcome yet", () => {
  it.scopedLive("is given that payment to send again: without it he can only sign a second one", () =>
    Effect.gen(function* () {
      const shop = yield* openShop
      shop.mode = "silent when paid"
      const lost = yield* run(pingArgs(shop.url, "--yes", "--timeout", "700ms"), { environment })
      expect(lost.code).toBe(5)
      const [, payment = ""] = /^ {2}--payment (\S+)$/m.exec(lost.err) ?? []
      shop.mode = "safe"
      const asked = shop.asked()
      // No key to sign with.
      const again = yield* run(pingArgs(shop.url, "--payment", payment))
      expect(again.code).toBe(0)
      expect(shop.asked()).toBe(asked + 1)
    })
  )
})

describe("--json", () => {
  it.scopedLive("prints one object for every failure, with what is known of the money", () =>
    Effect.gen(function* () {
      const shop = yield* openShop
      const failing = [
        [pingArgs(shop.url), 3, "policy_refused", false],
        [["ping", "base", "0x123", "--url", shop.url], 2, "usage", false],
        [["ping", "ethereum", TOKEN, "--url", shop.url], 2, "usage", false],
        [pingArgs(shop.url, "--no-such-option"), 2, "usage", false],
        [["no-such-command"], 2, "usage", false],
        [["verify", "/no/such/file"], 2, "usage", false],
        [pingArgs("http://127.0.0.1:9"), 5, "network", false]
      ] as const
      for (const [args, exit, code, charged] of failing) {
        const ran = yield* run([...args, "--json"], { environment })
        expect(ran.code).toBe(exit)
        const failure = JSON.parse(ran.out)
        expect(failure).toEqual({ error: expect.stringMatching(/./), code, charged })
      }
      shop.mode = "no json"
      const wrong = yield* run(pingArgs(shop.url, "--json"), { environment })
      expect(wrong.code).toBe(5)
      expect(JSON.parse(wrong.out)).toMatchObject({ code: "unexpected_answer", charged: false })
      expect(shop.paid()).toBe(0)
    })
  )

  it.scopedLive("names the open payment, and --payment sends it again instead of a second one", () =>
    Effect.gen(function* () {
      const shop = yield* openShop
      shop.mode = "silent when paid"
      const lost = yield* run(pingArgs(shop.url, "--json", "--yes", "--timeout", "700ms"), { environment })
      expect(lost.code).toBe(5)
      const failure = JSON.parse(lost.out)
      expect(failure).toMatchObject({ code: "timeout", charged: null })
      shop.mode = "safe"
      const asked = shop.asked()
      const again = yield* run(pingArgs(shop.url, "--json", "--payment", failure.payment))
      expect(again.code).toBe(0)
      expect(shop.asked()).toBe(asked + 1)
    })
  )

  it.scopedLive("--payment-file does the same, where the list of processes does not show the payment", () =>
    Effect.gen(function* () {
      const shop = yield* openShop
      shop.mode = "silent when paid"
      const lost = yield* run(pingArgs(shop.url, "--json", "--yes", "--timeout", "700ms"), { environment })
      shop.mode = "safe"
      const asked = shop.asked()
      const payment: string = JSON.parse(lost.out).payment
      for (const text of [lost.out, `${payment}\n`]) {
        const again = yield* run(pingArgs(shop.url, "--json", "--payment-file", yield* fileOf(text)))
        expect(again).toMatchObject({ code: 0, err: "" })
      }
      expect(shop.asked()).toBe(asked + 2)
      for (const text of ["", "{}", '{"payment":5}', "two words"]) {
        const wrong = yield* run(pingArgs(shop.url, "--payment-file", yield* fileOf(text)))
        expect(wrong).toMatchObject({ code: 2, err: expect.stringContaining("holds no payment") })
      }
      const both = ["--payment", payment, "--payment-file", yield* fileOf(payment)]
      expect((yield* run(pingArgs(shop.url, ...both))).code).toBe(2)
      expect((yield* run(pingArgs(shop.url, "--payment-file", "/no/such/file"))).code).toBe(2)
      expect(shop.asked()).toBe(asked + 2)
    })
  )
})

describe("numbers", () => {
  it.scopedLive("that are none are refused as usage, and nothing is asked for or paid", () =>
    Effect.gen(function* () {
      const shop = yield* openShop
      const bad = ["NaN", "Infinity", "-Infinity", "1e400", "1e3", "-5", "-0.01", "", " ", "0x10", "5,0", "١"]
      for (const option of ["--order", "--max-price", "--budget", "--timeout"])
        for (const value of bad) {
          const { code } = yield* run(["screen", "base", TOKEN, "--url", shop.url, "--yes", option, value], {
            environment
          })
          expect([option, value, code]).toEqual([option, value, 2])
        }
      expect((yield* run(pingArgs(shop.url, "--timeout", "0"), { environment })).code).toBe(2)
      expect(shop.asked()).toBe(0)
    })
  )
})

describe("the price", () => {
  it.scopedLive("is named before anybody pays it, with and without a terminal", () =>
    Effect.gen(function* () {
      const shop = yield* openShop
      const price = `0.005 USD in USDC on Base to ${shop.payTo}`
      const alone = yield* run(pingArgs(shop.url), { environment })
      expect(alone.err).toContain(price)
      const asked = yield* run(pingArgs(shop.url), { environment, answer: false })
      expect(asked.questions).toEqual([`Pay ${price}?`])
      expect(shop.paid()).toBe(0)
    })
  )
})

describe("screen --file", () => {
  it.scopedLive("screens every token once, in order, and ends with the worst verdict", () =>
    Effect.gen(function* () {
      const shop = yield* openShop
      shop.mode = "unsafe"
      const tokens = addresses(5)
      const file = yield* fileOf(`# my tokens\n${tokens.join("  # one\n\n")}\n${tokens[0] ?? ""}\n`)
      const args = ["screen", "base", "--file", file, "--url", shop.url, "--yes"]
      const { code, out } = yield* run([...args, "--json"], { environment })
      expect(code).toBe(20)
      const report = JSON.parse(out)
      expect(report).toMatchObject({ tokens: 5, tradable: 0, failed: 0, spentUsd: "0.025" })
      expect(report.results.map(({ address }: { readonly address: string }) => address)).toEqual(tokens)
      expect(shop.paid()).toBe(5)
      const human = yield* run(args, { environment })
      expect(human.out).toContain("5 tokens, 0 tradable, 0 failed. Spent 0.025 USD in all.")
    })
  )

  it.scopedLive("keeps to one budget for the whole file, also with many at once", () =>
    Effect.gen(function* () {
      const shop = yield* openShop
      shop.mode = "unsafe"
      const file = yield* fileOf(addresses(6).join("\n"))
      const { code, out } = yield* run(
        [
          "screen",
          "base",
          "--file",
          file,
          "--url",
          shop.url,
          "--yes",
          "--json",
          "--budget",
          "0.012",
          "--concurrency",
          "6"
        ],
        { environment }
      )
      expect(code).toBe(3)
      expect(shop.paid()).toBe(2)
      const { failed, results, spentUsd } = JSON.parse(out)
      expect({ failed, spentUsd }).toEqual({ failed: 4, spentUsd: "0.01" })
      expect(results.at(-1)).toMatchObject({ code: "policy_refused", charged: false })
    })
  )

  it.scopedLive("asks once for all of them, with the most it can cost", () =>
    Effect.gen(function* () {
      const shop = yield* openShop
      const file = yield* fileOf(addresses(3).join("\n"))
      const args = ["screen", "base", "--file", file, "--url", shop.url]
      const no = yield* run(args, { environment, answer: false })
      expect(no.code).toBe(3)
      expect(no.questions).toEqual(["Screen 3 tokens and pay up to 1 USD in all, at most 0.05 USD a call?"])
      expect(shop.asked()).toBe(0)
    })
  )

  it.scopedLive("wants exactly one of address and file, and says which line is wrong", () =>
    Effect.gen(function* () {
      const file = yield* fileOf(`${TOKEN}\nnonsense\n`)
      expect((yield* run(["screen", "base"])).code).toBe(2)
      expect((yield* run(["screen", "base", TOKEN, "--file", file])).code).toBe(2)
      const wrong = yield* run(["screen", "base", "--file", file])
      expect(wrong.code).toBe(2)
      expect(wrong.err).toContain("line 2")
    })
  )
})

describe("help", () => {
  it.effect("of every command names its arguments and options, in 80 columns", () =>
    Effect.gen(function* () {
      const pages = [
        ["ping", "CHAIN"],
        ["deep", "ADDRESS"],
        ["screen", "--file FILE"],
        ["watch", "--every"],
        ["verify", "FILE"],
        ["doctor", "URL"],
        ["serve", "CONFIGURATION"]
      ] as const
      for (const [command, word] of pages)
        for (const args of [
          [command, "--help"],
          ["help", command]
        ]) {
          const { code, out } = yield* run(args)
          expect(code).toBe(0)
          expect(out).toContain(`token-risk ${command}`)
          expect(out).toContain(word)
          expect(out.split("\n").filter((line) => line.length > 80)).toEqual([])
        }
    })
  )
})
