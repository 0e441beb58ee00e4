import type { Effect, Option } from "effect"
import { Context } from "effect"
import type { SolanaAddress } from "../domain/address.ts"
import type { UpstreamError } from "../domain/errors.ts"
import type { TokenRef } from "../domain/token.ts"

/** The token's name as a service reports it. Attackers choose it: it is compared, and never shown. */
export interface CalledAs {
  readonly name: string
  readonly symbol: string
}

/** A pool as a market-data service reports it, seen from the asked token. Addresses on Base are in lower case. */
export interface MarketPair {
  /** The service lists the asked token as the quote, and the other token as the base. The other one may be worthless. */
  readonly isInverted?: true
  readonly dexId: string
  readonly labels: ReadonlyArray<string>
  readonly pairAddress: string
  readonly quoteAddress: string | null
  /** USD per token; null where the service gives none or not a positive finite number. */
  readonly priceUsd: number | null
  /** The service's own liquidity figure at its own quote price; null where absent (never 0 for absent). */
  readonly liquidityUsd: number | null
  readonly liquidityBase: number | null
  readonly liquidityQuote: number | null
  /** Unix milliseconds. */
  readonly createdAt: number | null
  /** Absent where the service gives the asked token no name. */
  readonly called?: CalledAs
}

export interface RugCheckMarket {
  readonly pubkey: string
  readonly marketType: string
  readonly lpLockedPct: number | null
  readonly quoteUsd: number | null
  readonly baseUsd: number | null
  readonly lpMint: string | null
  /** The token accounts that hold its two sides. */
  readonly vaults: ReadonlyArray<string>
}

/** The parts of RugCheck's `/report` the screening reads. Absent is null, never a guess. */
export interface RugCheckReport {
  readonly mintAuthority: string | null | undefined
  readonly freezeAuthority: string | null | undefined
  readonly scoreNormalised: number | null
  readonly rugged: boolean | null
  readonly risks: ReadonlyArray<{ readonly name: string; readonly level: string; readonly score: number }>
  /** Whether `risks` holds everything the report named. If not, an empty list proves nothing. */
  readonly risksAreWhole: boolean
  readonly markets: ReadonlyArray<RugCheckMarket>
  readonly topHolders: ReadonlyArray<{
    readonly address: string
    readonly owner: string | null
    readonly pct: number
    readonly insider: boolean
  }> | null
  readonly knownAccounts: Readonly<Record<string, { readonly type: string }>>
  readonly creator: string | null
  /** The creator's balance, in smallest units. */
  readonly creatorBalance: number | null
  /** Groups of wallets tied by transfers, with what they hold, in smallest units. */
  readonly insiderNetworks: ReadonlyArray<{
    readonly size: number | null
    readonly tokenAmount: number | null
  }>
  /** Number of wallets tied to insiders, over all groups. */
  readonly graphInsidersDetected: number | null
  readonly totalHolders: number | null
  readonly price: number | null
  readonly transferFeePct: number | null
  /** Absent where the report gives no name. */
  readonly called?: CalledAs
}

/** Third-party market and rug-check data. Clients bring time-outs, retries and a circuit breaker. */
export class MarketData extends Context.Tag("token-risk/MarketData")<
  MarketData,
  {
    /**
     * Every pool DexScreener knows in which the token is the base token; on Solana also those in which it is the quote. One
     * HTTP call. Empty means "none known".
     */
    readonly pairs: (token: TokenRef) => Effect.Effect<ReadonlyArray<MarketPair>, UpstreamError>
    /** RugCheck's full report (Solana only); none where it does not know the mint. */
    readonly rugReport: (mint: SolanaAddress) => Effect.Effect<Option.Option<RugCheckReport>, UpstreamError>
  }
>() {}
