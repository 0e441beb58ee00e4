import { describe, expect, it } from "@effect/vitest"
import * as fc from "fast-check"
import { InvalidRequest, PolicyRefusal } from "../../src/client/errors.ts"
import type { SpendingPolicy } from "../../src/client/policy.ts"
import { choose, defaultPolicy, policyOf } from "../../src/client/policy.ts"
import type { Network, PaymentRequired, PaymentRequirements } from "../../src/client/types.ts"
import { BASE_NETWORK, SOLANA_NETWORK, USDC } from "../../src/client/types.ts"

const both: ReadonlyArray<Network> = [BASE_NETWORK, SOLANA_NETWORK]

const option = (changes: Partial<PaymentRequirements> = {}): PaymentRequirements => ({
  scheme: "exact",
  network: BASE_NETWORK,
  amount: "5000",
  asset: USDC[changes.network ?? BASE_NETWORK],
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

const refusalOf = (run: () => unknown): PolicyRefusal | undefined => {
  try {
    run()
    return undefined
  } catch (error) {
    if (error instanceof PolicyRefusal) return error
    throw error
  }
}

describe("a spending policy", () => {
  it("pays the first allowed network in its own order, not the server's", () => {
    const options = [option(), option({ network: SOLANA_NETWORK })]
    expect(pick(options).network).toBe(BASE_NETWORK)
    expect(pick(options, { networks: [SOLANA_NETWORK, BASE_NETWORK] }).network).toBe(SOLANA_NETWORK)
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
    expect(refusalOf(() => pick([offered], policy, left))?.reasons).toHaveLength(1)
  })

  it("knows a recipient on Base in any letter case, and on Solana in one only", () => {
    const base = option({ payTo: "0x000000000000000000000000000000000000dEaD" })
    expect(pick([base], { recipients: ["0x000000000000000000000000000000000000DEAD"] })).toBe(base)
    const solana = option({ network: SOLANA_NETWORK, payTo: "Aaaa" })
    expect(refusalOf(() => pick([solana], { recipients: ["AAAA"] }))).toBeDefined()
  })

  it("never picks an option above cap or budget", () => {
    const amounts = fc.bigInt({ min: 0n, max: 200_000n })
    fc.assert(
      fc.property(fc.array(amounts, { maxLength: 5 }), amounts, amounts, (prices, maxPerCall, left) => {
        const options = prices.map((price) => option({ amount: price.toString() }))
        const payable = prices.some((price) => price <= maxPerCall && price <= left)
        const refusal = refusalOf(() => {
          const amount = BigInt(pick(options, { maxPerCall }, left).amount)
          expect(amount <= maxPerCall && amount <= left).toBe(true)
        })
        expect(refusal === undefined).toBe(payable)
      })
    )
  })
})

describe("the limits a caller gives", () => {
  it("change those they name; the others stay at their defaults", () => {
    expect(policyOf({ maxPerCall: 5_000n })).toEqual({ ...defaultPolicy, maxPerCall: 5_000n })
    expect(policyOf(undefined)).toEqual(defaultPolicy)
  })

  /** What a caller without a type checker may give. */
  const wrong = (policy: unknown): Partial<SpendingPolicy> => JSON.parse(JSON.stringify(policy))

  it.each<[string, Partial<SpendingPolicy>, RegExp]>([
    ["USD instead of smallest units", wrong({ maxPerCall: 0.05 }), /policy\.maxPerCall .*bigint.*50_000n/],
    ["a number", wrong({ budget: 1_000_000 }), /policy\.budget .*bigint/],
    ["a negative amount", { budget: -1n }, /policy\.budget/],
    ["no list of networks", wrong({ networks: "eip155:8453" }), /policy\.networks .*eip155:8453/],
    ["a chain's name for a network", wrong({ networks: ["base"] }), /policy\.networks .*eip155:8453/],
    ["a validity that is no number", wrong({ maxTimeoutSeconds: "60" }), /policy\.maxTimeoutSeconds/],
    ["recipients that are no list", wrong({ recipients: "0x1" }), /policy\.recipients/],
    ["a limit that does not exist", wrong({ maxPerCallUsd: 0.01 }), /policy has no maxPerCallUsd/]
  ])("are refused where they are %s, before anything is sent", (_name, given, message) => {
    const parse = () => policyOf(given)
    expect(parse).toThrow(InvalidRequest)
    expect(parse).toThrow(message)
  })
})
