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

const CacheHit = Schema.Boolean.annotations({
  description: "The evidence was read for an earlier call; fetchedAt says when."
})

/** 200 body of the safety ping. */
export const PingResult = Schema.Struct({
  safe: Schema.NullOr(Schema.Boolean).annotations({
    description:
      "true: every critical signal is known and good. false: a hard rule fired, or a critical signal failed. null: unknown, treat as position size zero."
  }),
  mintAuthorityOff: Schema.NullOr(Schema.Boolean).annotations({
    description: "true: nobody can create supply. false: somebody can. null: could not be determined."
  }),
  lpLocked: Schema.NullOr(Schema.Boolean).annotations({
    description:
      "true: the deepest pool and 95 % of all liquidity are out of reach. null: could not be determined."
  }),
  pairs: Schema.Number.annotations({ description: "Pools found." }),
  priceUsd: PriceUsd,
  fetchedAt: FetchedAt,
  cacheHit: CacheHit
}).annotations({ identifier: "PingResult" })
export type PingResult = typeof PingResult.Type

export const Verdict = Schema.Literal("allow", "caution", "avoid").annotations({
  identifier: "Verdict",
  description: "What to do. Treat caution as position size zero."
})
export type Verdict = typeof Verdict.Type

export const Band = Schema.Literal("low", "elevated", "high", "critical").annotations({
  identifier: "Band",
  description: "The score in words: low below 25, elevated below 50, high below 75, else critical."
})
export type Band = typeof Band.Type

export const Reason = Schema.Struct({
  code: Schema.String.annotations({ description: "Id of the signal; see the signal table." }),
  message: Schema.String.annotations({
    description: "Our own words and numbers, never text from the token."
  }),
  points: Schema.Number.annotations({ description: "What it adds to the score." })
}).annotations({ identifier: "Reason", description: "A signal that weighs." })
export type Reason = typeof Reason.Type

/** The chain state the evidence was read at; fields of the other chain are null. */
export const ReportEvidence = Schema.Struct({
  block: Schema.NullOr(Schema.String).annotations({
    description: "Base: block at which the chain was read."
  }),
  slot: Schema.NullOr(Schema.String).annotations({
    description: "Solana: slot at which the chain was read."
  }),
  codeHash: Schema.NullOr(Schema.String).annotations({
    description: "Hash of the contract's code on Base, of the mint account's data on Solana."
  }),
  implementation: Schema.NullOr(Schema.String).annotations({
    description: "Base: the contract behind a proxy; null where there is none."
  }),
  implementationCodeHash: Schema.NullOr(Schema.String).annotations({
    description: "Base: hash of that contract's code."
  })
}).annotations({
  identifier: "ReportEvidence",
  description: "The chain state the evidence was read at; members of the other chain are null."
})

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
}).annotations({
  identifier: "ReportExits",
  description:
    "What would be left of the price, in parts of it, if somebody left; null where that is not known. May be absent."
})

/** The deep report before it is attested (with what else we tell: every signal, coverage, methodology, evidence). */
export const UnsignedReport = Schema.Struct({
  chain: Schema.String.annotations({ description: "The token's chain, as it was asked for." }),
  address: Schema.String.annotations({ description: "The token's address; on Base in lower case." }),
  verdict: Verdict,
  score: Schema.Number.pipe(Schema.between(0, 100)).annotations({
    description: "0 to 100; higher is riskier."
  }),
  band: Band,
  reasons: Schema.Array(Reason).pipe(Schema.maxItems(2)).annotations({
    description: "The signals that weigh most, at most two."
  }),
  priceUsd: PriceUsd,
  liquidityUsd: Schema.Number.annotations({
    description: "USD of trusted quote assets in all pools; the token itself does not count."
  }),
  fetchedAt: FetchedAt,
  cacheHit: CacheHit,
  free: Schema.Boolean.annotations({ description: "The call was inside the daily free tier." }),
  exits: Schema.optionalWith(ReportExits, { exact: true }),
  signals: Schema.Array(SignalResult).annotations({ description: "Every signal and what it concluded." }),
  coverage: Schema.Number.pipe(Schema.between(0, 1)).annotations({ description: "Share of signals known." }),
  methodology: Schema.String.annotations({
    description: "Version of the rules: the same evidence under the same version gives the same score."
  }),
  evidence: ReportEvidence
})
export type UnsignedReport = typeof UnsignedReport.Type

/** `digest`: SHA-256 hex of the RFC 8785 bytes of the report without this member. `hmac`: integrity only. */
export const Attestation = Schema.Struct({
  digest: Schema.String.annotations({
    description: "SHA-256, hex, of the canonical bytes: RFC 8785 of the report without this member."
  }),
  hmac: Schema.String.annotations({
    description: "HMAC-SHA256, hex, of the digest's bytes: integrity, not origin."
  }),
  keyId: Schema.String.annotations({ description: "The Ed25519 key in /.well-known/jwks.json." }),
  hmacKeyId: Schema.String.annotations({ description: "The HMAC key in /.well-known/jwks.json." }),
  algorithm: Schema.String.annotations({ description: "How the three were made." }),
  signature: Schema.String.annotations({ description: "Ed25519 over the canonical bytes, base64url." })
}).annotations({
  identifier: "Attestation",
  description: "What makes the report verifiable offline."
})
export type Attestation = typeof Attestation.Type

/** 200 body of the deep report. */
export const DeepReport = Schema.Struct({ ...UnsignedReport.fields, attestation: Attestation }).annotations({
  identifier: "DeepReport"
})
export type DeepReport = typeof DeepReport.Type
