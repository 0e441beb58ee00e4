import { Schema } from "effect"
import { Integer } from "./integer.ts"
import { SignalResult } from "./signal.ts"

const FetchedAt = Integer.annotations({
  description:
    "Unix time in milliseconds at which the evidence was read; a cached answer keeps the old time.",
  jsonSchema: { type: "integer", format: "int64" }
})
const PriceUsd = Schema.NullOr(Schema.Number).annotations({
  description: "USD per whole token, from pools against trusted quotes; null when unknown or in dispute."
})

/** 200 body of the safety ping. */
export const PingResult = Schema.Struct({
  safe: Schema.NullOr(Schema.Boolean).annotations({
    description: "true: every critical signal is known and good. null: unknown, treat as position size zero."
  }),
  mintAuthorityOff: Schema.NullOr(Schema.Boolean),
  lpLocked: Schema.NullOr(Schema.Boolean),
  pairs: Schema.Number.annotations({ description: "Pools found." }),
  priceUsd: PriceUsd,
  fetchedAt: FetchedAt,
  cacheHit: Schema.Boolean
}).annotations({ identifier: "PingResult" })
export type PingResult = typeof PingResult.Type

export const Verdict = Schema.Literal("allow", "caution", "avoid").annotations({ identifier: "Verdict" })
export type Verdict = typeof Verdict.Type

export const Band = Schema.Literal("low", "elevated", "high", "critical").annotations({ identifier: "Band" })
export type Band = typeof Band.Type

export const Reason = Schema.Struct({
  code: Schema.String,
  message: Schema.String,
  points: Schema.Number
}).annotations({ identifier: "Reason" })
export type Reason = typeof Reason.Type

/** The chain state the evidence was read at; fields of the other chain are null. */
export const ReportEvidence = Schema.Struct({
  block: Schema.NullOr(Schema.String),
  slot: Schema.NullOr(Schema.String),
  codeHash: Schema.NullOr(Schema.String),
  implementation: Schema.NullOr(Schema.String),
  implementationCodeHash: Schema.NullOr(Schema.String)
}).annotations({ identifier: "ReportEvidence" })

const PartOfPrice = Schema.NullOr(Schema.Number.pipe(Schema.between(0, 1)))

/** What would be left of the price, in parts of it, if somebody left. */
export const ReportExits = Schema.Struct({
  largestHolderSells: PartOfPrice.annotations({
    description: "After the largest party has sold all it holds into the pools."
  }),
  largestGroupSells: PartOfPrice.annotations({
    description: "After creators and insiders, taken as one party, have sold all."
  }),
  largestProviderLeaves: PartOfPrice.annotations({
    description: "After whoever can withdraw most liquidity has, and has sold the tokens that came with it."
  })
}).annotations({ identifier: "ReportExits" })

/** The deep report before it is attested (with what else we tell: every signal, coverage, methodology, evidence). */
export const UnsignedReport = Schema.Struct({
  chain: Schema.String,
  address: Schema.String,
  verdict: Verdict,
  score: Schema.Number.pipe(Schema.between(0, 100)),
  band: Band,
  reasons: Schema.Array(Reason).pipe(Schema.maxItems(2)),
  priceUsd: PriceUsd,
  liquidityUsd: Schema.Number,
  fetchedAt: FetchedAt,
  cacheHit: Schema.Boolean,
  free: Schema.Boolean,
  exits: Schema.optionalWith(ReportExits, { exact: true }),
  signals: Schema.Array(SignalResult),
  coverage: Schema.Number.pipe(Schema.between(0, 1)).annotations({ description: "Share of signals known." }),
  methodology: Schema.String,
  evidence: ReportEvidence
})
export type UnsignedReport = typeof UnsignedReport.Type

/** `digest`: SHA-256 hex of the RFC 8785 bytes of the report without this member. `hmac`: integrity only. */
export const Attestation = Schema.Struct({
  digest: Schema.String,
  hmac: Schema.String,
  keyId: Schema.String,
  hmacKeyId: Schema.String,
  algorithm: Schema.String,
  signature: Schema.String.annotations({ description: "Ed25519 over the canonical bytes, base64url." })
}).annotations({ identifier: "Attestation" })
export type Attestation = typeof Attestation.Type

/** 200 body of the deep report. */
export const DeepReport = Schema.Struct({ ...UnsignedReport.fields, attestation: Attestation }).annotations({
  identifier: "DeepReport"
})
export type DeepReport = typeof DeepReport.Type
