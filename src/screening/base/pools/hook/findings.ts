import type { Address } from "viem"

/**
 * Something that keeps a hook from being trusted. `power`: it is there, and somebody or something can use it against
 * traders; `unproven`: it could not be excluded.
 */
export interface Doubt {
  readonly kind: "power" | "unproven"
  /** Our own words; completes "A pool's hook …". */
  readonly why: string
  /** Unix seconds from which on it is past, where the code says so. */
  readonly until?: number
}

export const power = (why: string): Doubt => ({ kind: "power", why })
export const unproven = (why: string): Doubt => ({ kind: "unproven", why })

/** What one of the two callbacks of a swap does, whoever trades, in either direction, and whatever else changes. */
export interface SwapPart {
  /** What may keep swaps from going through. */
  readonly stops: ReadonlyArray<Doubt>
  /** What keeps its share of a swap from being known; counts where the pool lets the hook take one. */
  readonly takings: ReadonlyArray<Doubt>
  /** The share of a swap's amount that it takes at most, basis points. */
  readonly takesBps: number
  /** What keeps the fee it names for a swap from being known; counts where the pool's fee is dynamic. */
  readonly fees: ReadonlyArray<Doubt>
  /** The largest fee it names for a swap, millionths; null where it names none. */
  readonly feePips: number | null
  /**
   * Whom it has the PoolManager pay: nobody, itself, always the same other, or others as well. Ether can be refused by whoever
   * gets it, and any currency knows some whom it does not pay: the zero address, those it has barred.
   */
  readonly pays: "nobody" | "itself" | "one" | "others"
  /** It keeps something of swaps: where the pool does not allow that, no such swap can be settled. */
  readonly keeps: boolean
  /** It sets the pool's fee in the middle of a swap, which fails where the pool's fee is not dynamic. */
  readonly setsFee: boolean
}

/** What a hook's own code says about the swaps of its pools. */
export interface HookFindings {
  readonly before: SwapPart
  readonly after: SwapPart
  /** The fee it can set for a pool with a dynamic fee, outside of swaps. */
  readonly fee: { readonly doubts: ReadonlyArray<Doubt>; readonly mostPips: number | null }
  /** Ether that the PoolManager pays to it always arrives. */
  readonly takesEther: boolean
  /** Slots (0x, 32 bytes) whose words could settle more. */
  readonly settledBy: ReadonlyArray<string>
  /** Slots of tables in which something of each pool is counted: a small number there could settle more. */
  readonly countedIn: ReadonlyArray<string>
}

/** Hooks by address; one that is missing was not read. */
export type HookCodes = ReadonlyMap<Address, HookFindings>

/** Nothing is known, for one reason. */
export const unreadHook = (why: string): HookFindings => {
  const doubts: ReadonlyArray<Doubt> = [unproven(why)]
  const part: SwapPart = {
    stops: doubts,
    takings: doubts,
    takesBps: 0,
    fees: doubts,
    feePips: null,
    pays: "others",
    keeps: false,
    setsFee: false
  }
  return {
    before: part,
    after: part,
    fee: { doubts, mostPips: null },
    takesEther: false,
    settledBy: [],
    countedIn: []
  }
}

/** Low bits of a hook's address: what the PoolManager asks it, and lets it change. Source: Uniswap v4-core Hooks. */
const FLAG = {
  beforeSwap: 1n << 7n,
  afterSwap: 1n << 6n,
  beforeTakes: 1n << 3n,
  afterTakes: 1n << 2n
} as const

/** What can be said of a hook in one pool: everything against it, and what it takes at most. */
export interface HookInPool {
  readonly doubts: ReadonlyArray<Doubt>
  /** Of both callbacks together, basis points. */
  readonly takesBps: number
  /** The largest fee it can give the pool, millionths; null where the pool's fee is not its to set. */
  readonly feePips: number | null
}

const unsettled = power("does in a swap what the pool does not let it do, so that the swap fails")

/**
 * Counts what the pool lets its hook do.
 * @param pool `native`: ether is one of the pool's currencies
 * @param now Unix seconds of the block
 */
export const hookInPool = (
  hook: Address,
  { after, before, fee, takesEther }: HookFindings,
  pool: { readonly dynamicFee: boolean; readonly native: boolean },
  now: bigint
): HookInPool => {
  const has = (flag: bigint): boolean => (BigInt(hook) & flag) !== 0n
  const parts = [
    ...(has(FLAG.beforeSwap) ? [{ part: before, takes: has(FLAG.beforeTakes) }] : []),
    ...(has(FLAG.afterSwap) ? [{ part: after, takes: has(FLAG.afterTakes) }] : [])
  ]
  const doubts = parts.flatMap(({ part, takes }) => [
    ...(takes ? part.takings : []),
    ...(pool.dynamicFee ? part.fees : []),
    ...part.stops,
    ...(part.keeps && !takes ? [unsettled] : []),
    ...(part.setsFee && !pool.dynamicFee ? [unsettled] : []),
    ...(pool.native && part.pays !== "nobody" && !(part.pays === "itself" && takesEther)
      ? [unproven("pays ether to somebody who can refuse it")]
      : []),
    ...(!pool.native && part.pays === "others"
      ? [unproven("pays somebody who can be replaced by one whom the currency does not pay")]
      : [])
  ])
  const pips = [fee.mostPips, ...parts.map(({ part }) => part.feePips)].filter((most) => most !== null)
  return {
    doubts: [...(pool.dynamicFee ? fee.doubts : []), ...doubts].filter(
      ({ until }) => until === undefined || BigInt(until) > now
    ),
    takesBps: parts.reduce((sum, { part, takes }) => sum + (takes ? part.takesBps : 0), 0),
    feePips: pool.dynamicFee && pips.length > 0 ? Math.max(...pips) : null
  }
}
