import { Schema } from "effect"
import { CheckoutNetwork, withMerchantAddress } from "./checkout.ts"
import { AtomicAmount } from "./money.ts"
import { isPrintable, isVisible } from "./printable.ts"
import { CLOSED, rule } from "./rule.ts"

/** Whose receiving account is to be proven, as it stands on the wire. */
const MerchantAccountWire = Schema.Struct({
  network: CheckoutNetwork,
  merchantPayTo: Schema.String.annotations({ message: () => rule("must be an address") })
}).annotations({ identifier: "MerchantSignInRequest" })

/** The same with the address checked against its network. */
export const MerchantAccountRef = withMerchantAddress(MerchantAccountWire)
export type MerchantAccountRef = typeof MerchantAccountRef.Type

/** What a wallet signs to prove that it is the merchant's. */
export const MerchantChallenge = Schema.Struct({
  message: Schema.String.annotations({
    description: "Sign it as it is: personal_sign on Base, signMessage on Solana. Source: EIP-4361."
  }),
  expiresAt: Schema.String
}).annotations({ identifier: "MerchantChallenge" })
export type MerchantChallenge = typeof MerchantChallenge.Type

const label = (length: number) =>
  Schema.String.pipe(
    Schema.filter((text) => isPrintable(text) && [...text].length <= length, {
      message: () => rule(`must be at most ${length} printable characters`),
      jsonSchema: { maxLength: length }
    })
  )

/** What a page shows as a name: not an empty place. */
const name = (length: number) =>
  label(length).pipe(
    Schema.filter(isVisible, {
      message: () => rule("must have something to see, or be null"),
      jsonSchema: {}
    })
  )

/** The signed message. `label` names the token in lists. */
export const MerchantSignIn = Schema.Struct({
  message: Schema.String.pipe(
    Schema.maxLength(2000, { message: () => rule("must be at most 2000 characters") })
  ),
  signature: Schema.String.pipe(
    Schema.maxLength(8192, { message: () => rule("must be at most 8192 characters") })
  ).annotations({ description: "0x hex on Base (EOA or ERC-1271), base58 of 64 bytes on Solana." }),
  label: Schema.optionalWith(label(64), { default: () => "" })
}).annotations({ identifier: "MerchantSignIn" })
export type MerchantSignIn = typeof MerchantSignIn.Type

/** A name before the `@` looks like the host. What a browser would drop without a word is none of a URL's characters. */
const isHttps = (text: string): boolean => {
  if (!URL.canParse(text) || !isPrintable(text) || /\s/.test(text)) return false
  const { password, protocol, username } = new URL(text)
  return protocol === "https:" && username === "" && password === ""
}

const PageUrl = Schema.String.pipe(
  Schema.maxLength(2048, { message: () => rule("must be at most 2048 characters") }),
  Schema.filter(isHttps, { message: () => rule("must be an https URL without credentials") })
)

/** What a merchant decides about its checkouts. A member that is null is not set. */
export const MerchantSettings = Schema.Struct({
  displayName: Schema.NullOr(name(64)).annotations({
    description: "Shown on the page beside the receiving address, which is what was proven."
  }),
  logoText: Schema.NullOr(name(4)),
  successUrl: Schema.NullOr(PageUrl),
  cancelUrl: Schema.NullOr(PageUrl),
  webhookUrl: Schema.NullOr(PageUrl).annotations({
    description: "Told of every checkout that names no webhookUrl of its own."
  })
}).annotations({ identifier: "MerchantSettings" })
export type MerchantSettings = typeof MerchantSettings.Type

export const NO_SETTINGS: MerchantSettings = {
  displayName: null,
  logoText: null,
  successUrl: null,
  cancelUrl: null,
  webhookUrl: null
}

/** Members that are given are changed; the others stay. */
export const MerchantSettingsChange = Schema.partialWith(MerchantSettings, { exact: true }).annotations({
  identifier: "MerchantSettingsChange",
  ...CLOSED
})
export type MerchantSettingsChange = typeof MerchantSettingsChange.Type

/** A merchant as its own tokens see it. */
export const MerchantProfile = Schema.Struct({
  merchantId: Schema.String,
  network: Schema.String,
  merchantPayTo: Schema.String,
  settings: MerchantSettings
}).annotations({ identifier: "Merchant" })
export type MerchantProfile = typeof MerchantProfile.Type

/** The only answer that ever holds the token. */
export const MerchantTokenCreated = Schema.Struct({
  token: Schema.String.annotations({
    description: "Send it as `Authorization: Bearer <token>`. Shown once."
  }),
  tokenId: Schema.String,
  merchant: MerchantProfile
}).annotations({ identifier: "MerchantTokenCreated" })
export type MerchantTokenCreated = typeof MerchantTokenCreated.Type

/** One token in a list; never the token itself. */
export const MerchantToken = Schema.Struct({
  tokenId: Schema.String,
  label: Schema.String,
  createdAt: Schema.String,
  revokedAt: Schema.NullOr(Schema.String)
}).annotations({ identifier: "MerchantToken" })
export type MerchantToken = typeof MerchantToken.Type

/**
 * Why a transfer counts for no order. `no-order`: it names none. `several-orders`: it names more than one.
 * `other-merchant`: it names an order that is to be paid to another account. `too-many`: its order's journal is full, and it
 * does not pay what is missing.
 */
export const UnassignedReason = Schema.Literal(
  "no-order",
  "several-orders",
  "other-merchant",
  "too-many"
).annotations({
  identifier: "UnassignedReason"
})
export type UnassignedReason = typeof UnassignedReason.Type

/** Money that came into the merchant's account and counts for no order. */
export const UnassignedTransfers = Schema.Struct({
  transfers: Schema.Array(
    Schema.Struct({
      transaction: Schema.String,
      amount: AtomicAmount,
      payer: Schema.NullOr(Schema.String).annotations({ description: "Owner of the tokens that moved." }),
      at: Schema.String,
      reason: UnassignedReason
    })
  ),
  next: Schema.NullOr(Schema.String).annotations({
    description: "`before` of the next page; null on the last."
  })
}).annotations({ identifier: "UnassignedTransfers" })
export type UnassignedTransfers = typeof UnassignedTransfers.Type
