import { Effect } from "effect"
import type { Address, Hex } from "viem"
import { encodePacked, toEventSelector } from "viem"
import type { BaseRpc } from "../../../chain/chain-rpc.ts"
import { readReceipt } from "../../../chain/evm-logs.ts"
import { keccakHex } from "../../../chain/keccak.ts"
import { lower } from "../addresses.ts"
import type { Query } from "../reads/query.ts"
import {
  account,
  addressAt,
  both,
  callData,
  list,
  mapQuery,
  pure,
  read,
  uint,
  wordAt
} from "../reads/query.ts"
import { V4 } from "./factories.ts"
import type { Minted } from "./minted.ts"
import type { HeldPosition, PoolTick, Stretch } from "./position-shares.ts"
import type { Pool } from "./pool.ts"
import { POSITION_MANAGERS } from "./registry/registry.ts"

/** A pool by its contract, or by its id in V4. */
export type PoolKey = Hex
export const keyOfPool = ({ address, v4 }: Pick<Pool, "address" | "v4">): PoolKey => v4?.poolId ?? address

export type PoolSides = Pick<
  Pool,
  "address" | "v4" | "token" | "quote" | "kind" | "dex" | "feePips" | "tickSpacing" | "tokenReserve"
>

/** Positions that were read, and those that events name and nobody could be found for. */
export interface Found {
  readonly held: ReadonlyArray<HeldPosition>
  readonly unread: ReadonlyArray<Stretch & { readonly pool: PoolKey }>
}

export const isV4 = (pool: PoolKey): boolean => pool.length === 66
const tickAt = (data: Hex, index: number): number => Number(BigInt.asIntN(24, wordAt(data, index) ?? 0n))

/** Liquidity of a position by its key: `positions(bytes32)` of a V3 pool, `getPositionLiquidity` of V4's StateView. */
const liquidityOf = ({ pool, owner, tickLower, tickUpper, salt }: Minted): Query<bigint | undefined> => {
  if (salt !== null) {
    const key = encodePacked(["address", "int24", "int24", "bytes32"], [owner, tickLower, tickUpper, salt])
    return uint(V4.stateView, "getPositionLiquidity(bytes32,bytes32)", pool, keccakHex(key))
  }
  const key = encodePacked(["address", "int24", "int24"], [owner, tickLower, tickUpper])
  return read(lower(pool), callData("positions(bytes32)", keccakHex(key)), (data) => wordAt(data, 0))
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

const asUnread = ({ pool, tickLower, tickUpper, added }: Minted) => ({
  pool,
  tickLower,
  tickUpper,
  liquidity: added
})

/** Positions of one kind that are read one by one, largest first: dust by strangers must not crowd out the rest. */
const MAX_DIRECT = 96

const byKey = (mints: ReadonlyArray<Minted>): ReadonlyArray<Minted> => {
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
  const query = list(asked.map((mint) => both(liquidityOf(mint), ownerOf(mint))))
  const { results } = asked.length === 0 ? { results: [] } : yield* rpc.readAll(query.reads, { blockNumber })
  const answers = query.decode(results)
  const held: Array<HeldPosition> = []
  const unread = all.slice(MAX_DIRECT).map(asUnread)
  asked.forEach((mint, index) => {
    const [liquidity, holder] = answers[index] ?? []
    // An NFT without an owner was burned, which is possible only when it is empty.
    if (liquidity === 0n) return
    if (liquidity === undefined || holder === undefined) unread.push(asUnread(mint))
    else {
      const { pool, tickLower, tickUpper, owner } = mint
      held.push({ pool, holder, liquidity, tickLower, tickUpper, nft: owner !== holder })
    }
  })
  const found: Found = { held, unread }
  return found
})

/** What a position manager tells when an NFT's position grows; its number is the second topic. */
const INCREASE_LIQUIDITY = toEventSelector("event IncreaseLiquidity(uint256 indexed,uint128,uint256,uint256)")

/** Transactions looked into for NFTs at most, those that put in most first. */
const MAX_RECEIPTS = 24
/** Beyond this share of what was put in, the rest is not worth a request each. */
const ENOUGH_PERCENT = 99n

const largestTransactions = (mints: ReadonlyArray<Minted>): ReadonlySet<Hex> => {
  const chosen = new Set<Hex>()
  for (const pool of new Set(mints.map((mint) => mint.pool))) {
    const own = mints.filter((mint) => mint.pool === pool).toSorted((a, b) => (a.added < b.added ? 1 : -1))
    const total = own.reduce((sum, { added }) => sum + added, 0n)
    let seen = 0n
    for (const { added, transaction } of own) {
      if (chosen.size >= MAX_RECEIPTS || seen * 100n >= total * ENOUGH_PERCENT) break
      chosen.add(transaction)
      seen += added
    }
  }
  return chosen
}

/** An NFT that stands for a position. */
export interface Nft {
  readonly manager: Address
  readonly tokenId: bigint
}

/** Whose an NFT is, and which pool and stretch it stands for. */
const readNft = ({ manager, tokenId }: Nft) =>
  mapQuery(
    both(
      account(manager, "ownerOf(uint256)", tokenId),
      read(manager, callData("positions(uint256)", tokenId), (data) => {
        const [token0, token1, liquidity] = [addressAt(data, 2), addressAt(data, 3), wordAt(data, 7)]
        return token0 === undefined || token1 === undefined || liquidity === undefined
          ? undefined
          : {
              token0,
              token1,
              tier: tickAt(data, 4),
              tickLower: tickAt(data, 5),
              tickUpper: tickAt(data, 6),
              liquidity
            }
      })
    ),
    ([holder, position]) => (position === undefined ? undefined : { holder, ...position })
  )

/**
 * The pool an NFT's own record names. The transaction that made the NFT says nothing: it may fill other pools, too, and
 * anybody can credit a pool's liquidity to a manager that never heard of it.
 */
const poolOf = (
  pools: ReadonlyArray<PoolSides>,
  manager: Address,
  { token0, token1, tier }: { readonly token0: Address; readonly token1: Address; readonly tier: number }
): PoolSides | undefined =>
  pools.find(
    ({ dex, kind, token, quote, feePips, tickSpacing }) =>
      POSITION_MANAGERS.get(manager) === dex &&
      (kind === "slipstream" ? tickSpacing : feePips) === tier &&
      [token, quote].includes(token0) &&
      [token, quote].includes(token1)
  )

/** The manager's own positions in a pool: all NFTs of one stretch together. */
const stretchKey = (
  pool: Hex,
  manager: Address,
  { tickLower, tickUpper }: Omit<Stretch, "liquidity">
): string => [pool, manager, tickLower, tickUpper].join("/")

/** What managers hold in the pools, by stretch. */
const readManaged = Effect.fnUntraced(function* (
  rpc: BaseRpc,
  managed: ReadonlyArray<Minted>,
  blockNumber: bigint
) {
  const keys = byKey(managed)
  const query = list(keys.slice(0, MAX_DIRECT).map(liquidityOf))
  const { results } = keys.length === 0 ? { results: [] } : yield* rpc.readAll(query.reads, { blockNumber })
  const liquidities = query.decode(results)
  return keys.map((mint, index) => ({ mint, liquidity: liquidities[index] ?? mint.added }))
})

/** What of it is beyond the NFTs that were read. */
const restOf = (
  managed: Effect.Effect.Success<ReturnType<typeof readManaged>>,
  held: ReadonlyArray<HeldPosition & Nft>
) => {
  const named = new Map<string, bigint>()
  for (const { pool, manager, liquidity, ...ticks } of held) {
    const key = stretchKey(pool, manager, ticks)
    named.set(key, (named.get(key) ?? 0n) + liquidity)
  }
  return managed.flatMap(({ liquidity, mint }) => {
    const rest = liquidity - (named.get(stretchKey(mint.pool, mint.owner, mint)) ?? 0n)
    return rest > 0n ? [{ ...asUnread(mint), liquidity: rest }] : []
  })
}

/** NFTs whose positions a transaction let grow; none where its receipt could not be read. */
const nftsIn = (rpc: BaseRpc, hash: Hex) =>
  readReceipt(rpc.client, hash).pipe(
    Effect.map((receipt) =>
      (receipt?.logs ?? []).flatMap(({ address, topics: [event, tokenId] }): ReadonlyArray<Nft> =>
        event === INCREASE_LIQUIDITY && tokenId !== undefined
          ? [{ manager: address, tokenId: BigInt(tokenId) }]
          : []
      )
    ),
    Effect.orElseSucceed((): ReadonlyArray<Nft> => [])
  )

/** V3 NFTs: minted together with positions that a position manager holds; only their transactions name them. */
export const readNfts = Effect.fnUntraced(function* (
  rpc: BaseRpc,
  mints: ReadonlyArray<Minted>,
  pools: ReadonlyArray<PoolSides>,
  blockNumber: bigint
) {
  const managed = mints.filter(({ pool, owner }) => !isV4(pool) && POSITION_MANAGERS.has(owner))
  const receipts = Effect.forEach(largestTransactions(managed), (hash) => nftsIn(rpc, hash), {
    concurrency: 8
  })
  const [found, all] = yield* Effect.all([receipts, readManaged(rpc, managed, blockNumber)], {
    concurrency: 2
  })
  // One NFT may have grown many times; it is one position.
  const asked = [
    ...new Map(
      found
        .flat()
        .filter(({ manager }) => POSITION_MANAGERS.has(manager))
        .map((nft) => [`${nft.manager}/${nft.tokenId}`, nft] as const)
    ).values()
  ]
  const query = list(asked.map(readNft))
  const { results } = asked.length === 0 ? { results: [] } : yield* rpc.readAll(query.reads, { blockNumber })
  const held = query.decode(results).flatMap((nft, index): ReadonlyArray<HeldPosition & Nft> => {
    const of = asked[index]
    if (nft?.holder === undefined || of === undefined || nft.liquidity === 0n) return []
    const pool = poolOf(pools, of.manager, nft)
    const { holder, liquidity, tickLower, tickUpper } = nft
    return pool === undefined
      ? []
      : [{ pool: keyOfPool(pool), holder, liquidity, tickLower, tickUpper, nft: true, ...of }]
  })
  return { held, unread: restOf(all, held) }
})
