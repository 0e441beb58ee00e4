import { describe, expect, it } from "@effect/vitest"
import { Either } from "effect"
import * as fc from "fast-check"
import type { Network } from "../../src/domain/chain.ts"
import { BASE_NETWORK, SOLANA_NETWORK, usdcOf } from "../../src/domain/chain.ts"
import type { PaymentRequired, PaymentRequirements } from "../../src/domain/x402.ts"
import type { SpendingPolicy } from "../../src/client/policy.ts"
import { choose, defaultPolicy } from "../../src/client/policy.ts"

const both: ReadonlyArray<Network> = [BASE_NETWORK, SOLANA_NETWORK]

const option = (changes: Partial<PaymentRequirements> = {}): PaymentRequirements => ({
  scheme: "exact",
  network: BASE_NETWORK,
  amount: "5000",
  asset: usdcOf(changes.network ?? BASE_NETWORK),
  payTo: "0x0000000000000000000000000000000000000001",
  maxTimeoutSeconds: 60,
  extra: {},
  ...changes
})

const challenge = (...accepts: ReadonlyArray<PaymentRequirements>): PaymentRequired => ({
  x402Version: 2,
  error: "Payment Required",
  resource: { url: "https://risk.test/x", description: "", mimeType: "application/json" },
  accepts
})

const pick = (
  options: ReadonlyArray<PaymentRequirements>,
  policy: Partial<SpendingPolicy> = {},
  left = 1_000_000n
) => choose(challenge(...options), { ...defaultPolicy, ...policy }, left, both)

describe("a spending policy", () => {
  it("pays the first allowed network in its own order, not the server's", () => {
    const options = [option(), option({ network: SOLANA_NETWORK })]
    expect(pick(options).pipe(Either.map((o) => o.network))).toEqual(Either.right(BASE_NETWORK))
    expect(
      pick(options, { networks: [SOLANA_NETWORK, BASE_NETWORK] }).pipe(Either.map((o) => o.network))
    ).toEqual(Either.right(SOLANA_NETWORK))
  })

  it.each<[string, PaymentRequirements, Partial<SpendingPolicy>, bigint]>([
    ["a price above the cap", option({ amount: "50001" }), {}, 1_000_000n],
    ["a price above what the budget has left", option(), {}, 4_999n],
    ["a network that is not allowed", option(), { networks: [SOLANA_NETWORK] }, 1_000_000n],
    [
      "an asset that is not USDC",
      option({ asset: "0x4200000000000000000000000000000000000006" }),
      {},
      1_000_000n
    ],
    ["a recipient that is not listed", option(), { recipients: ["0x02"] }, 1_000_000n],
    ["a long validity", option({ maxTimeoutSeconds: 121 }), {}, 1_000_000n]
  ])("refuses %s and says why", (_name, offered, policy, left) => {
    const refusal = Either.flip(pick([offered], policy, left))
    expect(Either.isRight(refusal) && refusal.right.reasons).toHaveLength(1)
  })

  it("never picks an option above cap or budget", () => {
    const amounts = fc.bigInt({ min: 0n, max: 200_000n })
    fc.assert(
      fc.property(fc.array(amounts, { maxLength: 5 }), amounts, amounts, (prices, maxPerCall, left) => {
        const options = prices.map((price) => option({ amount: price.toString() }))
        const chosen = pick(options, { maxPerCall }, left)
        const payable = prices.some((price) => price <= maxPerCall && price <= left)
        expect(Either.isRight(chosen)).toBe(payable)
        const amount = Either.match(chosen, { onLeft: () => 0n, onRight: (paid) => BigInt(paid.amount) })
        expect(amount).toBeLessThanOrEqual(maxPerCall)
        expect(amount).toBeLessThanOrEqual(left)
      })
    )
  })
})
