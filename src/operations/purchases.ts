import { SqlClient } from "@effect/sql"
import { Context, Data, Effect, Layer, Option } from "effect"
import type { OperationId } from "../domain/catalog.ts"
import { OPERATIONS, TOKEN_RISK_PATH } from "../domain/catalog.ts"
import type { UpstreamError } from "../domain/errors.ts"
import type { TokenRef } from "../domain/token.ts"
import type { PaymentRequired } from "../domain/x402.ts"
import { fingerprintDigest } from "../payment/fingerprint.ts"
import { Ledger } from "../payment/ledger/ledger.ts"
import { LedgerLive } from "../payment/ledger/ledger-live.ts"
import { useNonce } from "../storage/used-nonces.ts"
import { fingerprintOf, Offers } from "./offers.ts"
import type { Answer } from "./operations.ts"
import { makeSignedStatements } from "./signed-statements.ts"
import { makeWalletSignIn, SIGN_IN_LIFE, SignInInvalid } from "./wallet-sign-in.ts"

/** The wallet that signed in bought nothing for this token, or its answer was dropped with age. */
export class NothingBought extends Data.TaggedError("NothingBought")<Record<never, never>> {}

/**
 * Fetching again what was bought, for callers who lost an answer and the payment with it. A wallet that signs in sees its
 * own purchases only.
 */
export class Purchases extends Context.Tag("token-risk/Purchases")<
  Purchases,
  {
    /** The message to sign, beside the terms of buying anew. */
    readonly challenge: (id: OperationId) => Effect.Effect<PaymentRequired>
    /** The newest answer the wallet of a `sign-in-with-x` header bought; the header is used up by it. */
    readonly fetch: (
      id: OperationId,
      token: TokenRef,
      signIn: string
    ) => Effect.Effect<Answer, SignInInvalid | NothingBought | UpstreamError>
  }
>() {}

const make = Effect.gen(function* () {
  const offers = yield* Offers
  const ledger = yield* Ledger
  const statements = yield* makeSignedStatements(offers.publicUrl)
  const sql = yield* SqlClient.SqlClient
  const signIn = yield* makeWalletSignIn(offers.publicUrl)

  const challenge = Effect.fn("Purchases.challenge")(function* (id: OperationId) {
    const { challenge: terms } = offers.challenge(id, "GET")
    const uri = offers.publicUrl + TOKEN_RISK_PATH + OPERATIONS[id].purchasesRoute
    return { ...terms, extensions: yield* signIn.challenge(uri) }
  })

  const fetch = Effect.fn("Purchases.fetch")(function* (id: OperationId, token: TokenRef, header: string) {
    const { nonce, payer } = yield* signIn.verify(header)
    const isFresh = yield* Effect.provideService(useNonce(nonce, SIGN_IN_LIFE), SqlClient.SqlClient, sql)
    if (!isFresh)
      return yield* new SignInInvalid({ message: "was used already: sign the message of a fresh 402" })
    const orders = (["http", "mcp"] as const).map((channel) =>
      fingerprintDigest(fingerprintOf(channel, id, token))
    )
    const bought = yield* ledger.bought(payer, orders)
    if (Option.isNone(bought)) return yield* new NothingBought()
    const { answer, settlement } = bought.value
    return {
      body: answer,
      settlement: yield* statements.confirmed(settlement, offers.resourceUrl(id, "GET"), answer)
    }
  })

  return Purchases.of({ challenge, fetch })
})

/** Requires the offers, the attestor, the chains and the database. */
export const PurchasesLive = Layer.effect(Purchases, make).pipe(Layer.provide(LedgerLive))
