import type { SolanaAddress } from "../../../domain/address.ts"

export type PoolKind =
  | "raydium-amm-v4"
  | "raydium-cpmm"
  | "raydium-clmm"
  | "raydium-launchlab"
  | "pump-curve"
  | "pumpswap"
  | "meteora-damm-v1"
  | "meteora-damm-v2"
  | "meteora-dlmm"
  | "meteora-dbc"
  | "orca-whirlpool"
  | "moonshot"
  | "fluxbeam"

/** What decides who can take the liquidity out. */
export type LiquidityClaim =
  /**
   * LP tokens. `issued` is the pool's own count, which burning does not lower; null where the pool keeps none.
   * `locked` LP tokens are out of reach by the pool's own account.
   */
  | {
      readonly kind: "lp-tokens"
      readonly lpMint: SolanaAddress
      readonly issued: bigint | null
      readonly locked: bigint
    }
  /** A bonding curve: the program holds the reserves and no instruction lets anybody withdraw them before completion. */
  | { readonly kind: "curve" }
  /** Position accounts; `locked` (0 to 1) is what the pool itself counts as locked for good. */
  | { readonly kind: "positions"; readonly locked: number }

/** Where a pool's tradable amounts stand. Amounts are in smallest units. */
export type Reserves =
  /**
   * The vaults' balances, less what the pool owes to others in fees, trade at constant product. `virtualQuote` moves
   * the price and can be negative; nobody can withdraw it.
   */
  | {
      readonly kind: "vaults"
      readonly owedToken: bigint
      readonly owedQuote: bigint
      readonly virtualQuote: bigint
    }
  /** A curve's own count: virtual amounts give the price, `realQuote` is what sellers can get. */
  | {
      readonly kind: "curve"
      readonly token: bigint
      readonly quote: bigint
      readonly realQuote: bigint
    }
  /**
   * Concentrated liquidity: `liquidity` is √(token · quote) of the range that trades now; 0 means nobody trades.
   * `ownQuote` bounds the quote within the pool's own price limits, where it has such limits; `ownTokens` are the tokens
   * that trade, where the vault's others are known to be fees.
   */
  | {
      readonly kind: "range"
      readonly rawPrice: number
      readonly liquidity: number
      readonly owedQuote: bigint
      readonly ownQuote: number | null
      readonly ownTokens: number | null
    }
  /** Bins: the quote that lies in the bins a seller reaches first. */
  | {
      readonly kind: "bins"
      readonly rawPrice: number
      readonly quoteIsX: boolean
      readonly arrays: ReadonlyArray<SolanaAddress>
      /** The array a buyer reaches after the first. */
      readonly beyond: SolanaAddress
      /** Those of all these that hold something by the pair's own account, or of which it does not tell. */
      readonly filled: ReadonlySet<SolanaAddress>
    }
  /** Shares of two lending vaults: the pool's vault tokens over their supply, of what the vault manages. */
  | {
      readonly kind: "vault-shares"
      readonly token: VaultShare
      readonly quote: VaultShare
      readonly isStable: boolean
    }

export type BinReserves = Extract<Reserves, { kind: "bins" }>

export interface VaultShare {
  readonly vault: SolanaAddress
  /** What every trade goes through: the tokens that the vault has not lent out. */
  readonly vaultTokens: SolanaAddress
  readonly vaultLpMint: SolanaAddress
  /** The pool's own balance of the vault's tokens. */
  readonly poolLp: SolanaAddress
}

/** What a point in time is counted in. */
export type TimeUnit = "seconds" | "slots"

/** When a pool trades. */
export type Trading =
  | { readonly kind: "open" }
  | { readonly kind: "closed" }
  | { readonly kind: "from"; readonly unit: TimeUnit; readonly at: bigint }

/** A trading fee in parts of one, as its account schedules it. */
export type FeeSchedule =
  | { readonly kind: "constant"; readonly rate: number }
  /** Falls from `cliff` by steps of `every` since `start`, `periods` times; `cap` bounds it. */
  | {
      readonly kind: "falling"
      readonly cliff: number
      readonly step: number
      readonly isExponential: boolean
      readonly periods: number
      readonly every: bigint
      readonly unit: TimeUnit
      readonly start: bigint
      readonly cap: number
    }
  /**
   * Grows while the price moves and calms down again: as it is right after a trade at `last` (Unix seconds), once
   * `filter` seconds have passed, and once `decay` seconds have.
   */
  | {
      readonly kind: "moving"
      readonly last: number
      readonly filter: number
      readonly decay: number
      readonly hot: number
      readonly warm: number
      readonly calm: number
    }
  /** In an account of its own that is read later. */
  | { readonly kind: "unread" }

/** One pool as its own account describes it, seen from the screened token. */
export interface DecodedPool {
  readonly kind: PoolKind
  /** Null until the account that names it has been read. */
  readonly quoteMint: SolanaAddress | null
  readonly tokenVault: SolanaAddress | null
  /** Null where the account itself counts the quote (bonding curves). */
  readonly quoteVault: SolanaAddress | null
  readonly reserves: Reserves
  readonly trading: Trading
  readonly fee: FeeSchedule
  /** What the fee may rise by, at most, while the price moves: parts of one. */
  readonly surge: number
  /** What large purchases may pay besides until a point in time, parts of one; null where they pay no more than others. */
  readonly limit: { readonly more: number; readonly unit: TimeUnit; readonly until: bigint } | null
  readonly claim: LiquidityClaim
  readonly creator: SolanaAddress | null
  /** Tokens of a curve that its terms give to somebody once it ends, smallest units; null where there are none. */
  readonly promised: { readonly party: SolanaAddress; readonly amount: number } | null
  /** Share of what a curve has raised that its makers can have soon after its end, 0 to 1. */
  readonly handedOut: number
  /** What a trade may cost at some time, parts of one: while the price moves, or in the pool a curve ends in. */
  readonly peakFee: number
  /** Whoever made it can stop all trading in it. */
  readonly hasSwitch: boolean
  /** Accounts beside vaults and LP mint that complete the picture. */
  readonly companions: ReadonlyArray<SolanaAddress>
}

/** Pools that hold both sides at one price: their liquidity is twice the quote side. */
export const isConstantProduct = (kind: PoolKind): boolean =>
  kind === "raydium-amm-v4" ||
  kind === "raydium-cpmm" ||
  kind === "pumpswap" ||
  kind === "meteora-damm-v1" ||
  kind === "fluxbeam"
