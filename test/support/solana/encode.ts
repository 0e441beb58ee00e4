/** Bytes of Solana accounts, written by encoders of the tests' own. */
import { createHash } from "node:crypto"
import { getAddressDecoder } from "@solana/kit"
import type { SolanaAccount } from "../../../src/chain/chain-rpc.ts"
import { SolanaAddress } from "../../../src/domain/address.ts"
import * as at from "../../../src/screening/solana/addresses.ts"
import { isWallet, seedOf } from "../../../src/chain/program-address.ts"

const hashed = (label: string): SolanaAddress =>
  SolanaAddress.make(getAddressDecoder().decode(createHash("sha256").update(label).digest()))

/** Addresses found so far: looking for one costs a few curve checks, and tests name the same ones over and over. */
const found = new Map<string, SolanaAddress>()

const search = (label: string, isOnCurve: boolean): SolanaAddress => {
  const key = `${isOnCurve} ${label}`
  const known = found.get(key)
  if (known !== undefined) return known
  for (let round = 0; ; round++) {
    const address = hashed(`${label} ${round}`)
    if (isWallet(address) !== isOnCurve) continue
    found.set(key, address)
    return address
  }
}

/** An address somebody could hold the key of, the same for the same label. */
export const wallet = (label: string): SolanaAddress => search(label, true)
/** An address only a program can sign for. */
export const programAddress = (label: string): SolanaAddress => search(label, false)

/** What stands at an offset: bytes, one byte, a u64, or an address. */
export type Part = readonly [offset: number, bytes: Uint8Array | number | bigint | SolanaAddress]

const u64 = (value: bigint): Uint8Array => {
  const bytes = new Uint8Array(8)
  new DataView(bytes.buffer).setBigUint64(0, value, true)
  return bytes
}

export const u32 = (value: number): Uint8Array => {
  const bytes = new Uint8Array(4)
  new DataView(bytes.buffer).setUint32(0, value, true)
  return bytes
}

export const i32 = (value: number): Uint8Array => u32(value >>> 0)

export const u16 = (value: number): Uint8Array => u32(value).slice(0, 2)

export const u128 = (value: bigint): Uint8Array =>
  Uint8Array.from([...u64(value & 0xffff_ffff_ffff_ffffn), ...u64(value >> 64n)])

const partBytes = (part: Part[1]): Uint8Array => {
  if (typeof part === "number") return Uint8Array.of(part)
  if (typeof part === "bigint") return u64(part)
  return typeof part === "string" ? seedOf(part) : part
}

/** Bytes of `size` with each part at its offset: numbers are a byte, bigints a u64, addresses 32 bytes. */
export const bytes = (size: number, parts: ReadonlyArray<Part>): Uint8Array => {
  const data = new Uint8Array(size)
  for (const [offset, part] of parts) data.set(partBytes(part), offset)
  return data
}

export const account = (owner: SolanaAddress, data: Uint8Array): SolanaAccount => ({
  owner,
  data,
  lamports: 1n,
  space: data.length
})

export const anchorType = (name: string): Uint8Array =>
  createHash("sha256").update(`account:${name}`).digest().subarray(0, 8)

/** An account of this many bytes with these parts in it. */
export const laidOut = (owner: SolanaAddress, size: number, parts: ReadonlyArray<Part>): SolanaAccount =>
  account(owner, bytes(size, parts))

/** The same for a type of an Anchor program, which stands in its first eight bytes. */
export const anchored = (
  owner: SolanaAddress,
  type: string,
  size: number,
  parts: ReadonlyArray<Part>
): SolanaAccount => laidOut(owner, size, [[0, anchorType(type)], ...parts])

/** An Orca Whirlpool at this price; `sides` are mint and vault of both. Offsets as in whirlpools-sdk. */
export const encodeWhirlpool = (
  [mintA, vaultA, mintB, vaultB]: readonly [SolanaAddress, SolanaAddress, SolanaAddress, SolanaAddress],
  { liquidity = 0n, sqrtPrice = 1n << 70n }: { readonly liquidity?: bigint; readonly sqrtPrice?: bigint } = {}
): SolanaAccount =>
  anchored(at.program.orcaWhirlpool, "Whirlpool", 653, [
    [8, at.ORCA_CONFIG],
    [49, u128(liquidity)],
    [65, u128(sqrtPrice)],
    [101, mintA],
    [133, vaultA],
    [181, mintB],
    [213, vaultB]
  ])

export interface MintOptions {
  readonly mintAuthority?: SolanaAddress
  readonly freezeAuthority?: SolanaAddress
  readonly supply?: bigint
  readonly decimals?: number
  readonly program?: SolanaAddress
  /** Makes it a Token-2022 mint. */
  readonly extensions?: Extensions
}

/** Type and value of each extension. */
type Extensions = ReadonlyArray<readonly [type: number, value: Uint8Array]>

const entriesOf = (extensions: Extensions): ReadonlyArray<number> =>
  extensions.flatMap(([type, value]) => [...u16(type), ...u16(value.length), ...value])

export const encodeMint = (options: MintOptions = {}): SolanaAccount => {
  const base: Array<Part> = [
    [36, options.supply ?? 1_000_000_000_000_000n],
    [44, options.decimals ?? 6],
    [45, 1]
  ]
  if (options.mintAuthority !== undefined) base.push([0, 1], [4, options.mintAuthority])
  if (options.freezeAuthority !== undefined) base.push([46, 1], [50, options.freezeAuthority])
  if (options.extensions === undefined) return account(options.program ?? at.TOKEN_PROGRAM, bytes(82, base))
  const entries = entriesOf(options.extensions)
  return account(at.TOKEN_2022_PROGRAM, Uint8Array.from([...bytes(165, base), 1, ...entries]))
}

export const encodeTokenAccount = (
  mint: SolanaAddress,
  owner: SolanaAddress,
  amount: bigint,
  program: SolanaAddress = at.TOKEN_PROGRAM
): SolanaAccount =>
  account(
    program,
    bytes(165, [
      [0, mint],
      [32, owner],
      [64, amount],
      [108, 1]
    ])
  )

/** The same with extensions, which makes it Token-2022's. */
export const extended = ({ data, lamports }: SolanaAccount, extensions: Extensions): SolanaAccount => ({
  ...account(at.TOKEN_2022_PROGRAM, Uint8Array.from([...data, 2, ...entriesOf(extensions)])),
  lamports
})

export const encodeMetadata = (mint: SolanaAddress, symbol: string, mutable: boolean): SolanaAccount => {
  const text = (value: string, length: number) => {
    const padded = new Uint8Array(length)
    padded.set(new TextEncoder().encode(value).subarray(0, length))
    return [...u32(length), ...padded]
  }
  return account(
    at.METADATA_PROGRAM,
    Uint8Array.from([
      4,
      ...seedOf(wallet("update authority")),
      ...seedOf(mint),
      ...text("a name", 32),
      ...text(symbol, 10),
      ...text("https://example.test", 200),
      0,
      0,
      0,
      1,
      Number(mutable),
      1,
      255
    ])
  )
}
