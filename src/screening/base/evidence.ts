import type { Address, Hex } from "viem"
import type { Fact } from "../../domain/fact.ts"
import type { MarketPair } from "../../market/market-data.ts"
import type { CodeFindings } from "./power/findings.ts"
import type { B20Evidence } from "./b20/evidence.ts"
import type { SimulationFact } from "./simulation/findings.ts"
import type { WalletFact } from "./simulation/wallet-trial.ts"
import type { HolderEvidence } from "./holders/summary.ts"
import type { Holder } from "./reads/accounts.ts"
import type { Launchpad } from "./pools/launchpads.ts"
import type { HookCodes } from "./pools/hook/findings.ts"
import type { PriceEvidence } from "./pools/liquidity.ts"
import type { LpState, LpVerdict } from "./pools/lp-lock.ts"
import type { OwnerClaims } from "./power/owner.ts"
import type { Pool } from "./pools/pool.ts"
import type { Proxy } from "./power/proxy.ts"
import type { Delegates } from "./reads/delegates.ts"
import type { Copycat } from "./reads/symbol.ts"

/** What stands at the token's address. */
export interface CodeEvidence {
  readonly account: "none" | "delegated-eoa" | "contract"
  readonly codeHash: Hex | null
  readonly proxy: Proxy
  readonly implementation: Address | null
  readonly implementationCodeHash: Hex | null
  /** Who may replace the code; `nobody` where it cannot be replaced through the proxy. */
  readonly upgrader: Holder
  readonly findings: Fact<CodeFindings>
  /** Values of the slots that gate the privileged functions; missing where they were not read. */
  readonly gates: Fact<ReadonlyArray<{ readonly slot: string; readonly value: bigint }>>
  /** SafeMoon's `unlock()` is in the code: ownership given up by `lock` comes back. */
  readonly canUnlock: boolean
  /** The code holds a power that matters and storage has ended it: nobody can use it, and somebody once could. */
  readonly hasEndedPower: boolean
}

export interface OwnerEvidence extends OwnerClaims {
  /** Who `owner` is; `nobody` when there is none. */
  readonly holder: Holder
  /** Who `sideHolder` is; `nobody` when there is none. */
  readonly sideHolderKind: Holder
  /** Share of the supply the owner holds, 0 to 1. */
  readonly supplyShare: number | null
}

/** Answers every ERC-20 gives; null where the contract did not. */
export interface TokenShape {
  readonly decimals: number | null
  readonly supply: bigint | null
  readonly copycat: Copycat | null
  /** Whether it told both, its symbol and its name. */
  readonly areTextsTold: boolean
  /** Keccak-256 of what `name()` answers. */
  readonly nameHash: Hex | null
  /** `balanceOf(pool)` as each V2-type pool itself is answered; one that was not asked or answered is missing. */
  readonly seenByPools: ReadonlyMap<Address, bigint>
}

/** A pool of the token, priced, with what its reserves were a few minutes ago. */
export interface PoolEvidence extends Pool {
  readonly tokenBalance: bigint | null
  readonly lp: LpState | null
  /** Out of everybody's reach, 0 to 1; null where it cannot be known. */
  readonly lockedShare: number | null
  /** The most one owner of positions could take out, 0 to 1; null where positions were not read. */
  readonly largestFree: number | null
  /**
   * Smallest units of the token that one owner of positions could take out of it and sell: of those whose owner is known,
   * and if all that is not known were one holder's; and what the other known owners could together. Null where the pool's
   * positions were not read, or it has none.
   */
  readonly parked: { readonly certain: bigint; readonly possible: bigint; readonly others: bigint } | null
  /** Quote reserve at the earlier block; null where it was not read or the pool did not exist. */
  readonly earlierQuoteReserve: bigint | null
}

/** Everything the Base signals judge. Nothing in it is text from the token. */
export interface BaseEvidence {
  readonly token: Address
  /** Unix seconds of the block everything was read at. */
  readonly blockTime: bigint
  readonly established: boolean
  readonly shape: TokenShape
  readonly code: CodeEvidence
  /** Roles and policies of a token that Base itself runs; null for every other. */
  readonly native: B20Evidence | null
  readonly owner: OwnerEvidence
  /** Deepest first. */
  readonly pools: ReadonlyArray<PoolEvidence>
  readonly market: Fact<ReadonlyArray<MarketPair>>
  /** Distinct pools over the chain and market data. */
  readonly pairs: number
  readonly price: PriceEvidence
  readonly liquidityUsd: number
  readonly ethUsd: Fact<number>
  readonly lp: LpVerdict
  readonly launchpad: Launchpad["name"] | null
  /** Who may have another contract asked about swaps in pools of Doppler's current initializer; null where that was not told. */
  readonly hookRuler: Address | null
  /** What unknown hooks of pools that money goes to can do, by their code. */
  readonly hooks: HookCodes
  /** Smallest units in exchanges' common accounts that no pool we read accounts for; null where the token told nothing of it. */
  readonly unread: bigint | null
  /**
   * USD of trusted quotes at addresses that market data alone calls pools of the token, and that were not read as such; null
   * where that is not known.
   */
  readonly elsewhereUsd: number | null
  /** Whom pools and routers have named to vote for them; empty where the token has no votes that were proven. */
  readonly delegates: Delegates
  /** The chain's own bridges that are in operation. */
  readonly bridges: ReadonlySet<Address>
  readonly simulation: SimulationFact
  /** What wallets live through in simulated blocks. */
  readonly wallets: WalletFact
  readonly holders: HolderEvidence
  /** Seconds since the first pool; null where nobody says. */
  readonly age: bigint | null
  /**
   * Its pools are shown to have held half of today's money a month ago, and since at moments that nobody knew before; and
   * half a year ago as well, where that is little.
   */
  readonly hadMoney: boolean
}

/** What one screening gathers before it trades and looks for holders, for which it needs the pools. */
export type PartialEvidence = Omit<BaseEvidence, "simulation" | "wallets" | "holders" | "hooks">
