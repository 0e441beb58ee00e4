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

/** Whether an account was read as far as `length` bytes: one that was taken for something shorter may have been cut. */
const isRead = (account: SolanaAccount | null | undefined, length: number): boolean =>
  account !== undefined && (account === null || account.data.length >= Math.min(account.space, length))

/** Each address once, those already read as far as that left out, in the order given. */
export const unread = (
  book: AccountBook,
  addresses: Iterable<SolanaAddress>,
  length: number
): ReadonlyArray<SolanaAddress> =>
  [...new Set(addresses)].filter((address) => !isRead(book.get(address), length))

/** Two books of the same chain in one; where both have an account, the second one's reading counts. */
export const merge = (first: AccountBook, second: AccountBook): AccountBook =>
  first === second ? first : new Map([...first, ...second])
