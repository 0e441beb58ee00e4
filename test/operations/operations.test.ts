import { describe, expect, it } from "@effect/vitest"
import { Config, ConfigProvider, Deferred, Effect, Exit, Fiber, Layer, Option, Ref, TestClock } from "effect"
import { MalformedPayment, UnknownToken, UpstreamError } from "../../src/domain/errors.ts"
import { FailureBudgetLive } from "../../src/free-tier/failure-budget.ts"
import { offersLive } from "../../src/operations/offers-live.ts"
import { OperationsLive } from "../../src/operations/operations-live.ts"
import { Operations } from "../../src/operations/operations.ts"
import { Receiving } from "../../src/payment/receiving.ts"
import * as mocks from "../support/mocks.ts"
import { TOKEN } from "../support/screening/screenings.ts"
import {
  settlement,
  attestation,
  begun,
  environment,
  unknown,
  makeWorld,
  operationsIn,
  caller,
  paying,
  untouchable,
  request,
  run
} from "../support/operations/world.ts"
import type { Screen } from "../support/operations/world.ts"

describe("a deep call by a caller with free calls", () => {
  it.effect("is free, counted, and leaves a payment beside it untouched", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld(1)
      const answer = yield* run(world, { caller, payment: untouchable })
      expect(answer.settlement).toBeNull()
      expect(JSON.parse(answer.body)).toMatchObject({ free: true, attestation })
      expect(yield* world.reserved).toHaveLength(1)
      expect(yield* world.orders).toEqual([])
    })
  )

  it.effect("is no free one beside a payment that was begun for it: its caller would be charged for it", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld(1)
      const answer = yield* run(world, { caller, payment: begun })
      expect(answer.settlement).toEqual(settlement)
      expect(JSON.parse(answer.body)).toMatchObject({ free: false })
      expect(yield* world.reserved).toEqual([])
      expect(yield* world.orders).toHaveLength(1)
    })
  )

  it.effect("is free beside a payment that is malformed", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld(1)
      const answer = yield* run(world, { caller, payment: new MalformedPayment({ message: "no base64" }) })
      expect(JSON.parse(answer.body)).toMatchObject({ free: true })
    })
  )

  it.effect("is not counted when it fails, and is not turned into a sale", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld(1)
      const error = yield* Effect.flip(run(world, { caller, payment: untouchable }, unknown))
      expect(error._tag).toBe("UnknownToken")
      expect(yield* world.reserved).toEqual([])
    })
  )

  it.effect("is not counted when it meets a bug", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld(1)
      const exit = yield* Effect.exit(run(world, { caller }, () => Effect.dieMessage("bug")))
      expect(Exit.isFailure(exit)).toBe(true)
      expect(yield* world.reserved).toEqual([])
    })
  )

  it.effect("is not counted when the caller hangs up", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld(1)
      const started = yield* Deferred.make<void>()
      const screen: Screen = () => Effect.zipRight(Deferred.succeed(started, undefined), Effect.never)
      const fiber = yield* Effect.fork(run(world, { caller }, screen))
      yield* Deferred.await(started)
      expect(yield* world.reserved).toHaveLength(1)
      yield* Fiber.interrupt(fiber)
      expect(yield* world.reserved).toEqual([])
    })
  )
})

describe("free calls that end in nothing", () => {
  it.effect("pause those of their address, for payers too, and nobody else's; time gives them back", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld(100)
      const screens = yield* Ref.make(0)
      const screen: Screen = (token) =>
        Effect.zipRight(
          Ref.update(screens, (count) => count + 1),
          Effect.fail(new UnknownToken({ token }))
        )
      const tags = Effect.gen(function* () {
        const { run: go } = yield* Operations
        const ask = (ip: string) =>
          Effect.flip(go(request({ caller: Option.some({ clientId: "me", ip }), payment: untouchable })))
        const seen = yield* Effect.forEach(Array.from({ length: 40 }), () => ask("192.0.2.1"))
        expect(seen.map(({ _tag }) => _tag)).toEqual([
          ...Array.from({ length: 30 }, () => "UnknownToken"),
          ...Array.from({ length: 10 }, () => "FreeCallsPaused")
        ])
        expect((yield* ask("192.0.2.2"))._tag).toBe("UnknownToken")
        yield* TestClock.adjust("10 seconds")
        expect((yield* ask("192.0.2.1"))._tag).toBe("UnknownToken")
      })
      yield* Effect.provide(tags, operationsIn(world, screen))
      expect(yield* screens).toBe(32)
      expect(yield* world.reserved).toEqual([])
    })
  )
})

describe("a call without a free one", () => {
  it.effect("and without a payment is due, before anything is screened", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld(0)
      const screen: Screen = () => Effect.dieMessage("screened for nothing")
      const error = yield* Effect.flip(run(world, { caller }, screen))
      expect(error._tag).toBe("PaymentDue")
    })
  )

  it.effect("sells: the receipt comes with the answer, and the report says that it is not free", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld(0)
      const answer = yield* run(world, { caller, payment: paying })
      expect(answer.settlement).toEqual(settlement)
      expect(JSON.parse(answer.body)).toMatchObject({ free: false })
      expect(yield* world.orders).toHaveLength(1)
    })
  )

  it.effect("with a malformed payment fails as that, not as due", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld(0)
      const payment = new MalformedPayment({ message: "must be canonical base64" })
      expect((yield* Effect.flip(run(world, { payment })))._tag).toBe("MalformedPayment")
    })
  )
})

describe("a payment where nothing can arrive", () => {
  const nothingArrives = Layer.succeed(Receiving, { obstacle: () => "BASE_PAY_TO is on a list" })

  it.effect("is answered with 503 before any work: whoever signed it keeps it, and signs no other", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld(0)
      const screened: Screen = () => Effect.dieMessage("no work for it")
      const paid = Effect.flatMap(Operations, ({ run }) => run(request({ payment: paying })))
      const error = yield* Effect.flip(Effect.provide(paid, operationsIn(world, screened, nothingArrives)))
      expect(error).toMatchObject({ _tag: "PaymentUnavailable" })
    })
  )
})

describe("a caller without a client id", () => {
  it.effect("has no free calls", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld(3)
      expect((yield* Effect.flip(run(world, {})))._tag).toBe("PaymentDue")
      expect(yield* world.reserved).toEqual([])
    })
  )
})

describe("a ping", () => {
  it.effect("is never free, whoever asks", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld(3)
      const ping = { operation: "check_token_safety_ping", caller } as const
      expect((yield* Effect.flip(run(world, ping)))._tag).toBe("PaymentDue")
      const answer = yield* run(world, { ...ping, payment: paying })
      expect(JSON.parse(answer.body)).toMatchObject({ safe: true })
      expect(yield* world.reserved).toEqual([])
    })
  )
})

describe("an order", () => {
  it.effect("is the same for GET and POST, and another for MCP, another token and another operation", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld(0)
      const token = { ...TOKEN, address: "0x00000000000000000000000000000000000000bb" } as typeof TOKEN
      for (const over of [
        { channel: "GET" },
        { channel: "POST" },
        { channel: "mcp" },
        { token },
        { operation: "check_token_safety_ping" }
      ] as const)
        yield* run(world, { ...over, payment: paying })
      const orders = yield* world.orders
      const fingerprints = orders.map(({ fingerprint }) => fingerprint)
      expect(fingerprints[0]).toBe(fingerprints[1])
      expect(new Set(fingerprints).size).toBe(4)
      expect(orders[2]?.resourceUrl).toMatch(/\/mcp$/)
      expect(orders[4]?.accepts.map(({ amount }) => amount)).toEqual(["5000", "5000"])
    })
  )
})

describe("asking whether a call would be free", () => {
  it.effect("keeps nothing of a caller who hangs up meanwhile", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld(1)
      const taken = yield* Ref.make(0)
      const reached = yield* Deferred.make<void>()
      const store = mocks.mockFreeTierStore({
        reserve: () =>
          Ref.update(taken, (count) => count + 1).pipe(
            Effect.zipRight(Deferred.succeed(reached, undefined)),
            Effect.zipRight(Effect.sleep("1 second")),
            Effect.as(Option.some("reservation"))
          ),
        release: () => Ref.update(taken, (count) => count - 1)
      })
      const ask = Effect.flatMap(Operations, ({ hasFreeCall }) =>
        hasFreeCall({ clientId: "me", ip: "192.0.2.1" })
      )
      const asked = yield* Effect.fork(Effect.provide(ask, operationsIn(world, undefined, undefined, store)))
      yield* Deferred.await(reached)
      const hungUp = yield* Effect.fork(Fiber.interrupt(asked))
      yield* TestClock.adjust("1 second")
      yield* Fiber.join(hungUp)
      expect(yield* taken).toBe(0)
    })
  )

  it.effect("reserves nothing", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld(1)
      const ask = Effect.flatMap(Operations, ({ hasFreeCall }) =>
        Effect.all([1, 2].map(() => hasFreeCall({ clientId: "me", ip: "192.0.2.1" })))
      )
      expect(yield* Effect.provide(ask, operationsIn(world))).toEqual([true, true])
      expect(yield* world.reserved).toEqual([])
    })
  )

  it.effect("fails when the database does, so that nobody is charged for a free call", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld(1)
      const down = new UpstreamError({ upstream: "database", kind: "transport", detail: "" })
      const store = mocks.mockFreeTierStore({ reserve: () => Effect.fail(down) })
      const ask = Effect.flatMap(Operations, ({ run: go }) => go(request({ caller, payment: untouchable })))
      const layer = OperationsLive.pipe(
        Layer.provide(offersLive(Config.succeed("https://risk.example"))),
        Layer.provide([
          mocks.everythingArrives,
          FailureBudgetLive,
          store,
          mocks.mockScreener({ known: () => undefined }),
          mocks.mockRiskScorer({ methodology: "m", assess: () => expect.fail("assessed") }),
          mocks.mockAttestor({ jwks: { keys: [] }, sign: () => new Uint8Array(64) }),
          mocks.mockSale({ isBegun: () => Effect.succeed(false) }),
          mocks.mockPaymentVerifier({ extra: () => ({}) })
        ]),
        Layer.provide(Layer.setConfigProvider(ConfigProvider.fromMap(new Map(Object.entries(environment)))))
      )
      expect((yield* Effect.flip(Effect.provide(ask, layer)))._tag).toBe("UpstreamError")
      expect(yield* world.orders).toEqual([])
    })
  )
})
