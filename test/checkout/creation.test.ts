import { describe, expect, it } from "@effect/vitest"
import { Effect, Either, FastCheck as fc, Schema, TestClock } from "effect"
import { expireCheckouts } from "../../src/checkout/checkout-worker.ts"
import { Checkouts } from "../../src/checkout/checkouts.ts"
import { SOLANA_NETWORK } from "../../src/domain/chain.ts"
import { CheckoutTerms, CreateCheckout } from "../../src/domain/checkout.ts"
import { formatUsd } from "../../src/domain/money.ts"
import { PaymentRequirements } from "../../src/domain/x402.ts"
import {
  Chain,
  createCheckout,
  from,
  MERCHANT,
  order,
  shop,
  SOLANA_FEE_PAYER,
  SOLANA_MERCHANT,
  STRANGER
} from "../support/checkout/shop.ts"
import { inLiveShop } from "../support/checkout/in-shop.ts"

const decode = Schema.decodeUnknownEither(CreateCheckout)
const wire = (change: Readonly<Record<string, unknown>> = {}) => ({
  network: "base",
  merchantPayTo: MERCHANT,
  amountUsd: "1",
  memo: "order",
  ...change
})
const isValid = (change: Readonly<Record<string, unknown>>) => Either.isRight(decode(wire(change)))

const create = (change: Partial<CreateCheckout> = {}, key?: string, address = STRANGER) =>
  Effect.flatMap(Checkouts, (checkouts) => checkouts.create(order(change), from(address, key)))

describe("amountUsd", () => {
  it.prop(
    "is exact from the smallest unit to the limit",
    [fc.bigInt({ min: 1n, max: 10_000_000_000n })],
    ([amount]) => {
      expect(isValid({ amountUsd: formatUsd(amount) })).toBe(true)
    }
  )

  it.effect("becomes exactly its smallest units in the terms", () =>
    Effect.gen(function* () {
      for (const [amountUsd, amount] of [
        ["0.000001", "1"],
        ["0.1", "100000"],
        ["12.50", "12500000"],
        ["10000", "10000000000"]
      ] as const) {
        expect((yield* create({ amountUsd })).amount).toBe(amount)
      }
    }).pipe(Effect.provide(shop({ CHECKOUT_MIN_USD: "0.000001" })))
  )

  it.effect("is at least a cent where nothing else is configured, because settling costs gas", () =>
    Effect.gen(function* () {
      for (const amountUsd of ["0.000001", "0.009999"])
        expect(yield* Effect.flip(create({ amountUsd }))).toMatchObject({ _tag: "CheckoutInvalid" })
      expect((yield* create({ amountUsd: "0.01" })).amount).toBe("10000")
    }).pipe(Effect.provide(shop()))
  )

  it.each([
    "1e3",
    "-1",
    "0.0000001",
    " 1",
    "1 ",
    "١",
    "0",
    "0.0",
    "01",
    "+1",
    ".5",
    "1.",
    "1,5",
    "",
    "NaN",
    "0x1",
    "1_0"
  ])("refuses %j", (amountUsd) => {
    expect(isValid({ amountUsd })).toBe(false)
  })

  it.each([1, null, true, ["1"], { amount: "1" }])("refuses %j, which is no text", (amountUsd) => {
    expect(isValid({ amountUsd })).toBe(false)
  })

  it.prop("refuses seven decimals", [fc.bigInt({ min: 1n, max: 9n })], ([digit]) => {
    expect(isValid({ amountUsd: `1.000000${digit}` })).toBe(false)
  })

  it.effect("may not be above the configured limit", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(create({ amountUsd: "5.000001" }))
      expect(error).toMatchObject({
        _tag: "CheckoutInvalid",
        field: "amountUsd",
        message: "must be at most 5"
      })
      yield* create({ amountUsd: "5" })
    }).pipe(Effect.provide(shop({ CHECKOUT_MAX_USD: "5" })))
  )
})

describe("merchantPayTo", () => {
  it.each([
    ["base", MERCHANT],
    ["base", MERCHANT.toLowerCase()],
    ["eip155:8453", MERCHANT],
    ["solana", SOLANA_MERCHANT],
    [SOLANA_NETWORK, SOLANA_MERCHANT]
  ])("on %s may be %s", (network, merchantPayTo) => {
    expect(isValid({ network, merchantPayTo })).toBe(true)
  })

  it.each([
    ["base", "a broken checksum", MERCHANT.replace("A", "a")],
    ["base", "the zero address", `0x${"0".repeat(40)}`],
    ["base", "the USDC contract", "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913"],
    ["base", "a Solana address", SOLANA_MERCHANT],
    ["solana", "an EVM address", MERCHANT],
    ["solana", "the USDC mint", "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"],
    ["solana", "zero", "11111111111111111111111111111111"],
    ["solana", "too short", "abc"],
    ["ethereum", "another network", MERCHANT]
  ])("on %s may not be %s", (network, _what, merchantPayTo) => {
    expect(isValid({ network, merchantPayTo })).toBe(false)
  })

  it.effect("may not be our own fee payer", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(create({ network: SOLANA_NETWORK, merchantPayTo: SOLANA_FEE_PAYER }))
      expect(error).toMatchObject({ _tag: "CheckoutInvalid", field: "merchantPayTo" })
    }).pipe(Effect.provide(shop()))
  )

  it.effect.each([
    ["missing", false],
    ["frozen", false],
    ["given-away", false],
    ["not-a-wallet", false],
    ["ready", true],
    ["unknown", true]
  ] as const)("whose token account is %s decides on Solana: created %s", ([account, created]) =>
    Effect.gen(function* () {
      const chain = yield* Chain
      chain.account = account
      const outcome = yield* Effect.either(
        create({ network: SOLANA_NETWORK, merchantPayTo: SOLANA_MERCHANT })
      )
      expect(Either.isRight(outcome)).toBe(created)
    }).pipe(Effect.provide(shop()))
  )
})

describe("memo", () => {
  it.each(["", "x".repeat(128), "é".repeat(64), "Bestellung 7 – größer", "👩‍🚀", "<script>alert(1)</script>"])(
    "may be %j",
    (memo) => {
      expect(isValid({ memo })).toBe(true)
    }
  )

  it.each([
    "x".repeat(129),
    "é".repeat(65),
    "a\nb",
    "a\u0000b",
    "\u202eevil",
    "\u2066x",
    "\ud800",
    "\u2028",
    7
  ])("may not be %j", (memo) => {
    expect(isValid({ memo })).toBe(false)
  })

  it("may be left out", () => {
    expect(isValid({ memo: undefined })).toBe(true)
  })
})

describe("terms", () => {
  it.effect("are x402 requirements as they are, on both chains", () =>
    Effect.gen(function* () {
      const base = yield* createCheckout()
      const solana = yield* createCheckout({ network: SOLANA_NETWORK, merchantPayTo: SOLANA_MERCHANT })
      for (const terms of [base, solana]) {
        expect(Schema.is(PaymentRequirements)(Schema.decodeUnknownSync(PaymentRequirements)(terms))).toBe(
          true
        )
        expect(Schema.is(CheckoutTerms)(terms)).toBe(true)
      }
      expect(base.extra).toMatchObject({ name: "USD Coin", version: "2", checkoutId: base.checkoutId })
      expect(solana.extra).toEqual({
        feePayer: SOLANA_FEE_PAYER,
        memo: expect.stringMatching(/^order_[0-9a-f]{32}$/)
      })
      // Whoever reads the chain must not find the page with the merchant's order text.
      expect(JSON.stringify(solana.extra)).not.toContain(solana.checkoutId.slice(4))
      expect(base.url).toBe(`https://risk.test/api/pay-here/v1/checkout/${base.checkoutId}`)
    }).pipe(Effect.provide(shop({ CHECKOUT_SERVICE: "pay-here" })))
  )
})

describe("Idempotency-Key", () => {
  inLiveShop("gives the stored answer for the same request, also at once", function* () {
    const created = yield* Effect.all(
      Array.from({ length: 10 }, () => create({}, "key-1")),
      { concurrency: "unbounded" }
    )
    expect(new Set(created.map((terms) => JSON.stringify(terms))).size).toBe(1)
  })

  it.effect("gives it also where the same address is written in other letter case", () =>
    Effect.gen(function* () {
      const first = yield* create({}, "key-1")
      expect(yield* create({ merchantPayTo: MERCHANT.toLowerCase() }, "key-1")).toEqual(first)
    }).pipe(Effect.provide(shop()))
  )

  it.effect("with another request is a conflict", () =>
    Effect.gen(function* () {
      yield* create({}, "key-1")
      expect((yield* Effect.flip(create({ amountUsd: "13" }, "key-1")))._tag).toBe("CheckoutConflict")
      expect((yield* Effect.flip(create({ memo: "other" }, "key-1")))._tag).toBe("CheckoutConflict")
    }).pipe(Effect.provide(shop()))
  )

  it.effect("belongs to one merchant", () =>
    Effect.gen(function* () {
      const mine = yield* create({}, "key-1")
      const other = yield* create({ merchantPayTo: `0x${"b".repeat(40)}` }, "key-1")
      expect(other.checkoutId).not.toBe(mine.checkoutId)
    }).pipe(Effect.provide(shop()))
  )

  it.effect("belongs to its caller: a stranger who takes it first takes nothing from anybody", () =>
    Effect.gen(function* () {
      const theirs = yield* create({ amountUsd: "99" }, "order-1", "198.51.100.7")
      const mine = yield* create({}, "order-1")
      expect(mine.checkoutId).not.toBe(theirs.checkoutId)
      expect((yield* create({}, "order-1")).checkoutId).toBe(mine.checkoutId)
    }).pipe(Effect.provide(shop()))
  )

  it.effect("keeps its answer when the merchant has reached a limit", () =>
    Effect.gen(function* () {
      const first = yield* create({}, "key-1")
      expect((yield* Effect.flip(create({}, "key-2")))._tag).toBe("CheckoutLimited")
      expect(yield* create({}, "key-1")).toEqual(first)
    }).pipe(Effect.provide(shop({ CHECKOUT_MAX_OPEN_PER_MERCHANT: "1" })))
  )
})

describe("limits", () => {
  it.effect("bound what one caller creates in a minute, whatever merchant it names, and nobody else", () =>
    Effect.gen(function* () {
      yield* create()
      expect((yield* Effect.flip(create()))._tag).toBe("CheckoutLimited")
      const other = create({ merchantPayTo: `0x${"b".repeat(40)}` })
      expect((yield* Effect.flip(other))._tag).toBe("CheckoutLimited")
      yield* create({}, undefined, "198.51.100.7")
    }).pipe(Effect.provide(shop({ CHECKOUT_CREATES_PER_MINUTE: "1" })))
  )

  it.effect("on open checkouts end with them", () =>
    Effect.gen(function* () {
      yield* create()
      expect((yield* Effect.flip(create()))._tag).toBe("CheckoutLimited")
      yield* TestClock.adjust("1 hour")
      yield* expireCheckouts
      yield* create()
    }).pipe(Effect.provide(shop({ CHECKOUT_MAX_OPEN_PER_MERCHANT: "1" })))
  )
})
