import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { evmKey } from "../../scripts/sandbox/accounts.ts"
import { run } from "../support/cli/run.ts"
import { openShop } from "../support/cli/shop.ts"

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
    })
  )
})
