import { Effect } from "effect"
import type { Address, Hex } from "viem"
import { toEventSelector } from "viem"
import { max, sum } from "../../../domain/bigint.ts"
import type { BaseRpc } from "../../../chain/chain-rpc.ts"
import { readReceipt } from "../../../chain/evm-logs.ts"
import { account, addressAt, both, callData, list, mapQuery, read } from "../reads/query.ts"
import type { Minted } from "./minted.ts"
import type { Content, PoolSides } from "./position-reads.ts"
import {
  MAX_DIRECT,
  asUnread,
  byKey,
  contentAt,
  contentOf,
  isEmpty,
  isV4,
  keyOfPool,
  tickAt
} from "./position-reads.ts"
import type { HeldPosition, Owed, Stretch } from "./position-shares.ts"
import { NOTHING_OWED } from "./position-shares.ts"
import { POSITION_MANAGERS } from "./registry/registry.ts"

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
    const total = sum(own.map(({ added }) => added))
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
        const [token0, token1, content] = [addressAt(data, 2), addressAt(data, 3), contentAt(data, 7, 10)]
        return token0 === undefined || token1 === undefined || content === undefined
          ? undefined
          : {
              token0,
              token1,
              tier: tickAt(data, 4),
              tickLower: tickAt(data, 5),
              tickUpper: tickAt(data, 6),
              ...content
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
  { tickLower, tickUpper }: Pick<Stretch, "tickLower" | "tickUpper">
): string => [pool, manager, tickLower, tickUpper].join("/")

const keyOfMint = (mint: Minted): string => stretchKey(mint.pool, mint.owner, mint)

/** What managers hold in the pools, by stretch. */
const readManaged = Effect.fnUntraced(function* (
  rpc: BaseRpc,
  managed: ReadonlyArray<Minted>,
  blockNumber: bigint
) {
  const keys = byKey(managed)
  const query = list(keys.slice(0, MAX_DIRECT).map(contentOf))
  const { results } = keys.length === 0 ? { results: [] } : yield* rpc.readAll(query.reads, { blockNumber })
  const contents = query.decode(results)
  return keys.map((mint, index) => ({ mint, content: contents[index] ?? asUnread(mint) }))
})

const EMPTY: Content = { liquidity: 0n, owed: NOTHING_OWED }

const without = (all: Content, part: Content): Content => ({
  liquidity: max(all.liquidity - part.liquidity, 0n),
  owed: [max(all.owed[0] - part.owed[0], 0n), max(all.owed[1] - part.owed[1], 0n)]
})

const together = (a: Content, b: Content): Content => ({
  liquidity: a.liquidity + b.liquidity,
  owed: [a.owed[0] + b.owed[0], a.owed[1] + b.owed[1]]
})

/**
 * What of it is beyond the NFTs that were read. Where these are all there are, more that is owed is fees of theirs, which
 * a pool credits to a stretch as a whole.
 */
const restOf = (
  managed: Effect.Effect.Success<ReturnType<typeof readManaged>>,
  held: ReadonlyArray<HeldPosition & Nft>,
  isNamedWhole: (key: string) => boolean
) => {
  const named = new Map<string, Content>()
  for (const position of held) {
    const key = stretchKey(position.pool, position.manager, position)
    named.set(key, together(named.get(key) ?? EMPTY, position))
  }
  return managed.flatMap(({ content, mint }) => {
    const key = keyOfMint(mint)
    const { liquidity, owed } = without(content, named.get(key) ?? EMPTY)
    const fees: Owed = isNamedWhole(key) ? NOTHING_OWED : owed
    const rest = { liquidity, owed: fees }
    return isEmpty(rest) ? [] : [{ ...asUnread(mint), ...rest }]
  })
}

/** NFTs whose positions a transaction let grow; undefined where its receipt could not be read. */
const nftsIn = (rpc: BaseRpc, hash: Hex) =>
  readReceipt(rpc.client, hash).pipe(
    Effect.map((receipt) =>
      receipt?.logs.flatMap(({ address, topics: [event, tokenId] }): ReadonlyArray<Nft> =>
        event === INCREASE_LIQUIDITY && tokenId !== undefined && POSITION_MANAGERS.has(address)
          ? [{ manager: address, tokenId: BigInt(tokenId) }]
          : []
      )
    ),
    Effect.orElseSucceed(() => undefined),
    Effect.map((nfts) => ({ hash, nfts }))
  )

const nameOf = ({ manager, tokenId }: Nft): string => `${manager}/${tokenId}`

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
    ...new Map(found.flatMap(({ nfts }) => nfts ?? []).map((nft) => [nameOf(nft), nft] as const)).values()
  ]
  const query = list(asked.map(readNft))
  const { results } = asked.length === 0 ? { results: [] } : yield* rpc.readAll(query.reads, { blockNumber })
  const answers = query.decode(results)
  const told = new Set(asked.filter((_, index) => answers[index]?.holder !== undefined).map(nameOf))
  const whole = new Set(
    found.flatMap(({ hash, nfts }) => (nfts?.every((nft) => told.has(nameOf(nft))) === true ? [hash] : []))
  )
  const open = new Set(managed.filter(({ transaction }) => !whole.has(transaction)).map(keyOfMint))
  const held = answers.flatMap((nft, index): ReadonlyArray<HeldPosition & Nft> => {
    const of = asked[index]
    if (nft?.holder === undefined || of === undefined || isEmpty(nft)) return []
    const pool = poolOf(pools, of.manager, nft)
    const { holder, liquidity, owed, tickLower, tickUpper } = nft
    return pool === undefined
      ? []
      : [{ pool: keyOfPool(pool), holder, liquidity, owed, tickLower, tickUpper, nft: true, ...of }]
  })
  return { held, unread: restOf(all, held, (key) => !open.has(key)) }
})
