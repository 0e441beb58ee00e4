import { describe, expect, layer } from "@effect/vitest"
import { Effect, Exit, Layer, Logger, Schedule, Scope } from "effect"
import { createWalletClient, http } from "viem"
import { base } from "viem/chains"
import { evmAccount } from "../../../../scripts/sandbox/accounts.ts"
import { ahead } from "../../../support/clocks.ts"
import { journalAt, settlingOver, newPayment } from "../../../support/payment/base-settling.ts"
import { LocalBase } from "../../../support/sandbox.ts"

const settler = evmAccount("settler")
const begun = { transaction: null, since: 0 }

/** A transaction of the settling key by somebody who does not write in our journal. */
const sendElsewhere = Effect.gen(function* () {
  const { devnet, url } = yield* LocalBase
  yield* Effect.promise(async () => {
    const wallet = createWalletClient({ account: settler, chain: base, transport: http(url) })
    const hash = await wallet.sendTransaction({ to: settler.address, value: 0n })
    await devnet.client.waitForTransactionReceipt({ hash, pollingInterval: 20 })
  })
})

const lines = (name: string) => {
  const found: Array<string> = []
  const logger = Logger.make(({ message }) => {
    const text = JSON.stringify(message)
    if (text.includes(name)) found.push(text)
  })
  return { found, layer: Logger.replace(Logger.defaultLogger, logger) }
}

const ELSEWHERE = "used from elsewhere"

describe("a settling key that is used from elsewhere too", () => {
  layer(LocalBase.layer, { excludeTestServices: true, timeout: 60_000 })((it) => {
    it.scoped(
      "is told of once where a payment's nonce was taken, and not while a receipt may only be late",
      () => {
        const log = lines(ELSEWHERE)
        const clock = ahead()
        return Effect.gen(function* () {
          const { url } = yield* LocalBase
          const { settle } = yield* settlingOver(url, { accounts: [settler] })
          expect(yield* settle(yield* newPayment, begun)).toMatchObject({ state: "settled" })
          expect(log.found).toEqual([])
          yield* sendElsewhere
          const [one, other] = [yield* newPayment, yield* newPayment]
          yield* Effect.fork(settle(one, begun))
          yield* Effect.fork(settle(other, begun))
          // The looks go on by themselves: each step is longer than the last one, and far below ten minutes together.
          yield* Effect.repeat(
            Effect.sync(() => {
              clock.move(500)
              return log.found.length
            }),
            { until: (count) => count > 0, schedule: Schedule.spaced("50 millis") }
          )
          expect(log.found[0]).toContain(settler.address.toLowerCase())
          yield* Effect.repeatN(
            Effect.delay(
              Effect.sync(() => clock.move(1_000)),
              "30 millis"
            ),
            10
          )
          expect(log.found).toHaveLength(1)
        }).pipe(Effect.provide(Layer.mergeAll(journalAt(":memory:"), log.layer, clock.layer)))
      }
    )

    it.scoped("is told of when a process takes it up again, and settles all the same", () => {
      const log = lines(ELSEWHERE)
      return Effect.gen(function* () {
        const { url } = yield* LocalBase
        const scope = yield* Scope.make()
        const before = yield* Scope.extend(settlingOver(url, { accounts: [settler] }), scope)
        expect(yield* before.settle(yield* newPayment, begun)).toMatchObject({ state: "settled" })
        yield* Scope.close(scope, Exit.void)
        yield* sendElsewhere
        const after = yield* settlingOver(url, { accounts: [settler] })
        expect(yield* after.settle(yield* newPayment, begun)).toMatchObject({ state: "settled" })
        expect(log.found).toHaveLength(1)
      }).pipe(Effect.provide(Layer.merge(journalAt(":memory:"), log.layer)))
    })
  })
})
