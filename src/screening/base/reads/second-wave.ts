import { Effect } from "effect"
import type { Address, Hex } from "viem"
import type { BaseRpc, EvmReadResult } from "../../../chain/chain-rpc.ts"
import type { MarketPair } from "../../../market/market-data.ts"
import type { LockedPosition } from "../pools/launchpads.ts"
import { readLockedPositions } from "../pools/launchpads.ts"
import type { LockerList, LpState } from "../pools/lp-lock.ts"
import { readLp } from "../pools/lp-lock.ts"
import { type Standing, readMarketPools, readStandings } from "../pools/market-pools.ts"
import { MAX_LP_POOLS, isV2Type, poolKey, v4Candidate } from "../pools/pool-search.ts"
import type { PoolReading, PoolState } from "../pools/pool-state.ts"
import { type SeenPool, measured, readPool } from "../pools/pool-state.ts"
import { MONEY_DECIMALS, type References, referencesOf } from "../pools/quote-prices.ts"
import { poolIdOf } from "../pools/v4.ts"
import type { CodeAt } from "../power/analyse.ts"
import { readBeacon } from "../power/proxy.ts"
import type { Holder } from "./accounts.ts"
import { askAccount } from "./accounts.ts"
import type { Aids } from "./aids.ts"
import { type Delegates, NO_DELEGATES, askDelegates } from "./delegates.ts"
import { readAids } from "./aids.ts"
import { controlOf, suspectsOf } from "./control.ts"
import type { FirstWave } from "./first-wave.ts"
import type { Moments } from "./past.ts"
import { type Query, balanceOf, list, makeBatch, mapQuery, pure } from "./query.ts"

/** What the second round trip adds: states, balances, holders, the code behind proxies. */
export interface SecondWave extends Omit<Aids, "held"> {
  readonly pools: ReadonlyArray<PoolState>
  /** Each pool that a factory vouches for answered like one. */
  readonly arePoolsRead: boolean
  readonly references: References
  /** Money where market data alone sees pools, those that were read among them. */
  readonly standings: ReadonlyArray<Standing>
  readonly lp: ReadonlyArray<LpState>
  readonly positions: ReadonlyArray<LockedPosition>
  readonly ownerHolder: Holder
  readonly ownerBalance: bigint | null
  readonly adminHolder: Holder
  /** Who is named by `admin`, `governance`, `authority` or `minter`. */
  readonly sideHolder: Holder
  readonly implementation: { readonly address: Address; readonly code: Hex } | null
  /** Slots asked of the token, with their values. */
  readonly slots: ReadonlyArray<string>
  readonly slotValues: ReadonlyArray<Hex>
  /** Code of the contracts that the token's own code asks. */
  readonly others: ReadonlyArray<CodeAt>
  /** Delegates of the places a token is sold in, where it has such; `undefined` for one that did not answer. */
  readonly delegates: Delegates
}

const present = <A>(values: ReadonlyArray<A | undefined>): ReadonlyArray<A> =>
  values.filter((value) => value !== undefined)

/** Every pool the first wave knows of, some factory's or a launchpad's. */
export const seenPools = (token: Address, { candidates, launchpads }: FirstWave): ReadonlyArray<SeenPool> => {
  const named = launchpads.keys.flatMap((key) => {
    const pool = v4Candidate(token, key, poolIdOf(key))
    return pool === undefined ? [] : [{ pool, state: null }]
  })
  return [...new Map([...candidates, ...named].map((seen) => [poolKey(seen.pool), seen])).values()]
}

/** What is left to read of a pool that the first wave found, and what it answered. */
const readUnseen = (token: Address, decimals: number, { pool, state }: SeenPool): Query<PoolReading> =>
  state === null ? readPool(token, decimals, pool) : pure(state.value)

const batchOf = (
  token: Address,
  first: FirstWave,
  lockers: LockerList,
  pairs: ReadonlyArray<MarketPair>,
  hasVotes: boolean
) => {
  const batch = makeBatch()
  const seen = seenPools(token, first)
  const candidates = seen.map(({ pool }) => pool)
  const suspects = suspectsOf(first)
  const decimals = first.decimals ?? 18
  const lpSuspects = [token, ...(suspects.owner === null ? [] : [suspects.owner])]
  const pools = batch.add(list(seen.map((one) => readUnseen(token, decimals, one))))
  const extra = batch.add(readMarketPools(token, pairs, candidates))
  const standings = batch.add(readStandings(token, pairs, candidates))
  const references = batch.add(
    list(
      first.references.map((one) =>
        mapQuery(readUnseen(one.of, MONEY_DECIMALS, one), (reading) => ({ of: one.of, reading }))
      )
    )
  )
  const lp = candidates
    .filter(isV2Type)
    .slice(0, MAX_LP_POOLS)
    .map((pool) => batch.add(readLp(pool, lockers, lpSuspects, first.blockTime)))
  const positions = batch.add(readLockedPositions(first.launchpads.launchpad, candidates))
  const claimsOf = (account: Address | null) =>
    account === null ? undefined : batch.add(askAccount(account))
  const ownerClaims = claimsOf(suspects.owner)
  const adminClaims = claimsOf(suspects.admin)
  const sideClaims = claimsOf(suspects.side)
  const delegates = batch.add(hasVotes ? askDelegates(token, candidates, pairs) : pure(NO_DELEGATES))
  const ownerBalance = batch.add(suspects.owner === null ? pure(undefined) : balanceOf(token, suspects.owner))
  return {
    reads: batch.reads,
    candidates,
    suspects,
    decode: (results: ReadonlyArray<EvmReadResult>) => ({
      pools: [...pools(results).flatMap((reading) => reading ?? []), ...extra(results)],
      arePoolsRead: pools(results).every((reading) => reading !== undefined),
      standings: standings(results),
      references: referencesOf(references(results)),
      lp: present(lp.map((state) => state(results))),
      positions: positions(results),
      ownerClaims: ownerClaims?.(results),
      adminClaims: adminClaims?.(results),
      sideClaims: sideClaims?.(results),
      delegates: delegates(results),
      ownerBalance: ownerBalance(results) ?? null
    })
  }
}

/**
 * Second wave: everything whose address the first wave found, at the same block, in one batch of calls and one of code
 * and slots; aids and the beacon go beside them.
 * @param gateSlots slots the token's own code names as gates; empty for a proxy, whose code is only read here
 * @param asked contracts at fixed addresses that the token's own code asks
 * @param hasVotes `delegates(account)` of the token was proven to answer whom an account has named
 * @param moments how many blocks ago the pools of an old token must have held money
 */
export const secondWave = Effect.fn("BasePlan.secondWave")(function* (
  rpc: BaseRpc,
  token: Address,
  first: FirstWave,
  lockers: LockerList,
  gateSlots: ReadonlyArray<string>,
  asked: ReadonlyArray<Address>,
  hasVotes: boolean,
  moments: Effect.Effect<Moments>
) {
  const batch = batchOf(token, first, lockers, first.market.known ? first.market.value : [], hasVotes)
  const { suspects, candidates } = batch
  const { accounts, slots, understand } = controlOf(token, first, gateSlots, asked)
  const at = { blockNumber: first.blockNumber }
  const { answers, inspected, aids, beacon } = yield* Effect.all(
    {
      answers: rpc.readAll(batch.reads, at),
      inspected: rpc.inspect(accounts, at),
      aids: readAids(rpc, token, first, candidates, moments),
      beacon:
        first.proxy.kind === "beacon"
          ? readBeacon(rpc, first.proxy.beacon, first.blockNumber)
          : Effect.succeed(undefined)
    },
    { concurrency: "unbounded" }
  )
  const { holderOf, implementation, others, slotValues } = yield* understand(inspected)
  const { ownerClaims, adminClaims, sideClaims, ...states } = batch.decode(answers.results)
  const { held, ...rest } = aids
  const wave: SecondWave = {
    ...states,
    ...rest,
    pools: states.pools.map((pool) => measured(pool, held)),
    ownerHolder: holderOf(suspects.owner, ownerClaims),
    adminHolder: holderOf(suspects.admin, adminClaims),
    sideHolder: holderOf(suspects.side, sideClaims),
    implementation:
      beacon === undefined ? implementation : { address: beacon.implementation, code: beacon.code },
    slots,
    slotValues,
    others
  }
  return wave
})
