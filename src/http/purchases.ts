import { HttpApiBuilder } from "@effect/platform"
import { Effect } from "effect"
import { Api } from "../api/api.ts"
import { BadRequest, NotFound, PaymentRequiredError } from "../api/errors.ts"
import type { OperationId } from "../domain/catalog.ts"
import type { UpstreamError } from "../domain/errors.ts"
import type { TokenRef } from "../domain/token.ts"
import { describeOperationFailure } from "../operations/failures.ts"
import type { NothingBought } from "../operations/purchases.ts"
import { Purchases } from "../operations/purchases.ts"
import type { SignInInvalid } from "../operations/wallet-sign-in.ts"
import { toContractError } from "./failures.ts"
import { jsonText, receipt } from "./responses.ts"
import type { Call } from "./token-risk.ts"
import { makeRun } from "./token-risk.ts"

interface PurchaseCall extends Call {
  readonly headers: Call["headers"] & { readonly "sign-in-with-x"?: string | undefined }
}

const failed = (error: SignInInvalid | NothingBought | UpstreamError) => {
  switch (error._tag) {
    case "SignInInvalid":
      return new BadRequest({ error: `sign-in-with-x: ${error.message}` })
    case "NothingBought":
      return new NotFound({ error: "this wallet bought no such answer, or it is not kept any more" })
    case "UpstreamError":
      return toContractError(describeOperationFailure(error))
  }
}

/**
 * Handlers of what a wallet fetches again: free of charge for whoever signs in. The 402 carries the operation's own terms
 * beside the message to sign, and a payment for them buys the operation's answer as everywhere.
 */
export const PurchasesHttpLive = HttpApiBuilder.group(Api, "purchases", (handlers) =>
  Effect.gen(function* () {
    const purchases = yield* Purchases
    const run = yield* makeRun

    const challenge = (id: OperationId) =>
      Effect.flatMap(purchases.challenge(id), (terms) => Effect.fail(PaymentRequiredError.of(terms)))

    const fetch = (id: OperationId, token: TokenRef, signIn: string) =>
      Effect.mapBoth(purchases.fetch(id, token, signIn), {
        onSuccess: ({ body, settlement }) =>
          jsonText(body, 200, settlement === null ? {} : receipt(settlement)),
        onFailure: failed
      })

    const handle = (id: OperationId) => (call: PurchaseCall) =>
      Effect.gen(function* () {
        const { headers, payload, request } = call
        const signIn = headers["sign-in-with-x"]
        if (request.method === "HEAD") return yield* challenge(id)
        if (signIn !== undefined) return yield* fetch(id, payload, signIn)
        return yield* headers["payment-signature"] === undefined ? challenge(id) : run(id)(call)
      })

    return handlers
      .handle("boughtPing", handle("check_token_safety_ping"))
      .handle("boughtDeep", handle("check_token_risk_deep"))
  })
)
