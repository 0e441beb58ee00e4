import type { Address, Hex } from "viem"
import type { SaleCurve } from "./sale-curve.ts"

/** How a pool trades, which decides how it is read and simulated. */
export type PoolKind = "v2" | "aerodrome-v2" | "v3" | "slipstream" | "algebra" | "v4"

/** Its liquidity is one position, of both sides at one price, whose shares are an ERC-20. */
export const isV2 = <P extends { readonly kind: PoolKind }>(
  pool: P
): pool is P & { readonly kind: "v2" | "aerodrome-v2" } => pool.kind === "v2" || pool.kind === "aerodrome-v2"

/** One pool of the screened token against some quote token, as found on chain. */
export interface Pool {
  readonly kind: PoolKind
  /** For reports: "uniswap-v2", "aerodrome", "pancake-v3", … our own names. */
  readonly dex: string
  /** The pool's contract; for v4 the PoolManager. */
  readonly address: Address
  readonly token: Address
  /** The other side; native ETH in a v4 pool is the zero address. */
  readonly quote: Address
  /** Swap fee in hundredths of a basis point (3000 = 0.3 %). */
  readonly feePips: number
  /** The pool did not tell its fee: `feePips` is the usual one of its kind, good to try a trade with and for nothing else. */
  readonly feeUnread?: boolean
  readonly tickSpacing?: number
  readonly stable?: boolean
  /** v4 only. */
  readonly v4?: {
    readonly poolId: Hex
    readonly hooks: Address
    /** The hook sets the fee, and may set another. */
    readonly dynamicFee?: boolean
  }
  /**
   * Smallest units of the quote token that really stand in the pool: what sellers could take out in all. Whether
   * somebody can take them away is another question, and how much comes out near the price a third (`depth`).
   */
  readonly quoteReserve: bigint
  readonly tokenReserve: bigint
  /** Smallest units of the quote that a seller takes out while the price falls by 2 %; absent where not measured. */
  readonly depth?: bigint
  /** What sellers meet in a concentrated pool; absent where it was not measured. */
  readonly curve?: SaleCurve
  /** USD of the quote side at trusted prices; 0 when the quote is not trusted. */
  readonly quoteUsd: number
  /** USD per whole token; null when the quote is not trusted. */
  readonly priceUsd: number | null
}
