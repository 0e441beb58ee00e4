import type { SolanaAddress } from "../../../domain/address.ts"
import { seedOf } from "../../../chain/program-address.ts"
import type { Instruction } from "./instruction.ts"
import { computeLimit } from "./wallet.ts"

/** A transaction must fit one packet. Source: solana-sdk `PACKET_DATA_SIZE`. */
const MOST_BYTES = 1232
const SIGNATURE_BYTES = 64
/** The node puts a recent one in. */
const NO_BLOCKHASH = new Uint8Array(32)

/** A length as Solana's wire format writes it: seven bits a byte, the lowest first. */
const compact = (length: number): ReadonlyArray<number> =>
  length < 0x80 ? [length] : [(length & 0x7f) | 0x80, ...compact(length >> 7)]

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

/** An unsigned transaction of the first version, whose signatures are zeros. */
const encode = (payer: SolanaAddress, instructions: ReadonlyArray<Instruction>): Uint8Array => {
  const usages = [...usagesOf(payer, instructions)].toSorted(([, a], [, b]) => rank(a) - rank(b))
  const count = (of: number): number => usages.filter(([, usage]) => rank(usage) === of).length
  const index = new Map(usages.map(([account], at) => [account, at] as const))
  const signers = count(0) + count(1)
  return Uint8Array.from([
    ...compact(signers),
    ...new Uint8Array(signers * SIGNATURE_BYTES),
    signers,
    count(1),
    count(3),
    ...compact(usages.length),
    ...usages.flatMap(([account]) => [...seedOf(account)]),
    ...NO_BLOCKHASH,
    ...compact(instructions.length),
    ...instructions.flatMap(({ accounts, data, program }) => [
      index.get(program) ?? 0,
      ...compact(accounts.length),
      ...accounts.map(([account]) => index.get(account) ?? 0),
      ...compact(data.length),
      ...data
    ])
  ])
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
    if (bytes.length <= MOST_BYTES) return { wire: Buffer.from(bytes).toString("base64"), lead: lead.length }
  }
  return null
}
