import { Duration } from "effect"
import type { Config } from "effect"
import { BASE_NETWORK, SOLANA_NETWORK, usdcOf } from "../domain/chain.ts"
import type { Operation, OperationId } from "../domain/catalog.ts"
import { ALL_OPERATIONS, fieldsOf, forEachOperation, MCP_PATH, OPERATIONS } from "../domain/catalog.ts"
import type { PaymentRequired, PaymentRequirements } from "../domain/x402.ts"
import type { freeTierConfig } from "../free-tier/config.ts"
import type { payToConfig } from "../payment/config.ts"
import type { pricesConfig } from "./config.ts"
import { bazaar, bazaarTool } from "./discovery-extension.ts"
import { PAYMENT_IDENTIFIER_EXTENSION, signedOffers } from "./extensions.ts"
import type { Channel, PreparedChallenge } from "./offers.ts"
import type { SignedStatement } from "./signed-statements.ts"

/** Seconds within which a signed payment must be settled. On Solana its blockhash ends it sooner. */
const MAX_TIMEOUT_SECONDS = 60

/** In the order in which challenges name them. */
export const NETWORKS = [BASE_NETWORK, SOLANA_NETWORK] as const

/** What the settling side wants said, by `NETWORKS`; `undefined` for a network that is not sold on now. */
export type Extras = ReadonlyArray<Readonly<Record<string, unknown>> | undefined>

/** What an operator decides about prices, and where callers reach the service. */
export interface SellingTerms {
  readonly publicUrl: string
  readonly prices: Config.Config.Success<typeof pricesConfig>
  readonly payTo: Config.Config.Success<typeof payToConfig>
  /** The free tier in words, where anybody has free calls. */
  readonly freeTier: string | undefined
}

/** Offers of this price list that were signed, by `offerKey`. */
export type SignedOffers = ReadonlyMap<string, SignedStatement>

/** The terms of an operation on a network, at an address. */
export const offerKey = (resourceUrl: string, { amount, network }: PaymentRequirements): string =>
  `${resourceUrl} ${network} ${amount}`

/** The free tier in words: `3 calls per x-client-id per 24 hours`. `undefined` where one of its limits leaves nobody any. */
export const freeTierInWords = (tier: Config.Config.Success<typeof freeTierConfig>): string | undefined => {
  const { calls, callsGlobal, callsPerIp, window } = tier
  if (calls === 0 || callsPerIp === 0 || callsGlobal === 0) return undefined
  const hours = Duration.toHours(window)
  const length = Number.isInteger(hours) && hours > 1 ? `${hours} hours` : Duration.format(window)
  return `${calls} ${calls === 1 ? "call" : "calls"} per x-client-id per ${length}`
}

/** What one call of an operation costs: as decimal USD, and in smallest units of USDC. */
export const priceOf = ({ prices }: SellingTerms, id: OperationId) => prices[OPERATIONS[id].priceKey]

/** Address a challenge names as what is sold. */
export const resourceUrlOf = ({ publicUrl }: SellingTerms, id: OperationId, channel: Channel): string =>
  publicUrl + (channel === "mcp" ? MCP_PATH : OPERATIONS[id].path)

const acceptsOf = (terms: SellingTerms, extras: Extras) =>
  forEachOperation((operation): ReadonlyArray<PaymentRequirements> =>
    NETWORKS.flatMap((network, at) => {
      const extra = extras[at]
      if (extra === undefined) return []
      return {
        scheme: "exact",
        network,
        amount: priceOf(terms, operation.id).amount.toString(),
        asset: usdcOf(network),
        payTo: network === BASE_NETWORK ? terms.payTo.base : terms.payTo.solana,
        maxTimeoutSeconds: MAX_TIMEOUT_SECONDS,
        extra
      }
    })
  )

const challengeOf = (
  terms: SellingTerms,
  operation: Operation,
  channel: Channel,
  accepts: ReadonlyArray<PaymentRequirements>
): PaymentRequired => ({
  x402Version: 2,
  error: "Payment Required",
  resource: {
    url: resourceUrlOf(terms, operation.id, channel),
    description: operation.description,
    mimeType: "application/json"
  },
  accepts,
  extensions: {
    bazaar: channel === "mcp" ? bazaarTool(operation) : bazaar(operation, channel),
    ...PAYMENT_IDENTIFIER_EXTENSION
  },
  preview: {
    priceUsd: priceOf(terms, operation.id).usd,
    operationId: operation.id,
    fields: fieldsOf(operation),
    ...(operation.hasFreeCalls && terms.freeTier !== undefined ? { freeTier: terms.freeTier } : {})
  }
})

/** Proxies commonly refuse headers that are longer; the challenge stands in one. */
const MAX_HEADER_BYTES = 4_096

const prepare = (challenge: PaymentRequired): PreparedChallenge => {
  const json = JSON.stringify(challenge)
  return { challenge, json, base64: Buffer.from(json, "utf8").toString("base64") }
}

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

/** Every challenge as it is sent, by operation and channel. */
export const priceListOf = (terms: SellingTerms, extras: Extras, signed: SignedOffers) => {
  const accepts = acceptsOf(terms, extras)
  const prepareFor = (operation: Operation, channel: Channel): PreparedChallenge => {
    const challenge = challengeOf(terms, operation, channel, accepts[operation.id])
    const offers = challenge.accepts.flatMap((requirements, acceptIndex) => {
      const offer = signed.get(offerKey(challenge.resource.url, requirements))
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
export const everyOffer = (terms: SellingTerms) => {
  const accepts = acceptsOf(
    terms,
    NETWORKS.map(() => ({}))
  )
  return ALL_OPERATIONS.flatMap(({ id }) =>
    (["POST", "mcp"] as const).flatMap((channel) =>
      accepts[id].map((requirements) => ({ resourceUrl: resourceUrlOf(terms, id, channel), requirements }))
    )
  )
}
