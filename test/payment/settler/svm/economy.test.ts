import { describe, expect, it } from "@effect/vitest"
import { Effect, Either, TestClock } from "effect"
import { lamportsOf, makeSolanaEconomy } from "../../../../src/payment/settler/svm/economy.ts"
import { makeTransfers } from "../../../../src/payment/settler/svm/transfers.ts"
import { VerifiedPayment } from "../../../../src/payment/verifier/verified-payment.ts"
import { solanaBuyer } from "../../../simulation/buyers.ts"
import { VirtualTime } from "../../../simulation/clock.ts"
import { Dice } from "../../../simulation/dice.ts"
import { simFeePayer } from "../../../simulation/sim-solana.ts"
import { SimSolana } from "../../../simulation/solana-chain.ts"
import { settings } from "../../../support/payment/base-settling.ts"
import { memoryDatabase } from "../../../support/storage/memory-database.ts"

/** A ping's payment, with the compute price its client set. */
const payment = Effect.promise(async () => {
  const dice = new Dice(7)
  const chain = new SimSolana(dice, new VirtualTime(1_800_000_000_000))
  const buyer = await solanaBuyer(dice, 1, chain, simFeePayer.address)
  if (buyer.payment.scheme !== "svm") throw new Error("a payment on Solana")
  return VerifiedPayment.recorded({ payment: buyer.payment, requirements: buyer.terms }, buyer.payer)
})

/** At this price of SOL a lamport costs a millionth of a USD. */
const PRICE = 1_000_000_000n
/** A ping, in millionths of a USD. */
const PING = 5_000n

/** Whether a ping is sold where its fee may be this many lamports. */
const admitting = (budget: bigint, change: { readonly balance?: bigint; readonly dailyFees?: bigint } = {}) =>
  Effect.gen(function* () {
    const { address } = simFeePayer
    const { balance = 10n ** 9n, dailyFees = settings.dailyFees } = change
    const economy = yield* makeSolanaEconomy({
      address,
      balance: Effect.succeed(balance),
      transfers: yield* makeTransfers,
      price: Effect.succeed(PRICE),
      settings: { ...settings, dailyFees, maxFeeShare: (budget * 1_000_000n) / PING }
    })
    yield* Effect.yieldNow()
    return yield* Effect.either(economy.admit(yield* payment))
  }).pipe(Effect.scoped, Effect.provide(memoryDatabase))

const SOLD = { _tag: "Right" }
const NOT_SOLD = { _tag: "Left", left: { _tag: "PaymentUnavailable", upstream: "solana-rpc" } }

describe("a ping on Solana", () => {
  it.effect("is sold while signatures and priority fee together are in proportion to its price", () =>
    Effect.gen(function* () {
      const { priority, signatures } = lamportsOf(yield* payment)
      expect([signatures, priority > 0n]).toEqual([10_000n, true])
      expect(yield* admitting(signatures + priority)).toMatchObject(SOLD)
      // The signatures are in proportion; what its client offers on top is the client's own doing.
      expect(yield* admitting(signatures)).toMatchObject({
        _tag: "Left",
        left: {
          _tag: "PaymentRejected",
          reason: expect.stringContaining("compute_price_instruction_too_high")
        }
      })
      // The signatures alone are not: nothing is sold, and nothing is the payer's fault.
      expect(yield* admitting(signatures - 5n)).toMatchObject(NOT_SOLD)
    })
  )

  it.effect("is not sold when the day's fees are spent, or the fee payer cannot pay for a few more", () =>
    Effect.gen(function* () {
      expect(yield* admitting(20_000n, { dailyFees: 9_999n })).toMatchObject(NOT_SOLD)
      expect(yield* admitting(20_000n, { balance: 29_999n })).toMatchObject(NOT_SOLD)
    })
  )

  it.effect("is not sold to a burst that would pass the day's fees between two looks at what was spent", () =>
    Effect.gen(function* () {
      const transfers = yield* makeTransfers
      const economy = yield* makeSolanaEconomy({
        address: simFeePayer.address,
        balance: Effect.succeed(10n ** 12n),
        transfers,
        price: Effect.succeed(PRICE),
        settings: { ...settings, maxFeeShare: 4_000_000n, dailyFees: 50_000n }
      })
      yield* Effect.yieldNow()
      const admit = Effect.either(economy.admit(yield* payment))
      const fee = yield* economy.feeOf(yield* payment)
      let sold = 0
      for (; sold < 20 && Either.isRight(yield* admit); sold++) {
        const signed = { id: `payment ${sold}`, wire: "" }
        // Whoever comes again with what is stored costs nothing more.
        for (let times = 0; times < 2; times++) yield* economy.prepare(signed.id, signed, fee)
      }
      expect(sold).toBe(Number(50_000n / fee))
      // What is read again is not counted twice.
      yield* transfers.close("payment 0")
      yield* TestClock.adjust("5 seconds")
      expect(yield* admit).toMatchObject(SOLD)
    }).pipe(Effect.scoped, Effect.provide(memoryDatabase))
  )

  it.effect("is not sold where the day's fees were stored while what was spent was being read", () =>
    Effect.gen(function* () {
      const transfers = yield* makeTransfers
      let storing: Effect.Effect<unknown, unknown> = Effect.void
      const economy = yield* makeSolanaEconomy({
        address: simFeePayer.address,
        balance: Effect.succeed(10n ** 12n),
        // Something is stored when the database has answered and nobody has heard it yet.
        transfers: {
          ...transfers,
          spentToday: Effect.zipLeft(
            transfers.spentToday,
            Effect.suspend(() => Effect.ignore(storing))
          )
        },
        price: Effect.succeed(PRICE),
        settings: { ...settings, maxFeeShare: 4_000_000n, dailyFees: 50_000n }
      })
      yield* Effect.yieldNow()
      const admit = Effect.either(economy.admit(yield* payment))
      storing = economy.prepare("payment", { id: "payment", wire: "" }, 50_000n)
      expect(yield* admit).toMatchObject(NOT_SOLD)
    }).pipe(Effect.scoped, Effect.provide(memoryDatabase))
  )

  it.effect(
    "is sold again as soon as the fee payer was filled up, and its balance is read for nobody while it pays",
    () =>
      Effect.gen(function* () {
        let [lamports, reads] = [0n, 0]
        const economy = yield* makeSolanaEconomy({
          address: simFeePayer.address,
          balance: Effect.sync(() => {
            reads += 1
            return lamports
          }),
          transfers: yield* makeTransfers,
          price: Effect.succeed(PRICE),
          settings: { ...settings, maxFeeShare: 4_000_000n }
        })
        yield* Effect.yieldNow()
        const admit = Effect.either(economy.admit(yield* payment))
        expect(yield* admit).toMatchObject(NOT_SOLD)
        lamports = 10n ** 9n
        for (let asked = 0; asked < 5; asked++) expect(yield* admit).toMatchObject(SOLD)
        expect(reads).toBe(3)
      }).pipe(Effect.scoped, Effect.provide(memoryDatabase))
  )

  it.effect(
    "is not sold out of what the fee payer's account must keep: every transfer would fail for it",
    () =>
      Effect.gen(function* () {
        expect(yield* admitting(20_000n, { balance: 890_880n + 29_999n })).toMatchObject(NOT_SOLD)
        expect(yield* admitting(20_000n, { balance: 890_880n + 31_000n })).toMatchObject(SOLD)
      })
  )
})
