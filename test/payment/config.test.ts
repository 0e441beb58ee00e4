import { describe, expect, it } from "@effect/vitest"
import { ConfigProvider, Effect } from "effect"
import { evmKey, solanaSecretKey } from "../../scripts/sandbox/accounts.ts"
import { paymentConfig } from "../../src/payment/config.ts"

const MERCHANT = "0xAb5801a7D398351b8bE11C439e05C5B3259aeC9B"
const SOLANA_MERCHANT = "So11111111111111111111111111111111111111112"

const read = (variables: Readonly<Record<string, string>>) =>
  Effect.withConfigProvider(
    Effect.flatten(Effect.succeed(paymentConfig)),
    ConfigProvider.fromMap(new Map(Object.entries(variables)))
  )

const selfHosted = Effect.map(
  Effect.promise(() => solanaSecretKey("fee payer")),
  (solana) => ({
    BASE_PAY_TO: MERCHANT,
    SOLANA_PAY_TO: SOLANA_MERCHANT,
    BASE_SETTLER_PRIVATE_KEY: evmKey("settler"),
    SOLANA_FEE_PAYER_PRIVATE_KEY: solana
  })
)

/** In two spellings. */
const twice = (key: string) => `${key},0x${key.slice(2).toUpperCase()}`

const errorOf = (change: Readonly<Record<string, string>>) =>
  Effect.gen(function* () {
    const variables = { ...(yield* selfHosted), ...change }
    return String(yield* Effect.flip(read(variables)))
  })

describe("the payment configuration", () => {
  it.effect("takes our own keys, base58 or a JSON byte array, or a facilitator", () =>
    Effect.gen(function* () {
      const variables = yield* selfHosted
      const config = yield* read(variables)
      expect(config.settlement).toMatchObject({
        base: { kind: "self-hosted" },
        solana: { kind: "self-hosted" }
      })
      expect(config.payTo).toEqual({ base: MERCHANT, solana: SOLANA_MERCHANT })
      const { BASE_PAY_TO, SOLANA_PAY_TO } = variables
      const remote = yield* read({ BASE_PAY_TO, SOLANA_PAY_TO, FACILITATOR_URL: "https://f.test/x402/" })
      expect(remote.settlement).toMatchObject({
        base: { kind: "remote", url: "https://f.test/x402" },
        solana: { kind: "remote" }
      })
    })
  )

  it.effect("gives the receiving address its checksum", () =>
    Effect.gen(function* () {
      const config = yield* read({ ...(yield* selfHosted), BASE_PAY_TO: MERCHANT.toLowerCase() })
      expect(config.payTo.base).toBe(MERCHANT)
    })
  )

  it.effect.each<readonly [string, Readonly<Record<string, string>>, string]>([
    ["a wrong checksum", { BASE_PAY_TO: MERCHANT.replace("Ab58", "aB58") }, "BASE_PAY_TO"],
    ["the zero address", { BASE_PAY_TO: `0x${"0".repeat(40)}` }, "BASE_PAY_TO"],
    ["the USDC contract", { BASE_PAY_TO: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913" }, "BASE_PAY_TO"],
    ["the USDC mint", { SOLANA_PAY_TO: "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v" }, "SOLANA_PAY_TO"],
    ["the system program", { SOLANA_PAY_TO: "1".repeat(32) }, "SOLANA_PAY_TO"],
    ["an EVM address on Solana", { SOLANA_PAY_TO: MERCHANT }, "SOLANA_PAY_TO"],
    ["no key and no facilitator", { BASE_SETTLER_PRIVATE_KEY: "" }, "BASE_SETTLER_PRIVATE_KEY"],
    ["one key twice", { BASE_SETTLER_PRIVATE_KEY: twice(evmKey("settler")) }, "BASE_SETTLER_PRIVATE_KEY"],
    ["a facilitator's query", { FACILITATOR_URL: "https://f.test/x402?key=1" }, "without query"],
    ["a facilitator's empty query", { FACILITATOR_URL: "https://f.test/x402?" }, "without query"],
    ["a facilitator's fragment", { FACILITATOR_URL: "https://f.test/x402#" }, "without query"],
    ["a facilitator's password", { FACILITATOR_URL: "https://me:secret@f.test" }, "without query"],
    ["both key and facilitator", { FACILITATOR_URL: "https://f.test" }, "FACILITATOR_URL"]
  ])("refuses %s and names the variable", ([, change, name]) =>
    Effect.gen(function* () {
      expect(yield* errorOf(change)).toContain(name)
    })
  )

  it.effect("never repeats a wrong secret", () =>
    Effect.gen(function* () {
      const secrets: ReadonlyArray<Readonly<Record<string, string>>> = [
        { BASE_SETTLER_PRIVATE_KEY: "0xhunter2" },
        { BASE_SETTLER_PRIVATE_KEY: `0x${"0".repeat(64)}` },
        { SOLANA_FEE_PAYER_PRIVATE_KEY: "hunter2hunter2" },
        { SOLANA_FEE_PAYER_PRIVATE_KEY: JSON.stringify(Array.from({ length: 64 }, (_, i) => i)) }
      ]
      for (const secret of secrets) {
        const [[name, value] = ["", ""]] = Object.entries(secret)
        const error = yield* errorOf(secret)
        expect(error).toContain(name)
        expect(error).not.toContain(value)
      }
    })
  )

  it.effect("reports everything that is missing at once", () =>
    Effect.gen(function* () {
      const error = String(yield* Effect.flip(read({})))
      for (const name of [
        "BASE_PAY_TO",
        "SOLANA_PAY_TO",
        "BASE_SETTLER_PRIVATE_KEY",
        "SOLANA_FEE_PAYER_PRIVATE_KEY"
      ]) {
        expect(error).toContain(name)
      }
    })
  )
})
