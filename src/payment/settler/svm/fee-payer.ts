import { Redacted } from "effect"
import { sign } from "node:crypto"
import { signatureToBase58, toBase58 } from "../../../domain/base58.ts"
import { privateKeyOf } from "../../../domain/ed25519-key.ts"
import type { VerifiedPayment } from "../../verifier/verified-payment.ts"
import {
  type DecodedTransaction,
  transactionOf,
  withFeePayerSignature
} from "../../verifier/svm/transaction.ts"

/** A payment with our fee payer's signature, which is its transaction's id. */
export interface SignedTransfer {
  readonly id: string
  /** Base64 of the wire format. */
  readonly wire: string
}

/** Our fee payer. Ed25519 signatures are the same every time, so an id is known before anything is sent. */
export const makeFeePayer = (key: Redacted.Redacted<Uint8Array>) => {
  const bytes = Redacted.value(key)
  const privateKey = privateKeyOf(bytes.subarray(0, 32))
  const address = toBase58(bytes, 32)
  /** A sale asks for its id when it verifies and signs when it settles: both are one signature. */
  const signed = new WeakMap<DecodedTransaction, SignedTransfer>()

  const signNew = (transaction: DecodedTransaction): SignedTransfer => {
    const signature = sign(null, transaction.messageBytes, privateKey)
    const made = { id: signatureToBase58(signature), wire: withFeePayerSignature(transaction, signature) }
    signed.set(transaction, made)
    return made
  }

  return {
    address,
    /** `undefined` for a payment that is not a Solana transfer with this fee payer. */
    sign: ({ payment }: VerifiedPayment): SignedTransfer | undefined => {
      const transaction = payment.scheme === "svm" ? transactionOf(payment.svm) : undefined
      if (transaction?.message.staticAccounts[0] !== address) return undefined
      return signed.get(transaction) ?? signNew(transaction)
    }
  }
}

export type FeePayer = ReturnType<typeof makeFeePayer>
