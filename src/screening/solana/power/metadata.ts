import type { SolanaAddress } from "../../../domain/address.ts"
import type { SolanaAccount } from "../../../chain/chain-rpc.ts"
import { METADATA_PROGRAM } from "../addresses.ts"
import { bytesOf } from "../reads/bytes.ts"

/** What is kept of Metaplex metadata. The symbol is only compared with the listed ones and never shown. */
export interface Metadata {
  readonly mutable: boolean
  readonly updateAuthority: SolanaAddress
  readonly symbol: string
}

const KEY_METADATA_V1 = 4
const CREATOR_LENGTH = 34
const utf8 = new TextDecoder("utf-8", { fatal: false })

/** Decodes the metadata account of `mint`; null for anything else. Layout: facts/risk.md D4. */
export const decodeMetadata = (account: SolanaAccount | null, mint: SolanaAddress): Metadata | null => {
  if (account === null || account.owner !== METADATA_PROGRAM) return null
  try {
    const bytes = bytesOf(account.data)
    if (bytes.u8(0) !== KEY_METADATA_V1 || bytes.address(33) !== mint) return null
    let offset = 65
    const text = (): string => {
      const length = bytes.u32(offset)
      const start = offset + 4
      offset = start + length
      if (offset > bytes.length) throw new RangeError("text beyond the end")
      return utf8.decode(account.data.subarray(start, Math.min(offset, start + 64))).replace(/\0+$/, "")
    }
    text()
    const symbol = text()
    text()
    offset += 2
    offset += bytes.u8(offset) === 0 ? 1 : 1 + 4 + bytes.u32(offset + 1) * CREATOR_LENGTH
    return { mutable: bytes.u8(offset + 1) === 1, updateAuthority: bytes.address(1), symbol }
  } catch {
    return null
  }
}
