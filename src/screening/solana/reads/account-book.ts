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

/** Each address once, those already read left out, at most `limit`, the first ones first. */
export const unread = (
  book: AccountBook,
  addresses: Iterable<SolanaAddress>,
  limit: number
): ReadonlyArray<SolanaAddress> =>
  [...new Set(addresses)].filter((address) => !book.has(address)).slice(0, limit)
