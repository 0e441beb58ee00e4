import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { CheckoutStatus, CheckoutStatusName, MerchantCheckouts } from "../domain/checkout.ts"
import {
  MerchantAccountRef,
  MerchantChallenge,
  MerchantProfile,
  MerchantSettingsChange,
  MerchantSignIn,
  MerchantToken,
  MerchantTokenCreated,
  UnassignedTransfers
} from "../domain/merchant.ts"
import { PreparedRefund, RefundRequest } from "../domain/refund.ts"
import { isPrintable } from "../domain/printable.ts"
import { rule } from "../domain/rule.ts"
import { checkoutPath } from "./checkout.ts"
import { described, withoutBadRequest } from "./described.ts"
import { AnyFailure, Conflict, NotFound, Unauthorized, UnreadBody } from "./errors.ts"

/** `Authorization: Bearer trm_…`. */
export const MerchantHeaders = Schema.Struct({
  authorization: Schema.String.annotations({ description: "Bearer and the merchant token." })
})

/** Every id we issue is of these characters; some others no database would take. */
const Issued = Schema.String.pipe(
  Schema.pattern(/^[!-~]{1,300}$/, { message: () => rule("must be an id that was issued here") })
)
const Id = Schema.Struct({ id: Issued })
const Event = Schema.Struct({ id: Issued, event: Issued })

const PageParams = Schema.Struct({
  before: Schema.optional(Schema.String.pipe(Schema.maxLength(200))),
  limit: Schema.optional(
    Schema.NumberFromString.pipe(Schema.int(), Schema.between(1, 100)).annotations({
      message: () => ({ message: rule("must be a whole number from 1 to 100"), override: true })
    })
  )
})

const ListParams = Schema.Struct({
  status: Schema.optional(CheckoutStatusName),
  memo: Schema.optional(
    Schema.String.pipe(
      Schema.maxLength(128),
      Schema.filter(isPrintable, { message: () => rule("must be printable"), jsonSchema: {} })
    )
  ).annotations({
    description: "Part of the order reference."
  }),
  ...PageParams.fields
})

const challenge = HttpApiEndpoint.post("challenge", "/merchant/challenge")
  .setPayload(MerchantAccountRef)
  .addSuccess(MerchantChallenge)
  .addError(UnreadBody)
  .annotateContext(described("create_merchant_challenge", "What a wallet signs to prove a receiving account"))

const signIn = HttpApiEndpoint.post("signIn", "/merchant/token")
  .setPayload(MerchantSignIn)
  .addSuccess(MerchantTokenCreated)
  .addError(Unauthorized)
  .addError(UnreadBody)
  .annotateContext(
    described(
      "create_merchant_token",
      "A merchant token for a signed challenge",
      "EIP-4361 on Base (EOA, ERC-1271), the same shape by signMessage on Solana."
    )
  )

const profile = HttpApiEndpoint.get("profile", "/merchant")
  .setHeaders(MerchantHeaders)
  .addSuccess(MerchantProfile)
  .addError(Unauthorized)
  .annotate(OpenApi.Transform, withoutBadRequest)
  .annotateContext(described("get_merchant", "The merchant of a token"))

const change = HttpApiEndpoint.patch("change", "/merchant")
  .setHeaders(MerchantHeaders)
  .setPayload(MerchantSettingsChange)
  .addSuccess(MerchantProfile)
  .addError(Unauthorized)
  .addError(UnreadBody)
  .annotateContext(described("update_merchant", "Change what the page says and where events go"))

const tokens = HttpApiEndpoint.get("tokens", "/merchant/tokens")
  .setHeaders(MerchantHeaders)
  .addSuccess(Schema.Struct({ tokens: Schema.Array(MerchantToken) }))
  .addError(Unauthorized)
  .annotate(OpenApi.Transform, withoutBadRequest)
  .annotateContext(described("list_merchant_tokens", "This merchant's tokens, never the tokens themselves"))

const revoke = HttpApiEndpoint.del("revoke", "/merchant/tokens/:id")
  .setPath(Id)
  .setHeaders(MerchantHeaders)
  .addSuccess(HttpApiSchema.NoContent)
  .addError(Unauthorized)
  .addError(NotFound)
  .annotateContext(described("revoke_merchant_token", "Revoke a token"))

const list = HttpApiEndpoint.get("list", "/merchant/checkouts")
  .setHeaders(MerchantHeaders)
  .setUrlParams(ListParams)
  .addSuccess(MerchantCheckouts)
  .addError(Unauthorized)
  .annotateContext(
    described("list_merchant_checkouts", "Checkouts created with this merchant's tokens, newest first")
  )

const strays = HttpApiEndpoint.get("strays", "/merchant/transfers")
  .setHeaders(MerchantHeaders)
  .setUrlParams(PageParams)
  .addSuccess(UnassignedTransfers)
  .addError(Unauthorized)
  .annotateContext(
    described(
      "list_unassigned_transfers",
      "Money that reached this account and counts for no order, newest first"
    )
  )

const cancel = HttpApiEndpoint.post("cancel", "/checkout/:id/cancel")
  .setPath(Id)
  .setHeaders(MerchantHeaders)
  .addSuccess(CheckoutStatus)
  .addError(Unauthorized)
  .addError(NotFound)
  .addError(Conflict)
  .addError(UnreadBody)
  .annotateContext(described("cancel_checkout", "End an open checkout"))

const refund = HttpApiEndpoint.post("refund", "/checkout/:id/refund")
  .setPath(Id)
  .setHeaders(MerchantHeaders)
  .setPayload(RefundRequest)
  .addSuccess(PreparedRefund)
  .addError(Unauthorized)
  .addError(NotFound)
  .addError(Conflict)
  .addError(UnreadBody)
  .annotateContext(
    described(
      "prepare_refund",
      "The transaction that gives a payer's money back, for the merchant's wallet to sign",
      "For checkouts paid to the token's account. Never more than was received and not refunded; while an earlier " +
        "refund may still land, it is given again. On Solana sign it at once: it lands within half a minute or never, " +
        "and when it is too late to sign it the answer is 409 until it is certain that it never lands."
    )
  )

const replay = HttpApiEndpoint.post("replay", "/checkout/:id/events/:event/replay")
  .setPath(Event)
  .setHeaders(MerchantHeaders)
  .addSuccess(HttpApiSchema.NoContent)
  .addError(Unauthorized)
  .addError(NotFound)
  .addError(UnreadBody)
  .annotateContext(described("replay_checkout_event", "Send an event of a checkout again"))

/** Merchants who proved their receiving account. Anonymous checkouts need nothing of this. */
export const makeMerchantGroup = (service: string) =>
  HttpApiGroup.make("merchant")
    .add(challenge)
    .add(signIn)
    .add(profile)
    .add(change)
    .add(tokens)
    .add(revoke)
    .add(list)
    .add(strays)
    .add(cancel)
    .add(refund)
    .add(replay)
    .addError(AnyFailure)
    .prefix(checkoutPath(service))
    .annotate(OpenApi.Title, "Merchants")
    .annotate(OpenApi.Description, "A wallet's signature is the account: no sign-up.")
