import { Effect } from "effect"
import type { Address } from "viem"
import { toEventSelector } from "viem"
import type { BaseRpc } from "../../../chain/chain-rpc.ts"
import { readLogRange } from "../../../chain/evm-log-ranges.ts"
import type { EvmLog } from "../../../chain/evm-logs.ts"
import { addressText } from "../addresses.ts"
import type { Range } from "../reads/log-windows.ts"
import type { Query } from "../reads/query.ts"
import { addressAt, both, callData, list, mapQuery, read, uint, wordAt } from "../reads/query.ts"
import type { Nft } from "./nft-reads.ts"
import type { HeldPosition } from "./position-shares.ts"
import { DATED_POSITION_LOCKERS } from "./registry/registry.ts"

/**
 * What UNCX's locker of V3 positions tells of every lock, by its own number.
 * Source: uncx-network/liquidity-locker-univ3-contracts, UNCX_LiquidityLocker_UniV3.sol.
 */
const ON_LOCK = toEventSelector(
  "event onLock(uint256,address,uint256,address,address,address,uint256,uint16,uint256,address,(uint96,address,address,address,uint24,int24,int24,uint128,uint256,uint256,uint128,uint128))"
)

/** Locks of a range beyond these are not read. */
const MAX_LOCKS = 4_000
/** Positions without a date are what they were: nobody waits longer for one. */
const TIMEOUT = "2 seconds"

/** A lock as an event tells of it: what it says of an NFT is asked of the locker itself. */
interface Claim extends Nft {
  readonly locker: Address
  readonly number: bigint
}

const nameOf = (locker: Address, { manager, tokenId }: Nft): string => [locker, manager, tokenId].join("/")

const claimIn = ({ address, data }: EvmLog): ReadonlyArray<Claim> => {
  const [number, manager, tokenId] = [wordAt(data, 0), wordAt(data, 1), wordAt(data, 2)]
  return number === undefined || manager === undefined || tokenId === undefined
    ? []
    : [{ locker: address, number, manager: addressText(manager), tokenId }]
}

/**
 * Unix seconds of the date before which a locker lets nobody have an NFT: its `getLock` must name the NFT and its manager.
 * Older lockers take NFTs of anybody's managers, through which others' can be taken out; they keep no list of those allowed.
 */
const dateOf = ({ locker, manager, number, tokenId }: Claim): Query<bigint | undefined> =>
  mapQuery(
    both(
      read(locker, callData("getLock(uint256)", number), (data) => {
        const date = wordAt(data, 8)
        const isIt =
          wordAt(data, 0) === number && addressAt(data, 1) === manager && wordAt(data, 3) === tokenId
        return isIt ? date : undefined
      }),
      uint(locker, "nftPositionManagerIsAllowed(address)", manager)
    ),
    ([date, isAllowed]) => (isAllowed === 1n ? date : undefined)
  )

/** The dates of locks by the names of their NFTs, where they could be read. */
const readDates = Effect.fnUntraced(function* (
  rpc: BaseRpc,
  kept: ReadonlyArray<HeldPosition & Nft>,
  range: Range
) {
  const lockers = [...new Set(kept.map(({ holder }) => holder))]
  const logs = yield* readLogRange(rpc, { address: lockers, topics: [[ON_LOCK]], ...range }, MAX_LOCKS)
  // Whoever takes an NFT back and locks it again has another lock: the last one counts.
  const claims = new Map(logs.flatMap(claimIn).map((claim) => [nameOf(claim.locker, claim), claim] as const))
  const asked = kept.flatMap((position) => claims.get(nameOf(position.holder, position)) ?? [])
  const query = list(asked.map(dateOf))
  const { results } =
    asked.length === 0 ? { results: [] } : yield* rpc.readAll(query.reads, { blockNumber: range.toBlock })
  const dates = query.decode(results)
  return new Map(asked.map((claim, at) => [nameOf(claim.locker, claim), dates[at]] as const))
})

/**
 * Positions, those of NFTs in lockers with the date on which they are let go, where that could be read. Never fails: a lock
 * that nobody could read has no date.
 * @param range to the block of the screening
 */
export const withDates = (
  rpc: BaseRpc,
  held: ReadonlyArray<HeldPosition & Nft>,
  range: Range
): Effect.Effect<ReadonlyArray<HeldPosition & Nft>> => {
  const kept = held.filter(({ holder }) => DATED_POSITION_LOCKERS.has(holder))
  return kept.length === 0
    ? Effect.succeed(held)
    : readDates(rpc, kept, range).pipe(
        Effect.timeout(TIMEOUT),
        Effect.map((dates) =>
          held.map((position) => ({ ...position, until: dates.get(nameOf(position.holder, position)) }))
        ),
        Effect.catchAll(() => Effect.succeed(held))
      )
}
