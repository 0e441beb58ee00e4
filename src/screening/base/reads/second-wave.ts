import { Effect } from "effect"
import type { Address, Hex } from "viem"
import type { BaseRpc, EvmReadResult } from "../../../chain/chain-rpc.ts"
import { UpstreamError } from "../../../domain/errors.ts"
import type { Depth } from "../../../domain/screening.ts"
import type { MarketPair } from "../../../market/market-data.ts"
import type { Holder } from "./accounts.ts"
import { NOBODY, SINGLETON_SLOT, UNIDENTIFIED, askAccount, classify } from "./accounts.ts"
import { recentBuyers } from "../simulation/buyers.ts"
import { callData, makeBatch, balanceOf, pure } from "./query.ts"
import { FLETH, quoteToken } from "../addresses.ts"
import { redeemsEther } from "../pools/redemption.ts"
import { PROXY_STATE_SLOTS, implementationOf } from "../power/code-evidence.ts"
import type { History } from "../holders/history.ts"
import { readHistory } from "../holders/history.ts"
import { launchBlock, sinceLaunch } from "./log-windows.ts"
import type { FirstWave } from "./first-wave.ts"
import type { LockedPositions } from "../pools/launchpads.ts"
import { readLockedPositions } from "../pools/launchpads.ts"
import type { LockerList, LpState } from "../pools/lp-lock.ts"
import { readLp } from "../pools/lp-lock.ts"
import { readHeld } from "../pools/ladder.ts"
import type { Mints } from "../pools/minted.ts"
import { readMints } from "../pools/minted.ts"
import { readMarketPools } from "../pools/market-pools.ts"
import type { PoolCandidate } from "../pools/pool-search.ts"
import { v4Candidate } from "../pools/pool-search.ts"
import type { PoolState } from "../pools/pool-state.ts"
import { measured, readPools } from "../pools/pool-state.ts"
import { PROXY_SLOT_LIST, readBeacon } from "../power/proxy.ts"
import { poolIdOf } from "../pools/v4.ts"

/** What the second round trip adds: states, balances, holders, the code behind proxies. */
export interface SecondWave {
  readonly pools: ReadonlyArray<PoolState>
  readonly references: ReadonlyArray<PoolState>
  readonly lp: ReadonlyArray<LpState>
  readonly positions: LockedPositions
  /** Quote reserves some minutes ago by pool address; empty where the node keeps no such state. */
  readonly earlier: ReadonlyMap<string, bigint>
  /** Accounts that bought lately, newest first. */
  readonly buyers: ReadonlyArray<Address>
  /** What the token's own events say. */
  readonly history: History
  /** Positions opened in concentrated pools, as far as events were served. */
  readonly minted: Mints
  readonly ownerHolder: Holder
  readonly ownerBalance: bigint | null
  readonly adminHolder: Holder
  /** Who is named by `admin`, `governance`, `authority` or `minter`. */
  readonly sideHolder: Holder
  readonly implementation: { readonly address: Address; readonly code: Hex } | null
  /** Slots asked of the token, with their values. */
  readonly slots: ReadonlyArray<string>
  readonly slotValues: ReadonlyArray<Hex>
  /** flETH could be turned into ether; false where no pool asks for it. */
  readonly redeems: boolean
  readonly balanceSeenByPool: { readonly pool: Address; readonly balance: bigint } | null
}

/** How far back liquidity is compared: about four minutes, and within the 128 blocks of state every node keeps. */
const EARLIER_BLOCKS = 120n
/** Reads the report can do without must not hold it up. */
const AID_TIMEOUT = "3 seconds"
/** Pools whose LP tokens are counted: the rest is dust beside them, and every pool costs some twenty reads. */
const MAX_LP_POOLS = 24

const poolKey = ({ address, v4 }: Pick<PoolCandidate, "address" | "v4">): string => v4?.poolId ?? address

/** Every pool the first wave knows of, some factory's or a launchpad's. */
export const poolCandidates = (
  token: Address,
  { candidates, launchpads }: FirstWave
): ReadonlyArray<PoolCandidate> => {
  const named = launchpads.keys.flatMap((key) => v4Candidate(token, key, poolIdOf(key)) ?? [])
  return [...new Map([...candidates, ...named].map((pool) => [poolKey(pool), pool])).values()]
}

const present = <A>(values: ReadonlyArray<A | undefined>): ReadonlyArray<A> =>
  values.filter((value) => value !== undefined)

const isV2Type = ({ kind, quote }: PoolCandidate): boolean =>
  (kind === "v2" || kind === "aerodrome-v2") && quoteToken(quote) !== undefined

/** Whose code and slot 0 are read: the owner, and whoever may upgrade. */
const suspectsOf = ({
  owner,
  proxy
}: FirstWave): Readonly<Record<"owner" | "side" | "admin", Address | null>> => ({
  owner: owner.owner,
  side: owner.sideHolder,
  admin: proxy.kind === "upgradeable" ? proxy.admin : proxy.kind === "beacon" ? proxy.beacon : null
})

const batchOf = (token: Address, first: FirstWave, lockers: LockerList, pairs: ReadonlyArray<MarketPair>) => {
  const batch = makeBatch()
  const candidates = poolCandidates(token, first)
  const suspects = suspectsOf(first)
  const decimals = first.decimals ?? 18
  const lpSuspects = [token, ...(suspects.owner === null ? [] : [suspects.owner])]
  const pools = batch.add(readPools(token, decimals, candidates))
  const extra = batch.add(readMarketPools(token, pairs, candidates))
  const references = first.references.map((pool) => batch.add(readPools(pool.of, 18, [pool])))
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
  const ownerBalance = batch.add(suspects.owner === null ? pure(undefined) : balanceOf(token, suspects.owner))
  return {
    reads: batch.reads,
    candidates,
    suspects,
    decode: (results: ReadonlyArray<EvmReadResult>) => ({
      pools: [...present(pools(results)), ...extra(results)],
      references: references.flatMap((reference) => present(reference(results))),
      lp: present(lp.map((state) => state(results))),
      positions: positions(results),
      ownerClaims: ownerClaims?.(results),
      adminClaims: adminClaims?.(results),
      sideClaims: sideClaims?.(results),
      ownerBalance: ownerBalance(results) ?? null
    })
  }
}

/** Pool reserves at an earlier block. A node without that state gives none: it is an aid, not a condition. */
const earlierReserves = (
  rpc: BaseRpc,
  token: Address,
  first: FirstWave,
  candidates: ReadonlyArray<PoolCandidate>
) => {
  const { reads, decode } = readPools(token, first.decimals ?? 18, candidates)
  if (reads.length === 0 || first.blockNumber <= EARLIER_BLOCKS)
    return Effect.succeed(new Map<string, bigint>())
  return rpc.readAll(reads, { blockNumber: first.blockNumber - EARLIER_BLOCKS }).pipe(
    Effect.map(
      ({ results }) => new Map(present(decode(results)).map((pool) => [poolKey(pool), pool.quoteReserve]))
    ),
    Effect.timeout(AID_TIMEOUT),
    Effect.catchAll(() => Effect.succeed(new Map<string, bigint>()))
  )
}

/** Seconds since the first pool market data knows; null where it knows none. */
export const ageOf = ({ market, blockTime }: Pick<FirstWave, "market" | "blockTime">): bigint | null => {
  if (!market.known) return null
  const created = market.value.flatMap(({ createdAt }) => (createdAt === null ? [] : [createdAt]))
  if (created.length === 0) return null
  const seconds = blockTime - BigInt(Math.floor(Math.min(...created) / 1000))
  return seconds > 0n ? seconds : 0n
}

/** What the pool itself is told it holds: some tokens answer differently to different callers. */
const balanceSeenByPool = (
  rpc: BaseRpc,
  token: Address,
  blockNumber: bigint,
  candidates: ReadonlyArray<PoolCandidate>
) => {
  const pool = candidates.find(isV2Type)
  if (pool === undefined) return Effect.succeed(null)
  const call = {
    from: pool.address,
    to: token,
    data: callData("balanceOf(address)", pool.address),
    blockNumber
  }
  return rpc.call(call).pipe(
    Effect.map((result) =>
      result.ok && result.data.length === 66 ? { pool: pool.address, balance: BigInt(result.data) } : null
    ),
    Effect.timeout(AID_TIMEOUT),
    Effect.catchAll(() => Effect.succeed(null))
  )
}

/**
 * The first wave read code and slots of whatever block was the newest; the second reads them at the block of the
 * evidence. Where they differ, a new block fell between: better no report than one of two states.
 */
const sameAsBefore = (
  first: FirstWave,
  token: { readonly code: Hex; readonly slots: ReadonlyArray<Hex> } | undefined,
  gates: number
) => {
  const now = token?.slots.slice(gates) ?? []
  const isSame =
    token !== undefined &&
    (token.code === first.code || token.code === "0x") &&
    first.proxySlots.every((value, index) => BigInt(value) === BigInt(now[index] ?? 0))
  return isSame
    ? Effect.void
    : Effect.fail(
        new UpstreamError({
          upstream: "base-rpc",
          kind: "malformed",
          detail: "code or proxy changed between two reads"
        })
      )
}

/**
 * Second wave: everything whose address the first wave found, at the same block, in one batch of calls and one of code
 * and slots; the earlier block, the beacon and the pool's view go beside them.
 * @param gateSlots slots the token's own code names as gates; empty for a proxy, whose code is only read here
 */
export const secondWave = Effect.fn("BasePlan.secondWave")(function* (
  rpc: BaseRpc,
  token: Address,
  first: FirstWave,
  lockers: LockerList,
  gateSlots: ReadonlyArray<string>,
  depth: Depth
) {
  const batch = batchOf(token, first, lockers, first.market.known ? first.market.value : [])
  const { suspects, candidates } = batch
  const target = implementationOf(first.proxy)
  const slots: ReadonlyArray<Hex> =
    first.proxy.kind === "none"
      ? gateSlots.map((slot): Hex => `0x${slot.replace(/^0x/, "")}`)
      : PROXY_STATE_SLOTS
  const holders = [suspects.owner, suspects.admin, suspects.side, target].filter(
    (address) => address !== null && address !== undefined
  )
  const accounts = [
    { address: token, slots: [...slots, ...PROXY_SLOT_LIST] },
    ...holders.map((address) => ({ address, slots: [SINGLETON_SLOT] }))
  ]
  const beacon =
    first.proxy.kind === "beacon"
      ? readBeacon(rpc, first.proxy.beacon, first.blockNumber)
      : Effect.succeed(undefined)
  const [answers, inspected, earlier, seen, behindBeacon, buyers, history, minted, redeems, held] =
    yield* Effect.all(
      [
        rpc.readAll(batch.reads, { blockNumber: first.blockNumber }),
        rpc.inspect(accounts, { blockNumber: first.blockNumber }),
        depth === "deep"
          ? earlierReserves(rpc, token, first, candidates)
          : Effect.succeed(new Map<string, bigint>()),
        balanceSeenByPool(rpc, token, first.blockNumber, candidates),
        beacon,
        recentBuyers(rpc, candidates, first.blockNumber),
        readHistory(rpc, token, first.blockNumber, ageOf(first)),
        readMints(
          rpc,
          candidates,
          sinceLaunch(first.blockNumber, ageOf(first)),
          launchBlock(first.blockNumber, ageOf(first))
        ),
        candidates.some(({ quote }) => quote === FLETH)
          ? redeemsEther(rpc, first.blockNumber)
          : Effect.succeed(false),
        readHeld(
          rpc,
          candidates.flatMap(({ v4, tickSpacing = 0 }) =>
            v4 === undefined ? [] : [{ poolId: v4.poolId, tickSpacing }]
          ),
          first.blockNumber
        )
      ],
      { concurrency: "unbounded" }
    )
  yield* sameAsBefore(first, inspected[0], slots.length)
  const { ownerClaims, adminClaims, sideClaims, ...states } = batch.decode(answers.results)
  const seenAt = (address: Address | undefined) =>
    inspected[accounts.findIndex((account, index) => index > 0 && account.address === address)]
  const holderOf = (address: Address | null, claims: typeof ownerClaims): Holder => {
    if (address === null) return NOBODY
    const at = seenAt(address)
    return at === undefined || claims === undefined
      ? UNIDENTIFIED
      : classify(address, at.code, at.slots[0], claims)
  }
  const implementation = seenAt(target)
  const wave: SecondWave = {
    ...states,
    pools: states.pools.map((pool) => measured(pool, held)),
    earlier,
    buyers,
    history,
    minted,
    ownerHolder: holderOf(suspects.owner, ownerClaims),
    adminHolder: holderOf(suspects.admin, adminClaims),
    sideHolder: holderOf(suspects.side, sideClaims),
    implementation:
      behindBeacon === undefined
        ? target === undefined || implementation === undefined
          ? null
          : { address: target, code: implementation.code }
        : { address: behindBeacon.implementation, code: behindBeacon.code },
    slots,
    slotValues: inspected[0]?.slots.slice(0, slots.length) ?? [],
    redeems,
    balanceSeenByPool: seen
  }
  return wave
})
