/** Payers who get code that burns gas after they were tried and before their block (EIP-7702). */
import { describe, expect, layer } from "@effect/vitest"
import { Clock, Effect, Fiber, Schedule } from "effect"
import { evmAccount } from "../../../../scripts/sandbox/accounts.ts"
import { SettlementJournal } from "../../../../src/payment/settler/evm/journal.ts"
import { LocalBase } from "../../../support/sandbox.ts"
import { journalAt, newPayer, settlingOver, signedPayment } from "../../../support/payment/base-settling.ts"

const settler = evmAccount("settler")
const begun = { transaction: null, since: 0 }

/** Runs in circles for as long as there is gas. */
const BURNS = "0x5b600056"

const newPayment = Effect.gen(function* () {
  const chain = yield* LocalBase
  const payer = yield* newPayer(chain)
  const validBefore = Math.floor((yield* Clock.currentTimeMillis) / 1_000) + 60
  const payment = yield* signedPayment({ payer, payTo: chain.accounts.merchant.address, validBefore })
  return { payer: payer.address, payment }
})

const newPayments = (count: number) => Effect.replicateEffect(newPayment, count)

const asked = (method: string, params: ReadonlyArray<unknown>) =>
  Effect.flatMap(LocalBase, ({ devnet }) => Effect.promise(() => devnet.request(method, [...params])))

const sentBy = (blockTag: "latest" | "pending") =>
  Effect.flatMap(LocalBase, ({ devnet }) =>
    Effect.promise(() => devnet.client.getTransactionCount({ address: settler.address, blockTag }))
  )

const until = (isTrue: Effect.Effect<boolean, never, LocalBase>) =>
  Effect.repeat(isTrue, { until: (done) => done, schedule: Schedule.spaced("20 millis") })

describe("payers whose code comes between their trial and their block", () => {
  layer(LocalBase.layer, { excludeTestServices: true, timeout: 60_000 })((it) => {
    it.scoped("fail, and those beside them are settled; what they burn counts as burnt by payers' code", () =>
      Effect.gen(function* () {
        const { url } = yield* LocalBase
        const { settle } = yield* settlingOver(url, { accounts: [settler] })
        const [first, ...others] = yield* newPayments(5)
        const turncoat = others.at(-1)
        if (first === undefined || turncoat === undefined) return
        yield* asked("evm_setAutomine", [false])
        yield* asked("evm_setIntervalMining", [0])
        const before = yield* sentBy("latest")
        const alone = yield* Effect.fork(settle(first.payment, begun))
        yield* until(Effect.map(sentBy("pending"), (sent) => sent > before))
        const together = yield* Effect.fork(
          Effect.forEach(others, ({ payment }) => settle(payment, begun), { concurrency: "unbounded" })
        )
        yield* until(Effect.map(sentBy("pending"), (sent) => sent > before + 1))
        yield* asked("anvil_setCode", [turncoat.payer, BURNS])
        yield* asked("evm_mine", [])
        yield* asked("evm_setAutomine", [true])
        expect(yield* Fiber.join(alone)).toMatchObject({ state: "settled" })
        const outcomes = yield* Fiber.join(together)
        expect(outcomes.map(({ state }) => state)).toEqual(["settled", "settled", "settled", "open"])
        const { burntToday } = yield* SettlementJournal
        expect(yield* burntToday).toBeGreaterThan(1_000n)
      }).pipe(Effect.provide(journalAt(":memory:")))
    )
  })
})
