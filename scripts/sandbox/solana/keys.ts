/** Addresses between text and bytes, by the service's own base58: kit's took a third of what tests on the local Solana cost. */
import type { Address } from "@solana/kit"
import { fromBase58, toBase58 } from "../../../src/domain/base58.ts"

export const isAddress = (text: string): text is Address => fromBase58(text) !== undefined

/** Throws where the text is no address. */
export const asAddress = (text: string): Address => {
  if (isAddress(text)) return text
  throw new TypeError("not an address")
}

/** The 32 bytes of an address. */
export const addressBytes = (key: Address): Uint8Array => {
  const bytes = fromBase58(key)
  if (bytes === undefined) throw new TypeError("not an address")
  return bytes
}

/** The address of the 32 bytes from `offset` on. */
export const addressAt = (data: Uint8Array, offset = 0): Address => asAddress(toBase58(data, offset))
