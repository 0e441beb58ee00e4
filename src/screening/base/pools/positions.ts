import { Effect } from "effect"
import type { Address, Hex } from "viem"
import { parseAbi, parseEventLogs } from "viem"
import type { BaseRpc } from "../../../chain/chain-rpc.ts"
import type { CodeAnalyser } from "../analysis/analyser.ts"
import { BURN_ADDRESSES, isNobody, lower } from "../addresses.ts"
import { list } from "../reads/query.ts"
import { V4 } from "./factories.ts"
import { amountsBetween, rootAt } from "./ladder.ts"
import type { Minted, PoolTick } from "./minted.ts"
import { isV4, liquidityOf, nftOf, ownerOfNft, tickOf } from "./minted.ts"
import type { Pool } from "./pool.ts"
import { LAUNCHPAD_LOCKERS, POSITION_LOCKERS, POSITION_MANAGERS } from "./registry.ts"

/** Whose a pool's liquidity is. Shares are 0 to 1 of the liquidity in range, by the pool's own figure. */
export interface PositionShares {
  /** Proven to be out of everybody's reach. */
  readonly locked: number
  /** Whose owner is known, locked or not; the rest is nobody's we know. */
  readonly known: number
  /** The most that one owner could take out. */
  readonly largestFree: number
  /** Smallest units of the token that this pool's freest owner could take out and sell, in range or parked beside it. */
  readonly freeTokens: bigint
}

/** A pool by its contract, or by its id in V4. */
export type PoolKey = Hex
export const keyOfPool = ({ address, v4 }: Pick<Pool, "address" | "v4">): PoolKey => v4?.poolId ?? address

const nftEvents = parseAbi([
  "event IncreaseLiquidity(uint256 indexed tokenId, uint128 liquidity, uint256 amount0, uint256 amount1)"
])

/** Transactions looked into for NFTs. */
const MAX_RECEIPTS = 8
const TIMEOUT = "4 seconds"

interface Held {
  readonly pool: PoolKey
  /** Who can act on it: the position's owner, or the holder of its NFT. */
  readonly holder: Address
  readonly liquidity: bigint
  readonly tickLower: number
  readonly tickUpper: number
}

/** V3 NFTs: minted together with positions that a position manager holds; only their transactions name them. */
const readNfts = (rpc: BaseRpc, mints: ReadonlyArray<Minted>, blockNumber: bigint) =>
  Effect.gen(function* () {
    const managed = mints.filter((mint) => POSITION_MANAGERS.has(mint.owner))
    const hashes = [...new Set(managed.map(({ transaction }) => transaction))].slice(0, MAX_RECEIPTS)
    const receipts = yield* Effect.forEach(
      hashes,
      (hash) => Effect.tryPromise(() => rpc.client.getTransactionReceipt({ hash })),
      { concurrency: 4 }
    )
    const nfts = receipts.flatMap(({ logs, transactionHash }) =>
      parseEventLogs({ abi: nftEvents, logs }).flatMap(({ address, args }) => {
        const manager = lower(address)
        const mint = managed.find(
          ({ owner, transaction }) => owner === manager && transaction === transactionHash
        )
        return mint === undefined ? [] : [{ pool: mint.pool, manager, tokenId: args.tokenId }]
      })
    )
    if (nfts.length === 0) return []
    const query = list(nfts.map(({ manager, tokenId }) => nftOf(manager, tokenId)))
    const { results } = yield* rpc.readAll(query.reads, { blockNumber })
    const positions = query.decode(results)
    return nfts.flatMap(({ pool }, index): ReadonlyArray<Held> => {
      const position = positions[index]
      return position === undefined ? [] : [{ pool, ...position }]
    })
  })

/** Positions whose owner their event names: V3's without an NFT, and all of V4, whose NFT's number is the salt. */
const readDirect = (rpc: BaseRpc, mints: ReadonlyArray<Minted>, blockNumber: bigint) =>
  Effect.gen(function* () {
    const liquidity = list(mints.map(liquidityOf))
    const owners = list(mints.map((mint) => ownerOfNft(mint.salt)))
    const { results } = yield* rpc.readAll([...liquidity.reads, ...owners.reads], { blockNumber })
    const amounts = liquidity.decode(results.slice(0, liquidity.reads.length))
    const nftOwners = owners.decode(results.slice(liquidity.reads.length))
    return mints.flatMap((mint, index): ReadonlyArray<Held> => {
      const { pool, owner, tickLower, tickUpper } = mint
      const holder = owner === V4.positionManager ? nftOwners[index] : owner
      const amount = amounts[index] ?? 0n
      // An NFT without an owner was burned empty.
      return holder === undefined ? [] : [{ pool, holder, liquidity: amount, tickLower, tickUpper }]
    })
  })

const isLocker = (holder: Address): boolean =>
  isNobody(holder) ||
  BURN_ADDRESSES.includes(holder) ||
  POSITION_LOCKERS.has(holder) ||
  LAUNCHPAD_LOCKERS.has(holder)

const Q96 = 2 ** 96

/** Smallest units of the token in a position. */
const tokensIn = ({ liquidity, tickLower, tickUpper }: Held, root: number, tokenIs0: boolean): bigint => {
  const [zero, one] = amountsBetween(Number(liquidity), rootAt(tickLower), rootAt(tickUpper), root)
  const amount = tokenIs0 ? zero : one
  return Number.isFinite(amount) && amount > 0 ? BigInt(Math.floor(amount)) : 0n
}

const grouped = (
  held: ReadonlyArray<Held>,
  amountOf: (position: Held) => bigint
): ReadonlyMap<Address, bigint> => {
  const byHolder = new Map<Address, bigint>()
  for (const position of held)
    byHolder.set(position.holder, (byHolder.get(position.holder) ?? 0n) + amountOf(position))
  return byHolder
}

const largest = (amounts: ReadonlyArray<bigint>): bigint =>
  amounts.reduce((most, amount) => (amount > most ? amount : most), 0n)

const sharesOf = (
  held: ReadonlyArray<Held>,
  { liquidity: inRange, tick, sqrtPrice }: PoolTick,
  tokenIs0: boolean,
  locked: ReadonlySet<Address>
): PositionShares => {
  const share = (amount: bigint) =>
    inRange === 0n ? 0 : Math.min(1, Number((amount * 1_000_000n) / inRange) / 1e6)
  const sum = (amounts: ReadonlyArray<bigint>) => amounts.reduce((total, amount) => total + amount, 0n)
  const active = held.filter(({ tickLower, tickUpper }) => tickLower <= tick && tick < tickUpper)
  const entries = [...grouped(active, ({ liquidity }) => liquidity)]
  const free = held.filter(({ holder }) => !locked.has(holder))
  const root = Number(sqrtPrice) / Q96
  return {
    locked: share(sum(entries.filter(([holder]) => locked.has(holder)).map(([, amount]) => amount))),
    known: share(sum(entries.map(([, amount]) => amount))),
    largestFree: share(
      largest(entries.filter(([holder]) => !locked.has(holder)).map(([, amount]) => amount))
    ),
    freeTokens: largest([...grouped(free, (position) => tokensIn(position, root, tokenIs0)).values()])
  }
}

const distinct = (mints: ReadonlyArray<Minted>): ReadonlyArray<Minted> => [
  ...new Map(
    mints.map((mint) => [[mint.pool, mint.owner, mint.tickLower, mint.tickUpper, mint.salt].join("/"), mint])
  ).values()
]

type PoolSides = Pick<Pool, "address" | "v4" | "token" | "quote">

/**
 * Third wave: whose the liquidity of each concentrated pool is. A pool whose liquidity in range is not wholly accounted
 * for keeps a remainder that counts as unknown. Never fails: what could not be read is not in the answer.
 */
export const readPositions = (
  rpc: BaseRpc,
  mints: ReadonlyArray<Minted>,
  pools: ReadonlyArray<PoolSides>,
  blockNumber: bigint,
  hasNoWayOut: CodeAnalyser["Type"]["hasNoWayOut"]
): Effect.Effect<ReadonlyMap<PoolKey, PositionShares>> => {
  const minted = pools.filter((pool) => mints.some(({ pool: key }) => key === keyOfPool(pool)))
  if (minted.length === 0) return Effect.succeed(new Map())
  const direct = distinct(mints.filter((mint) => isV4(mint) || !POSITION_MANAGERS.has(mint.owner)))
  const ticks = list(minted.map((pool) => tickOf(keyOfPool(pool))))
  return Effect.gen(function* () {
    const [{ results }, named, nfts] = yield* Effect.all(
      [
        rpc.readAll(ticks.reads, { blockNumber }),
        readDirect(rpc, direct, blockNumber),
        readNfts(
          rpc,
          mints.filter((mint) => !isV4(mint)),
          blockNumber
        )
      ],
      { concurrency: 3 }
    )
    const states = ticks.decode(results)
    const all = [...named, ...nfts]
    const holders = [...new Set(all.map(({ holder }) => holder))]
    const inspected = yield* rpc.inspect(
      holders.map((address) => ({ address })),
      { blockNumber }
    )
    const locked = yield* Effect.filter(
      holders.map((holder, index) => ({ holder, code: inspected[index]?.code ?? "0x" }) as const),
      ({ holder, code }) =>
        isLocker(holder) || code === "0x" ? Effect.succeed(isLocker(holder)) : hasNoWayOut(code),
      { concurrency: "unbounded" }
    )
    const lockedHolders = new Set(locked.map(({ holder }) => holder))
    return new Map(
      minted.flatMap((pool, index) => {
        const [state, key] = [states[index], keyOfPool(pool)]
        if (state === undefined) return []
        const own = all.filter((position) => position.pool === key)
        return [[key, sharesOf(own, state, BigInt(pool.token) < BigInt(pool.quote), lockedHolders)] as const]
      })
    )
  }).pipe(
    Effect.timeout(TIMEOUT),
    Effect.catchAll(() => Effect.succeed(new Map<PoolKey, PositionShares>()))
  )
}
