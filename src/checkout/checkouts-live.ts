import type { Config } from "effect"
import { Clock, Effect, Layer, Schema } from "effect"
import { ChainRpc } from "../chain/chain-rpc.ts"
import { SOLANA_NETWORK } from "../domain/chain.ts"
import type { CreateCheckout } from "../domain/checkout.ts"
import { CheckoutReceipt, merchantKey } from "../domain/checkout.ts"
import type { UpstreamError } from "../domain/errors.ts"
import { PaymentVerifier } from "../payment/verifier/payment-verifier.ts"
import { makeFindPlainTransfers } from "./base/plain-transfers.ts"
import type { Checkout } from "./checkout.ts"
import { statusOf } from "./checkout.ts"
import { CheckoutRepo, type Overtaken } from "./checkout-repo.ts"
import type { VerifyError } from "./checkouts.ts"
import { Checkouts } from "./checkouts.ts"
import type { CheckoutConfig } from "./config.ts"
import { checkoutConfig } from "./config.ts"
import { checkRequest, makeCreate, termsFor } from "./creation.ts"
import { CheckoutBusy, CheckoutConflict, CheckoutExpired } from "./errors.ts"
import { journalOf } from "./journal.ts"
import { makeMerchantDesk } from "./merchants/desk.ts"
import { Randomness } from "./randomness.ts"
import { simulation } from "./simulation.ts"
import { unsignedPayment } from "./solana/unsigned-payment.ts"
import { makeFindWalletTransfers } from "./solana/wallet-transfers.ts"
import { BUSY_RETRY_SECONDS, cancelled } from "./verify/holding.ts"
import { makeVerify } from "./verify/verification.ts"

/** A run that began this long ago and has not ended was cut off, or waits for a slow chain. */
const UNFINISHED_AFTER_MILLIS = 15_000

const decodeReceipt = Schema.decode(Schema.parseJson(CheckoutReceipt))

/** The public view of a checkout, by its journal and the clock. */
const makeShow = (repo: CheckoutRepo["Type"]) =>
  Effect.fnUntraced(function* (checkout: Checkout) {
    const receipt =
      checkout.status === "paid" ? yield* Effect.orDie(decodeReceipt(checkout.paid.receipt)) : null
    const journal = journalOf(checkout.terms, yield* repo.transfers(checkout.id))
    return statusOf(checkout, receipt, journal, yield* Clock.currentTimeMillis)
  })

/** Builds `Checkouts.simulate`: a row that exists nowhere, led through the rules. */
const makeSimulate = (config: CheckoutConfig, baseUrl: string) =>
  Effect.gen(function* () {
    const verifier = yield* PaymentVerifier
    const randomness = yield* Randomness
    const simulated = (bytes: number) =>
      Effect.map(randomness.bytes(bytes), (random) => `sim_${random.toString("hex")}`)

    return Effect.fn("Checkouts.simulate")(function* (request: CreateCheckout) {
      yield* checkRequest(request, config, verifier.extra(SOLANA_NETWORK)?.["feePayer"])
      const createdAt = yield* Clock.currentTimeMillis
      const id = yield* simulated(16)
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
      return simulation(row, yield* simulated(32))
    })
  })

/** One payment that cannot be brought to its end holds up no other. */
const alone = (checkout: string, finish: Effect.Effect<unknown, VerifyError>) =>
  finish.pipe(
    Effect.catchAll((error) =>
      Effect.logDebug("an unfinished payment did not settle").pipe(
        Effect.annotateLogs({ checkout, outcome: error._tag })
      )
    )
  )

/** Looks at a list bounded part by bounded part: each goes on where the last one ended, and begins anew behind the newest. */
const inTurns = <Item, Place>(
  list: (before: number, after: Place | null) => Effect.Effect<ReadonlyArray<Item>, UpstreamError>,
  placeOf: (item: Item) => Place
) => {
  let place: Place | null = null
  return Effect.fnUntraced(function* (before: number) {
    const next = yield* list(before, place)
    const items = next.length === 0 && place !== null ? yield* list(before, null) : next
    const last = items.at(-1)
    place = last === undefined ? null : placeOf(last)
    return items
  })
}

/** Builds `Checkouts.resume`. */
const makeResume = (
  repo: CheckoutRepo["Type"],
  finish: (checkout: Checkout) => Effect.Effect<unknown, VerifyError>,
  finishOvertaken: (overtaken: Overtaken) => Effect.Effect<unknown, VerifyError>
) => {
  const nextUnfinished = inTurns(repo.unfinished, ({ id, payment }) => ({ since: payment.since, id }))
  const nextOvertaken = inTurns(repo.overtaken, (one) => one)
  return Effect.gen(function* () {
    const before = (yield* Clock.currentTimeMillis) - UNFINISHED_AFTER_MILLIS
    const bound = (yield* nextUnfinished(before)).map((checkout) => alone(checkout.id, finish(checkout)))
    const overtaken = (yield* nextOvertaken(before)).map((one) => alone(one.checkoutId, finishOvertaken(one)))
    yield* Effect.all([...bound, ...overtaken], { discard: true, concurrency: 4 })
    return bound.length + overtaken.length
  }).pipe(Effect.withSpan("Checkouts.resume"))
}

const make = (publicUrl: string) =>
  Effect.gen(function* () {
    const config = yield* checkoutConfig
    const repo = yield* CheckoutRepo
    const baseUrl = `${publicUrl}/api/${config.service}/v1`
    const { find, verify, finish, finishOvertaken } = yield* makeVerify(config)
    const unsignedOnSolana = unsignedPayment((yield* ChainRpc).solana)
    const show = makeShow(repo)

    const status = Effect.fn("Checkouts.status")((id: string) => Effect.flatMap(find(id), show))

    const challenge = Effect.fn("Checkouts.challenge")(function* (id: string) {
      const current = yield* status(id)
      if (current.status === "expired") return yield* new CheckoutExpired({ id })
      if (current.status === "cancelled") return yield* cancelled
      if (current.status === "paid") return yield* new CheckoutConflict({ message: "this checkout is paid" })
      // A second payment would not be taken, so nobody is asked to sign one.
      if (current.status === "processing")
        return yield* new CheckoutBusy({ retryAfterSeconds: BUSY_RETRY_SECONDS })
      // Neither would one that comes now. Whether a wallet paid in time is not known until the chain was looked at.
      if ((yield* Clock.currentTimeMillis) >= Date.parse(current.terms.expiresAt))
        return yield* new CheckoutConflict({
          message:
            "the time to pay this checkout is over; a payment that was sent in time is still looked for"
        })
      return current.terms
    })

    const unsigned = Effect.fn("Checkouts.unsigned")(function* (id: string, account: string) {
      const terms = yield* challenge(id)
      if (terms.network !== SOLANA_NETWORK)
        return yield* new CheckoutConflict({ message: "on base a wallet signs the terms, not a transaction" })
      return yield* unsignedOnSolana(terms, account)
    })

    return Checkouts.of({
      create: yield* makeCreate(config, baseUrl),
      known: (id) => Effect.asVoid(find(id)),
      status,
      verify,
      challenge,
      unsigned,
      simulate: yield* makeSimulate(config, baseUrl),
      resume: makeResume(repo, finish, finishOvertaken),
      findTransfers: yield* makeFindWalletTransfers,
      findPlainTransfers: yield* makeFindPlainTransfers,
      ...(yield* makeMerchantDesk({ find, show }))
    })
  })

/** Checkouts of this deployment. `publicUrl` (no trailing slash) is the only source of URLs in terms. */
export const checkoutsLive = (publicUrl: Config.Config<string>) =>
  Layer.scoped(Checkouts, Effect.flatMap(publicUrl, make))
