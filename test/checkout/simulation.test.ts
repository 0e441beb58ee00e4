import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { Checkouts } from "../../src/checkout/checkouts.ts"
import { SOLANA_NETWORK } from "../../src/domain/chain.ts"
import { SqlClient } from "@effect/sql"
import { Chain, order, shop, SOLANA_MERCHANT } from "../support/checkout/shop.ts"

const simulate = (change: Parameters<typeof order>[0] = {}) =>
  Effect.flatMap(Checkouts, (checkouts) => checkouts.simulate(order(change)))

describe("a simulated checkout", () => {
  it.effect.each(["base", "solana"] as const)("walks every failure on %s", (chain) =>
    Effect.gen(function* () {
      const result = yield* simulate(
        chain === "base" ? {} : { network: SOLANA_NETWORK, merchantPayTo: SOLANA_MERCHANT }
      )
      expect(result.simulated).toBe(true)
      expect(result.steps.map(({ httpStatus, step }) => [step, httpStatus])).toEqual([
        ["create", 200],
        ["challenge", 402],
        ["malformed_payment", 400],
        ["wrong_amount", 402],
        ["wrong_network", 402],
        ["wrong_asset", 402],
        ["wrong_recipient", 402],
        ["wrong_memo", 402],
        ["payment_used_elsewhere", 409],
        ["lost_reply", 503],
        ["second_payer", 503],
        ["paid", 200],
        ["replay", 200],
        ["replay_after_expiry", 200],
        ["other_payment", 409],
        ["expired", 410]
      ])
    }).pipe(Effect.provide(shop()))
  )

  it.effect("cannot be mistaken for a payment, and its terms cannot be paid", () =>
    Effect.gen(function* () {
      const result = yield* simulate()
      const text = JSON.stringify(result)
      expect(text).not.toMatch(/"status":"(?:paid|open|processing|expired)"/)
      expect(text).not.toContain('"scheme":"exact"')
      expect(text).not.toContain("chk_")
      expect(result.steps.find(({ step }) => step === "paid")?.answer["transaction"]).toMatch(
        /^sim_[0-9a-f]{64}$/
      )
    }).pipe(Effect.provide(shop()))
  )

  it.effect("touches neither chain nor ledger nor the table of checkouts", () =>
    Effect.gen(function* () {
      const chain = yield* Chain
      chain.account = "missing"
      yield* simulate({ network: SOLANA_NETWORK, merchantPayTo: SOLANA_MERCHANT })
      const sql = yield* SqlClient.SqlClient
      for (const table of ["checkouts", "payments", "payment_events", "webhook_deliveries"]) {
        expect(yield* sql`SELECT * FROM ${sql(table)}`).toEqual([])
      }
      expect(chain.settles).toBe(0)
    }).pipe(Effect.provide(shop()))
  )
})
