import type { SolanaAccount } from "../../../chain/chain-rpc.ts"
import { SolanaAddress } from "../../../domain/address.ts"
import { toBase58 } from "../../../domain/base58.ts"

/** 32 zero bytes: how Token-2022 extensions write "no authority". */
export const ZERO_ADDRESS = SolanaAddress.make("11111111111111111111111111111111")

/** Little-endian reads of account data. A decoder checks the length once, then reads; beyond the end it throws. */
export interface Bytes {
  readonly length: number
  readonly u8: (offset: number) => number
  readonly u16: (offset: number) => number
  readonly u32: (offset: number) => number
  readonly i32: (offset: number) => number
  readonly i16: (offset: number) => number
  readonly u64: (offset: number) => bigint
  readonly i64: (offset: number) => bigint
  readonly u128: (offset: number) => bigint
  readonly i128: (offset: number) => bigint
  readonly address: (offset: number) => SolanaAddress
  /** The address, or null where all 32 bytes are zero. */
  readonly optionalAddress: (offset: number) => SolanaAddress | null
}

/** 32 bytes have exactly one base58 spelling, so the decoder's output needs no second check. */
const trusted = (text: string): SolanaAddress => SolanaAddress.make(text, true)

export const bytesOf = (data: Uint8Array): Bytes => {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength)
  const address = (offset: number): SolanaAddress => {
    if (offset + 32 > data.length) throw new RangeError("address beyond the end")
    return trusted(toBase58(data, offset))
  }
  return {
    length: data.length,
    u8: (offset) => view.getUint8(offset),
    u16: (offset) => view.getUint16(offset, true),
    u32: (offset) => view.getUint32(offset, true),
    i32: (offset) => view.getInt32(offset, true),
    i16: (offset) => view.getInt16(offset, true),
    u64: (offset) => view.getBigUint64(offset, true),
    i64: (offset) => view.getBigInt64(offset, true),
    u128: (offset) => (view.getBigUint64(offset + 8, true) << 64n) | view.getBigUint64(offset, true),
    i128: (offset) => (view.getBigInt64(offset + 8, true) << 64n) | view.getBigUint64(offset, true),
    address,
    optionalAddress: (offset) => {
      const key = address(offset)
      return key === ZERO_ADDRESS ? null : key
    }
  }
}

/** An account's bytes where this program owns it and it has this length; null for anything else. */
export const bytesUnder = (
  owner: SolanaAddress,
  account: SolanaAccount | null | undefined,
  length: number
): Bytes | null => (account?.owner === owner && account.data.length >= length ? bytesOf(account.data) : null)

/** Whether the account data starts with the eight bytes that name its Anchor type. */
export const startsWith = (data: Uint8Array, discriminator: ReadonlyArray<number>): boolean =>
  data.length >= discriminator.length && discriminator.every((byte, index) => data[index] === byte)
