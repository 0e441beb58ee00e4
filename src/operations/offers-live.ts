import type { Config } from "effect"
import { Duration, Effect, Layer } from "effect"
import { BASE_NETWORK, SOLANA_NETWORK, usdcOf } from "../domain/chain.ts"
import type { PaymentRequired, PaymentRequirements } from "../domain/x402.ts"
import { freeTierConfig } from "../free-tier/config.ts"
import { payToConfig } from "../payment/config.ts"
import { PaymentVerifier } from "../payment/verifier/payment-verifier.ts"
import type { Operation, OperationId } from "../domain/catalog.ts"
import { fieldsOf, forEachOperation, MCP_PATH, OPERATIONS } from "../domain/catalog.ts"
import { pricesConfig } from "./config.ts"
import { bazaar, bazaarTool } from "./discovery-extension.ts"
import type { Channel, PreparedChallenge } from "./offers.ts"
import { Offers } from "./offers.ts"

/** Seconds within which a signed payment must be settled. */
const MAX_TIMEOUT_SECONDS = 60

/** In the order in which challenges name them. */
const NETWORKS = [BASE_NETWORK, SOLANA_NETWORK] as const

/** What the settling side wants said, by `NETWORKS`; `undefined` for a network that is not sold on now. */
type Extras = ReadonlyArray<Readonly<Record<string, unknown>> | undefined>

const prepare = (challenge: PaymentRequired): PreparedChallenge => {
  const json = JSON.stringify(challenge)
  return { challenge, json, base64: Buffer.from(json, "utf8").toString("base64") }
}

const make = Effect.fn("Offers.make")(function* (publicUrlConfig: Config.Config<string>) {
  const publicUrl = yield* publicUrlConfig
  const prices = yield* pricesConfig
  const payTo = yield* payToConfig
  const { calls, window } = yield* freeTierConfig
  const freeTier = `${calls} calls per x-client-id per ${Duration.format(window)}`
  const verifier = yield* PaymentVerifier
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
    extensions: { bazaar: channel === "mcp" ? bazaarTool(operation) : bazaar(operation, channel) },
    preview: preview(operation)
  })

  const listFor = (extras: Extras) => {
    const accepts = acceptsOf(extras)
    const prepared = forEachOperation((operation): Record<Channel, PreparedChallenge> => ({
      GET: prepare(challengeFor(operation, "GET", accepts)),
      POST: prepare(challengeFor(operation, "POST", accepts)),
      mcp: prepare(challengeFor(operation, "mcp", accepts))
    }))
    return { extras, accepts, prepared }
  }

  let list = listFor(NETWORKS.map(verifier.extra))
  /** The price list, computed anew when the settling side says something else. */
  const current = () => {
    const extras = NETWORKS.map(verifier.extra)
    if (extras.some((extra, at) => extra !== list.extras[at])) list = listFor(extras)
    return list
  }

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
export const offersLive = (publicUrl: Config.Config<string>) => Layer.effect(Offers, make(publicUrl))
