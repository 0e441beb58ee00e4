import type { SIWxPayload } from "@x402/extensions/sign-in-with-x"
import { Clock, Data, Effect } from "effect"
import { createHash, randomBytes, timingSafeEqual } from "node:crypto"
import { isHex, recoverMessageAddress } from "viem"
import { Attestor } from "../attestation/attestor.ts"
import { ChainRpc } from "../chain/chain-rpc.ts"
import { normalizeEvmAddress } from "../domain/address.ts"
import { BASE_NETWORK, SOLANA_NETWORK } from "../domain/chain.ts"
import { UpstreamError } from "../domain/errors.ts"

/** Life of a message to sign, in milliseconds: time to find the wallet, and no more. */
export const SIGN_IN_LIFE = 300_000

const MAX_HEADER = 8_192
const STATEMENT = "Fetch again what this wallet bought here. This moves no money."
const NETWORKS = [BASE_NETWORK, SOLANA_NETWORK]

/** The sign-in opens nothing; `message` says why and what to do. */
export class SignInInvalid extends Data.TaggedError("SignInInvalid")<{ readonly message: string }> {}

/** A wallet that signed one of our messages, with the nonce that is to be used up. */
export interface SignedIn {
  /** In lower case on Base, as the ledger names payers. */
  readonly payer: string
  readonly nonce: string
}

/** The package's words quote what a caller sent, so each of its reasons has words of ours. */
const WORDS: Readonly<Record<string, string>> = {
  invalid_siwx_domain_mismatch: "is for another domain",
  invalid_siwx_uri_mismatch: "is for another address",
  invalid_siwx_issued_at_too_old: "has expired: sign the message of a fresh 402",
  invalid_siwx_expired: "has expired: sign the message of a fresh 402",
  invalid_siwx_signature: "was not signed by the wallet it names",
  invalid_siwx_malformed_signature: "has a malformed signature"
}

const invalid = (message: string) => new SignInInvalid({ message })
const inWords = (reason: string | undefined) => invalid(WORDS[reason ?? ""] ?? "is not a valid sign-in")

/** Loaded when the first wallet signs in: nobody else needs what it brings along. */
const extension = Effect.promise(() => import("@x402/extensions/sign-in-with-x"))

const recovers = async (address: string, message: string, signature: string): Promise<boolean> => {
  try {
    return (
      isHex(signature) &&
      normalizeEvmAddress(await recoverMessageAddress({ message, signature })) ===
        normalizeEvmAddress(address)
    )
  } catch {
    return false
  }
}

/** The messages wallets sign. A nonce carries a tag only this service can make, over its random part and its time. */
const makeMessages = Effect.fnUntraced(function* (publicUrl: string) {
  const { sign } = yield* Attestor

  const tagOf = (random: string, issuedAt: string): string =>
    createHash("sha256")
      .update(sign(Buffer.from(`purchases-sign-in:v1|${random}|${issuedAt}`)))
      .digest("hex")
      .slice(0, 32)

  const isOurs = ({ issuedAt, nonce, statement }: SIWxPayload): boolean =>
    /^[0-9a-f]{64}$/.test(nonce) &&
    timingSafeEqual(Buffer.from(nonce.slice(32)), Buffer.from(tagOf(nonce.slice(0, 32), issuedAt))) &&
    statement === STATEMENT

  /** A message to sign, in the extension's shape. `uri` is what it opens. */
  const challenge = Effect.fn("WalletSignIn.challenge")(function* (uri: string) {
    const { declareSIWxExtension, SIGN_IN_WITH_X } = yield* extension
    const now = yield* Clock.currentTimeMillis
    const issuedAt = new Date(now).toISOString()
    const random = yield* Effect.sync(() => randomBytes(16).toString("hex"))
    const declared = declareSIWxExtension({ network: NETWORKS })[SIGN_IN_WITH_X]
    const info = {
      domain: new URL(publicUrl).host,
      uri,
      version: "1",
      statement: STATEMENT,
      nonce: random + tagOf(random, issuedAt),
      issuedAt,
      expirationTime: new Date(now + SIGN_IN_LIFE).toISOString(),
      resources: [uri]
    }
    return {
      [SIGN_IN_WITH_X]: { info, supportedChains: declared?.supportedChains, schema: declared?.schema }
    }
  })

  return { isOurs, challenge }
})

/** Whether the wallet a message names signed it. */
const makeSignatureVerifier = Effect.map(ChainRpc, ({ base }) => {
  /** A contract is asked on chain; a node that does not answer is an outage, never "not signed". */
  const signedOnBase = async (claim: { address: string; message: string; signature: string }) => {
    const address = normalizeEvmAddress(claim.address)
    if (address === undefined || !isHex(claim.signature)) return false
    if (await recovers(address, claim.message, claim.signature)) return true
    return base.client.verifyMessage({ address, message: claim.message, signature: claim.signature })
  }
  return Effect.fnUntraced(function* (payload: SIWxPayload) {
    const { verifySIWxSignature } = yield* extension
    const signed = yield* Effect.promise(() => verifySIWxSignature(payload, { evmVerifier: signedOnBase }))
    if (!signed.isValid && signed.invalidReason === "invalid_siwx_verifier_error") {
      const detail = "wallet signature not verified"
      return yield* new UpstreamError({ upstream: "base-rpc", kind: "transport", detail })
    }
    if (signed.isValid) return
    // The library says "no" also where the node said nothing: one that does not answer now gave no answer then either.
    if (payload.chainId === BASE_NETWORK) yield* base.blockNumber
    return yield* inWords(signed.invalidReason)
  })
})

/**
 * Wallets sign in by the x402 extension `sign-in-with-x` (EIP-4361 on Base, the same shape on Solana). Challenges are
 * not kept: the nonce of a message tells whether it is ours.
 */
export const makeWalletSignIn = Effect.fnUntraced(function* (publicUrl: string) {
  const { challenge, isOurs } = yield* makeMessages(publicUrl)
  const requireSigned = yield* makeSignatureVerifier

  const verify = Effect.fn("WalletSignIn.verify")(function* (header: string) {
    const { parseSIWxHeader, validateSIWxMessage } = yield* extension
    if (header.length > MAX_HEADER) return yield* invalid(`is longer than ${MAX_HEADER} characters`)
    const payload = yield* Effect.try({
      try: () => parseSIWxHeader(header),
      catch: () => invalid("is not the base64 of a signed message")
    })
    if (!NETWORKS.some((network) => network === payload.chainId))
      return yield* invalid("is for another chain")
    if (!isOurs(payload))
      return yield* invalid("is not a message of this service: sign the one of a fresh 402")
    const valid = yield* Effect.promise(() =>
      validateSIWxMessage(payload, new URL(publicUrl), { maxAge: SIGN_IN_LIFE })
    )
    if (!valid.isValid) return yield* inWords(valid.invalidReason)
    yield* requireSigned(payload)
    const payer = normalizeEvmAddress(payload.address) ?? payload.address
    return { payer, nonce: payload.nonce } satisfies SignedIn
  })

  return { challenge, verify }
})
