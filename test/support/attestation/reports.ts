import type { UnsignedReport } from "../../../src/domain/report.ts"

/** A report as the deep operation makes it. */
export const unsignedReport: UnsignedReport = {
  chain: "base",
  address: "0x4200000000000000000000000000000000000006",
  verdict: "caution",
  score: 35,
  band: "elevated",
  reasons: [
    { code: "LP_UNLOCKED", message: "42.5 % of the liquidity can be removed at once.", points: 20.5 }
  ],
  priceUsd: 1.499e-7,
  liquidityUsd: 12_345.67,
  fetchedAt: 1_763_683_200_123,
  cacheHit: false,
  free: true,
  signals: [
    {
      id: "LP_UNLOCKED",
      state: "fail",
      points: 20.5,
      critical: true,
      hard: false,
      source: "base-rpc",
      message: "42.5 % of the liquidity can be removed at once.",
      group: "liquidity"
    }
  ],
  coverage: 1,
  methodology: "2026.11.1",
  evidence: {
    block: "123456789012345678901234567890",
    slot: null,
    codeHash: null,
    implementation: null,
    implementationCodeHash: null
  }
}
