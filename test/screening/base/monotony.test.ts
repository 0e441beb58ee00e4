import { describe, expect, it } from "@effect/vitest"
import fc from "fast-check"
import { known, missing } from "../../../src/domain/fact.ts"
import type { BaseEvidence } from "../../../src/screening/base/evidence.ts"
import type { SimulationFindings } from "../../../src/screening/base/simulation/findings.ts"
import type { CodeFindings } from "../../../src/screening/base/power/findings.ts"
import { OWNER, clean, fairTrades, found, harmlessCode, judge, pool } from "../../support/base/fixtures.ts"

type Worsening = (evidence: BaseEvidence) => BaseEvidence

const trade =
  (change: Partial<SimulationFindings>): Worsening =>
  (evidence) => ({
    ...evidence,
    simulation: known({ ...(evidence.simulation.known ? evidence.simulation.value : fairTrades), ...change })
  })
const power =
  (change: Partial<CodeFindings>): Worsening =>
  (evidence) => ({
    ...evidence,
    code: {
      ...evidence.code,
      findings: known({
        ...(evidence.code.findings.known ? evidence.code.findings.value : harmlessCode),
        ...change
      })
    }
  })

/** Each makes one thing worse and leaves the rest alone, so that any number of them can be piled up. */
const worsenings: ReadonlyArray<readonly [string, Worsening]> = [
  ["honeypot", trade({ honeypot: true })],
  ["sell tax", trade({ sellTaxBps: 2500 })],
  ["buy tax", trade({ buyTaxBps: 6000 })],
  ["evasion", trade({ inconsistent: true })],
  ["full sell refused", trade({ fullSell: known(false) })],
  ["holders blocked", trade({ holders: known({ tried: 4, failed: 4 }) })],
  ["mint", power({ hiddenMint: found })],
  ["blacklist", power({ blacklist: found, limitingSell: found })],
  ["seize", power({ leakingToken: found, balanceSeizure: found })],
  ["fee", power({ unboundedFee: found })],
  ["environment", power({ environmentGate: found })],
  [
    "owner",
    (e) => ({
      ...e,
      owner: { ...e.owner, status: "held", owner: OWNER, holder: { kind: "eoa" }, supplyShare: 0.6 }
    })
  ],
  ["unlocked", (e) => ({ ...e, lp: { locked: false, share: 0, spread: false } })],
  ["copycat", (e) => ({ ...e, shape: { ...e.shape, copycat: { of: "major", backedByEth: false } } })],
  ["market down", (e) => ({ ...e, market: missing("down") })],
  ["disputed price", (e) => ({ ...e, price: { price: missing("disputed"), spread: 0.5 } })],
  ["jump", (e) => ({ ...e, pools: e.pools.map((one) => ({ ...one, earlierQuoteReserve: 1n })) })],
  ["balances", (e) => ({ ...e, pools: e.pools.map((one) => ({ ...one, tokenBalance: 0n })) })],
  [
    // On the chain and in market data alike: that the two agree is another signal's matter.
    "thin",
    (e) => ({
      ...e,
      pools: e.pools.map((one) => ({ ...one, quoteUsd: Math.min(one.quoteUsd, 50) })),
      market: e.market.known
        ? known(
            e.market.value.map((pair) => ({ ...pair, liquidityUsd: Math.min(pair.liquidityUsd ?? 0, 100) }))
          )
        : e.market
    })
  ],
  [
    "upgradeable",
    (e) => ({
      ...e,
      code: { ...e.code, upgrader: { kind: "eoa" }, proxy: { kind: "beacon", beacon: OWNER } }
    })
  ]
]

const safety = { true: 2, null: 1, false: 0 } as const
const rank = (safe: boolean | null) => safety[`${safe}`]

describe("the score", () => {
  const expectMonotone = (chosen: ReadonlyArray<number>, extra: number) => {
    const apply = (indices: ReadonlyArray<number>) =>
      indices.reduce((evidence, index) => worsenings[index]?.[1](evidence) ?? evidence, clean)
    const others = chosen.filter((index) => index !== extra)
    const before = judge(apply(others))
    const after = judge(apply([...others, extra]))
    const names = [...others, extra].map((index) => worsenings[index]?.[0]).join(", ")
    expect({ names, rises: after.score >= before.score }).toEqual({ names, rises: true })
    expect({ names, falls: rank(after.safe) <= rank(before.safe) }).toEqual({ names, falls: true })
  }
  const all = worsenings.map((_, index) => index)

  it("never falls and safety never rises when one more thing is wrong beside any other", () => {
    for (const one of all) for (const extra of all) expectMonotone([one], extra)
  })

  it("never falls and safety never rises when one more thing is wrong, whatever else is", () => {
    fc.assert(fc.property(fc.subarray(all), fc.nat(worsenings.length - 1), expectMonotone), { numRuns: 300 })
  })

  it("never falls when a source that knew something bad or good is taken away and was good", () => {
    const blinded = judge({
      ...clean,
      simulation: missing("down"),
      pools: [pool({ earlierQuoteReserve: null })]
    })
    expect(blinded.score).toBeGreaterThan(judge(clean).score)
  })
})
