import { Effect, Either, Schema } from "effect"
import { BASE_NETWORK, BASE_USDC, BASE_USDC_DOMAIN, SOLANA_NETWORK } from "../../domain/chain.ts"
import { MalformedPayment } from "../../domain/errors.ts"
import { Eip3009Payload, PaymentPayload, SvmPayload, X402_VERSION } from "../../domain/x402.ts"
import type { Payment } from "./payment.ts"
import { authorizationDigest, isSignedBy } from "../verifier/evm/authorization.ts"
import { decodeTransaction, messageHash, payloadOf } from "../verifier/svm/transaction.ts"
import { decodeBase64, decodeUtf8 } from "./base64.ts"
import { parseStrictJson } from "../../domain/strict-json.ts"

/** Largest `payment-signature` header, in characters. */
const MAX_HEADER = 8192

type Parsed = Either.Either<Payment, MalformedPayment>

const malformed = (message: string): Parsed => Either.left(new MalformedPayment({ message }))

const decodeEnvelope = Schema.decodeUnknownEither(PaymentPayload)
const decodeEip3009 = Schema.decodeUnknownEither(Eip3009Payload)
const decodeSvm = Schema.decodeUnknownEither(SvmPayload)

const unsupported = (envelope: PaymentPayload, reason: string): Parsed => {
  const named = envelope.accepted["network"]
  const network = typeof named === "string" ? named : ""
  return Either.right({
    scheme: "unsupported",
    network,
    envelope,
    reason,
    authorizationKey: `unsupported:${reason}`
  })
}

const lower = (hex: string): string => hex.toLowerCase()

const IDENTIFIER = "payment-identifier"
/** Source: the extension's specification. */
const IDENTIFIER_FORM = /^[A-Za-z0-9_-]{16,128}$/

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null
    ? new Map<string, unknown>(Object.entries(value)).get(name)
    : undefined

/** The caller's own id in the extensions of a payment; an extension that is echoed without one is none. */
const identified = (payment: Payment): Parsed => {
  const id = memberOf(memberOf(payment.envelope.extensions?.[IDENTIFIER], "info"), "id")
  if (id === undefined) return Either.right(payment)
  return typeof id === "string" && IDENTIFIER_FORM.test(id)
    ? Either.right({ ...payment, identifier: id })
    : malformed(`extensions.${IDENTIFIER}.info.id must be 16 to 128 letters, digits, - or _`)
}

const eip3009 = (envelope: PaymentPayload): Parsed => {
  if ("permit2Authorization" in envelope.payload) return unsupported(envelope, "unsupported_payload_type")
  const decoded = decodeEip3009(envelope.payload)
  if (Either.isLeft(decoded)) return malformed("payload is not an EIP-3009 authorization with its signature")
  const { authorization, signature } = decoded.right
  const evm: Eip3009Payload = {
    signature: lower(signature),
    authorization: {
      ...authorization,
      from: lower(authorization.from),
      to: lower(authorization.to),
      nonce: lower(authorization.nonce)
    }
  }
  const { from, nonce } = evm.authorization
  const authorizationKey = `${BASE_NETWORK}:${lower(BASE_USDC)}:${from}:${nonce}`
  return Either.right({ scheme: "eip3009", network: BASE_NETWORK, envelope, authorizationKey, evm })
}

const svm = (envelope: PaymentPayload): Parsed => {
  const decoded = decodeSvm(envelope.payload)
  if (Either.isLeft(decoded)) return malformed("payload is not a Solana transaction")
  const transaction = decodeTransaction(decoded.right.transaction)
  if (transaction === undefined) return malformed("payload.transaction is not a canonical Solana transaction")
  return Either.right({
    scheme: "svm",
    network: SOLANA_NETWORK,
    envelope,
    authorizationKey: `${SOLANA_NETWORK}:${messageHash(transaction)}`,
    svm: payloadOf(transaction)
  })
}

const parseEnvelope = (value: unknown): Parsed => {
  const decoded = decodeEnvelope(value)
  if (Either.isLeft(decoded)) {
    // Version 1 named scheme and network on the outside.
    return typeof value === "object" && value !== null && "x402Version" in value && value.x402Version === 1
      ? malformed(
          "payment is x402 version 1: sign one of the accepts in PAYMENT-REQUIRED with a version 2 client"
        )
      : malformed("payment is not an x402 v2 PaymentPayload: it needs x402Version 2, accepted and payload")
  }
  const envelope = decoded.right
  if (envelope.x402Version !== X402_VERSION) return unsupported(envelope, "invalid_x402_version")
  const { scheme, network } = envelope.accepted
  if (typeof scheme !== "string" || typeof network !== "string") {
    return malformed("accepted.scheme and accepted.network must be strings")
  }
  if (scheme !== "exact") return unsupported(envelope, "unsupported_scheme")
  switch (network) {
    case BASE_NETWORK:
      return Either.flatMap(eip3009(envelope), identified)
    case SOLANA_NETWORK:
      return Either.flatMap(svm(envelope), identified)
    default:
      return unsupported(envelope, "invalid_network")
  }
}

const parseText = (text: string): Parsed => {
  const value = parseStrictJson(text)
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? parseEnvelope(value)
    : malformed("payment is not a JSON object with unique keys")
}

const parseHeader = (header: string): Parsed => {
  if (header.length > MAX_HEADER) return malformed(`payment is longer than ${MAX_HEADER} characters`)
  const bytes = decodeBase64(header)
  const text = bytes === undefined ? undefined : decodeUtf8(bytes)
  return text === undefined ? malformed("payment is not canonical base64 of UTF-8") : parseText(text)
}

/** Recovery ids as some wallets write them, and as USDC wants them. */
const RECOVERY_IDS: Readonly<Record<string, string>> = { "00": "1b", "01": "1c" }

/**
 * What the payer's key signed in the token's own spelling, whose last byte is 27 or 28, also where the wallet wrote 0 or 1:
 * one payment has one spelling. What a contract is to verify may end in any byte, and stays as it is.
 */
const inTokensSpelling = (payment: Payment): Effect.Effect<Payment> => {
  if (payment.scheme !== "eip3009" || payment.evm.signature.length !== 132) return Effect.succeed(payment)
  const { authorization, signature } = payment.evm
  const recoveryId = RECOVERY_IDS[signature.slice(-2)]
  const digest = authorizationDigest(authorization, { asset: BASE_USDC, extra: BASE_USDC_DOMAIN })
  if (recoveryId === undefined || digest === undefined) return Effect.succeed(payment)
  const spelled = signature.slice(0, -2) + recoveryId
  return Effect.map(
    Effect.promise(() => isSignedBy(digest, spelled, authorization.from)),
    (isSigned) => (isSigned ? { ...payment, evm: { authorization, signature: spelled } } : payment)
  )
}

/** JSON text of a value within the size a header may have; `undefined` for what JSON cannot hold. */
const textOf = (value: unknown): string | undefined => {
  try {
    const text: unknown = JSON.stringify(value)
    return typeof text === "string" && text.length <= MAX_HEADER ? text : undefined
  } catch {
    return undefined
  }
}

/** Strict parsing of a `payment-signature` header: canonical base64, at most 8 KB, UTF-8, unique keys, schema. */
export const parsePayment = (header: string): Effect.Effect<Payment, MalformedPayment> =>
  Effect.flatMap(
    Effect.suspend(() => parseHeader(header)),
    inTokensSpelling
  )

/** The same for a payment that arrives as a JSON value. */
export const parsePaymentObject = (value: unknown): Effect.Effect<Payment, MalformedPayment> =>
  Effect.flatMap(
    Effect.suspend(() => {
      const text = textOf(value)
      return text === undefined ? malformed("payment is not JSON, or is too large") : parseText(text)
    }),
    inTokensSpelling
  )
