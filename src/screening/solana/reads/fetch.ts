import { Effect, Either, Schema } from "effect"
import type { SolanaAddress } from "../../../domain/address.ts"
import { ScreeningUnavailable, UpstreamError } from "../../../domain/errors.ts"
import type { Fact } from "../../../domain/fact.ts"
import { known, missing } from "../../../domain/fact.ts"
import { isPast } from "../../past.ts"
import type { AccountBook } from "./account-book.ts"
import { addRead, unread } from "./account-book.ts"
import { chainSeconds, GENESIS } from "./clock.ts"
import type { Reads, Upstreams } from "./reads.ts"

/** A node takes no more addresses in one call. */
const MAX_READ = 100

/** What an upstream answered, or that it did not answer, which is logged. */
export const factOf = <A>(effect: Effect.Effect<A, UpstreamError>, why: string): Effect.Effect<Fact<A>> =>
  Effect.either(effect).pipe(
    Effect.tap((outcome) =>
      Either.isLeft(outcome)
        ? Effect.logDebug("source missing").pipe(
            Effect.annotateLogs({
              upstream: outcome.left.upstream,
              kind: outcome.left.kind,
              detail: outcome.left.detail
            })
          )
        : Effect.void
    ),
    Effect.map(Either.match({ onLeft: () => missing(why), onRight: (value) => known(value) }))
  )

const orUnavailable = <A>(effect: Effect.Effect<A, UpstreamError>) =>
  effect.pipe(
    Effect.tapError((error) =>
      Effect.logWarning("solana-rpc failed").pipe(Effect.annotateLogs("detail", error.detail))
    ),
    Effect.mapError(unavailable)
  )

/** Slots between what is read for one screening: half a minute. What lies further apart is no state of the chain. */
const MOST_APART = 150n

/** The oldest slot that may stand beside another. */
export const leastSlot = (slot: bigint): bigint => (slot > MOST_APART ? slot - MOST_APART : 0n)

const tooOld = () =>
  new UpstreamError({ upstream: "solana-rpc", kind: "malformed", detail: "of a slot too old" })

/** The same upstreams, whose node must have come as far as the one that was read first. */
export const notBehind = (up: Upstreams, slot: bigint): Upstreams => {
  const notBefore = leastSlot(slot)
  const { getAccounts, getLargestTokenAccounts, getProgramAccounts, simulate } = up.rpc
  const isToday = ({ slot: at }: { readonly slot: bigint | null }): boolean => at === null || at >= notBefore
  return {
    ...up,
    rpc: {
      ...up.rpc,
      getAccounts: (addresses, options) => getAccounts(addresses, { ...options, notBefore }),
      simulate: (transaction, accounts) =>
        Effect.filterOrFail(simulate(transaction, accounts), isToday, tooOld),
      getLargestTokenAccounts: (mint) => Effect.filterOrFail(getLargestTokenAccounts(mint), isToday, tooOld),
      getProgramAccounts: (...query) => Effect.filterOrFail(getProgramAccounts(...query), isToday, tooOld)
    }
  }
}

const unavailable = () => new ScreeningUnavailable({ upstream: "solana-rpc" })

/** Fails where the node shows a past. One that does not show the chain's clock, as every node can, is not known to show today. */
export const requireToday = (book: AccountBook, now: number): Effect.Effect<void, ScreeningUnavailable> => {
  const seconds = chainSeconds(book)
  if (seconds !== null && (seconds < GENESIS || !isPast(seconds, now))) return Effect.void
  return Effect.zipRight(
    Effect.logWarning("solana-rpc shows a past, or no clock", { seconds }),
    unavailable()
  )
}

/** When the first of a token's pools was opened, by those that are listed with a time: Unix seconds; null where none is. */
const firstOpened = (market: Reads["market"]): number | null => {
  const times = (market.known ? market.value : []).flatMap(({ createdAt }) => createdAt ?? [])
  return times.length === 0 ? null : Math.min(...times) / 1000
}

/** Fails where a node shows no token, of a time when none of its pools was open: that there is none was true once. */
export const requireBorn = ({
  book,
  market,
  reading
}: Pick<Reads, "book" | "market" | "reading">): Effect.Effect<void, ScreeningUnavailable> => {
  const [seconds, opened] = [chainSeconds(book), firstOpened(market)]
  const isBefore = seconds !== null && seconds >= GENESIS && opened !== null && seconds < opened
  return reading.kind !== "mint" && isBefore ? unavailable() : Effect.void
}

/** Seconds by which a chain's clock is behind ours in ordinary times, and more. */
const IN_STEP = 120

/**
 * The slot that another node has reached, where the one that was read is behind it; null where it is not, or where nobody
 * can tell. Asked only where the clock that was read is late: either the chain stands still, or this node does.
 */
export const slotAhead = Effect.fn("SolanaPlan.slotAhead")(function* (
  { rpc: { nodes } }: Upstreams,
  { book, slot }: { readonly book: AccountBook; readonly slot: bigint },
  now: number
) {
  const seconds = chainSeconds(book)
  if (nodes.length < 2 || seconds === null || seconds < GENESIS || now / 1000 - seconds < IN_STEP) return null
  const told = yield* Effect.forEach(
    nodes,
    ({ call }) =>
      factOf(call("getSlot", [{ commitment: "confirmed" }], Schema.NonNegativeInt), "no slot was told"),
    { concurrency: "unbounded" }
  )
  const newest = Math.max(0, ...told.map((fact) => (fact.known ? fact.value : 0)))
  return leastSlot(BigInt(newest)) > slot ? BigInt(newest) : null
})

/**
 * The book with these accounts added, cut to `length` bytes; those already in it with as many are not asked for again. However many
 * there are, they cost one wave: calls of 100 run side by side.
 */
export const readInto = Effect.fn("SolanaPlan.read")(function* (
  up: Upstreams,
  book: AccountBook,
  addresses: ReadonlyArray<SolanaAddress>,
  length: number
) {
  const wanted = unread(book, addresses, length)
  const chunks = Array.from({ length: Math.ceil(wanted.length / MAX_READ) }, (_, index) =>
    wanted.slice(index * MAX_READ, (index + 1) * MAX_READ)
  )
  const answers = yield* Effect.forEach(
    chunks,
    (chunk) => orUnavailable(up.rpc.getAccounts(chunk, { slice: { offset: 0, length } })),
    { concurrency: "unbounded" }
  )
  const slots = answers.map(({ slot }) => slot).toSorted((a, b) => Number(a - b))
  if ((slots.at(-1) ?? 0n) - (slots[0] ?? 0n) > MOST_APART) return yield* unavailable()
  return {
    // What was read is at least as new as this.
    slot: slots[0] ?? 0n,
    book: answers.reduce((sum, { accounts }, index) => addRead(sum, chunks[index] ?? [], accounts), book)
  }
})
