import type { SolanaAccount } from "../../../chain/chain-rpc.ts"
import type { SolanaAddress } from "../../../domain/address.ts"

/** Accounts read so far. `undefined` is "not read", `null` is "read, and nothing is there": the two never mix. */
export type AccountBook = ReadonlyMap<SolanaAddress, SolanaAccount | null>

/** `book` with one more read. Addresses and accounts stand in the same order. */
export const addRead = (
  book: AccountBook,
  addresses: ReadonlyArray<SolanaAddress>,
  accounts: ReadonlyArray<SolanaAccount | null>
): AccountBook => {
  const entries = addresses.map((address, index) => [address, accounts[index] ?? null] as const)
  return new Map([...book, ...entries])
}

/** Each address once, those already read left out, in the order given. */
export const unread = (book: AccountBook, addresses: Iterable<SolanaAddress>): ReadonlyArray<SolanaAddress> =>
  [...new Set(addresses)].filter((address) => !book.has(address))

/** Two books of the same chain in one; where both have an account, the second one's reading counts. */
export const merge = (first: AccountBook, second: AccountBook): AccountBook => new Map([...first, ...second])
