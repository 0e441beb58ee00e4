import { createHash } from "node:crypto"
import { findProgramAddress, seedOf } from "../../../chain/program-address.ts"
import type { SolanaAddress } from "../../../domain/address.ts"

/** How an instruction uses an account: `w` writes it, `s` needs its signature. */
export type Use = "" | "w" | "s" | "ws"

export type Account = readonly [account: SolanaAddress, use: Use]

/** Accounts that an instruction only reads, or writes, in the order it names them. */
export const reads = (...accounts: ReadonlyArray<SolanaAddress>): ReadonlyArray<Account> =>
  accounts.map((account) => [account, ""])
export const writes = (...accounts: ReadonlyArray<SolanaAddress>): ReadonlyArray<Account> =>
  accounts.map((account) => [account, "w"])

export interface Instruction {
  readonly program: SolanaAddress
  readonly accounts: ReadonlyArray<Account>
  readonly data: Uint8Array
}

/** The eight bytes that name an Anchor program's instruction. */
export const anchorInstruction = (name: string): Uint8Array =>
  createHash("sha256").update(`global:${name}`).digest().subarray(0, 8)

type Part = Uint8Array | bigint | number

const u64 = (value: bigint): Uint8Array => {
  const bytes = new Uint8Array(8)
  new DataView(bytes.buffer).setBigUint64(0, value, true)
  return bytes
}

/** A u128 in two halves. */
export const u128 = (value: bigint): Uint8Array =>
  Uint8Array.from([...u64(value & 0xffff_ffff_ffff_ffffn), ...u64(value >> 64n)])

/** Instruction data of parts in a row: a bigint is a u64, a number one byte. */
export const dataOf = (...parts: ReadonlyArray<Part>): Uint8Array =>
  Uint8Array.from(
    parts.flatMap((part) => {
      if (typeof part === "number") return [part]
      return typeof part === "bigint" ? [...u64(part)] : [...part]
    })
  )

const text = new TextEncoder()

type Seed = string | Uint8Array | { readonly key: SolanaAddress }

/** The address a program derives from these seeds. */
export const derived = (owner: SolanaAddress, ...seeds: ReadonlyArray<Seed>): SolanaAddress =>
  findProgramAddress(
    owner,
    seeds.map((seed) => {
      if (typeof seed === "string") return text.encode(seed)
      return seed instanceof Uint8Array ? seed : seedOf(seed.key)
    })
  )

const eventAuthorities = new Map<SolanaAddress, SolanaAddress>()

/** What an Anchor program signs its events with: one per program, so each is derived once. */
export const eventAuthority = (owner: SolanaAddress): SolanaAddress => {
  const found = eventAuthorities.get(owner) ?? derived(owner, "__event_authority")
  eventAuthorities.set(owner, found)
  return found
}
