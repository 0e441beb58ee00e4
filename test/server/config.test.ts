import { describe, expect, it } from "@effect/vitest"
import { ConfigProvider, Effect } from "effect"
import { freeTierConfig } from "../../src/free-tier/config.ts"
import { pricesConfig } from "../../src/operations/config.ts"
import { describeConfigError } from "../../src/server/config-errors.ts"
import { serviceConfig } from "../../src/server/config.ts"

/** Every line about a configuration that is wrong. */
const complaints = (environment: Readonly<Record<string, string>>) =>
  serviceConfig.pipe(
    Effect.flip,
    Effect.map(describeConfigError),
    Effect.withConfigProvider(ConfigProvider.fromMap(new Map(Object.entries(environment))))
  )

describe("the configuration", () => {
  it.effect("is reported whole, each variable with the form its value must have", () =>
    Effect.gen(function* () {
      const lines = yield* complaints({
        PORT: "99999",
        PUBLIC_URL: "ftp://x",
        FREE_WINDOW: "a day",
        CACHE_CAPACITY: "1.5",
        OTLP_URL: "notaurl",
        CONTACT: "me",
        LOG_LEVEL: "loud",
        WORKERS: "many",
        BASE_RPC_TIMEOUT: "-3",
        SOLANA_RPC_CONCURRENCY: "0"
      })
      const about = (name: string) => lines.find((line) => line.startsWith(`${name}: `))
      expect(about("PORT")).toBe("PORT: must be a port from 1 to 65535")
      expect(about("PUBLIC_URL")).toContain("must be an http or https URL")
      expect(about("FREE_WINDOW")).toContain('must be a duration, such as "30 seconds"')
      expect(about("CACHE_CAPACITY")).toBe("CACHE_CAPACITY: must be a whole number")
      expect(about("OTLP_URL")).toContain("such as http://127.0.0.1:4318")
      expect(about("CONTACT")).toContain("such as mailto:security@example.com")
      expect(about("LOG_LEVEL")).toContain("must be one of")
      expect(about("WORKERS")).toBe("WORKERS: must be a whole number")
      expect(about("BASE_RPC_TIMEOUT")).toContain("must be a duration")
      expect(about("SOLANA_RPC_CONCURRENCY")).toBe("SOLANA_RPC_CONCURRENCY: must be positive")
      expect(about("BASE_PAY_TO")).toContain("is required")
      expect(lines.filter((line) => /Expected|received/.test(line))).toEqual([])
    })
  )

  it.effect("is reported by variable and with a right example, and never with the value", () =>
    Effect.gen(function* () {
      const lines = yield* complaints({
        LEDGER_WATERMARK: "geheim",
        EXTRA_LP_LOCKERS: "0xgeheim,geheim",
        MCP_ALLOWED_ORIGINS: "geheim.example,https://geheim.example/",
        EXAMPLE_TOKENS: "base:geheim=x",
        PING_PRICE_USD: "geheim",
        SETTLEMENT_DAILY_FEES_USD: "geheim USD",
        CHECKOUT_SERVICE: "geheim/1",
        CHECKOUT_TTL: "0 seconds",
        CHECKOUT_MIN_USD: "20",
        CHECKOUT_MAX_USD: "10",
        CHECKOUT_CREATES_PER_MINUTE: "0",
        BASE_PAY_TO: "0xE059f8f9F3bBfFC6385d07EF1D88beeC19DDF00d",
        BASE_RPC_URL: "wss://geheim.example",
        DATABASE_URL: "mysql://geheim"
      })
      const about = (name: string) => lines.filter((line) => line.startsWith(name))
      const saysOnce = (name: string, form: string) => expect(about(name)).toEqual([`${name}: ${form}`])
      saysOnce("LEDGER_WATERMARK", "must be an instant, such as 2026-11-24T12:00:00Z")
      saysOnce(
        "EXTRA_LP_LOCKERS",
        "must be 0x addresses (Base) or base58 addresses (Solana), separated by commas"
      )
      saysOnce("MCP_ALLOWED_ORIGINS", "must be * or origins without a path, such as https://app.example")
      expect(about("EXAMPLE_TOKENS")[0]).toContain("such as base:0x4200…0006=WETH on Base")
      saysOnce("PING_PRICE_USD", "must be USD above 0 with at most 6 decimals, such as 0.005")
      saysOnce("SETTLEMENT_DAILY_FEES_USD", "must be a number above 0 with at most 6 decimals, such as 0.5")
      saysOnce("CHECKOUT_SERVICE", "must be 1 to 64 of a-z, 0-9 and -, and not token-risk")
      saysOnce("CHECKOUT_TTL", "must be above 0")
      saysOnce("CHECKOUT_MIN_USD", "must not be above CHECKOUT_MAX_USD")
      saysOnce("CHECKOUT_CREATES_PER_MINUTE", "must be above 0")
      expect(about("BASE_PAY_TO")[0]).toContain("letter case")
      expect(about("BASE_RPC_URL")[0]).toContain("such as https://")
      expect(about("DATABASE_URL")[0]).toContain("such as sqlite:./data/token-risk.db")
      expect(lines.filter((line) => /geheim/.test(line))).toEqual([])
    })
  )

  it.effect("takes the origins of web pages that browsers send, and * for all", () =>
    Effect.gen(function* () {
      const origins = "https://app.example, http://localhost:5173,chrome-extension://abcdef"
      for (const MCP_ALLOWED_ORIGINS of [origins, "*", ""]) {
        const lines = yield* complaints({ MCP_ALLOWED_ORIGINS })
        expect(lines.filter((line) => line.startsWith("MCP_"))).toEqual([])
      }
    })
  )

  it.effect("takes an empty count of free calls for none given, and a blank one for wrong, not for 0", () =>
    Effect.gen(function* () {
      const names = ["FREE_DEEP_CALLS", "FREE_CALLS_PER_IP", "FREE_CALLS_GLOBAL"]
      const all = (text: string) => ConfigProvider.fromMap(new Map(names.map((name) => [name, text])))
      const read = (text: string) => Effect.withConfigProvider(freeTierConfig, all(text))
      expect(yield* read("")).toMatchObject({ calls: 3, callsPerIp: 30, callsGlobal: 10_000 })
      expect(yield* read("0")).toMatchObject({ calls: 0, callsPerIp: 0, callsGlobal: 0 })
      for (const wrong of [" ", "-1", "1.5", "three", "9007199254740993"])
        expect(describeConfigError(yield* Effect.flip(read(wrong)))).toEqual([
          "FREE_DEEP_CALLS: must be a whole number, 0 or more",
          "FREE_CALLS_PER_IP: must be a whole number, 0 or more",
          "FREE_CALLS_GLOBAL: must be a whole number, 0 or more"
        ])
    })
  )

  it.effect("takes no price that is nothing: whatever is sold for it could not be paid", () =>
    Effect.gen(function* () {
      const all = (text: string) =>
        ConfigProvider.fromMap(new Map(["PING_PRICE_USD", "DEEP_PRICE_USD"].map((name) => [name, text])))
      const read = (text: string) => Effect.withConfigProvider(pricesConfig, all(text))
      const least = { usd: "0.000001", amount: 1n }
      expect(yield* read("0.000001")).toEqual({ ping: least, deep: least })
      for (const wrong of ["0", "0.0", "0.000000", "-1", "0.0000001", "1e-3"])
        expect(describeConfigError(yield* Effect.flip(read(wrong)))).toEqual([
          "PING_PRICE_USD: must be USD above 0 with at most 6 decimals, such as 0.005",
          "DEEP_PRICE_USD: must be USD above 0 with at most 6 decimals, such as 0.005"
        ])
    })
  )

  it.effect("refuses several workers over a database in memory", () =>
    Effect.gen(function* () {
      for (const url of ["sqlite::memory:", "sqlite::memory: ", "sqlite: :memory:", " sqlite::memory:"]) {
        const lines = yield* complaints({ WORKERS: "2", DATABASE_URL: url })
        expect(lines.find((line) => line.startsWith("WORKERS: "))).toContain("DATABASE_URL=sqlite::memory:")
      }
      const alone = yield* complaints({ WORKERS: "1", DATABASE_URL: "sqlite::memory:" })
      expect(alone.some((line) => line.startsWith("WORKERS"))).toBe(false)
    })
  )
})
