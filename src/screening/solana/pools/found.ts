import type { SolanaAddress } from "../../../domain/address.ts"
import type { AccountBook } from "../reads/account-book.ts"
import type { Reads } from "../reads/reads.ts"
import { decodePool } from "./decode.ts"
import type { DecodedPool } from "./decoded-pool.ts"
import { decodeBondingCurve } from "./layouts/pump.ts"

const curvePool = ({ book, derived }: Pick<Reads, "book" | "derived">): DecodedPool | null => {
  const vault =
    derived.curveVaults.find((address) => book.get(address) != null) ?? derived.curveVaults[0] ?? null
  return decodeBondingCurve(book.get(derived.curve) ?? null, vault)?.pool ?? null
}

type Pools = ReadonlyArray<readonly [SolanaAddress, DecodedPool]>
type Sources = Pick<Reads, "book" | "derived" | "candidates">

/** What was found in a book that is still held: it is asked for half a dozen times between two reads. */
const found = new WeakMap<AccountBook, Sources & { readonly mint: SolanaAddress; readonly pools: Pools }>()

/** Every pool of the token that can be told from what has been read so far. */
export const poolsOf = (reads: Sources, mint: SolanaAddress): Pools => {
  const { book, candidates, derived } = reads
  const known = found.get(book)
  if (known?.mint === mint && known.candidates === candidates && known.derived === derived) return known.pools
  const pools = findPools(reads, mint)
  found.set(book, { book, candidates, derived, mint, pools })
  return pools
}

const findPools = (reads: Sources, mint: SolanaAddress): Pools => {
  const { book, candidates, derived } = reads
  const curve = curvePool(reads)
  const decoded = candidates.flatMap((address) => {
    const pool = decodePool(address, book.get(address) ?? null, mint, book)
    return pool === null ? [] : [[address, pool] as const]
  })
  return curve === null ? decoded : [...decoded, [derived.curve, curve] as const]
}
