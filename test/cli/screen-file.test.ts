import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { run } from "../support/cli/run.ts"
import { losing, openShop } from "../support/cli/shop.ts"
import { environment, fileOf, TOKEN } from "../support/cli/arguments.ts"

const addresses = (count: number) =>
  Array.from({ length: count }, (_, at) => `0x${(at + 1).toString(16).padStart(40, "0")}`)

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

  it.scopedLive("names every payment whose outcome is open, and each of them brings its answer", () =>
    Effect.gen(function* () {
      const shop = yield* openShop
      shop.mode = "silent when paid"
      const tokens = addresses(2)
      const file = yield* fileOf(tokens.join("\n"))
      const args = ["screen", "base", "--file", file, "--url", shop.url, "--yes"]
      const { code, out } = yield* losing(shop, 2, (limit) =>
        run([...args, "--timeout", limit], { environment })
      )
      expect(code).toBe(5)
      const open = [...out.matchAll(/^ {2}(0x[0-9a-f]{40}) {2}--payment (\S+)$/gm)]
      expect(open.map(([, token]) => token)).toEqual(tokens)
      shop.mode = "safe"
      for (const [, token = "", payment = ""] of open) {
        const again = yield* run(["ping", "base", token, "--url", shop.url, "--payment", payment])
        expect(again.code).toBe(0)
      }
    })
  )

  it.scopedLive("says of a chain's own coin that it is no token", () =>
    Effect.gen(function* () {
      const file = yield* fileOf(`${TOKEN}\n0x${"e".repeat(40)}\n`)
      const { code, err } = yield* run(["screen", "base", "--file", file])
      expect(code).toBe(2)
      expect(err).toContain(`line 2: 0x${"e".repeat(40)} is no token: for ETH ask for WETH, ${TOKEN}`)
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
