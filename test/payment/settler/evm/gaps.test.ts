/** Nonces that nothing of ours is at, below others that wait for them. */
import { describe, expect, layer } from "@effect/vitest"
import { Effect, Redacted, Schedule } from "effect"
import { evmAccount } from "../../../../scripts/sandbox/accounts.ts"
import { makeBaseRpcWith } from "../../../../src/chain/base-rpc.ts"
import { SettlementJournal } from "../../../../src/payment/settler/evm/journal.ts"
import { ahead } from "../../../support/clocks.ts"
import { journalAt, settlingOn, newPayment } from "../../../support/payment/base-settling.ts"
import { LocalBase } from "../../../support/sandbox.ts"

const settler = evmAccount("settler")
const begun = { transaction: null, since: 0 }

/**
 * Our settling side over a node that says once that the key has sent so many transactions more, and what ends when it has
 * been asked again.
 */
const settlingAfterLie = (more: number) =>
  Effect.gen(function* () {
    const { url } = yield* LocalBase
    const rpc = yield* makeBaseRpcWith({ urls: [Redacted.make(url)], timeout: "4 seconds", concurrency: 32 })
    let lies = 1
    let asked = false
    const getTransactionCount: typeof rpc.client.getTransactionCount = async (account) => {
      const count = await rpc.client.getTransactionCount(account)
      asked ||= account.blockNumber !== undefined
      return account.blockTag === "latest" && lies-- > 0 ? count + more : count
    }
    const lying = { ...rpc, client: { ...rpc.client, getTransactionCount } }
    const { settle } = yield* settlingOn(lying, { accounts: [settler] })
    const isNoticed = Effect.repeat(
      Effect.sync(() => asked),
      { until: (was) => was, schedule: Schedule.spaced("20 millis") }
    )
    return { settle, isNoticed }
  })

const slots = Effect.flatMap(SettlementJournal, (journal) =>
  journal.slots(`0x${settler.address.slice(2).toLowerCase()}`, 0)
)

describe("a node that says once that a key has sent more than it has", () => {
  layer(LocalBase.layer, { excludeTestServices: true, timeout: 60_000 })((it) => {
    it.scoped("by little keeps nothing from being settled: what comes next fills the gap", () =>
      Effect.gen(function* () {
        const { isNoticed, settle } = yield* settlingAfterLie(1)
        const first = yield* Effect.fork(settle(yield* newPayment, begun))
        yield* isNoticed
        expect(yield* settle(yield* newPayment, begun)).toMatchObject({ state: "settled" })
        expect(yield* first).toMatchObject({ state: "settled" })
      }).pipe(Effect.provide(journalAt(":memory:")))
    )

    it.scoped("by much stops no other payment, however many wait behind the gap, and leaves nothing", () => {
      const clock = ahead()
      return Effect.gen(function* () {
        const { isNoticed, settle } = yield* settlingAfterLie(1_000)
        const first = yield* Effect.fork(settle(yield* newPayment, begun))
        yield* isNoticed
        for (let times = 0; times < 3; times++)
          expect(yield* settle(yield* newPayment, begun)).toMatchObject({ state: "settled" })
        expect(first.unsafePoll()).toBeNull()
        clock.move(200_000)
        yield* Effect.repeat(slots, {
          until: (left) => left.every(({ inclusion }) => inclusion !== undefined),
          schedule: Schedule.spaced("50 millis")
        })
      }).pipe(Effect.provide(journalAt(":memory:")), Effect.provide(clock.layer))
    })
  })
})
