import type { SolanaAddress } from "../../../domain/address.ts"
import type { Reads } from "../reads/reads.ts"
import { decodePool } from "./decode.ts"
import type { DecodedPool } from "./decoded-pool.ts"
import { decodeBondingCurve } from "./layouts/pump.ts"

const curvePool = ({ book, derived }: Pick<Reads, "book" | "derived">): DecodedPool | null => {
  const vault =
    derived.curveVaults.find((address) => book.get(address) != null) ?? derived.curveVaults[0] ?? null
  return decodeBondingCurve(book.get(derived.curve) ?? null, vault)?.pool ?? null
}

/** Every pool of the token that can be told from what has been read so far. */
export const poolsOf = (
  reads: Pick<Reads, "book" | "derived" | "candidates">,
  mint: SolanaAddress
): ReadonlyArray<readonly [SolanaAddress, DecodedPool]> => {
  const { book, candidates, derived } = reads
  const curve = curvePool(reads)
  const decoded = candidates.flatMap((address) => {
    const pool = decodePool(address, book.get(address) ?? null, mint, book)
    return pool === null ? [] : [[address, pool] as const]
  })
  return curve === null ? decoded : [...decoded, [derived.curve, curve] as const]
}
