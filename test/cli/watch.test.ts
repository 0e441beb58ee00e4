import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { evmKey } from "../../scripts/sandbox/accounts.ts"
import { run } from "../support/cli/run.ts"
import { losing, openShop } from "../support/cli/shop.ts"

const environment = { TOKEN_RISK_BASE_KEY: evmKey("payer") }
const TOKEN = "0x4200000000000000000000000000000000000006"

describe("watch", () => {
  it.scopedLive("prints a line for every look, names changes, and ends with the last look's code", () =>
    Effect.gen(function* () {
      const shop = yield* openShop
      const args = [
        "watch",
        "base",
        TOKEN,
        "--url",
        shop.url,
        "--yes",
        "--every",
        "1ms",
        "--count",
        "2",
        "--json"
      ]
      const fiber = yield* Effect.fork(run(args, { environment }))
      yield* Effect.repeat(Effect.sleep(1), { until: () => shop.paid() >= 1 })
      shop.mode = "unsafe"
      const { code, out } = yield* fiber
      const looks = out.split("\n").map((line) => JSON.parse(line))
      expect(looks).toHaveLength(2)
      expect(looks[0].changed).toEqual([])
      expect([0, 20]).toContain(code)
      if (code === 20) expect(looks[1].changed).toEqual(["safe: true → false"])
    })
  )

  it.scopedLive("ends with 3 when its budget is spent, and pays no more", () =>
    Effect.gen(function* () {
      const shop = yield* openShop
      const args = ["watch", "base", TOKEN, "--url", shop.url, "--yes", "--every", "1ms"]
      const { code, out } = yield* run([...args, "--budget", "0.012"], { environment })
      expect(code).toBe(3)
      expect(shop.paid()).toBe(2)
      expect(out.match(/SAFE/g)).toHaveLength(2)
      expect(out).toMatch(/ 1 pool {2}/)
    })
  )

  it.scopedLive("goes on after an answer that did not come, and says so", () =>
    Effect.gen(function* () {
      const shop = yield* openShop
      shop.next.push("safe", "safe", "no json", "no json")
      const args = ["watch", "base", TOKEN, "--url", shop.url, "--yes", "--every", "1ms", "--count", "4"]
      const { code, out } = yield* run([...args, "--json"], { environment })
      const looks = out.split("\n").map((line) => JSON.parse(line))
      expect(code).toBe(0)
      expect(looks.map((look) => look.code ?? look.result.safe)).toEqual([
        true,
        "unexpected_answer",
        "unexpected_answer",
        true
      ])
      expect(looks[1]).toMatchObject({ at: expect.any(Number), charged: false, spentUsd: "0.005" })
      expect(shop.paid()).toBe(2)
    })
  )

  it.scopedLive(
    "sends a payment whose answer was lost again with the next look, and signs no second one",
    () =>
      Effect.gen(function* () {
        const shop = yield* openShop
        const args = ["watch", "base", TOKEN, "--url", shop.url, "--yes", "--every", "1ms", "--count", "3"]
        const { code, out } = yield* losing(shop, 3, (limit) => {
          shop.next.splice(0, shop.next.length, "safe", "safe", "safe", "silent when paid")
          return run([...args, "--timeout", limit, "--json"], { environment })
        })
        const looks = out.split("\n").map((line) => JSON.parse(line))
        expect(code).toBe(0)
        expect(looks[1]).toMatchObject({ code: "timeout", charged: null, payment: expect.any(String) })
        expect(looks[2].result.safe).toBe(true)
        expect(looks.map(({ spentUsd }) => spentUsd)).toEqual(["0.005", "0.01", "0.01"])
      })
  )

  it.scopedLive("ends when nothing came five looks in a row, and at once where nothing ever came", () =>
    Effect.gen(function* () {
      const shop = yield* openShop
      shop.next.push("safe", "safe")
      shop.mode = "no json"
      const args = ["watch", "base", TOKEN, "--url", shop.url, "--yes", "--every", "1ms"]
      const late = yield* run(args, { environment })
      expect([late.code, shop.asked()]).toEqual([5, 7])
      expect(late.out.match(/NO ANSWER/g)).toHaveLength(4)
      expect(late.err).toContain("Check the address")
      const never = yield* run(args, { environment })
      expect([never.code, never.out, shop.asked()]).toEqual([5, "", 8])
    })
  )
})
