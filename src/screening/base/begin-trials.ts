import { Deferred, Effect, Fiber } from "effect"
import type { Address, Hex } from "viem"
import type { EvmLog } from "../../chain/evm-logs.ts"
import { hasLeft } from "../../domain/has-left.ts"
import { establishedToken } from "./addresses.ts"
import { poolsAtOnce } from "./assemble.ts"
import type { CodeEvidence, PartialEvidence } from "./evidence.ts"
import type { IndexedHolders } from "./holders/blockscout.ts"
import type { History } from "./holders/history.ts"
import type { LaterInput } from "./holders/summary.ts"
import type { StorageReads } from "./holders/early-look.ts"
import { spentBy } from "./holders/told-balances.ts"
import type { Pool } from "./pools/pool.ts"
import { ageOf } from "./reads/aids.ts"
import type { FirstWave } from "./reads/first-wave.ts"
import { showsMonth } from "./reads/past.ts"
import type { SecondWave } from "./reads/second-wave.ts"
import type { BasePlanParts } from "./trials.ts"
import { laterInput, purchasesOf, runTrades, searchHolders } from "./trials.ts"

/** What a token tells by its events. */
interface Told {
  /** All of them; none where they are not there in time. */
  readonly events: Effect.Effect<ReadonlyArray<EvmLog>>
  readonly history: Effect.Effect<History>
  /** The node keeps in its trees what was emptied. */
  readonly keepsEmptied: Effect.Effect<boolean>
  /** How its storage is read. */
  readonly reads: Effect.Effect<StorageReads>
}

/**
 * What the pools of a young token gave for money; null where its age, which alone is known yet, does not show that it is
 * young, where a launchpad is known to be, or where pools may still be found.
 */
const purchasesAtOnce = (
  parts: BasePlanParts,
  token: Address,
  first: FirstWave,
  pools: ReadonlyArray<Pool> | null
) => {
  if (pools === null || first.account !== "contract") return null
  const age = ageOf(first)
  const established = establishedToken(token) !== undefined
  const launchpad = first.launchpads.launchpad?.name ?? null
  // What the pools of an old token held a month ago is only being read; a chain that is shorter never shows it.
  const hadMoney = showsMonth(first.blockNumber)
  return purchasesOf(parts, { age, established, hadMoney, launchpad, pools }, first.blockNumber)
}

/** Accounts that gave away all they got, by the token's events, where the node keeps their entries; else null. */
const spentOf = ({ blockNumber }: FirstWave, { events, keepsEmptied }: Told) =>
  Effect.map(Effect.all([keepsEmptied, events]), ([isKept, all]) =>
    isKept ? spentBy(all, blockNumber) : null
  )

/**
 * Trades and the search for holders begin with the second wave where the first one showed all pools that there are, else
 * when the second has; what they need of the second is handed on as soon as it is there.
 */
export const beginTrials = Effect.fnUntraced(function* (
  parts: BasePlanParts,
  token: Address,
  first: FirstWave,
  told: Told
) {
  const { events, history, reads } = told
  const buyers = yield* Deferred.make<ReadonlyArray<Address>>()
  const balances = yield* Deferred.make<ReadonlyMap<Address, bigint>>()
  const findings = yield* Deferred.make<CodeEvidence["findings"]>()
  const later = yield* Deferred.make<LaterInput>()
  const trade = (pools: ReadonlyArray<Pool>) =>
    runTrades(parts, {
      token,
      first,
      pools,
      events,
      buyers: Deferred.await(buyers),
      balances: Deferred.await(balances),
      findings: Deferred.await(findings)
    })
  const search = (pools: ReadonlyArray<Pool>, code: Hex) =>
    searchHolders(parts, {
      token,
      first,
      code,
      history,
      reads,
      spent: spentOf(first, told),
      pools,
      tell: (of) => Deferred.succeed(balances, of),
      later: Deferred.await(later)
    })
  const pools = poolsAtOnce(token, first)
  const purchases = purchasesAtOnce(parts, token, first, pools)
  const buying = purchases === null ? null : Fiber.join(yield* Effect.fork(purchases))
  const isKnown = pools !== null && first.proxy.kind === "none"
  // The node has to work as well: trades, which take it the longest, leave first. Of the search most has left already.
  const trading = pools === null ? null : yield* Effect.fork(trade(pools))
  if (trading !== null) yield* hasLeft
  const searching = isKnown ? yield* Effect.fork(Effect.zipRight(hasLeft, search(pools, first.code))) : null
  /** Known of a plain token before the second wave, of others with it. */
  const tellFindings = (found: CodeEvidence["findings"]) => Deferred.succeed(findings, found)
  const finish = (second: SecondWave, partial: PartialEvidence, named: IndexedHolders) =>
    Effect.as(
      Effect.all([
        Deferred.succeed(buyers, second.buyers),
        tellFindings(partial.code.findings),
        Deferred.succeed(later, laterInput(parts, { first, second, partial, named, buying }))
      ]),
      {
        trades: trading === null ? trade(partial.pools) : Fiber.join(trading),
        holders:
          searching === null
            ? search(partial.pools, second.implementation?.code ?? first.code)
            : Fiber.join(searching)
      }
    )
  return { tellFindings, finish }
})
