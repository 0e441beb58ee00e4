import { Effect } from "effect"
import type { Address, Hex } from "viem"
import { encodePacked } from "viem"
import type { BaseRpc } from "../../../chain/chain-rpc.ts"
import { keccakHex } from "../../../chain/keccak.ts"
import { lower } from "../addresses.ts"
import type { Query } from "../reads/query.ts"
import { account, both, callData, list, mapQuery, pure, read, uint, wordAt } from "../reads/query.ts"
import { V4 } from "./factories.ts"
import type { Minted } from "./minted.ts"
import {
  type Fees,
  type HeldPosition,
  NOTHING_OWED,
  NO_FEES,
  type PoolTick,
  type Stretch
} from "./position-shares.ts"
import type { Pool } from "./pool.ts"
import { POSITION_MANAGERS } from "./registry/registry.ts"

/** A pool by its contract, or by its id in V4. */
export type PoolKey = Hex
export const keyOfPool = ({ address, v4 }: Pick<Pool, "address" | "v4">): PoolKey => v4?.poolId ?? address

export type PoolSides = Pick<
  Pool,
  | "address"
  | "v4"
  | "token"
  | "quote"
  | "kind"
  | "dex"
  | "feePips"
  | "tickSpacing"
  | "tokenReserve"
  | "quoteReserve"
>

/** Positions that were read, and those that events name and nobody could be found for. */
export interface Found {
  readonly held: ReadonlyArray<HeldPosition>
  readonly unread: ReadonlyArray<Stretch & { readonly pool: PoolKey }>
}

export const isV4 = (pool: PoolKey): boolean => pool.length === 66
export const tickAt = (data: Hex, index: number): number =>
  Number(BigInt.asIntN(24, wordAt(data, index) ?? 0n))

/** What a position holds now. */
export type Content = Pick<Stretch, "liquidity" | "owed">

/** What stands at `at` and the two words that follow `owed`; undefined where the answer is shorter. */
export const contentAt = (data: Hex, at: number, owed: number): Content | undefined => {
  const [liquidity, owed0, owed1] = [wordAt(data, at), wordAt(data, owed), wordAt(data, owed + 1)]
  return liquidity === undefined || owed0 === undefined || owed1 === undefined
    ? undefined
    : { liquidity, owed: [owed0, owed1] }
}

export const isEmpty = ({ liquidity, owed: [owed0, owed1] }: Content): boolean =>
  liquidity === 0n && owed0 === 0n && owed1 === 0n

/**
 * A position by its key: `positions(bytes32)` of a V3 pool, `getPositionLiquidity` of V4's StateView. V4 owes nobody
 * anything: what is taken out leaves, or becomes a claim on the PoolManager.
 */
export const contentOf = ({
  pool,
  owner,
  tickLower,
  tickUpper,
  salt
}: Minted): Query<Content | undefined> => {
  if (salt !== null) {
    const key = encodePacked(["address", "int24", "int24", "bytes32"], [owner, tickLower, tickUpper, salt])
    return mapQuery(
      uint(V4.stateView, "getPositionLiquidity(bytes32,bytes32)", pool, keccakHex(key)),
      (liquidity) => (liquidity === undefined ? undefined : { liquidity, owed: NOTHING_OWED })
    )
  }
  const key = encodePacked(["address", "int24", "int24"], [owner, tickLower, tickUpper])
  return read(lower(pool), callData("positions(bytes32)", keccakHex(key)), (data) => contentAt(data, 0, 3))
}

/** Price, tick and liquidity in range of a concentrated pool. */
export const tickOf = (pool: PoolKey): Query<PoolTick | undefined> => {
  const slot0 = (data: Hex) => {
    const sqrtPrice = wordAt(data, 0)
    return sqrtPrice === undefined ? undefined : { sqrtPrice, tick: tickAt(data, 1) }
  }
  const [price, liquidity] = isV4(pool)
    ? [
        read(V4.stateView, callData("getSlot0(bytes32)", pool), slot0),
        uint(V4.stateView, "getLiquidity(bytes32)", pool)
      ]
    : [read(lower(pool), callData("slot0()"), slot0), uint(lower(pool), "liquidity()")]
  return mapQuery(both(price, liquidity), ([state, inRange]) =>
    state === undefined || inRange === undefined ? undefined : { ...state, liquidity: inRange }
  )
}

/** Two numbers that a pool tells together; none where it has no such. */
const pairOf = (pool: Address, signature: "gaugeFees()" | "protocolFees()") =>
  mapQuery(
    read(pool, callData(signature), (data) => [wordAt(data, 0) ?? 0n, wordAt(data, 1) ?? 0n] as const),
    (pair) => pair ?? ([0n, 0n] as const)
  )

/** What a V3-type pool holds beside its positions. What V4's ticks say stands in a pool holds no fees. */
export const feesOf = ({ address, kind, v4 }: PoolSides): Query<Fees | null> => {
  if (v4 !== undefined) return pure(NO_FEES)
  const growth = both(uint(address, "feeGrowthGlobal0X128()"), uint(address, "feeGrowthGlobal1X128()"))
  const gauge = kind === "slipstream" ? pairOf(address, "gaugeFees()") : pure([0n, 0n] as const)
  return mapQuery(
    both(growth, both(pairOf(address, "protocolFees()"), gauge)),
    ([[growth0, growth1], [protocol, staked]]) =>
      growth0 === undefined || growth1 === undefined
        ? null
        : { growth: [growth0, growth1], beside: [protocol[0] + staked[0], protocol[1] + staked[1]] }
  )
}

export const asUnread = ({ pool, tickLower, tickUpper, added }: Minted) => ({
  pool,
  tickLower,
  tickUpper,
  liquidity: added,
  owed: NOTHING_OWED
})

/** Positions of one kind that are read one by one, largest first: dust by strangers must not crowd out the rest. */
export const MAX_DIRECT = 96

export const byKey = (mints: ReadonlyArray<Minted>): ReadonlyArray<Minted> => {
  const keys = new Map<string, Minted>()
  for (const mint of mints) {
    const key = [mint.pool, mint.owner, mint.tickLower, mint.tickUpper, mint.salt].join("/")
    const before = keys.get(key)
    keys.set(key, { ...mint, added: mint.added + (before?.added ?? 0n) })
  }
  return [...keys.values()].toSorted((a, b) => (a.added < b.added ? 1 : a.added > b.added ? -1 : 0))
}

/** Positions whose owner their event names: V3's without an NFT, and all of V4, whose NFT's number is the salt. */
export const readDirect = Effect.fnUntraced(function* (
  rpc: BaseRpc,
  mints: ReadonlyArray<Minted>,
  blockNumber: bigint
) {
  const all = byKey(mints.filter(({ pool, owner }) => isV4(pool) || !POSITION_MANAGERS.has(owner)))
  const asked = all.slice(0, MAX_DIRECT)
  const ownerOf = ({ owner, salt }: Minted): Query<Address | undefined> =>
    owner === V4.positionManager && salt !== null
      ? account(V4.positionManager, "ownerOf(uint256)", salt)
      : pure(owner)
  const query = list(asked.map((mint) => both(contentOf(mint), ownerOf(mint))))
  const { results } = asked.length === 0 ? { results: [] } : yield* rpc.readAll(query.reads, { blockNumber })
  const answers = query.decode(results)
  const held: Array<HeldPosition> = []
  const unread = all.slice(MAX_DIRECT).map(asUnread)
  asked.forEach((mint, index) => {
    const [content, holder] = answers[index] ?? []
    // An NFT without an owner was burned, which is possible only when it is empty.
    if (content !== undefined && isEmpty(content)) return
    if (content === undefined || holder === undefined) unread.push(asUnread(mint))
    else {
      const { pool, tickLower, tickUpper, owner } = mint
      held.push({ pool, holder, ...content, tickLower, tickUpper, nft: owner !== holder })
    }
  })
  const found: Found = { held, unread }
  return found
})
