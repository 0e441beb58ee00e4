import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { SettlementJournal } from "../../../../src/payment/settler/evm/journal.ts"
import { makeEconomy } from "../../../../src/payment/settler/evm/economy.ts"
import type { EvmNode } from "../../../../src/payment/settler/evm/node.ts"
import { EOA_GAS } from "../../../../src/payment/settler/evm/preflight.ts"
import { ETHER_PRICE, journalAt, settings } from "../../../support/payment/base-settling.ts"

const ADDRESS = `0x${"11".repeat(20)}` as const
const PING = 5_000n

interface Chain {
  readonly baseFee: bigint
  readonly balance?: bigint
  readonly price?: bigint
}

const unused = Effect.dieMessage("not asked here")

const admitting = ({ balance = 10n ** 18n, baseFee, price = ETHER_PRICE }: Chain, change = {}) =>
  Effect.gen(function* () {
    const node: EvmNode = {
      market: Effect.succeed({ baseFee, tip: 1_000_000n, height: 1 }),
      balance: () => Effect.succeed(balance),
      safeHeight: unused,
      used: () => unused,
      blockHash: () => unused,
      receipt: () => unused,
      estimate: () => unused,
      hasCode: () => unused,
      send: () => unused
    }
    const economy = yield* makeEconomy({
      node,
      journal: yield* SettlementJournal,
      price: Effect.succeed(price),
      settings: { ...settings, ...change },
      addresses: [ADDRESS]
    })
    yield* Effect.yieldNow()
    return yield* Effect.either(economy.admit(PING, EOA_GAS))
  }).pipe(Effect.scoped, Effect.provide(journalAt(":memory:")))

const SOLD = { _tag: "Right" }
const NOT_SOLD = { _tag: "Left", left: { _tag: "PaymentUnavailable", upstream: "base-rpc" } }

describe("a ping on Base", () => {
  it.effect("is sold at Base's usual fees", () =>
    Effect.map(admitting({ baseFee: 5_000_000n }), (answer) => expect(answer).toMatchObject(SOLD))
  )

  it.effect("is not sold, and nothing is charged, while its fee would be more than its price", () =>
    Effect.gen(function* () {
      expect(yield* admitting({ baseFee: 100_000_000n })).toMatchObject(NOT_SOLD)
      expect(yield* admitting({ baseFee: 100_000_000n }, { maxFeeShare: 100_000_000n })).toMatchObject(SOLD)
      expect(yield* admitting({ baseFee: 5_000_000n }, { maxFeeShare: 100_000n })).toMatchObject(NOT_SOLD)
    })
  )

  it.effect("is not sold when the day's fees are spent, or no key can pay for it", () =>
    Effect.gen(function* () {
      expect(yield* admitting({ baseFee: 5_000_000n }, { dailyFees: 1_000n })).toMatchObject(NOT_SOLD)
      expect(yield* admitting({ baseFee: 5_000_000n, balance: 1_000n })).toMatchObject(NOT_SOLD)
    })
  )

  it.effect("is sold on a development chain, where ether has no price, at any fee", () =>
    Effect.map(admitting({ baseFee: 1_000_000_000n, price: 0n }), (answer) =>
      expect(answer).toMatchObject(SOLD)
    )
  )
})
