import type { Config } from "effect"
import { Duration, Effect, Layer, Schedule } from "effect"
import { freeTierConfig } from "../free-tier/config.ts"
import { payToConfig } from "../payment/config.ts"
import { PaymentVerifier } from "../payment/verifier/payment-verifier.ts"
import { pricesConfig } from "./config.ts"
import { Offers } from "./offers.ts"
import type { SellingTerms, SignedOffers } from "./price-list.ts"
import {
  everyOffer,
  freeTierInWords,
  NETWORKS,
  offerKey,
  priceListOf,
  priceOf,
  resourceUrlOf
} from "./price-list.ts"
import { makeSignedStatements } from "./signed-statements.ts"
import { withNow } from "../domain/now.ts"
import { tellingTrouble } from "../domain/trouble.ts"

/** How often offers are signed anew. */
const SIGNING_INTERVAL = Duration.minutes(1)

const termsFrom = Effect.fnUntraced(function* (publicUrlConfig: Config.Config<string>) {
  const terms: SellingTerms = {
    publicUrl: yield* publicUrlConfig,
    prices: yield* pricesConfig,
    payTo: yield* payToConfig,
    freeTier: freeTierInWords(yield* freeTierConfig)
  }
  return terms
})

/** Signs every offer of the price list as of now. */
const makeSigning = (terms: SellingTerms) =>
  Effect.map(makeSignedStatements(terms.publicUrl), (statements) =>
    withNow((now) =>
      Effect.map(
        Effect.forEach(everyOffer(terms), ({ requirements, resourceUrl }) =>
          Effect.map(
            statements.offer(resourceUrl, requirements, now),
            (offer) => [offerKey(resourceUrl, requirements), offer] as const
          )
        ),
        (entries): SignedOffers => new Map(entries)
      )
    )
  )

const make = Effect.fn("Offers.make")(function* (publicUrlConfig: Config.Config<string>) {
  const terms = yield* termsFrom(publicUrlConfig)
  const verifier = yield* PaymentVerifier
  const signOffers = yield* makeSigning(terms)

  let list = priceListOf(terms, NETWORKS.map(verifier.extra), yield* signOffers)
  /** The price list, computed anew when the settling side says something else. */
  const current = () => {
    const extras = NETWORKS.map(verifier.extra)
    if (extras.some((extra, at) => extra !== list.extras[at])) list = priceListOf(terms, extras, list.signed)
    return list
  }
  yield* Effect.map(signOffers, (signed) => {
    list = priceListOf(terms, list.extras, signed)
  }).pipe(
    tellingTrouble("signing offers"),
    Effect.ignoreLogged,
    Effect.schedule(Schedule.spaced(SIGNING_INTERVAL)),
    Effect.forkScoped
  )

  return Offers.of({
    publicUrl: terms.publicUrl,
    freeTier: terms.freeTier,
    priceUsd: (id) => priceOf(terms, id).usd,
    accepts: (id) => current().accepts[id],
    resourceUrl: (id, channel) => resourceUrlOf(terms, id, channel),
    challenge: (id, channel) => current().prepared[id][channel]
  })
})

/** `publicUrl` is where callers reach the service: the server's to know, and the only source of URLs in challenges. */
export const offersLive = (publicUrl: Config.Config<string>) => Layer.scoped(Offers, make(publicUrl))
