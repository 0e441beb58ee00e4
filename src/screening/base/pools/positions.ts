import { Effect } from "effect"
import type { Address, Hex } from "viem"
import { encodePacked, keccak256, parseAbi, parseEventLogs } from "viem"
import type { BaseRpc } from "../../../chain/chain-rpc.ts"
import type { CodeAnalyser } from "../analysis/analyser.ts"
import { BURN_ADDRESSES, isNobody, lower } from "../addresses.ts"
import { both, callData, list, read, uint, wordAt } from "../reads/query.ts"
import { LAUNCHPAD_LOCKERS, POSITION_LOCKERS, POSITION_MANAGERS } from "./registry.ts"
import { positionOf } from "./lp-lock.ts"
import type { PoolCandidate } from "./pool-search.ts"

/** One position as a concentrated pool's own `Mint` events name it. */
export interface Minted {
  readonly pool: Address
  readonly owner: Address
  readonly tickLower: number
  readonly tickUpper: number
  readonly transaction: Hex
}

/** Whose the liquidity in range is. Shares are 0 to 1 of the pool's own figure. */
export interface PositionShares {
  /** Proven to be out of everybody's reach. */
  readonly locked: number
  /** Whose owner is known, locked or not; the rest is nobody's we know. */
  readonly known: number
  /** The most that one owner could take out. */
  readonly largestFree: number
}

const events = parseAbi([
  "event Mint(address sender, address indexed owner, int24 indexed tickLower, int24 indexed tickUpper, uint128 amount, uint256 amount0, uint256 amount1)"
])
const nftEvents = parseAbi([
  "event IncreaseLiquidity(uint256 indexed tokenId, uint128 liquidity, uint256 amount0, uint256 amount1)"
])

/** Pools whose positions are read, positions of each in all, and transactions looked into for NFTs. */
const MAX_POOLS = 4
const MAX_MINTS = 40
const MAX_RECEIPTS = 8
const TIMEOUT = "3 seconds"

/** Second wave: the positions ever opened in these pools, as far back as the node serves; none is a valid answer. */
export const readMints = (
  rpc: BaseRpc,
  pools: ReadonlyArray<PoolCandidate>,
  fromBlock: bigint,
  toBlock: bigint
): Effect.Effect<ReadonlyArray<Minted>> => {
  const address = pools
    .filter(({ kind }) => kind === "v3" || kind === "slipstream")
    .slice(0, MAX_POOLS)
    .map((pool) => pool.address)
  if (address.length === 0) return Effect.succeed([])
  return Effect.tryPromise(() =>
    rpc.client.getLogs({ address, events, fromBlock, toBlock, strict: true })
  ).pipe(
    Effect.timeout(TIMEOUT),
    Effect.map((logs) => {
      const found = logs.map(({ address: pool, args, transactionHash }): Minted => ({
        pool: lower(pool),
        owner: lower(args.owner),
        tickLower: args.tickLower,
        tickUpper: args.tickUpper,
        transaction: transactionHash
      }))
      const distinct = new Map(found.map((mint) => [`${keyOf(mint)}${mint.transaction}${mint.pool}`, mint]))
      return [...distinct.values()].slice(0, MAX_MINTS)
    }),
    Effect.catchAll(() => Effect.succeed([]))
  )
}

const keyOf = ({ owner, tickLower, tickUpper }: Minted): Hex =>
  keccak256(encodePacked(["address", "int24", "int24"], [owner, tickLower, tickUpper]))

/** Liquidity of a pool's position by its key (`positions(bytes32)`). */
const liquidityOf = (mint: Minted) =>
  read(mint.pool, callData("0x514ea4bf", keyOf(mint)), (data) => wordAt(data, 0))

/** Liquidity in range and the current tick. */
const stateOf = (pool: Address) =>
  both(
    uint(pool, "0x1a686502"),
    read(pool, "0x3850c7bd", (data) => {
      const tick = wordAt(data, 1)
      return tick === undefined ? undefined : Number(BigInt.asIntN(24, tick))
    })
  )

interface Held {
  readonly pool: Address
  /** Who can act on it: the position's owner, or the holder of its NFT. */
  readonly holder: Address
  readonly liquidity: bigint
}

/** The NFTs minted together with positions that a position manager holds. */
const readNfts = (rpc: BaseRpc, mints: ReadonlyArray<Minted>, blockNumber: bigint) =>
  Effect.gen(function* () {
    const managed = mints.filter(({ owner }) => POSITION_MANAGERS.has(owner))
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
    const query = list(nfts.map(({ manager, tokenId }) => positionOf(manager, tokenId)))
    if (nfts.length === 0) return []
    const { results } = yield* rpc.readAll(query.reads, { blockNumber })
    const positions = query.decode(results)
    return nfts.flatMap(({ pool }, index): ReadonlyArray<Held> => {
      const position = positions[index]
      return position === undefined
        ? []
        : [{ pool, holder: lower(position.owner), liquidity: position.liquidity }]
    })
  })

const isLocker = (holder: Address): boolean =>
  isNobody(holder) ||
  BURN_ADDRESSES.includes(holder) ||
  POSITION_LOCKERS.has(holder) ||
  LAUNCHPAD_LOCKERS.has(holder)

const sharesOf = (
  held: ReadonlyArray<Held>,
  inRange: bigint,
  locked: ReadonlySet<Address>
): PositionShares => {
  const share = (amount: bigint) =>
    inRange === 0n ? 0 : Math.min(1, Number((amount * 1_000_000n) / inRange) / 1e6)
  const byHolder = new Map<Address, bigint>()
  for (const { holder, liquidity } of held) byHolder.set(holder, (byHolder.get(holder) ?? 0n) + liquidity)
  const sum = (amounts: ReadonlyArray<bigint>) => amounts.reduce((total, amount) => total + amount, 0n)
  const entries = [...byHolder]
  const free = entries.filter(([holder]) => !locked.has(holder)).map(([, amount]) => amount)
  return {
    locked: share(sum(entries.filter(([holder]) => locked.has(holder)).map(([, amount]) => amount))),
    known: share(sum(entries.map(([, amount]) => amount))),
    largestFree: share(free.reduce((most, amount) => (amount > most ? amount : most), 0n))
  }
}

/**
 * Third wave: whose the liquidity in range of each pool is. A pool whose liquidity is not wholly accounted for keeps a
 * remainder that counts as unknown. Never fails: what could not be read is not in the answer.
 */
export const readPositions = (
  rpc: BaseRpc,
  mints: ReadonlyArray<Minted>,
  blockNumber: bigint,
  hasNoWayOut: CodeAnalyser["Type"]["hasNoWayOut"]
): Effect.Effect<ReadonlyMap<Address, PositionShares>> => {
  if (mints.length === 0) return Effect.succeed(new Map())
  const pools = [...new Set(mints.map(({ pool }) => pool))]
  const direct = [...new Map(mints.map((mint) => [`${mint.pool}${keyOf(mint)}`, mint])).values()].filter(
    ({ owner }) => !POSITION_MANAGERS.has(owner)
  )
  const query = both(list(pools.map(stateOf)), list(direct.map(liquidityOf)))
  return Effect.gen(function* () {
    const [{ results }, nfts] = yield* Effect.all(
      [rpc.readAll(query.reads, { blockNumber }), readNfts(rpc, mints, blockNumber)],
      { concurrency: 2 }
    )
    const [states, liquidities] = query.decode(results)
    const tickOf = new Map(pools.map((pool, index) => [pool, states[index]?.[1]]))
    const held = direct.flatMap((mint, index): ReadonlyArray<Held> => {
      const tick = tickOf.get(mint.pool)
      const inRange = tick !== undefined && mint.tickLower <= tick && tick < mint.tickUpper
      return inRange ? [{ pool: mint.pool, holder: mint.owner, liquidity: liquidities[index] ?? 0n }] : []
    })
    const all = [...held, ...nfts]
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
      pools.map((pool, index) => [
        pool,
        sharesOf(
          all.filter((position) => position.pool === pool),
          states[index]?.[0] ?? 0n,
          lockedHolders
        )
      ])
    )
  }).pipe(
    Effect.timeout(TIMEOUT),
    Effect.catchAll(() => Effect.succeed(new Map<Address, PositionShares>()))
  )
}
