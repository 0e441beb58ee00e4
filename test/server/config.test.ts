import { describe, expect, it } from "@effect/vitest"
import { ConfigProvider, Effect, TestClock } from "effect"
import { freeTierConfig } from "../../src/free-tier/config.ts"
import { SOLANA_PROGRAMS } from "../../src/domain/solana-programs.ts"
import { pricesConfig } from "../../src/operations/config.ts"
import { describeConfigError } from "../../src/server/config-errors.ts"
import { checkedConfig } from "../../src/server/config.ts"

/** Every line about a configuration that is wrong. */
const complaints = (environment: Readonly<Record<string, string>>) =>
  checkedConfig.pipe(
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
        TRACE_SAMPLE_RATIO: "0",
        WORKERS: "many",
        BASE_RPC_TIMEOUT: "-3",
        SOLANA_RPC_CONCURRENCY: "0"
      })
      const about = (name: string) => lines.find((line) => line.startsWith(`${name}: `))
      expect(about("PORT")).toBe("PORT: must be a port from 1 to 65535")
      expect(about("PUBLIC_URL")).toContain("must be an http or https URL")
      expect(about("FREE_WINDOW")).toContain('must be a duration, such as "30 seconds"')
      expect(about("CACHE_CAPACITY")).toBe("CACHE_CAPACITY: must be a whole number from 1 to 1000000")
      expect(about("OTLP_URL")).toContain("such as http://127.0.0.1:4318")
      expect(about("CONTACT")).toContain("such as mailto:security@example.com")
      expect(about("LOG_LEVEL")).toContain("must be one of")
      expect(about("TRACE_SAMPLE_RATIO")).toContain("must be above 0 and at most 1")
      expect(about("WORKERS")).toBe("WORKERS: must be a whole number from 1 to 64")
      expect(about("BASE_RPC_TIMEOUT")).toContain("must be a duration")
      expect(about("SOLANA_RPC_CONCURRENCY")).toBe(
        "SOLANA_RPC_CONCURRENCY: must be a whole number from 1 to 10000"
      )
      expect(about("BASE_PAY_TO")).toContain("is required")
      expect(lines.filter((line) => /Expected|received/.test(line))).toEqual([])
    })
  )

  it.effect(
    "takes no negative time for none, and an empty duration for one that is not set, as an empty number",
    () =>
      Effect.gen(function* () {
        const lines = yield* complaints({ CACHE_TTL: "-5 seconds", FREE_WINDOW: "", WORKERS: "" })
        expect(lines).toContain("CACHE_TTL: must be a duration from 0 millis to 1 day")
        expect(lines.filter((line) => /FREE_WINDOW|WORKERS/.test(line))).toEqual([])
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
      saysOnce("CHECKOUT_TTL", "must be a duration from 1 milli to 366 days")
      saysOnce("CHECKOUT_MIN_USD", "must not be above CHECKOUT_MAX_USD")
      saysOnce("CHECKOUT_CREATES_PER_MINUTE", "must be a whole number, 1 or more")
      expect(about("BASE_PAY_TO")[0]).toContain("letter case")
      expect(about("BASE_RPC_URL")[0]).toContain("such as https://")
      expect(about("DATABASE_URL")[0]).toContain("such as sqlite:./data/token-risk.db")
      expect(lines.filter((line) => /geheim/.test(line))).toEqual([])
    })
  )

  it.effect.each<readonly [string, string, string]>([
    ["BASE_RPC_TIMEOUT", "0 seconds", "a duration from 10 millis to 5 minutes"],
    ["SOLANA_RPC_TIMEOUT", "1 day", "a duration from 10 millis to 5 minutes"],
    ["SCREENING_TIMEOUT", "0 seconds", "a duration from 10 millis to 5 minutes"],
    ["CACHE_TTL", "2 days", "a duration from 0 millis to 1 day"],
    ["FREE_WINDOW", "0 seconds", "a duration from 1 milli to 366 days"],
    ["PAYMENT_LEASE", "400 days", "a duration from 1 second to 1 hour"],
    ["PAYMENT_LEASE", "1 milli", "a duration from 1 second to 1 hour"],
    ["PAYMENT_RETENTION", "1 second", "a duration from 1 hour to 36500 days"],
    ["CHECKOUT_RETENTION", "0 days", "a duration from 1 hour to 36500 days"],
    ["CACHE_CAPACITY", "0", "a whole number from 1 to 1000000"],
    ["SCREENING_CONCURRENCY", "0", "a whole number from 1 to 10000"],
    ["BASE_RPC_CONCURRENCY", "-1", "a whole number from 1 to 10000"],
    ["CHECKOUT_PAYMENTS_PER_DAY", "1e3", "a whole number, 1 or more"],
    ["WORKERS", "65", "a whole number from 1 to 64"]
  ])(
    "does not take %s=%s, with which nothing would be sold, and says what it may be",
    ([name, value, form]) =>
      Effect.map(complaints({ [name]: value }), (lines) =>
        expect(lines.filter((line) => line.startsWith("must") || line.startsWith(name))).toEqual([
          `${name}: must be ${form}`
        ])
      )
  )

  it.effect("takes for the moment of a restore an instant alone, not what is read as some day or hour", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.parse("2026-11-25T00:00:00Z"))
      const about = (LEDGER_WATERMARK: string) =>
        Effect.map(complaints({ LEDGER_WATERMARK }), (lines) =>
          lines.filter((line) => line.startsWith("LEDGER_WATERMARK"))
        )
      for (const right of ["2026-11-24T12:00:00Z", "2026-11-24T12:00:00.000Z", "2026-11-24T13:00+01:00", ""])
        expect(yield* about(right)).toEqual([])
      for (const wrong of ["24 Nov", "1", "2026-11-24", "2026-11-24T12:00:00", "2026-13-24T12:00:00Z", "now"])
        expect(yield* about(wrong)).toEqual([
          "LEDGER_WATERMARK: must be an instant, such as 2026-11-24T12:00:00Z"
        ])
    })
  )

  it.effect(
    "takes no moment of a restore that is still to come: what lands before it would buy nothing",
    () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(Date.parse("2026-11-24T12:00:00Z"))
        const about = (LEDGER_WATERMARK: string, others: Readonly<Record<string, string>> = {}) =>
          Effect.map(complaints({ LEDGER_WATERMARK, ...others }), (lines) =>
            lines.filter((line) => /^(?:LEDGER_WATERMARK|PORT)/.test(line))
          )
        const still = "LEDGER_WATERMARK: must not lie in the future: it is the moment a backup was restored"
        expect(yield* about("2026-11-24T12:00:00Z")).toEqual([])
        // Local time with the wrong zone, and a slip of the year.
        expect(yield* about("2026-11-24T20:00:00Z")).toEqual([still])
        expect(yield* about("2027-11-24T12:00:00Z", { PORT: "0x1" })).toEqual([
          "PORT: must be a port from 1 to 65535",
          still
        ])
      })
  )

  it.effect.each([
    ["query_timeout=abc", "query_timeout", 1],
    ["query_timeout=0", "query_timeout", 1],
    ["query_timeout=2147483648", "query_timeout", 1],
    ["query_timeout=5s", "query_timeout", 1],
    ["query_timeout=5000&query_timeout=x", "query_timeout", 1],
    ["statement_timeout=-1", "statement_timeout", 0],
    ["lock_timeout=", "lock_timeout", 0],
    ["idle_in_transaction_session_timeout=1.5", "idle_in_transaction_session_timeout", 0]
  ] as const)("takes no PostgreSQL URL with %s, which is no time-out", ([query, name, least]) =>
    Effect.gen(function* () {
      const about = (url: string) =>
        Effect.map(complaints({ DATABASE_URL: url }), (lines) =>
          lines.filter((line) => line.startsWith("DATABASE_URL"))
        )
      const url = "postgres://a:geheim@127.0.0.1/risk"
      expect(yield* about(`${url}?${name}=60000&sslmode=disable`)).toEqual([])
      expect(yield* about(`${url}?${query}`)).toEqual([
        `DATABASE_URL: ${name} must be milliseconds, a whole number from ${least} to 2147483647`
      ])
    })
  )

  it.effect("takes no node twice: it would be asked again instead of another one", () =>
    Effect.gen(function* () {
      const about = (BASE_RPC_URL: string) =>
        Effect.map(complaints({ BASE_RPC_URL }), (lines) =>
          lines.filter((line) => line.startsWith("BASE_RPC_URL"))
        )
      expect(yield* about("https://a.example/geheim,https://a.example/other")).toEqual([])
      for (const twice of [
        "https://a.example/geheim, https://b.example,https://a.example/geheim",
        "https://A.example,https://a.example:443/"
      ])
        expect(yield* about(twice)).toEqual(["BASE_RPC_URL: must not name a node twice"])
    })
  )

  it.effect.each(Object.entries(SOLANA_PROGRAMS))(
    "takes no program for the wallet on Solana, as the %s program is: what it receives nobody can move",
    ([, program]) =>
      Effect.map(complaints({ SOLANA_PAY_TO: program }), (lines) =>
        expect(lines.filter((line) => line.startsWith("SOLANA_PAY_TO"))).toEqual([
          `SOLANA_PAY_TO: must ${program === SOLANA_PROGRAMS.system ? "not be the zero address" : "be a wallet, not a program"}`
        ])
      )
  )

  it.effect.each(["FACILITATOR_AUTH_HEADER", "METRICS_TOKEN"])(
    "takes for %s what a header can carry, and does not repeat it",
    (name) =>
      Effect.gen(function* () {
        const about = (text: string) =>
          Effect.map(complaints({ [name]: text }), (lines) => lines.filter((line) => line.startsWith(name)))
        expect(yield* about("Bearer abc")).toEqual([])
        for (const wrong of ["geheim\n", "geheim\r\nx: y", " geheim", "gehéim", "\u0000"])
          expect(yield* about(wrong)).toEqual([
            `${name}: must be printable ASCII on one line, without spaces around it`
          ])
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

  it.effect("takes a word in whatever letters, and a level of the log as its lines say it", () =>
    Effect.gen(function* () {
      for (const LOG_LEVEL of ["warn", "WARN", "warning", "INFO", "Error"])
        expect(
          (yield* complaints({ LOG_LEVEL, ADDRESS_LIMITS: "OFF" })).filter((line) =>
            /^(?:LOG_LEVEL|ADDRESS_LIMITS)/.test(line)
          )
        ).toEqual([])
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
