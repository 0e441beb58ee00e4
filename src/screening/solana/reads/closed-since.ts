/**
 * Holders who have left since the node listed them. Whoever sells all and closes the account, as those who trade much do, is
 * listed and not shown a moment later, as an account would be that a node hides: a newer list tells the two apart.
 */
import { Effect } from "effect"
import type { SolanaTokenBalance } from "../../../chain/chain-rpc.ts"
import type { SolanaAddress } from "../../../domain/address.ts"
import { known } from "../../../domain/fact.ts"
import { GUARDS_LENGTH } from "./account-extensions.ts"
import type { AccountBook } from "./account-book.ts"
import { factOf, readInto } from "./fetch.ts"
import type { Reads, Upstreams } from "./reads.ts"

type Listed = Pick<Reads, "book" | "largest">

/** The accounts of a list that were read, and are not there. */
const goneFrom = (list: ReadonlyArray<SolanaTokenBalance>, book: AccountBook): ReadonlySet<SolanaAddress> =>
  new Set(list.flatMap(({ address }) => (book.get(address) === null ? [address] : [])))

/**
 * The list without those who have left, and with whom a newer one names besides; who is shown stays. A newer list that names
 * fewer than are shown has told nothing, and neither has one of an earlier slot.
 */
const joined = (
  first: ReadonlyArray<SolanaTokenBalance>,
  newer: ReadonlyArray<SolanaTokenBalance>,
  gone: ReadonlySet<SolanaAddress>
) => {
  const named = new Set(newer.map(({ address }) => address))
  const kept = first.filter(({ address }) => !gone.has(address) || named.has(address))
  const before = new Set(kept.map(({ address }) => address))
  return { kept, added: newer.filter(({ address }) => !before.has(address)) }
}

/** List and accounts as a newer list leaves them, where an account of the list is not shown; else as they are. */
export const withoutClosed = Effect.fn("SolanaPlan.withoutClosed")(function* (
  up: Upstreams,
  mint: SolanaAddress,
  { book, largest, listedAt }: Listed & Pick<Reads, "listedAt">
) {
  const asItIs: Listed = { book, largest }
  if (!largest.known) return asItIs
  const first = largest.value
  const gone = goneFrom(first, book)
  if (gone.size === 0) return asItIs
  const again = yield* factOf(up.rpc.getLargestTokenAccounts(mint), "the node gave no largest holders")
  if (!again.known || again.value.slot < listedAt) return asItIs
  const newer = again.value.balances
  if (newer.length < first.length - gone.size) return asItIs
  const { added, kept } = joined(first, newer, gone)
  const read = yield* readInto(
    up,
    book,
    added.map(({ address }) => address),
    GUARDS_LENGTH
  )
  const list = [...kept, ...added].toSorted((a, b) => Number(b.amount - a.amount))
  return { book: read.book, largest: known(list) }
})
