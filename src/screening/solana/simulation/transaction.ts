import type { SolanaAddress } from "../../../domain/address.ts"
import { seedOf } from "../../../chain/program-address.ts"
import type { Instruction } from "./instruction.ts"
import { computeLimit } from "./wallet.ts"

/** A transaction must fit one packet. Source: solana-sdk `PACKET_DATA_SIZE`. */
const MOST_BYTES = 1232
const SIGNATURE_BYTES = 64
/** The node puts a recent one in. */
const NO_BLOCKHASH = new Uint8Array(32)

/** Bytes written one after another; what does not fit is counted and not written. */
const makeWriter = (space: number) => {
  const bytes = Buffer.alloc(space)
  let at = 0
  const byte = (value: number): void => {
    if (at < space) bytes[at] = value
    at += 1
  }
  /** A length as Solana's wire format writes it: seven bits a byte, the lowest first. */
  const length = (value: number): void => {
    for (let rest = value; ; rest >>= 7) {
      if (rest < 0x80) return byte(rest)
      byte((rest & 0x7f) | 0x80)
    }
  }
  const all = (data: Uint8Array): void => {
    if (at + data.length <= space) bytes.set(data, at)
    at += data.length
  }
  /** What was written, where all of it fits. */
  const written = (): Buffer | null => (at <= space ? bytes.subarray(0, at) : null)
  return { byte, length, all, written }
}

interface Usage {
  readonly signs: boolean
  readonly writes: boolean
}

/** Every account of the instructions with the sum of its uses; the payer stands first, signs and is written. */
const usagesOf = (
  payer: SolanaAddress,
  instructions: ReadonlyArray<Instruction>
): ReadonlyMap<SolanaAddress, Usage> => {
  const usages = new Map<SolanaAddress, Usage>([[payer, { signs: true, writes: true }]])
  const add = (account: SolanaAddress, signs: boolean, writes: boolean): void => {
    const known = usages.get(account)
    usages.set(account, { signs: signs || known?.signs === true, writes: writes || known?.writes === true })
  }
  for (const { accounts, program } of instructions) {
    add(program, false, false)
    for (const [account, use] of accounts) add(account, use.includes("s"), use.includes("w"))
  }
  return usages
}

/** Signers first, and among equals those that are written. */
const rank = ({ signs, writes }: Usage): number => (signs ? 0 : 2) + (writes ? 0 : 1)

/** An unsigned transaction of the first version, whose signatures are zeros; null where it does not fit a packet. */
const encode = (payer: SolanaAddress, instructions: ReadonlyArray<Instruction>): Buffer | null => {
  const usages = [...usagesOf(payer, instructions)].toSorted(([, a], [, b]) => rank(a) - rank(b))
  const count = (of: number): number => usages.filter(([, usage]) => rank(usage) === of).length
  const index = new Map(usages.map(([account], at) => [account, at] as const))
  const signers = count(0) + count(1)
  const writer = makeWriter(MOST_BYTES)
  writer.length(signers)
  writer.all(new Uint8Array(signers * SIGNATURE_BYTES))
  for (const one of [signers, count(1), count(3)]) writer.byte(one)
  writer.length(usages.length)
  for (const [account] of usages) writer.all(seedOf(account))
  writer.all(NO_BLOCKHASH)
  writer.length(instructions.length)
  for (const { accounts, data, program } of instructions) {
    writer.byte(index.get(program) ?? 0)
    writer.length(accounts.length)
    for (const [account] of accounts) writer.byte(index.get(account) ?? 0)
    writer.length(data.length)
    writer.all(data)
  }
  return writer.written()
}

export interface Packed {
  /** The unsigned transaction, base64. */
  readonly wire: string
  /** How many instructions stand before the first of the caller's. */
  readonly lead: number
}

/**
 * The instructions as a transaction that `payer` pays for, unsigned, with the highest compute limit where it fits.
 * Null where it does not fit a packet.
 */
export const packTransaction = (
  payer: SolanaAddress,
  instructions: ReadonlyArray<Instruction>
): Packed | null => {
  for (const lead of [[computeLimit], []]) {
    const bytes = encode(payer, [...lead, ...instructions])
    if (bytes !== null) return { wire: bytes.toString("base64"), lead: lead.length }
  }
  return null
}
