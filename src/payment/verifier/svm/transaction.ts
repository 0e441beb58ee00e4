import { createHash } from "node:crypto"
import type { SvmPayload } from "../../../domain/x402.ts"
import { decodeBase64 } from "../../message/base64.ts"
import { decodeMessage, type Message } from "./message.ts"

/** Largest transaction a Solana node accepts, in bytes: one IPv6 packet. */
const MAX_TRANSACTION_BYTES = 1232
const SIGNATURE_BYTES = 64

/** A transaction taken apart. `signatures[i]` belongs to `message.staticAccounts[i]`; index 0 is the fee payer. */
export interface DecodedTransaction {
  readonly signatures: ReadonlyArray<Uint8Array>
  readonly messageBytes: Uint8Array
  readonly message: Message
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

/** Two token accounts: where money comes from, and where it goes. */
export type EndAddresses = readonly [source: string, destination: string]

/** What was decoded of payloads that are still in use: a sale looks into its transaction a dozen times. */
const decoded = new WeakMap<SvmPayload, DecodedTransaction | undefined>()

/** The transaction of a payment, taken apart once. */
export const transactionOf = (payload: SvmPayload): DecodedTransaction | undefined => {
  if (decoded.has(payload)) return decoded.get(payload)
  const transaction = decodeTransaction(payload.transaction)
  decoded.set(payload, transaction)
  return transaction
}

/** The wire form with a given fee-payer signature; zeros where the fee payer has not signed. */
export const withFeePayerSignature = (transaction: DecodedTransaction, signature: Uint8Array): string =>
  Buffer.concat([
    Uint8Array.of(transaction.signatures.length),
    signature,
    ...transaction.signatures.slice(1),
    transaction.messageBytes
  ]).toString("base64")

const UNSIGNED = new Uint8Array(SIGNATURE_BYTES)

/** The payload without the fee payer's signature: whatever a client put there is not part of the payment. */
export const payloadOf = (transaction: DecodedTransaction): SvmPayload => {
  const payload: SvmPayload = { transaction: withFeePayerSignature(transaction, UNSIGNED) }
  decoded.set(payload, { ...transaction, signatures: [UNSIGNED, ...transaction.signatures.slice(1)] })
  return payload
}

/** Hex SHA-256 of the message bytes: the identity of the transfer, free of every signature. */
export const messageHash = (transaction: DecodedTransaction): string =>
  createHash("sha256").update(transaction.messageBytes).digest("hex")

/** The transfer's place in every payment we take: after the compute unit limit and price. See `verifySvm`. */
export const TRANSFER_INSTRUCTION = 2

/** Assertions that Phantom adds to protect its user; they move nothing. */
export const LIGHTHOUSE = "L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95"

/** Whether a transaction fails where the chain is not as its payer wants it, which nobody knows before it has landed. */
export const hasAssertions = ({ message }: DecodedTransaction): boolean =>
  message.instructions.some(
    ({ programAddressIndex }) => message.staticAccounts[programAddressIndex] === LIGHTHOUSE
  )

/** A payment whose money is not the signer's own. */
export const SOURCE_MISMATCH = "invalid_exact_svm_payload_source_mismatch"

/** An account of the transfer, by its place among the instruction's. */
const accountAt = ({ message }: DecodedTransaction, place: number): string | undefined => {
  const index = message.instructions[TRANSFER_INSTRUCTION]?.accountIndices[place]
  return index === undefined ? undefined : message.staticAccounts[index]
}

/** The account the money leaves. */
export const sourceOf = (transaction: DecodedTransaction): string | undefined => accountAt(transaction, 0)

/** The account the money leaves, and the one it goes to. */
export const endsOf = (transaction: DecodedTransaction): EndAddresses | undefined => {
  const [source, destination] = [accountAt(transaction, 0), accountAt(transaction, 2)]
  return source === undefined || destination === undefined ? undefined : [source, destination]
}
