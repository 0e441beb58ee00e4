import type { SolanaAddress } from "../../../domain/address.ts"

export type PoolKind =
  | "raydium-amm-v4"
  | "raydium-cpmm"
  | "raydium-clmm"
  | "raydium-launchlab"
  | "pump-curve"
  | "pumpswap"
  | "meteora-damm-v2"
  | "meteora-dlmm"
  | "orca-whirlpool"

/** What decides who can take the liquidity out. */
export type LiquidityClaim =
  /** LP tokens: burned ones leave the supply but not the pool's own count. */
  | { readonly kind: "lp-tokens"; readonly lpMint: SolanaAddress; readonly issued: bigint }
  /** A bonding curve: the program holds the reserves and no instruction lets anybody withdraw them before completion. */
  | { readonly kind: "curve" }
  /** Liquidity locked for good is counted by the pool itself. 0 to 1. */
  | { readonly kind: "permanent-share"; readonly share: number }
  /** Position accounts that one read cannot enumerate. */
  | { readonly kind: "positions" }

/** One pool as its own account describes it, seen from the screened token. */
export interface DecodedPool {
  readonly kind: PoolKind
  readonly quoteMint: SolanaAddress
  readonly tokenVault: SolanaAddress | null
  /** Null where the account itself counts the quote (bonding curves). */
  readonly quoteVault: SolanaAddress | null
  /** Smallest quote units per smallest token unit; null: the ratio of the vaults is the price. */
  readonly rawPrice: number | null
  /** Smallest quote units the account counts itself; null: read the vault. */
  readonly quoteReserve: bigint | null
  readonly claim: LiquidityClaim
  readonly creator: SolanaAddress | null
}

/** Pools that hold both sides at one price: their liquidity is twice the quote side. */
export const isConstantProduct = (kind: PoolKind): boolean =>
  kind === "raydium-amm-v4" || kind === "raydium-cpmm" || kind === "pumpswap"
