import type { Config } from "effect"
import { Clock, Effect, Layer, Schema } from "effect"
import { ChainRpc } from "../chain/chain-rpc.ts"
import { SOLANA_NETWORK } from "../domain/chain.ts"
import type { CreateCheckout } from "../domain/checkout.ts"
import { CheckoutReceipt, merchantKey } from "../domain/checkout.ts"
import { PaymentVerifier } from "../payment/verifier/payment-verifier.ts"
import type { Checkout } from "./checkout.ts"
import { statusOf } from "./checkout.ts"
import { CheckoutRepo } from "./checkout-repo.ts"
import { Checkouts } from "./checkouts.ts"
import { checkoutConfig } from "./config.ts"
import { checkRequest, makeCreate, termsFor } from "./creation.ts"
import { CheckoutConflict, CheckoutExpired } from "./errors.ts"
import { journalOf } from "./journal.ts"
import { makeMerchantDesk } from "./merchants/desk.ts"
import { Randomness } from "./randomness.ts"
import { simulation } from "./simulation.ts"
import { unsignedPayment } from "./solana-payment.ts"
import { makeFindTransfers } from "./wallet-payments.ts"
import { makeVerify } from "./verification.ts"

/** A run that began this long ago and has not ended was cut off, or waits for a chain that is slow. */
const UNFINISHED_AFTER_MILLIS = 15_000

const decodeReceipt = Schema.decode(Schema.parseJson(CheckoutReceipt))

const make = (publicUrl: string) =>
  Effect.gen(function* () {
    const config = yield* checkoutConfig
    const repo = yield* CheckoutRepo
    const verifier = yield* PaymentVerifier
    const randomness = yield* Randomness
    const baseUrl = `${publicUrl}/api/${config.service}/v1`
    const create = yield* makeCreate(config, baseUrl)
    const { find, verify, finish } = yield* makeVerify(config)
    const findTransfers = yield* makeFindTransfers
    const unsignedOnSolana = unsignedPayment((yield* ChainRpc).solana)

    const showStatus = Effect.fnUntraced(function* (checkout: Checkout) {
      const receipt =
        checkout.status === "paid" ? yield* Effect.orDie(decodeReceipt(checkout.paid.receipt)) : null
      const journal = journalOf(checkout.terms, yield* repo.transfers(checkout.id))
      return statusOf(checkout, receipt, journal, yield* Clock.currentTimeMillis)
    })

    const status = Effect.fn("Checkouts.status")((id: string) => Effect.flatMap(find(id), showStatus))

    const challenge = Effect.fn("Checkouts.challenge")(function* (id: string) {
      const current = yield* status(id)
      if (current.status === "expired") return yield* new CheckoutExpired({ id })
      if (current.status === "paid") return yield* new CheckoutConflict({ message: "this checkout is paid" })
      return current.terms
    })

    const unsigned = Effect.fn("Checkouts.unsigned")(function* (id: string, account: string) {
      const terms = yield* challenge(id)
      if (terms.network !== SOLANA_NETWORK)
        return yield* new CheckoutConflict({ message: "on base a wallet signs the terms, not a transaction" })
      return yield* unsignedOnSolana(terms, account)
    })

    const simulate = Effect.fn("Checkouts.simulate")(function* (request: CreateCheckout) {
      yield* checkRequest(request, config, verifier.extra(SOLANA_NETWORK)?.["feePayer"])
      const createdAt = yield* Clock.currentTimeMillis
      const id = `sim_${(yield* randomness.bytes(16)).toString("hex")}`
      const expiresAt = createdAt + config.ttl
      const row = {
        id,
        status: "open",
        merchant: merchantKey(request.network, request.merchantPayTo),
        terms: termsFor(request, id, verifier.extra(request.network) ?? {}, expiresAt, baseUrl),
        createdAt,
        expiresAt,
        requestDigest: "",
        webhook: null,
        caller: "",
        metadata: null
      } as const
      return simulation(row, `sim_${(yield* randomness.bytes(32)).toString("hex")}`)
    })

    const resume = Effect.gen(function* () {
      const unfinished = yield* repo.unfinished((yield* Clock.currentTimeMillis) - UNFINISHED_AFTER_MILLIS)
      yield* Effect.forEach(
        unfinished,
        (checkout) =>
          finish(checkout).pipe(
            Effect.catchAll((error) =>
              Effect.logDebug("an unfinished payment did not settle").pipe(
                Effect.annotateLogs({ checkout: checkout.id, outcome: error._tag })
              )
            )
          ),
        { discard: true, concurrency: 4 }
      )
      return unfinished.length
    }).pipe(Effect.withSpan("Checkouts.resume"))

    const desk = yield* makeMerchantDesk(find, showStatus)
    return Checkouts.of({
      create,
      status,
      verify,
      challenge,
      unsigned,
      simulate,
      resume,
      findTransfers,
      ...desk
    })
  })

/** Checkouts of this deployment. `publicUrl` (no trailing slash) is the only source of URLs in terms. */
export const checkoutsLive = (publicUrl: Config.Config<string>) =>
  Layer.scoped(Checkouts, Effect.flatMap(publicUrl, make))
