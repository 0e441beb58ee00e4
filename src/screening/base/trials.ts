import { Effect, Fiber } from "effect"
import type { Address } from "viem"
import type { BaseRpc } from "../../chain/chain-rpc.ts"
import type { MarketData } from "../../market/market-data.ts"
import type { CodeAnalyser } from "./analysis/analyser.ts"
import { NO_POOLS } from "./assemble.ts"
import { UNREAD_B20, readB20 } from "./b20/read.ts"
import type { CodeEvidence, PartialEvidence } from "./evidence.ts"
import type { HolderIndex, IndexedHolders } from "./holders/blockscout.ts"
import { isYoung } from "./holders/age.ts"
import { NO_HOLDERS, findHolders } from "./holders/holders.ts"
import { readHooks } from "./pools/hook/read.ts"
import { launchpadHolders } from "./pools/launchpads.ts"
import type { LockerList } from "./pools/lp-lock.ts"
import { readPositions } from "./pools/positions.ts"
import { readPurchases } from "./pools/purchases.ts"
import { isTimeless } from "./power/code-evidence.ts"
import type { FirstWave } from "./reads/first-wave.ts"
import { sinceLaunch } from "./reads/log-windows.ts"
import type { SecondWave } from "./reads/second-wave.ts"
import type { SimulationFact } from "./simulation/findings.ts"
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
}

/** Recent buyers whose balances are looked at. */
const MAX_SUSPECT_BUYERS = 16

/** Share of all pools' money from which on a pool is traded in, and its hook and fees looked at. */
const RELEVANT_SHARE = 0.05

/** Pools simulated at most: the deepest ones are where the money would go. */
const MAX_SIMULATED = 3

/**
 * Pools that money goes to: a stranger's pool with a few cents in it says nothing about the token. Deepest first; where
 * nothing has a price, all that hold something.
 */
const relevantPools = (pools: PartialEvidence["pools"]): PartialEvidence["pools"] => {
  const money = pools.reduce((sum, { quoteUsd }) => sum + quoteUsd, 0)
  return pools.filter(({ quoteReserve, quoteUsd }) => quoteReserve > 0n && quoteUsd >= money * RELEVANT_SHARE)
}

/** Accounts whose balances matter whatever the token's events say. */
const suspectsOf = ({ owner, proxy }: FirstWave, { buyers }: SecondWave): ReadonlyArray<Address> =>
  [
    owner.owner,
    owner.sideHolder,
    owner.pendingOwner,
    proxy.kind === "upgradeable" ? proxy.admin : null,
    ...buyers.slice(0, MAX_SUSPECT_BUYERS)
  ].filter((account) => account !== null)

interface Seen {
  readonly token: Address
  readonly first: FirstWave
  readonly second: SecondWave
  readonly partial: PartialEvidence
  readonly named: IndexedHolders
}

/** Third wave: what needs the pools. Trades by contracts and by wallets, holders, positions, hooks, native roles. */
export const runTrials = Effect.fnUntraced(function* (
  { analyser, lockers, rpc, simulate, wallets }: BasePlanParts,
  { token, first, second, partial, named }: Seen
) {
  const { blockNumber, blockTime } = first
  const isContract = first.account === "contract"
  const pools = relevantPools(partial.pools).slice(0, MAX_SIMULATED)
  const tradable = pools.length > 0 && isContract
  const lived = yield* Effect.fork(
    tradable ? wallets(rpc, pools, { blockNumber, blockTime }) : Effect.succeed(NO_POOLS)
  )
  // Simulated blocks follow one another whatever time they name: code that may count blocks is also tried with both moved.
  const later = isTimeless(partial.code.findings)
    ? Effect.map(Fiber.join(lived), ({ known }) => !known)
    : Effect.succeed(true)
  return yield* Effect.all(
    {
      simulation: tradable
        ? simulate(rpc, { token, pools, holders: second.buyers, blockNumber, blockTime, later })
        : Effect.succeed(NO_POOLS),
      wallets: Fiber.join(lived),
      holders: isContract
        ? findHolders(rpc, {
            token,
            blockNumber,
            code: second.implementation?.code ?? first.code,
            history: second.history,
            suspects: [...suspectsOf(first, second), ...named.holders],
            creator: named.creator,
            lockers,
            lists: listsOf(partial.code.findings),
            keepsOwn: keepsOwn(partial.code.findings),
            purchases:
              isYoung(partial) && partial.launchpad === null
                ? readPurchases(rpc, relevantPools(partial.pools), blockNumber, partial.age)
                : null,
            now: blockTime,
            pools: partial.pools.map(({ address }) => address)
          })
        : Effect.succeed(NO_HOLDERS),
      positions: readPositions(rpc, {
        mints: second.minted,
        pools: partial.pools,
        launchpadHolders: (pool) => launchpadHolders(first.launchpads.launchpad, pool),
        blockNumber,
        range: sinceLaunch(blockNumber, partial.age),
        hasNoWayOut: analyser.hasNoWayOut
      }),
      native: first.native ? readNative(rpc, token, partial, blockNumber) : Effect.succeed(null),
      hooks: readHooks(rpc, analyser.hook, relevantPools(partial.pools), blockNumber)
    },
    { concurrency: "unbounded" }
  )
})

/** What the token's own contract holds stays there. */
const keepsOwn = (findings: CodeEvidence["findings"]): boolean =>
  findings.known && findings.value.proof.keepsOwn

const listsOf = (findings: CodeEvidence["findings"]): ReadonlyArray<bigint> =>
  findings.known ? (findings.value.proof.votes?.lists ?? []).map(BigInt) : []

const readNative = (rpc: BaseRpc, token: Address, { age, pools }: PartialEvidence, blockNumber: bigint) =>
  readB20(rpc, {
    token,
    blockNumber,
    age,
    pools: [...new Set(pools.slice(0, MAX_SIMULATED).map(({ address }) => address))]
  }).pipe(Effect.catchAll(() => Effect.succeed(UNREAD_B20)))
