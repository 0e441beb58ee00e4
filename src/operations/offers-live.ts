import type { Config } from "effect"
import { Clock, Duration, Effect, Layer, Schedule } from "effect"
import { BASE_NETWORK, SOLANA_NETWORK, usdcOf } from "../domain/chain.ts"
import type { PaymentRequired, PaymentRequirements } from "../domain/x402.ts"
import { freeTierConfig } from "../free-tier/config.ts"
import { payToConfig } from "../payment/config.ts"
import { PaymentVerifier } from "../payment/verifier/payment-verifier.ts"
import type { Operation, OperationId } from "../domain/catalog.ts"
import { ALL_OPERATIONS, fieldsOf, forEachOperation, MCP_PATH, OPERATIONS } from "../domain/catalog.ts"
import { pricesConfig } from "./config.ts"
import { bazaar, bazaarTool } from "./discovery-extension.ts"
import { PAYMENT_IDENTIFIER_EXTENSION, signedOffers } from "./extensions.ts"
import type { SignedStatement } from "./signed-statements.ts"
import { makeSignedStatements } from "./signed-statements.ts"
import type { Channel, PreparedChallenge } from "./offers.ts"
import { Offers } from "./offers.ts"

/** Seconds within which a signed payment must be settled. */
const MAX_TIMEOUT_SECONDS = 60

/** In the order in which challenges name them. */
const NETWORKS = [BASE_NETWORK, SOLANA_NETWORK] as const

/** What the settling side wants said, by `NETWORKS`; `undefined` for a network that is not sold on now. */
type Extras = ReadonlyArray<Readonly<Record<string, unknown>> | undefined>

/** Proxies commonly refuse headers that are longer; the challenge stands in one. */
const MAX_HEADER_BYTES = 4_096

/** How often offers are signed anew. */
const SIGNING_INTERVAL = Duration.minutes(1)

const prepare = (challenge: PaymentRequired): PreparedChallenge => {
  const json = JSON.stringify(challenge)
  return { challenge, json, base64: Buffer.from(json, "utf8").toString("base64") }
}

type SignedOffers = ReadonlyMap<string, SignedStatement>

/** The terms of an operation on a network, at an address. */
const offerKey = (resourceUrl: string, { amount, network }: PaymentRequirements): string =>
  `${resourceUrl} ${network} ${amount}`

/** With as many signed offers as the header has room for, the preferred network's first. */
const withOffers = (
  challenge: PaymentRequired,
  offers: ReadonlyArray<{ readonly acceptIndex: number }>
): PreparedChallenge => {
  if (offers.length === 0) return prepare(challenge)
  const extensions = { ...challenge.extensions, ...signedOffers(offers) }
  const prepared = prepare({ ...challenge, extensions })
  return prepared.base64.length < MAX_HEADER_BYTES ? prepared : withOffers(challenge, offers.slice(0, -1))
}

const make = Effect.fn("Offers.make")(function* (publicUrlConfig: Config.Config<string>) {
  const publicUrl = yield* publicUrlConfig
  const prices = yield* pricesConfig
  const payTo = yield* payToConfig
  const { calls, window } = yield* freeTierConfig
  const freeTier = `${calls} calls per x-client-id per ${Duration.format(window)}`
  const verifier = yield* PaymentVerifier
  const statements = yield* makeSignedStatements(publicUrl)
  const price = (id: OperationId) => prices[OPERATIONS[id].priceKey]

  const acceptsOf = (extras: Extras) =>
    forEachOperation((operation): ReadonlyArray<PaymentRequirements> =>
      NETWORKS.flatMap((network, at) => {
        const extra = extras[at]
        if (extra === undefined) return []
        return {
          scheme: "exact",
          network,
          amount: price(operation.id).amount.toString(),
          asset: usdcOf(network),
          payTo: network === BASE_NETWORK ? payTo.base : payTo.solana,
          maxTimeoutSeconds: MAX_TIMEOUT_SECONDS,
          extra
        }
      })
    )

  const resourceUrl = (id: OperationId, channel: Channel) =>
    publicUrl + (channel === "mcp" ? MCP_PATH : OPERATIONS[id].path)

  const preview = (operation: Operation) => ({
    priceUsd: price(operation.id).usd,
    operationId: operation.id,
    fields: fieldsOf(operation),
    ...(operation.hasFreeCalls ? { freeTier } : {})
  })

  const challengeFor = (
    operation: Operation,
    channel: Channel,
    accepts: ReturnType<typeof acceptsOf>
  ): PaymentRequired => ({
    x402Version: 2,
    error: "Payment Required",
    resource: {
      url: resourceUrl(operation.id, channel),
      description: operation.description,
      mimeType: "application/json"
    },
    accepts: accepts[operation.id],
    extensions: {
      bazaar: channel === "mcp" ? bazaarTool(operation) : bazaar(operation, channel),
      ...PAYMENT_IDENTIFIER_EXTENSION
    },
    preview: preview(operation)
  })

  const listFor = (extras: Extras, signed: SignedOffers) => {
    const accepts = acceptsOf(extras)
    const prepareFor = (operation: Operation, channel: Channel): PreparedChallenge => {
      const challenge = challengeFor(operation, channel, accepts)
      const offers = challenge.accepts.flatMap((terms, acceptIndex) => {
        const offer = signed.get(offerKey(challenge.resource.url, terms))
        return offer === undefined ? [] : [{ ...offer, acceptIndex }]
      })
      return withOffers(challenge, offers)
    }
    const prepared = forEachOperation((operation): Record<Channel, PreparedChallenge> => ({
      GET: prepareFor(operation, "GET"),
      POST: prepareFor(operation, "POST"),
      mcp: prepareFor(operation, "mcp")
    }))
    return { extras, signed, accepts, prepared }
  }

  /** Terms of every network, also of those that are not sold on now: what is signed does not name the settling side. */
  const everyOffer = ALL_OPERATIONS.flatMap(({ id }) =>
    (["POST", "mcp"] as const).flatMap((channel) =>
      acceptsOf(NETWORKS.map(() => ({})))[id].map((terms) => ({
        resourceUrl: resourceUrl(id, channel),
        terms
      }))
    )
  )
  const signOffers = Effect.flatMap(Clock.currentTimeMillis, (now) =>
    Effect.map(
      Effect.forEach(everyOffer, ({ resourceUrl, terms }) =>
        Effect.map(
          statements.offer(resourceUrl, terms, now),
          (offer) => [offerKey(resourceUrl, terms), offer] as const
        )
      ),
      (entries): SignedOffers => new Map(entries)
    )
  )

  let list = listFor(NETWORKS.map(verifier.extra), yield* signOffers)
  /** The price list, computed anew when the settling side says something else. */
  const current = () => {
    const extras = NETWORKS.map(verifier.extra)
    if (extras.some((extra, at) => extra !== list.extras[at])) list = listFor(extras, list.signed)
    return list
  }
  yield* Effect.map(signOffers, (signed) => {
    list = listFor(list.extras, signed)
  }).pipe(Effect.schedule(Schedule.spaced(SIGNING_INTERVAL)), Effect.forkScoped)

  return Offers.of({
    publicUrl,
    freeTier,
    priceUsd: (id) => price(id).usd,
    accepts: (id) => current().accepts[id],
    resourceUrl,
    challenge: (id, channel) => current().prepared[id][channel]
  })
})

/** `publicUrl` is where callers reach the service: the server's to know, and the only source of URLs in challenges. */
export const offersLive = (publicUrl: Config.Config<string>) => Layer.scoped(Offers, make(publicUrl))
