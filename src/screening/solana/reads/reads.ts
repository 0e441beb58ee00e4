import type { Effect, Option } from "effect"
import type { SolanaRpc, SolanaTokenBalance } from "../../../chain/chain-rpc.ts"
import type { SolanaAddress } from "../../../domain/address.ts"
import type { UpstreamError } from "../../../domain/errors.ts"
import type { Fact } from "../../../domain/fact.ts"
import type { MarketPair, RugCheckReport } from "../../../market/market-data.ts"
import type { LpReading } from "../pools/lp-reading.ts"
import type { CoinHolders } from "../pools/quote-coin.ts"
import type { StakePool } from "../power/stake-pool.ts"
import type { StreamTerms } from "../power/lockers.ts"
import type { MintReading } from "../power/mint.ts"
import type { ExitFacts } from "../simulation/exit-facts.ts"
import type { Payer } from "../simulation/payers.ts"
import type { Proven } from "../simulation/proven.ts"
import type { AccountBook } from "./account-book.ts"
import type { Past } from "./past.ts"
import type { DerivedAddresses } from "./pdas.ts"

/** What the upstreams gave, before it is put together. */
export interface Reads {
  readonly fetchedAt: number
  readonly slot: bigint
  readonly book: AccountBook
  readonly reading: MintReading
  readonly accountHash: string | null
  readonly derived: DerivedAddresses
  readonly market: Fact<ReadonlyArray<MarketPair>>
  readonly solPairs: Fact<ReadonlyArray<MarketPair>>
  readonly rugCheck: Fact<RugCheckReport | null>
  readonly largest: Fact<ReadonlyArray<SolanaTokenBalance>>
  /** The slot of that list; 0 where there is none. */
  readonly listedAt: bigint
  /** Accounts that may be pools of the token: those that follow from the mint, and those that others list. */
  readonly candidates: ReadonlyArray<SolanaAddress>
  /** Who holds the liquidity of the pools that matter most. */
  readonly lp: ReadonlyMap<SolanaAddress, LpReading>
  /** The largest holders of the coins that pools are quoted in. */
  readonly coinHolders: CoinHolders
  /** Streamflow contracts of the mint, by their escrow. */
  readonly streams: ReadonlyMap<string, StreamTerms>
  /** The stake pool whose tokens the mint's are, proven by its account. */
  readonly stakePool: StakePool | null
  readonly exit: ExitFacts
}

/** The upstreams one collection reads. */
export interface Upstreams {
  readonly rpc: SolanaRpc
  readonly pairs: (mint: SolanaAddress) => Effect.Effect<ReadonlyArray<MarketPair>, UpstreamError>
  readonly rugReport: (mint: SolanaAddress) => Effect.Effect<Option.Option<RugCheckReport>, UpstreamError>
  readonly solPairs: Effect.Effect<Fact<ReadonlyArray<MarketPair>>>
  /** Owners whose LP tokens the operator counts as locked. */
  readonly extraLockers: ReadonlyArray<SolanaAddress>
  /** Who pays for simulated trades. */
  readonly payers: ReadonlyArray<Payer>
  /** Which instructions are known to work. */
  readonly proven: Proven
  /** What accounts held. */
  readonly past: Past
}
