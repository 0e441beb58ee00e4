import { SOLANA_PROGRAMS } from "../domain/solana-programs.ts"
import { USDC_DECIMALS } from "../domain/usd.ts"
import { addressBytes, associatedTokenAccount } from "./solana-address.ts"

/** What a payment on Solana transfers. */
export interface SolanaTransfer {
  readonly payer: string
  readonly payTo: string
  readonly mint: string
  /** Smallest units. */
  readonly amount: bigint
  /** Signs and pays the network's fee; the service's own. */
  readonly feePayer: string
  readonly memo: string
  readonly blockhash: string
}

/** What the reference client asks for; enough for a transfer and a memo. */
const COMPUTE_UNITS = 20_000
const MICRO_LAMPORTS_PER_UNIT = 1n
/** First byte of a version 0 message. */
const VERSION_0 = 0x80

const littleEndian = (value: bigint, bytes: number): ReadonlyArray<number> =>
  Array.from({ length: bytes }, (_, at) => Number((value >> BigInt(8 * at)) & 0xffn))

/** Solana's compact length: seven bits a byte, low ones first. */
const compact = (length: number): ReadonlyArray<number> =>
  length < 0x80 ? [length] : [(length & 0x7f) | 0x80, ...compact(length >> 7)]

const instruction = (
  program: number,
  accounts: ReadonlyArray<number>,
  data: ReadonlyArray<number>
): ReadonlyArray<number> => [
  program,
  ...compact(accounts.length),
  ...accounts,
  ...compact(data.length),
  ...data
]

/**
 * The bytes of a version 0 message: compute limit, compute price, TransferChecked of USDC, memo. Accounts stand in the
 * order the format wants: signers first, writable before read-only.
 */
export const transferMessage = async (transfer: SolanaTransfer): Promise<Uint8Array<ArrayBuffer>> => {
  const keys = [
    addressBytes(transfer.feePayer),
    addressBytes(transfer.payer),
    await associatedTokenAccount(transfer.payer, transfer.mint),
    await associatedTokenAccount(transfer.payTo, transfer.mint),
    addressBytes(transfer.mint),
    addressBytes(SOLANA_PROGRAMS.computeBudget),
    addressBytes(SOLANA_PROGRAMS.token),
    addressBytes(SOLANA_PROGRAMS.memo)
  ]
  const [payer, source, destination, mint, computeBudget, token, memo] = [1, 2, 3, 4, 5, 6, 7] as const
  const instructions = [
    instruction(computeBudget, [], [2, ...littleEndian(BigInt(COMPUTE_UNITS), 4)]),
    instruction(computeBudget, [], [3, ...littleEndian(MICRO_LAMPORTS_PER_UNIT, 8)]),
    instruction(
      token,
      [source, mint, destination, payer],
      [12, ...littleEndian(transfer.amount, 8), USDC_DECIMALS]
    ),
    instruction(memo, [], [...new TextEncoder().encode(transfer.memo)])
  ]
  const header = [2, 1, 4]
  return Uint8Array.from([
    VERSION_0,
    ...header,
    ...compact(keys.length),
    ...keys.flatMap((key) => [...key]),
    ...addressBytes(transfer.blockhash),
    ...compact(instructions.length),
    ...instructions.flat(),
    // No lookup tables.
    0
  ])
}

/** A transaction on the wire: the fee payer's signature stays empty for the service to fill. */
export const wireTransaction = (signature: Uint8Array, message: Uint8Array): Uint8Array =>
  Uint8Array.from([2, ...new Uint8Array(64), ...signature, ...message])
