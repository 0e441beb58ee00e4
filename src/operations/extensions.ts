import { OFFER_RECEIPT } from "@x402/extensions/offer-receipt"
import { declarePaymentIdentifierExtension, PAYMENT_IDENTIFIER } from "@x402/extensions/payment-identifier"

/** Callers may name a payment by an id of their own; see the ledger for what it binds. */
export const PAYMENT_IDENTIFIER_EXTENSION = { [PAYMENT_IDENTIFIER]: declarePaymentIdentifierExtension(false) }

/** Only what readers need of the schema: it stands in a header. */
const OFFERS_SCHEMA = { type: "object" }

/** The extension `offer-receipt` of a challenge, with its signed offers. */
export const signedOffers = (offers: ReadonlyArray<unknown>) => ({
  [OFFER_RECEIPT]: { info: { offers }, schema: OFFERS_SCHEMA }
})
