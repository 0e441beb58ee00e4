import { Effect, Fiber } from "effect"
import type { Address, Hex } from "viem"
import type { BaseRpc } from "../../chain/chain-rpc.ts"
import type { EvmLog } from "../../chain/evm-logs.ts"
import { hasLeft } from "../../domain/has-left.ts"
import type { MarketData } from "../../market/market-data.ts"
import type { CodeAnalyser } from "./analysis/analyser.ts"
import { NO_POOLS } from "./assemble.ts"
import { UNREAD_B20, readB20 } from "./b20/read.ts"
import { slotsToRead } from "./power/findings.ts"
import type { CodeEvidence, PartialEvidence } from "./evidence.ts"
import type { HolderIndex, IndexedHolders } from "./holders/blockscout.ts"
import { isYoung } from "./holders/age.ts"
import type { StorageReads } from "./holders/early-look.ts"
import type { History } from "./holders/history.ts"
import { findHolders } from "./holders/holders.ts"
import { type HolderEvidence, type HolderInput, type LaterInput, NO_HOLDERS } from "./holders/summary.ts"
import { relevantPools } from "./pools/dust.ts"
import { readHooks } from "./pools/hook/read.ts"
import { launchpadHolders } from "./pools/launchpads.ts"
import type { LockerList } from "./pools/lp-lock.ts"
import type { Pool } from "./pools/pool.ts"
import { readPositions } from "./pools/positions.ts"
import { readPurchases } from "./pools/purchases.ts"
import { isTimeless } from "./power/code-evidence.ts"
import type { FirstWave } from "./reads/first-wave.ts"
import type { Moments } from "./reads/past.ts"
import { sinceLaunch } from "./reads/log-windows.ts"
import type { SecondWave } from "./reads/second-wave.ts"
import type { SimulationFact } from "./simulation/findings.ts"
import { foretellBuyers, tellTax } from "./simulation/foretold-holdings.ts"
import type { SimulationInput } from "./simulation/simulate.ts"
import type { tryWallets } from "./simulation/wallet-trial.ts"

/** The capabilities a screening is made of; tests replace them one by one. */
export interface BasePlanParts {
  readonly rpc: BaseRpc
  readonly pairs: MarketData["Type"]["pairs"]
  readonly analyser: CodeAnalyser["Type"]
  readonly simulate: (rpc: BaseRpc, input: SimulationInput) => Effect.Effect<SimulationFact>
  readonly wallets: typeof tryWallets
  /** Names holders and the creator, where the operator gave one. */
  readonly index?: HolderIndex
  readonly lockers: LockerList
  /** Whether the node keeps in its trees what was emptied. Absent: it is asked each time. */
  readonly keepsEmptied?: Effect.Effect<boolean>
  /** How many blocks ago an old token's pools must have held money. Absent: drawn each time. */
  readonly moments?: Effect.Effect<Moments>
}

/** Recent buyers whose balances are looked at. */
const MAX_SUSPECT_BUYERS = 16

/** Pools whose swaps are read at most; what others gave is not known to have been bought. */
const MAX_PURCHASED = 20

/** Pools simulated at most: the deepest ones are where the money would go. */
const MAX_SIMULATED = 3

/**
 * Pools that money goes to: a stranger's pool with a few cents in it says nothing about the token. Deepest first; where
 * nothing has a price, all that hold something.
 */
const tradedPools = <P extends Pool>(pools: ReadonlyArray<P>): ReadonlyArray<P> =>
  relevantPools(pools).filter(({ quoteReserve }) => quoteReserve > 0n)

/** Accounts whose balances matter whatever the token's events say. */
const suspectsOf = ({ owner, proxy }: FirstWave): ReadonlyArray<Address> =>
  [
    owner.owner,
    owner.sideHolder,
    owner.pendingOwner,
    proxy.kind === "upgradeable" ? proxy.admin : null
  ].filter((account) => account !== null)

/** What trades wait for, each as soon as it is known. */
interface TradeInput {
  readonly token: Address
  readonly first: FirstWave
  /** Deepest first. */
  readonly pools: ReadonlyArray<Pool>
  /** All events of the token; none where they are not there in time. Answers are foretold from them. */
  readonly events: Effect.Effect<ReadonlyArray<EvmLog>>
  readonly buyers: Effect.Effect<ReadonlyArray<Address>>
  /** What accounts were found to hold. */
  readonly balances: Effect.Effect<ReadonlyMap<Address, bigint>>
  readonly findings: Effect.Effect<CodeEvidence["findings"]>
}

/** Trades by contracts and by wallets. */
export const runTrades = Effect.fnUntraced(function* (
  { rpc, simulate, wallets }: BasePlanParts,
  { balances, buyers, events, findings, first, pools: all, token }: TradeInput
) {
  const { account, blockNumber, blockTime } = first
  const pools = tradedPools(all).slice(0, MAX_SIMULATED)
  if (pools.length === 0 || account !== "contract") return { simulation: NO_POOLS, wallets: NO_POOLS }
  const isTaxed = Effect.map(events, (told) => tellTax(told, pools))
  const lived = yield* Effect.fork(wallets(rpc, pools, { blockNumber, blockTime, isTaxed }))
  yield* hasLeft
  const foretold = Effect.map(events, (told) => foretellBuyers(told, token, all, blockNumber))
  // Simulated blocks follow one another whatever time they name: code that may count blocks is also tried with both moved.
  const later = Effect.flatMap(findings, (found) =>
    isTimeless(found) ? Effect.map(Fiber.join(lived), ({ known }) => !known) : Effect.succeed(true)
  )
  return yield* Effect.all(
    {
      simulation: simulate(rpc, {
        token,
        pools,
        holders: buyers,
        balances,
        foretold,
        blockNumber,
        blockTime,
        later
      }),
      wallets: Fiber.join(lived)
    },
    { concurrency: 2 }
  )
})

/** What the search for holders begins with. */
interface HolderSearch {
  readonly token: Address
  readonly first: FirstWave
  /** Code that runs. */
  readonly code: Hex
  readonly history: Effect.Effect<History>
  readonly reads: Effect.Effect<StorageReads>
  readonly spent: Effect.Effect<HolderInput["spent"]>
  readonly pools: ReadonlyArray<Pool>
  readonly later: Effect.Effect<LaterInput>
  readonly tell: HolderInput["tell"]
}

/** Looks for holders; a token that is no contract has none. */
export const searchHolders = (
  { lockers, rpc }: BasePlanParts,
  { code, first, history, later, pools, reads, spent, tell, token }: HolderSearch
): Effect.Effect<HolderEvidence> =>
  first.account === "contract"
    ? Effect.flatMap(Effect.all([history, spent, reads]), ([told, given, ways]) =>
        findHolders(rpc, {
          token,
          blockNumber: first.blockNumber,
          code,
          history: told,
          spent: given,
          reads: ways,
          suspects: suspectsOf(first),
          lockers,
          now: first.blockTime,
          pools: pools.map(({ address }) => address),
          tell,
          later
        })
      ).pipe(Effect.ensuring(tell(new Map())))
    : Effect.as(tell(new Map()), NO_HOLDERS)

/** What says whether purchases are read, as far as it is known. */
interface Bought extends Pick<PartialEvidence, "age" | "established" | "hadMoney" | "launchpad"> {
  readonly pools: ReadonlyArray<Pool>
}

/** What the pools that money goes to gave for it; null where the token is old or a known launchpad's. */
export const purchasesOf = (
  { rpc }: BasePlanParts,
  { launchpad, pools, ...token }: Bought,
  blockNumber: bigint
): LaterInput["purchases"] =>
  isYoung(token) && launchpad === null
    ? readPurchases(rpc, tradedPools(pools).slice(0, MAX_PURCHASED), blockNumber, token.age)
    : null

/** Who keeps a young token's pools for the launchpad that made it. */
const launchedBy = (
  launchpad: FirstWave["launchpads"]["launchpad"],
  partial: PartialEvidence
): LaterInput["launched"] =>
  launchpad !== undefined && isYoung(partial)
    ? new Set(partial.pools.flatMap((pool) => [...launchpadHolders(launchpad, pool)]))
    : null

/** What the search for holders is told once the second wave is there. */
export const laterInput = (
  parts: BasePlanParts,
  {
    buying,
    first: { blockNumber, launchpads },
    named,
    partial,
    second
  }: Pick<Seen, "first" | "partial" | "second"> & {
    readonly named: IndexedHolders
    /** What pools gave for money, where that is being read already. */
    readonly buying: LaterInput["purchases"]
  }
): LaterInput => ({
  suspects: [...second.buyers.slice(0, MAX_SUSPECT_BUYERS), ...named.holders],
  creator: named.creator,
  lists: listsOf(partial.code.findings),
  wanted: wantedOf(partial.code.findings),
  keepsOwn: keepsOwn(partial.code.findings),
  ledger: ledgerOf(partial.code.findings),
  votes: votesOf(partial.code.findings),
  purchases: buying ?? purchasesOf(parts, partial, blockNumber),
  launched: launchedBy(launchpads.launchpad, partial)
})

interface Seen {
  readonly token: Address
  readonly first: FirstWave
  readonly second: SecondWave
  readonly partial: PartialEvidence
  readonly trades: Effect.Effect<Effect.Effect.Success<ReturnType<typeof runTrades>>>
  readonly holders: Effect.Effect<HolderEvidence>
}

/** Third wave: what needs the pools and what the second found: positions, hooks, native roles, beside trades and holders. */
export const runTrials = Effect.fnUntraced(function* (
  { analyser, lockers, rpc }: BasePlanParts,
  { token, first, second, partial, trades, holders }: Seen
) {
  const { blockNumber, blockTime } = first
  const { traded, ...found } = yield* Effect.all(
    {
      traded: trades,
      holders,
      positions: readPositions(rpc, {
        mints: second.minted,
        pools: partial.pools,
        launchpadHolders: (pool) => launchpadHolders(first.launchpads.launchpad, pool),
        vouched: new Set(lockers.flatMap(({ address, kind }) => (kind === "vouched" ? [address] : []))),
        blockNumber,
        now: blockTime,
        range: sinceLaunch(blockNumber, partial.age),
        hasNoWayOut: analyser.hasNoWayOut
      }),
      native: first.native ? readNative(rpc, token, partial, blockNumber) : Effect.succeed(null),
      hooks: readHooks(rpc, analyser.hook, tradedPools(partial.pools), partial.pools, blockNumber)
    },
    { concurrency: "unbounded" }
  )
  return { ...found, ...traded }
})

/** What the token's own contract holds stays there. */
const keepsOwn = (findings: CodeEvidence["findings"]): boolean =>
  findings.known && findings.value.proof.keepsOwn

const ledgerOf = (findings: CodeEvidence["findings"]): LaterInput["ledger"] =>
  findings.known ? findings.value.proof.ledger : null

const votesOf = (findings: CodeEvidence["findings"]): LaterInput["votes"] =>
  findings.known ? findings.value.proof.votes : null

const wantedOf = (findings: CodeEvidence["findings"]): LaterInput["wanted"] =>
  findings.known
    ? { slots: slotsToRead(findings.value), tables: findings.value.proof.tables }
    : { slots: [], tables: [] }

const listsOf = (findings: CodeEvidence["findings"]): ReadonlyArray<bigint> =>
  findings.known ? (findings.value.proof.votes?.lists ?? []).map(BigInt) : []

const readNative = (rpc: BaseRpc, token: Address, { age, pools }: PartialEvidence, blockNumber: bigint) =>
  readB20(rpc, {
    token,
    blockNumber,
    age,
    pools: [...new Set(pools.slice(0, MAX_SIMULATED).map(({ address }) => address))]
  }).pipe(Effect.catchAll(() => Effect.succeed(UNREAD_B20)))
