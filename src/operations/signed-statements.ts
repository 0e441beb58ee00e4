import { createJWS, OFFER_RECEIPT } from "@x402/extensions/offer-receipt"
import { Effect, Option, Schema } from "effect"
import { Attestor } from "../attestation/attestor.ts"
import type { PaymentRequirements, SettlementResponse } from "../domain/x402.ts"

/** Seconds a signed offer holds. It is signed anew every minute, so whoever reads one has two minutes at least. */
const OFFER_SECONDS = 180
/** Characters of a key's thumbprint that name it in the DID document: 96 bits. */
const KEY_NAME_LENGTH = 16
/** Version of both payloads. Source: x402 `offer-receipt` extension. */
const VERSION = 1

/** An offer or a receipt in the extension's shape. */
export interface SignedStatement {
  readonly format: "jws"
  readonly signature: string
}

/** The origin as a decentralized identifier; its document is `/.well-known/did.json`. Source: did:web method. */
const didOf = (publicUrl: string): string => `did:web:${encodeURIComponent(new URL(publicUrl).host)}`

/** What the service promises and confirms in writing. */
export interface SignedStatements {
  /** `now` in Unix milliseconds. */
  readonly offer: (
    resourceUrl: string,
    terms: PaymentRequirements,
    now: number
  ) => Effect.Effect<SignedStatement>
  /**
   * A settlement with the receipt for it. It is dated by the moment the answer's evidence was read, so that a repeated
   * delivery carries the same bytes.
   */
  readonly confirmed: (
    settlement: SettlementResponse,
    resourceUrl: string,
    answer: string
  ) => Effect.Effect<SettlementResponse>
  /** The DID document that names the keys, retired ones included. */
  readonly didDocument: Readonly<Record<string, unknown>>
}

const decodeFetchedAt = Schema.decodeOption(Schema.parseJson(Schema.Struct({ fetchedAt: Schema.Number })))

/** Unix seconds at which the evidence of an answer was read. */
const readAt = (answer: string): number =>
  Math.floor(Option.getOrElse(decodeFetchedAt(answer), () => ({ fetchedAt: 0 })).fetchedAt / 1_000)

/**
 * Signed offers of our terms, and signed receipts, as the x402 extension `offer-receipt` wants them: JWS by the
 * attestation's Ed25519 key, named by the DID of the public URL.
 */
export const makeSignedStatements = Effect.fnUntraced(function* (publicUrl: string) {
  const did = didOf(publicUrl)
  const { jwks, sign } = yield* Attestor
  const keys = jwks.keys.filter(({ kty }) => kty === "OKP")
  // Part of the key's id: the whole one would take room in a header, and the document maps it.
  const idOf = (kid = ""): string => `${did}#${kid.slice(0, KEY_NAME_LENGTH)}`
  // The current key stands before the retired ones.
  const signer = {
    kid: idOf(keys[0]?.["kid"]),
    format: "jws" as const,
    algorithm: "EdDSA",
    sign: (bytes: Uint8Array) => Promise.resolve(Buffer.from(sign(bytes)).toString("base64url"))
  }
  const signed = <Payload extends object>(payload: Payload) =>
    Effect.map(
      Effect.promise(() => createJWS(payload, signer)),
      (signature): SignedStatement => ({ format: "jws", signature })
    )

  const offer = (resourceUrl: string, terms: PaymentRequirements, now: number) => {
    const { amount, asset, network, payTo, scheme } = terms
    const validUntil = Math.floor(now / 1_000) + OFFER_SECONDS
    return signed({ version: VERSION, resourceUrl, scheme, network, asset, payTo, amount, validUntil })
  }

  const confirmed = Effect.fnUntraced(function* (
    settlement: SettlementResponse,
    resourceUrl: string,
    answer: string
  ) {
    const issuedAt = readAt(answer)
    const { network, payer, transaction } = settlement
    if (payer === undefined) return settlement
    const receipt = yield* signed({ version: VERSION, network, resourceUrl, payer, issuedAt, transaction })
    return { ...settlement, extensions: { ...settlement.extensions, [OFFER_RECEIPT]: { info: { receipt } } } }
  })

  const didDocument = {
    "@context": ["https://www.w3.org/ns/did/v1", "https://w3id.org/security/suites/jws-2020/v1"],
    id: did,
    verificationMethod: keys.map((key) => ({
      id: idOf(key["kid"]),
      type: "JsonWebKey2020",
      controller: did,
      publicKeyJwk: key
    })),
    assertionMethod: keys.map((key) => idOf(key["kid"]))
  }

  return { offer, confirmed, didDocument } satisfies SignedStatements
})
