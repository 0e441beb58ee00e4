import type { SolanaAccount } from "../../../chain/chain-rpc.ts"
import type { SolanaAddress } from "../../../domain/address.ts"
import { program } from "../addresses.ts"
import type { AccountBook } from "../reads/account-book.ts"
import { bytesOf, startsWith } from "../reads/bytes.ts"
import type { DecodedPool } from "./decoded-pool.ts"
import { meteoraLayouts } from "./layouts/meteora.ts"
import { otherLayouts } from "./layouts/others.ts"
import { pumpSwap } from "./layouts/pump.ts"
import { raydiumLayouts } from "./layouts/raydium.ts"
import type { Layout } from "./layouts/shared.ts"

const LAYOUTS: ReadonlyMap<string, Layout> = new Map<string, Layout>([
  ...raydiumLayouts,
  ...meteoraLayouts,
  ...otherLayouts,
  [program.pumpSwap, pumpSwap]
])

/** Longest prefix of a pool account that any decoder reads. */
export const POOL_SLICE = 1130

/**
 * The pool an account holds, seen from `token`. Null where the owner is no known program, the bytes are not a whole
 * pool of that program, or the token is not exactly one of its sides. What an account claims to be does not matter, only the
 * program that owns it.
 * `book` holds what else was read, for pools whose terms stand in another account.
 */
export const decodePool = (
  address: SolanaAddress,
  account: SolanaAccount | null,
  token: SolanaAddress,
  book: AccountBook = new Map()
): DecodedPool | null => {
  const layout = account === null ? undefined : LAYOUTS.get(account.owner)
  if (account === null || layout === undefined || account.data.length < layout.length) return null
  // Of one that was cut nobody knows whether what is missing is nothing: accounts of some programs have grown.
  if (account.data.length < Math.min(account.space, POOL_SLICE)) return null
  if (layout.whole !== undefined && account.space !== layout.whole) return null
  if (layout.discriminator !== undefined && !startsWith(account.data, layout.discriminator)) return null
  return layout.decode({ bytes: bytesOf(account.data), account, address, token, book })
}
