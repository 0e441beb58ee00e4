/**
 * Holders who have left since the node listed them. Whoever sells all and closes the account, as those who trade much do, is
 * listed and not shown a moment later, as an account would be that a node hides: a newer list tells the two apart.
 */
import { Effect } from "effect"
import type { SolanaTokenBalance } from "../../../chain/chain-rpc.ts"
import type { SolanaAddress } from "../../../domain/address.ts"
import { max } from "../../../domain/bigint.ts"
import { known } from "../../../domain/fact.ts"
import { GUARDS_LENGTH } from "./account-extensions.ts"
import type { AccountBook } from "./account-book.ts"
import { factOf, readInto } from "./fetch.ts"
import type { Reads, Upstreams } from "./reads.ts"

type Listed = Pick<Reads, "book" | "largest">
type Before = Pick<Reads, "largest" | "listedAt">

/**
 * A newer list of the mint's largest accounts. Null: the node gave none, or one that has told nothing, as it is of an earlier
 * slot than the first, or names nobody, or fewer than that without those who may have left.
 */
export const listedAgain = Effect.fn("SolanaPlan.listedAgain")(function* (
  { rpc }: Pick<Upstreams, "rpc">,
  mint: SolanaAddress,
  { largest, listedAt }: Before,
  leaving: number
) {
  const again = yield* factOf(rpc.getLargestTokenAccounts(mint), "the node gave no largest holders")
  if (!again.known || !largest.known || again.value.slot < listedAt) return null
  const { balances } = again.value
  return balances.length < Math.max(1, largest.value.length - leaving) ? null : balances
})

/** The accounts of a list that were read, and are not there. */
const goneFrom = (list: ReadonlyArray<SolanaTokenBalance>, book: AccountBook): ReadonlySet<SolanaAddress> =>
  new Set(list.flatMap(({ address }) => (book.get(address) === null ? [address] : [])))

/**
 * The list without those who have left, and with whom a newer one names besides; who is shown stays. What they have sold lies
 * elsewhere by then: of two amounts the larger one counts.
 */
const joined = (
  first: ReadonlyArray<SolanaTokenBalance>,
  newer: ReadonlyArray<SolanaTokenBalance>,
  gone: ReadonlySet<SolanaAddress>
) => {
  const amounts = new Map(newer.map(({ address, amount }) => [address, amount]))
  const kept = first
    .filter(({ address }) => !gone.has(address) || amounts.has(address))
    .map(({ address, amount }) => ({ address, amount: max(amount, amounts.get(address) ?? 0n) }))
  const before = new Set(kept.map(({ address }) => address))
  return { kept, added: newer.filter(({ address }) => !before.has(address)) }
}

/** List and accounts as a newer list leaves them, where an account of the list is not shown; else as they are. */
export const withoutClosed = Effect.fn("SolanaPlan.withoutClosed")(function* (
  up: Upstreams,
  mint: SolanaAddress,
  before: Listed & Before
) {
  const { book, largest } = before
  const asItIs: Listed = { book, largest }
  if (!largest.known) return asItIs
  const gone = goneFrom(largest.value, book)
  if (gone.size === 0) return asItIs
  const newer = yield* listedAgain(up, mint, before, gone.size)
  if (newer === null) return asItIs
  const { added, kept } = joined(largest.value, newer, gone)
  const read = yield* readInto(
    up,
    book,
    added.map(({ address }) => address),
    GUARDS_LENGTH
  )
  const list = [...kept, ...added].toSorted((a, b) => Number(b.amount - a.amount))
  return { book: read.book, largest: known(list) }
})
