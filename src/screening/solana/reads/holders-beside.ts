/**
 * Holders whom the node's list leaves out. A list is kept by an index of its own, which may be behind, while an account is
 * read as it is: of those that RugCheck names, what their accounts hold counts as if they were listed. What RugCheck says
 * of their amounts does not.
 */
import type { SolanaTokenBalance } from "../../../chain/chain-rpc.ts"
import type { SolanaAddress } from "../../../domain/address.ts"
import { isSolanaAddress } from "../../../domain/address.ts"
import { min } from "../../../domain/bigint.ts"
import type { Fact } from "../../../domain/fact.ts"
import { mapFact } from "../../../domain/fact.ts"
import { LIST_LENGTH } from "../power/concealed.ts"
import type { AccountBook } from "./account-book.ts"
import type { Reads } from "./reads.ts"
import { accountAt } from "./token-account.ts"

/** RugCheck names no more holders than a node does. */
const MOST_NAMED = 20

/**
 * Accounts that RugCheck names as the largest, and the node's full list does not. Beside a short list there are none: what it
 * leaves of the supply is nobody's whom we could name, and it must not pass for a full one.
 */
export const namedBeside = ({
  largest,
  rugCheck
}: Pick<Reads, "largest" | "rugCheck">): ReadonlyArray<SolanaAddress> => {
  if (!largest.known || largest.value.length < LIST_LENGTH) return []
  const listed = new Set<string>(largest.value.map(({ address }) => address))
  const told = rugCheck.known ? (rugCheck.value?.topHolders ?? []) : []
  const named = told.flatMap(({ address }) =>
    isSolanaAddress(address) && !listed.has(address) ? [address] : []
  )
  return [...new Set(named)].slice(0, MOST_NAMED)
}

/** The list with those of the named accounts that hold more than the smallest listed one: it should have named them. */
export const withNamed = (
  largest: Fact<ReadonlyArray<SolanaTokenBalance>>,
  named: ReadonlyArray<SolanaAddress>,
  mint: SolanaAddress,
  book: AccountBook
): Fact<ReadonlyArray<SolanaTokenBalance>> =>
  mapFact(largest, (list) => {
    const [first, ...rest] = list.map(({ amount }) => amount)
    const least = rest.reduce(min, first ?? 0n)
    const beside = named.flatMap((address) => {
      const amount = accountAt(book, mint, address)?.amount ?? 0n
      return amount > least ? [{ address, amount }] : []
    })
    return beside.length === 0 ? list : [...list, ...beside].toSorted((a, b) => Number(b.amount - a.amount))
  })
