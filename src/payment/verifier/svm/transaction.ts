import {
  type CompiledTransactionMessage,
  type CompiledTransactionMessageWithLifetime,
  getCompiledTransactionMessageDecoder,
  getCompiledTransactionMessageEncoder
} from "@solana/kit"
import { createHash } from "node:crypto"
import { decodeBase64 } from "../../message/base64.ts"

/** Largest transaction a Solana node accepts, in bytes: one IPv6 packet. */
const MAX_TRANSACTION_BYTES = 1232
const SIGNATURE_BYTES = 64

/** The two message forms that payments use. */
type Message = Exclude<CompiledTransactionMessage, { readonly version: 1 }> &
  CompiledTransactionMessageWithLifetime

/** A transaction taken apart. `signatures[i]` belongs to `message.staticAccounts[i]`; index 0 is the fee payer. */
export interface DecodedTransaction {
  readonly signatures: ReadonlyArray<Uint8Array>
  readonly messageBytes: Uint8Array
  readonly message: Message
}

const decoder = getCompiledTransactionMessageDecoder()
const encoder = getCompiledTransactionMessageEncoder()

const decodeMessage = (bytes: Uint8Array): Message | undefined => {
  try {
    const message = decoder.decode(bytes)
    if (message.version === 1) return undefined
    // Trailing or differently packed bytes would give one transfer several identities.
    return Buffer.from(encoder.encode(message)).equals(bytes) ? message : undefined
  } catch {
    return undefined
  }
}

/** Strict decoding of a base64 wire transaction (legacy or version 0); `undefined` for anything else. */
export const decodeTransaction = (base64: string): DecodedTransaction | undefined => {
  const bytes = decodeBase64(base64)
  if (bytes === undefined || bytes.length > MAX_TRANSACTION_BYTES) return undefined
  const count = bytes[0] ?? 0
  // One byte holds every count a packet has room for, so a longer compact-u16 is a second spelling.
  const start = 1 + count * SIGNATURE_BYTES
  if (count === 0 || count > 0x7f || bytes.length <= start) return undefined
  const messageBytes = bytes.subarray(start)
  const message = decodeMessage(messageBytes)
  if (message === undefined || message.header.numSignerAccounts !== count) return undefined
  const signatures = Array.from({ length: count }, (_, i) =>
    bytes.subarray(1 + i * SIGNATURE_BYTES, 1 + (i + 1) * SIGNATURE_BYTES)
  )
  return { signatures, messageBytes, message }
}

/** The wire form with a given fee-payer signature; zeros where the fee payer has not signed. */
export const withFeePayerSignature = (transaction: DecodedTransaction, signature: Uint8Array): string =>
  Buffer.concat([
    Uint8Array.of(transaction.signatures.length),
    signature,
    ...transaction.signatures.slice(1),
    transaction.messageBytes
  ]).toString("base64")

/** The wire form without the fee payer's signature: whatever a client put there is not part of the payment. */
export const withoutFeePayerSignature = (transaction: DecodedTransaction): string =>
  withFeePayerSignature(transaction, new Uint8Array(SIGNATURE_BYTES))

/** Hex SHA-256 of the message bytes: the identity of the transfer, free of every signature. */
export const messageHash = (transaction: DecodedTransaction): string =>
  createHash("sha256").update(transaction.messageBytes).digest("hex")
