import type { Fact } from "../../domain/fact.ts"
import type { SolanaAddress } from "../../domain/address.ts"
import type { MarketPair, RugCheckReport } from "../../market/market-data.ts"
import type { HolderFacts } from "./power/exits.ts"
import type { MetadataFacts } from "./power/metadata.ts"
import type { LpFacts } from "./pools/lp-facts.ts"
import type { MintReading } from "./power/mint.ts"
import type { PoolFact } from "./pools/pool-fact.ts"
import type { PriceFacts } from "./pools/price.ts"
import type { Seasoned } from "./pools/seasoned.ts"
import type { TrustedMint } from "./power/trusted-mints.ts"
import type { ExitFacts } from "./simulation/exit-facts.ts"

/** Everything one Solana screening read, before it is judged. */
export interface SolanaEvidence {
  readonly address: SolanaAddress
  readonly slot: bigint
  /** SHA-256, hex, of the mint's account data; null where nothing stands at the address. */
  readonly accountHash: string | null
  /** Unix milliseconds at which the reads began. */
  readonly fetchedAt: number
  readonly reading: MintReading
  /** The listing of this exact mint, if it is an established issuer's. */
  readonly trusted: TrustedMint | null
  /** The mint authority is a stake pool's own, proven by the pool's account, and the market pays no more than it mints for. */
  readonly isStakePoolToken: boolean
  readonly epoch: Fact<bigint>
  readonly metadata: Fact<MetadataFacts>
  readonly pools: ReadonlyArray<PoolFact>
  /** Those of them that are proven to have held most of the quote that they hold for long. */
  readonly seasoned: Seasoned
  /** Distinct pools over every source. */
  readonly pairs: number
  /** USD of quote in pools that nobody has read, by market data and by the tokens in their vaults. */
  readonly unreadUsd: Fact<number>
  readonly price: PriceFacts
  readonly lp: LpFacts
  readonly holders: Fact<HolderFacts>
  readonly market: Fact<ReadonlyArray<MarketPair>>
  /** Null where RugCheck answered that it has no report. */
  readonly rugCheck: Fact<RugCheckReport | null>
  /** RugCheck's lock figure for a pool contradicts what the chain shows. */
  readonly lockDisputed: boolean
  /** What trials of trades and transfers showed. */
  readonly exit: ExitFacts
}
