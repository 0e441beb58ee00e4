import type { PingResult, UnsignedReport } from "../domain/report.ts"
import type { EvidenceAnchor, Screening } from "../domain/screening.ts"
import type { Assessment } from "./risk-scorer.ts"

/** Digits of a price that carry meaning; more would only show floating-point noise. */
const PRICE_DIGITS = 12

/** A price on the wire: positive and finite in 12 significant digits, else null. */
export const toPriceUsd = (price: number | null): number | null => {
  if (price === null || !Number.isFinite(price) || price <= 0) return null
  return Number(price.toPrecision(PRICE_DIGITS))
}

/** USD in cents. What is no amount is no liquidity. */
const toLiquidityUsd = (usd: number): number => {
  const cents = Math.round(usd * 100) / 100
  return Number.isFinite(cents) && cents > 0 ? cents : 0
}

const toCount = (count: number): number => (Number.isFinite(count) && count > 0 ? Math.trunc(count) : 0)

const toEvidence = (anchor: EvidenceAnchor): UnsignedReport["evidence"] =>
  anchor.chain === "base"
    ? {
        block: anchor.block,
        slot: null,
        codeHash: anchor.codeHash,
        implementation: anchor.implementation,
        implementationCodeHash: anchor.implementationCodeHash
      }
    : {
        block: null,
        slot: anchor.slot,
        codeHash: anchor.accountHash,
        implementation: null,
        implementationCodeHash: null
      }

/** The ping's view of a screening. Holds only finite numbers. */
export const toPing = (screening: Screening, assessment: Assessment, cacheHit: boolean): PingResult => ({
  safe: assessment.safe,
  mintAuthorityOff: screening.mintAuthorityOff,
  lpLocked: screening.lpLocked,
  pairs: toCount(screening.pairs),
  priceUsd: toPriceUsd(screening.priceUsd),
  fetchedAt: Math.trunc(screening.fetchedAt),
  cacheHit
})

/** What a deep report says of this call, beside what it says of the token. */
export interface ReportContext {
  readonly cacheHit: boolean
  readonly free: boolean
  readonly methodology: string
}

/** The deep view of a screening, ready to be attested. Holds only finite numbers. */
export const toReport = (
  screening: Screening,
  assessment: Assessment,
  delivery: ReportContext
): UnsignedReport => ({
  chain: screening.token.chain,
  address: screening.token.address,
  verdict: assessment.verdict,
  score: assessment.score,
  band: assessment.band,
  reasons: assessment.reasons,
  priceUsd: toPriceUsd(screening.priceUsd),
  liquidityUsd: toLiquidityUsd(screening.liquidityUsd),
  fetchedAt: Math.trunc(screening.fetchedAt),
  cacheHit: delivery.cacheHit,
  free: delivery.free,
  ...(screening.exits === undefined ? {} : { exits: screening.exits }),
  signals: screening.signals,
  coverage: assessment.coverage,
  methodology: delivery.methodology,
  evidence: toEvidence(screening.anchor)
})
