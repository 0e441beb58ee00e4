import { Effect } from "effect"
import type { Address, Hex } from "viem"
import { encodePacked, keccak256, numberToHex, pad, parseAbi } from "viem"
import type { BaseRpc } from "../../../chain/chain-rpc.ts"
import { lower } from "../addresses.ts"
import type { Query } from "../reads/query.ts"
import { account, both, callData, mapQuery, pure, read, uint, wordAt } from "../reads/query.ts"
import { V4 } from "./factories.ts"
import type { PoolCandidate } from "./pool-search.ts"

/** One position as the events of concentrated pools name it. */
export interface Minted {
  /** The pool's contract, or its id in V4. */
  readonly pool: Hex
  readonly owner: Address
  readonly tickLower: number
  readonly tickUpper: number
  /** V4 only; for the PositionManager's positions the number of their NFT. */
  readonly salt: Hex | null
  readonly transaction: Hex
}

/** A pool's state as far as positions need it. */
export interface PoolTick {
  readonly tick: number
  readonly sqrtPrice: bigint
  /** Liquidity in range. */
  readonly liquidity: bigint
}

const mintEvents = parseAbi([
  "event Mint(address sender, address indexed owner, int24 indexed tickLower, int24 indexed tickUpper, uint128 amount, uint256 amount0, uint256 amount1)"
])
/** `ModifyLiquidity(PoolId indexed, address indexed, int24, int24, int256, bytes32)` of the PoolManager. */
const MODIFY_LIQUIDITY: Hex = "0xf208f4912782fd25c7f114ca3723a2d5dd6f3bcc3ac8db5af63baa85f711d5ec"

/** Pools whose positions are read, and positions of them in all. */
const MAX_POOLS = 6
const MAX_MINTS = 60
const TIMEOUT = "3 seconds"

const isPoolId = (key: Hex): boolean => key.length === 66
export const isV4 = ({ pool }: Pick<Minted, "pool">): boolean => isPoolId(pool)

const v3Mints = (rpc: BaseRpc, address: ReadonlyArray<Address>, fromBlock: bigint, toBlock: bigint) =>
  Effect.tryPromise(() =>
    rpc.client.getLogs({ address: [...address], events: mintEvents, fromBlock, toBlock, strict: true })
  ).pipe(
    Effect.map((logs) =>
      logs.map(({ address: pool, args, transactionHash }): Minted => ({
        pool: lower(pool),
        owner: lower(args.owner),
        tickLower: args.tickLower,
        tickUpper: args.tickUpper,
        salt: null,
        transaction: transactionHash
      }))
    )
  )

interface RawLog {
  readonly topics: ReadonlyArray<Hex>
  readonly data: Hex
  readonly transactionHash: Hex | null
}

const tickAt = (data: Hex, index: number): number => Number(BigInt.asIntN(24, wordAt(data, index) ?? 0n))

const v4Mints = (rpc: BaseRpc, ids: ReadonlyArray<Hex>, fromBlock: bigint, toBlock: bigint) =>
  Effect.tryPromise((): Promise<ReadonlyArray<RawLog>> =>
    rpc.client.request({
      method: "eth_getLogs",
      params: [
        {
          address: V4.poolManager,
          topics: [MODIFY_LIQUIDITY, [...ids]],
          fromBlock: numberToHex(fromBlock),
          toBlock: numberToHex(toBlock)
        }
      ]
    })
  ).pipe(
    Effect.map((logs) =>
      logs.flatMap(({ topics, data, transactionHash }): ReadonlyArray<Minted> => {
        const [, pool, sender] = topics
        const [delta, salt] = [wordAt(data, 2), wordAt(data, 3)]
        if (pool === undefined || sender === undefined || delta === undefined || salt === undefined) return []
        if (BigInt.asIntN(256, delta) <= 0n) return []
        return [
          {
            pool,
            owner: lower(`0x${sender.slice(26)}`),
            tickLower: tickAt(data, 0),
            tickUpper: tickAt(data, 1),
            salt: numberToHex(salt, { size: 32 }),
            transaction: transactionHash ?? pad("0x")
          }
        ]
      })
    )
  )

/** Second wave: positions ever opened in these pools, as far back as the node serves; none is a valid answer. */
export const readMints = (
  rpc: BaseRpc,
  pools: ReadonlyArray<PoolCandidate>,
  fromBlock: bigint,
  toBlock: bigint
): Effect.Effect<ReadonlyArray<Minted>> => {
  const concentrated = pools.filter(({ kind }) => kind === "v3" || kind === "slipstream").slice(0, MAX_POOLS)
  const ids = pools.flatMap(({ v4 }) => (v4 === undefined ? [] : [v4.poolId])).slice(0, MAX_POOLS)
  const none = Effect.succeed<ReadonlyArray<Minted>>([])
  const bounded = (found: Effect.Effect<ReadonlyArray<Minted>, unknown>) =>
    found.pipe(
      Effect.timeout(TIMEOUT),
      Effect.map((mints) => mints.slice(0, MAX_MINTS)),
      Effect.catchAll(() => none)
    )
  return Effect.all(
    [
      concentrated.length === 0
        ? none
        : bounded(
            v3Mints(
              rpc,
              concentrated.map(({ address }) => address),
              fromBlock,
              toBlock
            )
          ),
      ids.length === 0 ? none : bounded(v4Mints(rpc, ids, fromBlock, toBlock))
    ],
    { concurrency: 2 }
  ).pipe(Effect.map((found) => found.flat()))
}

/** Liquidity of a position by its key: `positions(bytes32)` of a V3 pool, `getPositionLiquidity` of V4's StateView. */
export const liquidityOf = ({
  pool,
  owner,
  tickLower,
  tickUpper,
  salt
}: Minted): Query<bigint | undefined> =>
  salt === null
    ? read(
        lower(pool),
        callData(
          "positions(bytes32)",
          keccak256(encodePacked(["address", "int24", "int24"], [owner, tickLower, tickUpper]))
        ),
        (data) => wordAt(data, 0)
      )
    : uint(
        V4.stateView,
        "getPositionLiquidity(bytes32,bytes32)",
        pool,
        keccak256(encodePacked(["address", "int24", "int24", "bytes32"], [owner, tickLower, tickUpper, salt]))
      )

/** Whose NFT a position of V4's PositionManager is. */
export const ownerOfNft = (salt: Hex | null): Query<Address | undefined> =>
  salt === null ? pure(undefined) : account(V4.positionManager, "ownerOf(uint256)", salt)

/** Owner, liquidity and range of a V3 position's NFT. */
export const nftOf = (manager: Address, tokenId: bigint) =>
  mapQuery(
    both(
      account(manager, "ownerOf(uint256)", tokenId),
      read(manager, callData("positions(uint256)", tokenId), (data) => {
        const liquidity = wordAt(data, 7)
        return liquidity === undefined
          ? undefined
          : { liquidity, tickLower: tickAt(data, 5), tickUpper: tickAt(data, 6) }
      })
    ),
    ([holder, position]) =>
      holder === undefined || position === undefined ? undefined : { holder, ...position }
  )

/** Price, tick and liquidity in range of a concentrated pool. */
export const tickOf = (pool: Hex): Query<PoolTick | undefined> => {
  const slot0 = (data: Hex) => {
    const sqrtPrice = wordAt(data, 0)
    return sqrtPrice === undefined ? undefined : { sqrtPrice, tick: tickAt(data, 1) }
  }
  const [price, liquidity] = isPoolId(pool)
    ? [
        read(V4.stateView, callData("getSlot0(bytes32)", pool), slot0),
        uint(V4.stateView, "getLiquidity(bytes32)", pool)
      ]
    : [read(lower(pool), callData("slot0()"), slot0), uint(lower(pool), "liquidity()")]
  return mapQuery(both(price, liquidity), ([state, inRange]) =>
    state === undefined || inRange === undefined ? undefined : { ...state, liquidity: inRange }
  )
}
