import type { Effect, Option, Redacted } from "effect"
import { Context } from "effect"
import type { UpstreamError } from "../../domain/errors.ts"
import type {
  MerchantAccountRef,
  MerchantChallenge,
  MerchantProfile,
  MerchantSettings,
  MerchantSettingsChange,
  MerchantSignIn,
  MerchantToken,
  MerchantTokenCreated
} from "../../domain/merchant.ts"
import type { CheckoutInvalid, MerchantUnknown } from "../errors.ts"

/** A merchant who presented a token. */
export interface Merchant {
  readonly id: string
  /** Receiving address with its network, in canonical spelling. */
  readonly account: string
  readonly settings: MerchantSettings
}

/**
 * Merchants without accounts: whoever can sign with the wallet that receives the money is the merchant, and gets tokens
 * for machines. Screening needs none of this.
 */
export class Merchants extends Context.Tag("token-risk/Merchants")<
  Merchants,
  {
    /** What the wallet has to sign. Writes nothing. */
    readonly challenge: (account: MerchantAccountRef) => Effect.Effect<MerchantChallenge>
    /** A token for a signed challenge, once. */
    readonly signIn: (
      proof: MerchantSignIn
    ) => Effect.Effect<MerchantTokenCreated, CheckoutInvalid | MerchantUnknown | UpstreamError>
    readonly authenticate: (
      token: Redacted.Redacted
    ) => Effect.Effect<Merchant, MerchantUnknown | UpstreamError>
    /** The merchant behind a caller's key, for the page of its checkouts. */
    readonly ofCaller: (caller: string) => Effect.Effect<Option.Option<Merchant>, UpstreamError>
    readonly profile: (merchant: Merchant) => MerchantProfile
    readonly change: (
      merchant: Merchant,
      change: MerchantSettingsChange
    ) => Effect.Effect<MerchantProfile, CheckoutInvalid | UpstreamError>
    readonly tokens: (merchant: Merchant) => Effect.Effect<ReadonlyArray<MerchantToken>, UpstreamError>
    /** False: this merchant has no such token. */
    readonly revoke: (merchant: Merchant, tokenId: string) => Effect.Effect<boolean, UpstreamError>
  }
>() {}
