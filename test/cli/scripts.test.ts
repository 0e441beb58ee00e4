import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { run } from "../support/cli/run.ts"
import { losing, openShop } from "../support/cli/shop.ts"
import { environment, TOKEN, pingArgs, fileOf } from "../support/cli/arguments.ts"

describe("somebody at a terminal whose payment has no outcome yet", () => {
  it.scopedLive("is given that payment to send again: without it he can only sign a second one", () =>
    Effect.gen(function* () {
      const shop = yield* openShop
      shop.mode = "silent when paid"
      const lost = yield* losing(shop, 1, (limit) =>
        run(pingArgs(shop.url, "--yes", "--timeout", limit), { environment })
      )
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
      const lost = yield* losing(shop, 1, (limit) =>
        run(pingArgs(shop.url, "--json", "--yes", "--timeout", limit), { environment })
      )
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
      const lost = yield* losing(shop, 1, (limit) =>
        run(pingArgs(shop.url, "--json", "--yes", "--timeout", limit), { environment })
      )
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
