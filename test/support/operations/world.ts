/** The operations over mocks that count what the rule of free calls and sales may touch. */
import { Config, ConfigProvider, Effect, Layer, Option, Ref } from "effect"
import { UnknownToken } from "../../../src/domain/errors.ts"
import type { DeepReport } from "../../../src/domain/report.ts"
import { BASE_NETWORK } from "../../../src/domain/chain.ts"
import { FailureBudgetLive } from "../../../src/free-tier/failure-budget.ts"
import { offersLive } from "../../../src/operations/offers-live.ts"
import type { ScreeningRequest } from "../../../src/operations/operations.ts"
import { OperationsLive } from "../../../src/operations/operations-live.ts"
import { Operations } from "../../../src/operations/operations.ts"
import type { Payment } from "../../../src/payment/message/payment.ts"
import type { Order } from "../../../src/payment/sale/sale.ts"
import type { Screener } from "../../../src/screening/screener.ts"
import {
  everythingArrives,
  mockAttestor,
  mockFreeTierStore,
  mockPaymentVerifier,
  mockRiskScorer,
  mockSale,
  mockScreener
} from "../mocks.ts"
import { paymentOf } from "../channels.ts"
import { screeningOf, TOKEN } from "../screening/screenings.ts"

export const settlement = { success: true, transaction: "0xtx", network: BASE_NETWORK }

export const attestation: DeepReport["attestation"] = {
  digest: "d",
  hmac: "h",
  keyId: "k",
  hmacKeyId: "k",
  algorithm: "Ed25519",
  signature: "s"
}

export const environment = {
  BASE_PAY_TO: "0x00000000000000000000000000000000000000aa",
  SOLANA_PAY_TO: "So11111111111111111111111111111111111111112"
}

const UNTOUCHABLE = "untouchable"
const BEGUN = "begun"

export type Screen = Screener["Type"]["screen"]

const screened: Screen = () => Effect.succeed({ screening: screeningOf(), cacheHit: false })
export const unknown: Screen = (token) => new UnknownToken({ token })

/** Free calls a store grants, reservations that are out, and what was sold: everything the rule may touch. */
interface World {
  readonly granted: number
  readonly reserved: Ref.Ref<ReadonlyArray<string>>
  readonly orders: Ref.Ref<ReadonlyArray<Order>>
}

export const makeWorld = (granted: number) =>
  Effect.map(
    Effect.all({ reserved: Ref.make<ReadonlyArray<string>>([]), orders: Ref.make<ReadonlyArray<Order>>([]) }),
    (refs): World => ({ granted, ...refs })
  )

const storeOf = ({ granted, reserved }: World) =>
  mockFreeTierStore({
    reserve: () =>
      Ref.modify(reserved, (now) => {
        const id = `reservation ${now.length}`
        return now.length < granted ? [Option.some(id), [...now, id]] : [Option.none(), now]
      }),
    release: (id) => Ref.update(reserved, (now) => now.filter((other) => other !== id))
  })

export const operationsIn = (
  world: World,
  screen: Screen = screened,
  arrives = everythingArrives,
  store = storeOf(world)
) =>
  OperationsLive.pipe(
    Layer.provide(offersLive(Config.succeed("https://risk.example"))),
    Layer.provide([
      arrives,
      FailureBudgetLive,
      store,
      mockScreener({ screen, known: () => undefined }),
      mockRiskScorer({
        methodology: "m",
        assess: () => ({ verdict: "allow", score: 0, band: "low", reasons: [], safe: true, coverage: 1 })
      }),
      mockAttestor({
        jwks: { keys: [] },
        sign: () => new Uint8Array(64),
        attest: (report) => Effect.succeed({ ...report, attestation })
      }),
      mockSale({
        isBegun: ({ authorizationKey }) => Effect.succeed(authorizationKey === BEGUN),
        sell: ({ authorizationKey }, order, work) =>
          authorizationKey === UNTOUCHABLE
            ? Effect.dieMessage("the payment was touched")
            : Effect.zipRight(
                Ref.update(world.orders, (now) => [...now, order]),
                Effect.map(work, (answer) => ({ answer, settlement, replayed: false }))
              )
      }),
      mockPaymentVerifier({ extra: () => ({}) })
    ]),
    Layer.provide(Layer.setConfigProvider(ConfigProvider.fromMap(new Map(Object.entries(environment)))))
  )

export const caller = Option.some({ clientId: "me", ip: "192.0.2.1" })
export const paying: Effect.Effect<Option.Option<Payment>> = Effect.succeedSome(paymentOf("signed"))
/** A payment that nobody may sell for. */
export const untouchable = Effect.succeedSome(paymentOf(UNTOUCHABLE))
/** One that is on its way to buying the report. */
export const begun = Effect.succeedSome(paymentOf(BEGUN))

export const request = (over: Partial<ScreeningRequest> = {}): ScreeningRequest => ({
  operation: "check_token_risk_deep",
  token: TOKEN,
  channel: "POST",
  payment: Effect.succeedNone,
  caller: Option.none(),
  ...over
})

export const run = (world: World, over: Partial<ScreeningRequest>, screen?: Screen) =>
  Effect.provide(
    Effect.flatMap(Operations, (operations) => operations.run(request(over))),
    operationsIn(world, screen)
  )
