import { atLeastZero } from "../../../domain/bigint.ts"

/** Blocks whose events are asked for, both ends included. */
export interface Range {
  readonly fromBlock: bigint
  readonly toBlock: bigint
}

export const BLOCK_SECONDS = 2n
/** A token may be older than its first pool; a day of blocks is looked at before it. */
const BLOCKS_BEFORE_POOL = 43_200n
/** Blocks that hosted nodes list in one request. */
const WINDOW = 9_500n
/** Most of a launch lies before the pool that market data dates: the token's birth, then its first liquidity. */
const BLOCKS_BEFORE_LAUNCH = 7_000n

/** About the block of the first pool, or of what one request serves where its age is unknown. */
export const launchBlock = (blockNumber: bigint, age: bigint | null): bigint =>
  atLeastZero(blockNumber - (age === null ? WINDOW : age / BLOCK_SECONDS))

/** From a day before the first pool to now; where its age is unknown, what one request serves. */
export const sinceLaunch = (blockNumber: bigint, age: bigint | null): Range => ({
  fromBlock: atLeastZero(launchBlock(blockNumber, age) - (age === null ? 0n : BLOCKS_BEFORE_POOL)),
  toBlock: blockNumber
})

/** Where no node serves the whole range, in parts either: the launch, and now. */
export const launchAndNow = ({ fromBlock, toBlock }: Range, launch: bigint): ReadonlyArray<Range> =>
  [launch - BLOCKS_BEFORE_LAUNCH, toBlock - WINDOW].map((start) => {
    const first = start < fromBlock ? fromBlock : start
    return { fromBlock: first, toBlock: first + WINDOW < toBlock ? first + WINDOW : toBlock }
  })
