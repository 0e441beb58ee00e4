import type { Address, Instruction } from "@solana/kit"
import {
  AccountRole,
  address,
  appendTransactionMessageInstructions,
  blockhash,
  compileTransaction,
  createTransactionMessage,
  getBase64EncodedWireTransaction,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash
} from "@solana/kit"
import { SOLANA_USDC } from "../../domain/chain.ts"
import { SOLANA_PROGRAMS } from "../../domain/solana-programs.ts"
import { USDC_DECIMALS } from "../../domain/usd.ts"

export const TOKEN_PROGRAM = address(SOLANA_PROGRAMS.token)
const MEMO_PROGRAM = address(SOLANA_PROGRAMS.memo)
export const USDC = address(SOLANA_USDC)
/** Instruction number. Source: SPL Token `TransferChecked`. */
const TRANSFER_CHECKED = 12

/** USDC from one token account to another. */
export interface UsdcTransfer {
  readonly source: Address
  readonly destination: Address
  /** Owner of the source, who signs. */
  readonly owner: Address
  /** Smallest units. */
  readonly amount: bigint
  /** A key that is only named, so that the transfer can be found by it. */
  readonly reference?: Address
}

/** Instruction data: its number, then what `write` puts behind it. */
export const numbered = (instruction: number, size: number, write: (data: Buffer) => void): Uint8Array => {
  const data = Buffer.alloc(size)
  data.writeUInt8(instruction, 0)
  write(data)
  return new Uint8Array(data)
}

export const usdcTransfer = ({ amount, destination, owner, reference, source }: UsdcTransfer) => ({
  programAddress: TOKEN_PROGRAM,
  data: numbered(TRANSFER_CHECKED, 10, (data) => {
    data.writeBigUInt64LE(amount, 1)
    data.writeUInt8(USDC_DECIMALS, 9)
  }),
  accounts: [
    { address: source, role: AccountRole.WRITABLE },
    { address: USDC, role: AccountRole.READONLY },
    { address: destination, role: AccountRole.WRITABLE },
    { address: owner, role: AccountRole.READONLY_SIGNER },
    ...(reference === undefined ? [] : [{ address: reference, role: AccountRole.READONLY }])
  ]
})

export const memoOf = (text: string) => ({
  programAddress: MEMO_PROGRAM,
  data: new TextEncoder().encode(text)
})

/** How long a transaction can land, and who pays for it. */
export interface Frame {
  readonly feePayer: Address
  readonly blockhash: string
  /** Last block height at which the blockhash is good. */
  readonly validUntil: number
}

/** A version 0 transaction without signatures, base64, for wallets to sign. */
export const unsignedTransaction = (
  { blockhash: hash, feePayer, validUntil }: Frame,
  instructions: ReadonlyArray<Instruction>
): string =>
  pipe(
    createTransactionMessage({ version: 0 }),
    (message) => setTransactionMessageFeePayer(feePayer, message),
    (message) =>
      setTransactionMessageLifetimeUsingBlockhash(
        { blockhash: blockhash(hash), lastValidBlockHeight: BigInt(validUntil) },
        message
      ),
    (message) => appendTransactionMessageInstructions(instructions, message),
    (message) => getBase64EncodedWireTransaction(compileTransaction(message))
  )
