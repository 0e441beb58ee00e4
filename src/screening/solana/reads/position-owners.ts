/** Who holds the positions of concentrated pools, asked as early as what is known allows. */
import { Effect } from "effect"
import type { SolanaAddress } from "../../../domain/address.ts"
import type { Fact } from "../../../domain/fact.ts"
import { known, missing } from "../../../domain/fact.ts"
import type { PoolKind } from "../pools/decoded-pool.ts"
import type { RawPosition, Schedule } from "../pools/positions/formats.ts"
import { positionQuery, readPositions, readVesting, vestingQuery } from "../pools/positions/formats.ts"
import { positionMints, scheduledElsewhere } from "../pools/positions/owners.ts"
import type { Weighed } from "../pools/positions/reach.ts"
import { weigh } from "../pools/positions/reach.ts"
import type { PositionTerms } from "../power/lockers.ts"
import { POSITION_LOCKERS } from "../power/lockers.ts"
import { TRUSTED_MINTS } from "../power/trusted-mints.ts"
import type { AccountBook } from "./account-book.ts"
import { factOf } from "./fetch.ts"
import type { LargestByMint, Traced } from "./liquidity-owners.ts"
import { listLargest, MAX_TRACED_POOLS } from "./liquidity-owners.ts"
import type { Reads, Upstreams } from "./reads.ts"

/** A pool by what it is taken for. */
interface Place {
  readonly address: SolanaAddress
  readonly kind: PoolKind
}

const placeOf = ({ address, pool }: Traced): Place => ({ address, kind: pool.kind })

/** Positions by pool, each as a pool of the kind it was taken for. */
export type Positions = ReadonlyMap<string, Fact<ReadonlyArray<RawPosition>>>

const keyOf = ({ address, kind }: Place): string => `${kind} ${address}`

/** How market data and RugCheck name venues of positions. */
const VENUES: ReadonlyArray<readonly [name: RegExp, kind: PoolKind]> = [
  [/orca|whirl/, "orca-whirlpool"],
  [/clmm|concentrated/, "raydium-clmm"],
  [/dlmm|^meteora$/, "meteora-dlmm"],
  [/dyn2|damm[ _-]?v2|cp[ _-]?amm|^meteora$/, "meteora-damm-v2"]
]

/** Venues whose pools have no positions. */
const OTHERS = /pump|cpmm|dyn|damm|launch|moon|dbc/
/** Pools of unknown venues that are asked for positions of every kind. */
const MAX_GUESSED = 2
const EVERY_KIND = VENUES.map(([, kind]) => kind)

/** The kinds a pool may be of whose venue is not told: a name that is new to us, or Raydium's without its label. */
const guessesOf = (name: string): ReadonlyArray<PoolKind> => {
  if (name === "raydium") return ["raydium-clmm"]
  return name.startsWith("raydium") || OTHERS.test(name) ? [] : EVERY_KIND
}

/**
 * Listed pools that others call pools of positions, and the deepest that they call nothing we know, so that their
 * positions can be listed while they are read themselves. A wrong name costs one more call and a missing one a few, never another wave.
 */
export const likelyPlaces = (reads: Reads, listed: ReadonlyArray<SolanaAddress>): ReadonlyArray<Place> => {
  const named = new Map<string, string>([
    ...(reads.rugCheck.known ? (reads.rugCheck.value?.markets ?? []) : []).map(
      ({ marketType, pubkey }) => [pubkey, marketType] as const
    ),
    ...(reads.market.known ? reads.market.value : []).map(
      ({ dexId, labels, pairAddress }) => [pairAddress, [dexId, ...labels].join(" ")] as const
    )
  ])
  const called = listed.map((address) => {
    const name = named.get(address)?.toLowerCase() ?? ""
    return { address, name, kinds: VENUES.flatMap(([venue, kind]) => (venue.test(name) ? [kind] : [])) }
  })
  const places = called.flatMap(({ address, kinds }) => kinds.map((kind) => ({ address, kind })))
  const guessed = called
    .map(({ address, kinds, name }) => ({ address, kinds: kinds.length > 0 ? [] : guessesOf(name) }))
    .filter(({ kinds }) => kinds.length > 0)
    .slice(0, MAX_GUESSED)
    .flatMap(({ address, kinds }) => kinds.map((kind) => ({ address, kind })))
  return [...places.slice(0, MAX_TRACED_POOLS), ...guessed]
}

/** The positions of one pool; a node that lists none for a pool with liquidity has not answered. */
const positionsOf = Effect.fnUntraced(function* (up: Upstreams, place: Place) {
  const query = positionQuery(place.kind)
  if (query === null) return []
  const { offset, program, size, slices } = query
  const wanted = { ...(size === undefined ? {} : { size }), offset, holds: place.address }
  const answers = yield* Effect.forEach(
    slices,
    (slice) => factOf(up.rpc.getProgramAccounts(program, wanted, slice), "the node lists no positions"),
    { concurrency: "unbounded" }
  )
  const found = readPositions(
    place.kind,
    answers.flatMap((answer) => (answer.known ? [answer.value.accounts] : []))
  )
  const fact = found.length === 0 ? missing("the node lists no positions") : known(found)
  return [[keyOf(place), fact] as const]
})

export const findPositions = Effect.fn("SolanaPlan.findPositions")(function* (
  up: Upstreams,
  places: ReadonlyArray<Place>
) {
  const entries = yield* Effect.forEach(places, (place) => positionsOf(up, place), {
    concurrency: "unbounded"
  })
  const positions: Positions = new Map(entries.flat())
  return positions
})

/** Pools of positions that nobody named as such before they were read. */
export const unnamedPlaces = (pools: ReadonlyArray<Traced>, positions: Positions): ReadonlyArray<Place> =>
  pools
    .filter(({ pool }) => pool.claim.kind === "positions")
    .map(placeOf)
    .filter((place) => !positions.has(keyOf(place)))

/** Pools' positions by what they hold for a seller. */
export type WeighedPools = ReadonlyMap<SolanaAddress, Weighed>

/** Each pool's positions by what they hold for a seller, as far as the accounts that tell have been read. */
export const weighAll = (
  pools: ReadonlyArray<Traced>,
  positions: Positions,
  mint: SolanaAddress,
  book: AccountBook
): WeighedPools =>
  new Map(
    pools.flatMap((traced) => {
      const found = positions.get(keyOf(placeOf(traced)))
      const one = found?.known === true ? weigh({ ...traced, token: mint }, found.value, book) : null
      return one === null ? [] : [[traced.address, one] as const]
    })
  )

/** What tells whose positions are: the holders of their tokens, locks at lockers, and schedules. */
export interface PositionOwners {
  readonly holders: LargestByMint
  readonly terms: ReadonlyMap<SolanaAddress, PositionTerms>
  readonly schedules: ReadonlyMap<SolanaAddress, ReadonlyArray<Schedule>>
}

const noOwners: PositionOwners = { holders: new Map(), terms: new Map(), schedules: new Map() }

export const joinOwners = (one: PositionOwners, other: PositionOwners): PositionOwners => ({
  holders: new Map([...one.holders, ...other.holders]),
  terms: new Map([...one.terms, ...other.terms]),
  schedules: new Map([...one.schedules, ...other.schedules])
})

const termsOf = Effect.fnUntraced(function* (up: Upstreams, { address, pool }: Traced) {
  const locker = POSITION_LOCKERS[pool.kind]
  if (locker === undefined) return []
  const found = yield* factOf(
    up.rpc.getProgramAccounts(
      locker.program,
      { offset: locker.offset, holds: address },
      { offset: 0, length: locker.length }
    ),
    "the node lists no locks"
  )
  return (found.known ? found.value.accounts : []).flatMap(({ data }) => {
    const entry = locker.read(data)
    return entry === null ? [] : [entry]
  })
})

const schedulesOf = Effect.fnUntraced(function* (up: Upstreams, position: SolanaAddress) {
  const { offset, program, slice } = vestingQuery
  const found = yield* factOf(
    up.rpc.getProgramAccounts(program, { offset, holds: position }, slice),
    "the node lists no schedules"
  )
  const schedules = (found.known ? found.value.accounts : []).flatMap(({ data }) => {
    const schedule = readVesting(data, position)
    return schedule === null ? [] : [schedule]
  })
  return [position, schedules] as const
})

/** Pools of a mint, with their positions as far as they were listed and the accounts that were read for them. */
interface Listed {
  readonly mint: SolanaAddress
  readonly book: AccountBook
  readonly pools: ReadonlyArray<Traced>
  readonly positions: Positions
}

/** Finds something in each pool whose positions are listed. */
const inListed = ({ book, mint, pools, positions }: Listed) => {
  const listed = pools.filter((traced) => positions.get(keyOf(placeOf(traced)))?.known === true)
  const weighed = weighAll(listed, positions, mint, book)
  return {
    listed,
    ofEach: (find: (kind: PoolKind, one: Weighed) => ReadonlyArray<SolanaAddress>) =>
      listed.flatMap(({ address, pool }) => {
        const one = weighed.get(address)
        return one === undefined ? [] : find(pool.kind, one)
      })
  }
}

/** Asks what holds the heaviest positions of these pools back, in one round of calls that needs no other after it. */
export const askLocks = Effect.fn("SolanaPlan.askLocks")(function* (up: Upstreams, of: Listed) {
  // Whoever owns the liquidity of an established issuer's token, it changes no signal.
  if (TRUSTED_MINTS.has(of.mint)) return noOwners
  const { listed, ofEach } = inListed(of)
  const [terms, schedules] = yield* Effect.all(
    [
      Effect.forEach(listed, (one) => termsOf(up, one), { concurrency: "unbounded" }),
      Effect.forEach(ofEach(scheduledElsewhere), (position) => schedulesOf(up, position), {
        concurrency: "unbounded"
      })
    ],
    { concurrency: "unbounded" }
  )
  const owners: PositionOwners = {
    holders: new Map(),
    terms: new Map(terms.flat()),
    schedules: new Map(schedules)
  }
  return owners
})

/** Asks whose the heaviest positions of these pools are, in one round of calls; the accounts it lists are read next. */
export const askOwners = Effect.fn("SolanaPlan.askOwners")(function* (up: Upstreams, of: Listed) {
  if (TRUSTED_MINTS.has(of.mint)) return noOwners
  const { ofEach } = inListed(of)
  const [holders, locks] = yield* Effect.all([listLargest(up, ofEach(positionMints)), askLocks(up, of)], {
    concurrency: "unbounded"
  })
  const owners: PositionOwners = { ...locks, holders }
  return owners
})
