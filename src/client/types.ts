/**
 * The messages of the service as this client reads them. Written out by hand, so that the package needs nothing at run
 * time; `test/client/types.test.ts` compares every one of them with the service's own contract when it is compiled.
 */

/** A chain tokens are screened on and payments are made on. */
export type Chain = "solana" | "base"

/** CAIP-2 identifier of Base mainnet. */
export const BASE_NETWORK = "eip155:8453"
/** CAIP-2 identifier of Solana mainnet: the first 32 characters of its genesis hash. */
export const SOLANA_NETWORK = "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp"
export type Network = typeof BASE_NETWORK | typeof SOLANA_NETWORK

/** Circle's native USDC, the only asset this client signs away. Six decimals on both chains. */
export const USDC: Readonly<Record<Network, string>> = {
  [BASE_NETWORK]: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913",
  [SOLANA_NETWORK]: "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"
}

/** Answer of the safety ping. `safe: null` is unknown: treat it as position size zero. */
export interface PingResult {
  readonly safe: boolean | null
  readonly mintAuthorityOff: boolean | null
  readonly lpLocked: boolean | null
  /** Pools found. */
  readonly pairs: number
  /** USD per whole token; null when unknown or in dispute. */
  readonly priceUsd: number | null
  /** Unix time in milliseconds at which the evidence was read. */
  readonly fetchedAt: number
  readonly cacheHit: boolean
}

export type Verdict = "allow" | "caution" | "avoid"
export type Band = "low" | "elevated" | "high" | "critical"
export type SignalState = "pass" | "fail" | "unknown"

/** One of the at most two findings that weigh most. */
export interface Reason {
  readonly code: string
  readonly message: string
  readonly points: number
}

/** What one signal concluded. */
export interface SignalResult {
  readonly id: string
  readonly state: SignalState
  /** What it adds to the score. */
  readonly points: number
  /** Unknown or failed, it forbids calling the token safe. */
  readonly critical: boolean
  /** Failed, it makes the verdict avoid. */
  readonly hard: boolean
  readonly source: string
  readonly message: string
  /** Signals of one group show one weakness from several sides; only the heaviest of them counts. */
  readonly group?: string
}

/** The chain state the evidence was read at; members of the other chain are null. */
export interface ReportEvidence {
  readonly block: string | null
  readonly slot: string | null
  readonly codeHash: string | null
  readonly implementation: string | null
  readonly implementationCodeHash: string | null
}

/** SHA-256 of the canonical report, its HMAC (integrity only) and an Ed25519 signature (origin). */
export interface Attestation {
  readonly digest: string
  readonly hmac: string
  readonly keyId: string
  readonly hmacKeyId: string
  readonly algorithm: string
  readonly signature: string
}

/** Answer of the deep report. Keep its text: an attestation covers every member it came with. */
export interface DeepReport {
  readonly chain: string
  readonly address: string
  readonly verdict: Verdict
  /** 0 to 100, higher is riskier. */
  readonly score: number
  readonly band: Band
  readonly reasons: ReadonlyArray<Reason>
  readonly priceUsd: number | null
  readonly liquidityUsd: number
  readonly fetchedAt: number
  readonly cacheHit: boolean
  /** True for a call inside the daily free tier. */
  readonly free: boolean
  /** Parts of the price left, 0 to 1, if somebody left; null where it could not be calculated. Only on Solana. */
  readonly exits?: {
    readonly largestHolderSells: number | null
    readonly largestGroupSells: number | null
    readonly largestProviderLeaves: number | null
  }
  readonly signals: ReadonlyArray<SignalResult>
  /** Share of signals known, 0 to 1. */
  readonly coverage: number
  readonly methodology: string
  readonly evidence: ReportEvidence
  readonly attestation: Attestation
}

/** One way to pay, as the service offers it. `amount` is in smallest units of USDC. */
export interface PaymentRequirements {
  readonly scheme: "exact"
  readonly network: Network
  readonly amount: string
  readonly asset: string
  readonly payTo: string
  readonly maxTimeoutSeconds: number
  readonly extra: Readonly<Record<string, unknown>>
}

/** The x402 v2 challenge of a 402. */
export interface PaymentRequired {
  readonly x402Version: 2
  readonly error: string
  readonly resource: { readonly url: string; readonly description: string; readonly mimeType: string }
  readonly accepts: ReadonlyArray<PaymentRequirements>
  readonly extensions?: Readonly<Record<string, unknown>> | undefined
}

/** `PAYMENT-RESPONSE`: the receipt of a settled payment, or why one was refused. */
export interface SettlementResponse {
  readonly success: boolean
  readonly transaction: string
  readonly network: string
  readonly payer?: string | undefined
  readonly amount?: string | undefined
  readonly errorReason?: string | undefined
  readonly errorMessage?: string | undefined
  readonly extensions?: Readonly<Record<string, unknown>> | undefined
}

/** A public key set (RFC 7517). */
export interface Jwks {
  readonly keys: ReadonlyArray<Readonly<Record<string, string>>>
}
