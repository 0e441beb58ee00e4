import type { HttpRouter, HttpServerResponse } from "@effect/platform"
import { HttpApi, HttpApiBuilder, HttpApp, HttpServer } from "@effect/platform"
import { Effect, Layer, Option } from "effect"
import { API_ID } from "../../src/api/api.ts"
import { TokenRiskGroup } from "../../src/api/token-risk.ts"
import { MalformedPayment, UpstreamError } from "../../src/domain/errors.ts"
import type { PaymentRequired } from "../../src/domain/x402.ts"
import { ClientAddress } from "../../src/http/client-address.ts"
import { cors } from "../../src/http/cors.ts"
import { ErrorBoundary } from "../../src/http/error-boundary.ts"
import { Admission, AdmissionLive } from "../../src/http/admission/admission.ts"
import { TokenRiskLive } from "../../src/http/token-risk.ts"
import { OPERATIONS } from "../../src/domain/catalog.ts"
import { Offers } from "../../src/operations/offers.ts"
import type { FreeReports, OperationError, ScreeningRequest } from "../../src/operations/operations.ts"
import { Operations, PaymentDue } from "../../src/operations/operations.ts"
import type { FreeCaller } from "../../src/free-tier/free-tier-store.ts"
import type { Payment } from "../../src/payment/message/payment.ts"
import { Sale } from "../../src/payment/sale/sale.ts"

/** A payment the fake sale understands; its header is any text but "garbage". */
export const paymentOf = (header: string): Payment => ({
  scheme: "svm",
  network: "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp",
  envelope: { x402Version: 2, accepted: {}, payload: {} },
  authorizationKey: header,
  svm: { transaction: header }
})

const challenge = (url: string, description: string): PaymentRequired => ({
  x402Version: 2,
  error: "Payment Required",
  resource: { url, description, mimeType: "application/json" },
  accepts: []
})

const offersOf = ({ terms = () => "d" }: FakeChannel) =>
  Offers.of({
    publicUrl: "https://risk.test",
    freeTier: "3 calls",
    priceUsd: () => "0.005",
    accepts: () => [],
    resourceUrl: (id, channel) => `https://risk.test${channel === "mcp" ? "/mcp" : OPERATIONS[id].path}`,
    challenge: (id, channel) => {
      const url = `https://risk.test${channel === "mcp" ? "/mcp" : OPERATIONS[id].path}`
      const value = challenge(url, `${terms()}, ${channel}`)
      const json = JSON.stringify(value)
      return { challenge: value, json, base64: Buffer.from(json).toString("base64") }
    }
  })

export interface FakeChannel {
  /** What every challenge says now. */
  readonly terms?: () => string
  /** What a paid or free request ends in. */
  readonly outcome?: Effect.Effect<string, OperationError>
  readonly freeFor?: string
  /** A deep report that is known; the database fails where it cannot be counted. */
  readonly known?: { readonly text: string; readonly isCountable: boolean }
  /** What counting calls of a known report waits for. */
  readonly counting?: Effect.Effect<unknown>
  /** Called with everybody who was given a known report, and whether he was there to get it. */
  readonly onGiven?: (caller: FreeCaller, isThere: boolean) => void
  /** Documents that are served beside the API, by path. */
  readonly documents?: Readonly<Record<`/${string}`, HttpServerResponse.HttpServerResponse>>
  /** Called with every request that gets as far as the operations. */
  readonly onRun?: (request: ScreeningRequest) => void
}

const down = new UpstreamError({ upstream: "database", kind: "transport", detail: "down" })

const freeReportsOf = ({ counting = Effect.void, freeFor, known, onGiven }: FakeChannel): FreeReports => {
  const labels = {
    operation: "check_token_risk_deep",
    chain: "base",
    cacheHit: true,
    verdict: "allow"
  } as const
  const report = known && { ...labels, text: known.text }
  return {
    find: (operation) => (operation === labels.operation ? report : undefined),
    give: (calls) =>
      known?.isCountable === false
        ? Effect.fail(down)
        : Effect.map(counting, () => {
            for (const { caller, deliver, refuse } of calls)
              if (caller.clientId !== freeFor) refuse()
              else {
                const isThere = deliver()
                onGiven?.(caller, isThere)
              }
          })
  }
}

const operationsOf = (channel: FakeChannel) => {
  const { freeFor, known, onRun, outcome } = channel
  return Operations.of({
    freeReports: freeReportsOf(channel),
    hasFreeCall: ({ clientId }) => Effect.succeed(clientId === freeFor),
    run: (request) =>
      Effect.gen(function* () {
        onRun?.(request)
        const free = Option.exists(request.caller, ({ clientId }) => clientId === freeFor)
        const payment = free ? Option.none() : yield* request.payment
        if (known?.isCountable === false) return yield* down
        if (!free && Option.isNone(payment)) return yield* new PaymentDue()
        const body = known?.text ?? (yield* outcome ?? Effect.succeed('{"safe":true}'))
        const settlement = {
          success: true,
          transaction: "tx",
          network: "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp"
        }
        return { body, settlement: free ? null : settlement }
      })
  })
}

const sale = Sale.of({
  parse: (header) =>
    header === "garbage"
      ? Effect.fail(new MalformedPayment({ message: "payment-signature: must be canonical base64" }))
      : Effect.succeed(paymentOf(header)),
  parseObject: () => Effect.succeed(paymentOf("object")),
  isBegun: () => Effect.dieMessage("the channels sell through Operations"),
  sell: () => Effect.dieMessage("the channels sell through Operations")
})

/** The services behind the channels, faked; a test states what it needs and nothing else answers. */
export const fakeServices = (channel: FakeChannel) =>
  Layer.mergeAll(
    Layer.succeed(Offers, offersOf(channel)),
    Layer.succeed(Operations, operationsOf(channel)),
    Layer.succeed(Sale, sale),
    Layer.succeed(ClientAddress, () => "192.0.2.1")
  )

/** The contract without the checkout flow, which has fakes and tests of its own. */
export const screeningApi = HttpApi.make(API_ID).add(TokenRiskGroup)

/** A web handler behind the real admission, without a socket. */
export const toWeb = <A, E>(app: Layer.Layer<A | HttpApi.Api | HttpRouter.HttpRouter.DefaultServices, E>) => {
  const admission = AdmissionLive.pipe(Layer.provide(Layer.succeed(ClientAddress, () => "192.0.2.1")))
  const all = Layer.mergeAll(app, admission, HttpApiBuilder.Router.Live, HttpApiBuilder.Middleware.layer)
  return HttpApp.toWebHandlerLayerWith(all, {
    toHandler: (runtime) =>
      Effect.gen(function* () {
        const { admit } = yield* Admission
        return cors(admit(yield* HttpApiBuilder.httpApp))
      }).pipe(Effect.provide(runtime))
  })
}

/** The HTTP channel over fakes, as a web handler: no socket, every byte of the answer visible. */
export const openHttp = (channel: FakeChannel = {}) => {
  const app = HttpApiBuilder.api(screeningApi).pipe(
    Layer.provide(TokenRiskLive),
    Layer.merge(ErrorBoundary),
    Layer.provide(fakeServices(channel)),
    Layer.merge(HttpServer.layerContext)
  )
  return toWeb(app)
}
