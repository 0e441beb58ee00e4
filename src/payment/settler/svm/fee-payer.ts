import { getBase58Decoder } from "@solana/kit"
import { Redacted } from "effect"
import { createPrivateKey, sign } from "node:crypto"
import type { VerifiedPayment } from "../../verifier/verified-payment.ts"
import { decodeTransaction, withFeePayerSignature } from "../../verifier/svm/transaction.ts"

/** DER header of a PKCS #8 Ed25519 key; the 32-byte seed follows. Source: RFC 8410. */
const ED25519_PKCS8 = Buffer.from("302e020100300506032b657004220420", "hex")

/** A payment with our fee payer's signature, which is its transaction's id. */
export interface SignedTransfer {
  readonly id: string
  /** Base64 of the wire format. */
  readonly wire: string
}

/** Our fee payer. Ed25519 signatures are the same every time, so an id is known before anything is sent. */
export const makeFeePayer = (key: Redacted.Redacted<Uint8Array>) => {
  const bytes = Redacted.value(key)
  const privateKey = createPrivateKey({
    key: Buffer.concat([ED25519_PKCS8, bytes.subarray(0, 32)]),
    format: "der",
    type: "pkcs8"
  })
  const address = getBase58Decoder().decode(bytes.subarray(32))
  return {
    address,
    /** `undefined` for a payment that is not a Solana transfer with this fee payer. */
    sign: ({ payment }: VerifiedPayment): SignedTransfer | undefined => {
      const transaction = payment.scheme === "svm" ? decodeTransaction(payment.svm.transaction) : undefined
      if (transaction?.message.staticAccounts[0] !== address) return undefined
      const signature = sign(null, transaction.messageBytes, privateKey)
      return { id: getBase58Decoder().decode(signature), wire: withFeePayerSignature(transaction, signature) }
    }
  }
}

export type FeePayer = ReturnType<typeof makeFeePayer>
