/** What the metrics say was earned: once for each sale, by the process that writes its transfer down. */
import { describe, expect, layer } from "@effect/vitest"
import { Context, Effect, Layer, Metric } from "effect"
import { LedgerLive } from "../../../src/payment/ledger/ledger-live.ts"
import { BASE_NETWORK, SOLANA_NETWORK } from "../../../src/domain/chain.ts"
import { Ledger } from "../../../src/payment/ledger/ledger.ts"
import { bothDatabases } from "../../support/postgres.ts"
import { earned } from "../../support/payment/earned.ts"
import { newClaim, settlement } from "../../support/payment/claims.ts"
import { terms } from "../../support/payment/support.ts"

const process = Effect.map(Layer.build(Layer.fresh(LedgerLive)), Context.get(Ledger))

let transfers = 0
const newEvidence = () => ({
  network: terms.network,
  transaction: `0xearned${(transfers += 1)}`,
  index: 0,
  height: 8,
  payer: "payer",
  payTo: terms.payTo,
  amount: "5000"
})

describe.each(bothDatabases("revenue"))("what was earned, on %s,", (_name, database) => {
  layer(database, { timeout: 120_000 })((it) => {
    it.scoped(
      "stands there of each network before anything is sold, so that its rise shows the first sale",
      () =>
        Effect.gen(function* () {
          yield* process
          const networks = (yield* Metric.snapshot)
            .filter(({ metricKey }) => metricKey.name === "token_risk_revenue_usdc_total")
            .flatMap(({ metricKey }) => metricKey.tags.map(({ value }) => value))
          expect(networks.toSorted()).toEqual([BASE_NETWORK, SOLANA_NETWORK])
        })
    )

    it.scoped("is counted once, also where another process wrote it down, and nobody was waiting", () =>
      Effect.gen(function* () {
        const [begun, other] = [yield* process, yield* process]
        const claim = yield* newClaim
        const evidence = newEvidence()
        const before = yield* earned
        expect(yield* begun.begin(claim, "answer")).toBe(true)
        expect((yield* earned) - before).toBe(0)
        expect(yield* other.settled(claim.authorizationKey, settlement, evidence)).toBe("recorded")
        expect((yield* earned) - before).toBe(5_000)
        expect(yield* begun.settled(claim.authorizationKey, settlement, evidence)).toBe("not-open")
        expect((yield* earned) - before).toBe(5_000)
      })
    )

    it.scoped("is nothing where a transfer has paid for something else", () =>
      Effect.gen(function* () {
        const ledger = yield* process
        const [first, second] = [yield* newClaim, yield* newClaim]
        const evidence = newEvidence()
        for (const claim of [first, second]) expect(yield* ledger.begin(claim, "answer")).toBe(true)
        yield* ledger.settled(first.authorizationKey, settlement, evidence)
        const before = yield* earned
        expect(yield* ledger.settled(second.authorizationKey, settlement, evidence)).toBe("used-elsewhere")
        expect((yield* earned) - before).toBe(0)
      })
    )

    it.scoped("is nothing of what an order's buyer pays its merchant", () =>
      Effect.gen(function* () {
        const ledger = yield* process
        const order = { ...(yield* newClaim), feeBudgets: ["checkout"] }
        const before = yield* earned
        expect(yield* ledger.begin(order, "receipt")).toBe(true)
        expect(yield* ledger.settled(order.authorizationKey, settlement, newEvidence())).toBe("recorded")
        expect((yield* earned) - before).toBe(0)
      })
    )
  })
})
