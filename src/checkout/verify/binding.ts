import { Option, Schema } from "effect"
import { keccak256, stringToBytes } from "viem"
import { BASE_CHAIN_ID } from "../../domain/chain.ts"
import type { CheckoutTerms, PaymentBinding } from "../../domain/checkout.ts"
import type { Payment } from "../../payment/message/payment.ts"

/** Separates these nonces from every other use of keccak256. */
const DOMAIN = "token-risk-checkout:v1"

/**
 * How a buyer on Base may bind the signed authorization itself to one checkout. EIP-3009 signs a nonce and nothing of
 * the order, so the nonce carries it; stock clients sign random nonces, so it stays optional. Advertised in `extra`.
 */
export const NONCE_BINDING = {
  scheme: "keccak256",
  preimage: `${DOMAIN}|chainId|asset|payTo|amount|checkoutId|salt`,
  encoding:
    "UTF-8; addresses in lower case; chainId and amount in decimal; salt as 0x and 64 lower-case hex digits",
  saltIn: "accepted.extra.nonceSalt"
} as const

/** The nonce that binds an authorization to a checkout, for a salt the buyer chose at random. */
export const bindingNonce = (terms: CheckoutTerms, salt: string): string =>
  keccak256(
    stringToBytes(
      [
        DOMAIN,
        BASE_CHAIN_ID,
        terms.asset.toLowerCase(),
        terms.payTo.toLowerCase(),
        terms.amount,
        terms.checkoutId,
        salt
      ].join("|")
    )
  )

const Salt = Schema.Struct({ nonceSalt: Schema.String.pipe(Schema.pattern(/^0x[0-9a-f]{64}$/)) })
const saltOf = Schema.decodeUnknownOption(Salt)
const claimsSalt = (extra: unknown): boolean =>
  typeof extra === "object" && extra !== null && "nonceSalt" in extra

/**
 * What ties this payment to this checkout. `undefined` when it claims a binding it does not have: a buyer who chose to
 * bind must not be charged for an authorization that names another order.
 */
export const bindingOf = (payment: Payment, terms: CheckoutTerms): PaymentBinding | undefined => {
  if (payment.scheme !== "eip3009") return "memo"
  const extra = payment.envelope.accepted["extra"]
  if (!claimsSalt(extra)) return "server"
  const bound = Option.exists(
    saltOf(extra),
    ({ nonceSalt }) => bindingNonce(terms, nonceSalt) === payment.evm.authorization.nonce.toLowerCase()
  )
  return bound ? "nonce" : undefined
}
