import type { SolanaTokenBalance } from "../../../chain/chain-rpc.ts"
import type { SolanaAddress } from "../../../domain/address.ts"
import type { Fact } from "../../../domain/fact.ts"
import { missing } from "../../../domain/fact.ts"
import type { EarningLock, LpLock, StreamTerms } from "../power/lockers.ts"
import type { Interval } from "./pool-fact.ts"

/** Token accounts that could hold LP tokens of one pool, by what holding them would mean. */
export interface LpAccounts {
  /** Burned or locked for good. */
  readonly permanent: ReadonlyArray<SolanaAddress>
  /** In a locker the operator named. */
  readonly operator: ReadonlyArray<SolanaAddress>
  /** Vaults of lockers whose locks stand in accounts of their own. */
  readonly timed: ReadonlyArray<TimedVault>
  /** Of wallets tied to the token, each of whose keys can withdraw. */
  readonly wallets: ReadonlyArray<SolanaAddress>
}

/** Where a locker holds the LP tokens of one pool. */
export interface TimedVault {
  readonly locker: SolanaAddress
  readonly vault: SolanaAddress
}

export const noLpAccounts: LpAccounts = { permanent: [], operator: [], timed: [], wallets: [] }

/** A part of a pool's liquidity that one party's position accounts hold, 0 to 1 of all of it. */
export interface PositionShare {
  readonly owner: string
  readonly share: number
  /** Tokens of it, smallest units, where positions hold the two sides apart. */
  readonly tokens: number
  /** Locked for good or beyond the least time a lock must last. */
  readonly isLocked: boolean
}

/** A pool's liquidity by its position accounts. */
export interface PositionReading {
  readonly shares: ReadonlyArray<PositionShare>
  /** Positions hold the two sides apart: some only bid, and some only offer. */
  readonly isApart: boolean
  /** Share of the liquidity whose positions were not listed, or whose owners could not be told. */
  readonly unseen: number
  /** Of that, what is listed and nobody was asked for, or what lies with a program: it may be many people's, or one's. */
  readonly unnamed: number
  /**
   * Quote that sellers reach before the price has fallen to a quarter, in smallest units: without fees nobody has
   * claimed and without bids far below. Null where the positions do not tell.
   */
  readonly reachable: number | null
  /** Tokens that buyers reach before the price has risen fourfold, in smallest units. Null where the positions do not tell. */
  readonly offered: number | null
}

/** Who holds a pool's liquidity, as far as it was listed. */
export interface LpReading {
  readonly accounts: LpAccounts
  /** The largest accounts of the pool's LP mint. */
  readonly largest: Fact<ReadonlyArray<SolanaTokenBalance>>
  readonly positions: Fact<PositionReading>
  /** The locks of each timed vault that holds something, by the vault. */
  readonly locks: ReadonlyMap<SolanaAddress, ReadonlyArray<LpLock>>
  /** Streamflow contracts of LP mints, by their escrow. */
  readonly streams: ReadonlyMap<string, StreamTerms>
  /** Locks of its LP tokens whose gains can be harvested, where it matters what they say. */
  readonly earning: ReadonlyArray<EarningLock>
}

export const noLpReading: LpReading = {
  accounts: noLpAccounts,
  largest: missing("not read"),
  positions: missing("not read"),
  locks: new Map(),
  streams: new Map(),
  earning: []
}

/** Whose the tokens in a pool are, smallest units; of the rest nobody could tell. */
export interface TokenSide {
  readonly locked: number
  readonly parties: ReadonlyMap<string, number>
}

export interface PoolLock {
  readonly locked: Interval
  /** Shares of the liquidity that named parties could withdraw. */
  readonly parties: ReadonlyMap<string, number>
  /** Share that somebody who was not seen may hold. */
  readonly unseen: number
  /** Of that, what lies in positions that were seen, and whose owners were not looked up, or are programs. */
  readonly unnamed: number
  /** Null where whoever can withdraw a part of the liquidity has the same part of the pool's tokens. */
  readonly tokenSide: TokenSide | null
  /** Share in lockers the operator named, which RugCheck cannot know. */
  readonly operatorShare: number
  /** Share in lockers whose end date is not read: it can be neither counted as locked nor as withdrawable. */
  readonly timedShare: number
}

/** Nothing about who can withdraw. */
export const NOTHING_KNOWN: PoolLock = {
  locked: { low: 0, high: 1 },
  parties: new Map(),
  unseen: 1,
  unnamed: 0,
  tokenSide: null,
  operatorShare: 0,
  timedShare: 0
}

/** Pieces of one size, as one party's liquidity looks once it has been cut up. */
interface Pieces {
  readonly count: number
  readonly tolerance: number
  /** Least size of a piece, and of all of them. */
  readonly each: number
  readonly together: number
}

/** A few large ones, or many small ones that are most of it. */
const PIECES: ReadonlyArray<Pieces> = [
  { count: 3, tolerance: 0.02, each: 0.1, together: 0 },
  { count: 8, tolerance: 0.1, each: 0, together: 0.5 }
]

type Share = readonly [party: string, share: number]

const sumOf = (shares: ReadonlyArray<Share>): number => shares.reduce((sum, [, share]) => sum + share, 0)

/** What parties have whom a full list names no more, and the smallest share of those whom it names. */
interface Behind {
  readonly share: number
  readonly least: number
}

/** The longest run of shares of one size; none where there is none that looks cut. Down to the least it goes on behind. */
const piecesAmong = (
  parties: ReadonlyMap<string, number>,
  behind: Behind,
  { count, each, together, tolerance }: Pieces
): { readonly run: ReadonlyArray<Share>; readonly more: number } => {
  const large = [...parties].filter(([, share]) => share >= each).toSorted(([, a], [, b]) => b - a)
  const runs = large.map(([, first], start) =>
    large.slice(start).filter(([, share]) => share >= first * (1 - tolerance))
  )
  const [run = []] = runs.toSorted((a, b) => b.length - a.length)
  const more = run.some(([, share]) => share <= behind.least) ? behind.share : 0
  return run.length >= count && sumOf(run) + more >= together ? { run, more } : { run: [], more: 0 }
}

/** Several shares of one size count as one party's: a lock of nothing must not look like many providers. */
export const joinPieces = (
  parties: ReadonlyMap<string, number>,
  behind: Behind = { share: 0, least: 0 }
): ReadonlyMap<string, number> =>
  PIECES.reduce((joined, pieces) => {
    const { more, run } = piecesAmong(joined, behind, pieces)
    const [first] = run
    if (first === undefined) return joined
    const names = new Set(run.map(([name]) => name))
    return new Map([[first[0], sumOf(run) + more], ...[...joined].filter(([name]) => !names.has(name))])
  }, parties)
