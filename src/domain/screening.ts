import type { SignalResult } from "./signal.ts"
import type { TokenRef } from "./token.ts"

/** The chain state a screening was read at, so that a verdict can be tied to it. */
export type EvidenceAnchor =
  | {
      readonly chain: "base"
      readonly block: string
      /** keccak256 of the token's runtime code, and of what it delegates to, if anything. */
      readonly codeHash: string | null
      readonly implementation: string | null
      readonly implementationCodeHash: string | null
    }
  | { readonly chain: "solana"; readonly slot: string; readonly accountHash: string | null }

/** Parts of the price, 0 to 1, left after somebody has gone; null where it could not be reckoned. */
export interface ExitPrices {
  readonly largestHolderSells: number | null
  readonly largestGroupSells: number | null
  readonly largestProviderLeaves: number | null
}

/** What a chain's plan concluded about one token: the judged signals and the facts that a ping and a report show. */
export interface Screening {
  readonly token: TokenRef
  /** Unix milliseconds at which the evidence was read. */
  readonly fetchedAt: number
  /** Number of pools found, over every source. */
  readonly pairs: number
  /** USD per whole token from trusted quotes; null when sources disagree or liquidity is negligible. */
  readonly priceUsd: number | null
  /** USD of trusted quote assets in all pools; the token itself does not count. */
  readonly liquidityUsd: number
  readonly mintAuthorityOff: boolean | null
  readonly lpLocked: boolean | null
  /** What would be left of the price if somebody left; absent where no such figures exist. */
  readonly exits?: ExitPrices
  readonly signals: ReadonlyArray<SignalResult>
  readonly anchor: EvidenceAnchor
}
