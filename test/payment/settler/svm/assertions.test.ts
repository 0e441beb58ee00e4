/** Payments with assertions of their payers, which may hold when they are tried and fail when they land. */
import { address } from "@solana/kit"
import { expect, it } from "@effect/vitest"
import { Effect, TestClock } from "effect"
import { SOLANA_NETWORK } from "../../../../src/domain/chain.ts"
import { parsePaymentObject } from "../../../../src/payment/message/parse-payment.ts"
import { driveTransfers } from "../../../../src/payment/settler/svm/drive.ts"
import { makeSolanaEconomy } from "../../../../src/payment/settler/svm/economy.ts"
import { makeSend } from "../../../../src/payment/settler/svm/send.ts"
import { makeTransfers } from "../../../../src/payment/settler/svm/transfers.ts"
import { VerifiedPayment } from "../../../../src/payment/verifier/verified-payment.ts"
import { settings } from "../../../support/payment/base-settling.ts"
import {
  build,
  data,
  type Instruction,
  price,
  standard,
  world
} from "../../../support/payment/svm-transfers.ts"
import { START } from "../../../support/payment/support.ts"
import { memoryDatabase } from "../../../support/storage/memory-database.ts"

const assertion: Instruction = {
  program: address("L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95"),
  accounts: [],
  data: data(15, 0)
}

const paymentWith = (extras: ReadonlyArray<Instruction>, microLamports = 1n) =>
  Effect.gen(function* () {
    const w = yield* world
    const [units, , ...others] = standard(w)
    if (units === undefined) return yield* Effect.dieMessage("no compute unit limit")
    const transaction = yield* build(w, [units, price(microLamports), ...others, ...extras])
    const accepted = w.requirements
    const payment = yield* parsePaymentObject({ x402Version: 2, accepted, payload: { transaction } })
    if (payment.scheme !== "svm") return yield* Effect.dieMessage(`not a payment on ${SOLANA_NETWORK}`)
    return yield* VerifiedPayment.verify({ payment, requirements: accepted })
  })

/** What is taken where payments of this name have failed ten times, for ten millionths of a USD each, of a thousand a day. */
const failing = Effect.gen(function* () {
  yield* TestClock.setTime(START)
  const transfers = yield* makeTransfers
  const { admit } = yield* makeSolanaEconomy({
    address: "fee payer",
    balance: Effect.succeed(10n ** 12n),
    transfers,
    // A lamport costs a thousandth of a millionth of a USD: a transfer ten of these.
    price: Effect.succeed(1_000_000n),
    settings: { ...settings, dailyFees: 1_000n }
  })
  const statuses = (ids: ReadonlyArray<string>) =>
    Effect.succeed(ids.map(() => ({ state: "failed", slot: 1, isFinal: true, seenAt: 2 }) as const))
  const send = makeSend({ send: () => Effect.void }, [{ send: () => Effect.void }], transfers)
  yield* driveTransfers({ node: { statuses }, transfers, send })
  const fail = (name: string, { payment }: VerifiedPayment) =>
    Effect.gen(function* () {
      const wire = payment.scheme === "svm" ? payment.svm.transaction : ""
      for (let at = 0; at < 10; at++)
        yield* transfers.prepare(`${name} ${at}`, { id: `${name} ${at}`, wire }, 10n)
      yield* TestClock.adjust("4 seconds")
    })
  return { admit, fail, transfers }
})

it.scoped("that fail use up a share of the day's fees, and then no payment with assertions is taken", () =>
  Effect.gen(function* () {
    const { admit, fail, transfers } = yield* failing
    const [plain, conditional] = [yield* paymentWith([]), yield* paymentWith([assertion])]
    yield* fail("plain", plain)
    expect(yield* admit(conditional)).toBeGreaterThan(0n)
    expect([yield* transfers.failedToday, yield* transfers.burntToday]).toEqual([100n, 0n])
    yield* fail("conditional", conditional)
    expect([yield* transfers.failedToday, yield* transfers.burntToday]).toEqual([100n, 100n])
    expect(yield* Effect.flip(admit(conditional))).toMatchObject({ _tag: "PaymentUnavailable" })
    expect(yield* admit(plain)).toBeGreaterThan(0n)
  }).pipe(Effect.provide(memoryDatabase))
)

it.scoped(
  "with a high price on compute units fail at our expense for a share of the day, and then cost no more than others",
  () =>
    Effect.gen(function* () {
      const { admit, fail } = yield* failing
      // 20,000 units: what the signatures cost, and ten times that.
      const [modest, lavish] = [yield* paymentWith([], 500_000n), yield* paymentWith([], 5_000_000n)]
      yield* fail("modest", modest)
      expect(yield* admit(lavish)).toBeGreaterThan(yield* admit(modest))
      yield* fail("lavish", lavish)
      expect(yield* Effect.flip(admit(lavish))).toMatchObject({
        _tag: "PaymentRejected",
        reason: expect.stringContaining("compute_price_instruction_too_high")
      })
      expect(yield* admit(modest)).toBeGreaterThan(0n)
    }).pipe(Effect.provide(memoryDatabase))
)
