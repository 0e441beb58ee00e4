import { describe, expect, it } from "@effect/vitest"
import { Effect, Layer, Metric, MetricState, TestClock } from "effect"
import type { Hex } from "viem"
import { evmAccount } from "../../../../scripts/sandbox/accounts.ts"
import { LedgerLive } from "../../../../src/payment/ledger/ledger-live.ts"
import { Ledger } from "../../../../src/payment/ledger/ledger.ts"
import { MAX_BATCH } from "../../../../src/payment/settler/evm/choice.ts"
import { SettlementJournal } from "../../../../src/payment/settler/evm/journal.ts"
import { makeEconomy } from "../../../../src/payment/settler/evm/economy.ts"
import type { EvmNode } from "../../../../src/payment/settler/evm/node.ts"
import { EOA_GAS } from "../../../../src/payment/settler/evm/preflight.ts"
import { ETHER_PRICE, journalAt, settings, signedPayment } from "../../../support/payment/base-settling.ts"
import { claimOf } from "../../../support/payment/fee-claims.ts"
import { START } from "../../../support/payment/support.ts"

const ADDRESS = `0x${"11".repeat(20)}` as const
const PING = 5_000n

interface Chain {
  readonly baseFee: bigint
  readonly balance?: bigint
  readonly price?: bigint
  /** Wei for publishing an EOA's transfer. */
  readonly dataFee?: bigint
  readonly data?: Hex
  readonly gas?: bigint
}

/** As long as an EOA's transfer. */
const TRANSFER: Hex = `0x${"00".repeat(356)}`

const unused = Effect.dieMessage("not asked here")

/** A node that gives this market and balance, and is asked for nothing else. */
const nodeWith = (market: EvmNode["market"], balance: bigint): EvmNode => ({
  market,
  balance: () => Effect.succeed(balance),
  safeHeight: unused,
  used: () => unused,
  blockHash: () => unused,
  receipt: () => unused,
  estimate: () => unused,
  hasCode: () => unused,
  send: () => unused,
  sendToAll: () => unused
})

const admitting = (
  { balance = 10n ** 18n, baseFee, data = TRANSFER, dataFee = 0n, gas = EOA_GAS, price = ETHER_PRICE }: Chain,
  change = {}
) =>
  Effect.gen(function* () {
    const economy = yield* makeEconomy({
      node: nodeWith(Effect.succeed({ baseFee, tip: 1_000_000n, height: 1, dataFee }), balance),
      journal: yield* SettlementJournal,
      price: Effect.succeed(price),
      settings: { ...settings, ...change },
      addresses: [ADDRESS]
    })
    yield* Effect.yieldNow()
    return yield* Effect.either(economy.admit(PING, { gas, data }))
  }).pipe(Effect.scoped, Effect.provide(journalAt(":memory:")))

const SOLD = { _tag: "Right" }
const NOT_SOLD = { _tag: "Left", left: { _tag: "PaymentUnavailable", upstream: "base-rpc" } }

describe("fees", () => {
  it.scoped("are asked of the node once a block, however many payments come", () =>
    Effect.gen(function* () {
      let asked = 0
      const market = Effect.sync(() => {
        asked += 1
        return { baseFee: 5_000_000n, tip: 1_000_000n, height: asked, dataFee: 0n }
      })
      const economy = yield* makeEconomy({
        node: nodeWith(market, 10n ** 18n),
        journal: yield* SettlementJournal,
        price: Effect.succeed(ETHER_PRICE),
        settings,
        addresses: [ADDRESS]
      })
      const admit = economy.admit(PING, { gas: EOA_GAS, data: TRANSFER })
      const crowd = Effect.all(
        Array.from({ length: 50 }, () => admit),
        { concurrency: "unbounded", discard: true }
      )
      yield* crowd
      yield* crowd
      expect(asked).toBe(1)
      yield* TestClock.adjust("2 seconds")
      yield* crowd
      expect(asked).toBe(2)
    }).pipe(Effect.provide(journalAt(":memory:")))
  )
})

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

  it.scoped("has what is begun counted once, and until it has a result, also when nobody waits for it", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(START)
      const { begin } = yield* Ledger
      const economy = yield* makeEconomy({
        node: nodeWith(Effect.succeed({ baseFee: 1n, tip: 1n, height: 1, dataFee: 0n }), 10n ** 18n),
        journal: yield* SettlementJournal,
        price: Effect.succeed(ETHER_PRICE),
        settings: { ...settings, dailyFees: 2_000n },
        addresses: [ADDRESS]
      })
      const fee = 1_000n
      const verify = economy.settingAside(() => Effect.succeed({ height: 1, fee }))
      const arrive = Effect.gen(function* () {
        const payer = evmAccount("payer")
        const validBefore = START / 1_000 + 60
        const verified = yield* signedPayment({ payer, payTo: evmAccount("merchant").address, validBefore })
        const { setAside } = yield* verify(verified, () => Effect.void)
        return { key: verified.payment.authorizationKey, giveBack: setAside?.() }
      })
      const hasRoom = Effect.map(economy.admit(PING, { gas: EOA_GAS, data: TRANSFER }), () => true).pipe(
        Effect.orElseSucceed(() => false)
      )
      const first = yield* arrive
      yield* begin({ ...claimOf(first.key, []), feeQuote: fee }, "answer")
      economy.begun(first.key)
      yield* TestClock.adjust("6 seconds")
      expect(yield* hasRoom).toBe(true)
      first.giveBack?.()
      const second = yield* arrive
      yield* TestClock.adjust("6 seconds")
      expect([second.giveBack === undefined, yield* hasRoom]).toEqual([false, false])
    }).pipe(Effect.provide(Layer.provideMerge(LedgerLive, journalAt(":memory:"))))
  )

  it.effect("alarms whoever watches the gauges once a key holds less than it should, and no sooner", () =>
    Effect.gen(function* () {
      const lowOnes = Effect.map(Metric.snapshot, (pairs) =>
        pairs.flatMap(({ metricKey, metricState }) =>
          metricKey.name === "settlement_key_low" &&
          metricKey.tags.some(({ value }) => value === ADDRESS) &&
          MetricState.isGaugeState(metricState)
            ? [Number(metricState.value)]
            : []
        )
      )
      const low = settings.lowEther * 10n ** 12n
      yield* admitting({ baseFee: 5_000_000n, balance: low })
      expect(yield* lowOnes).toEqual([0])
      yield* admitting({ baseFee: 5_000_000n, balance: low - 1n })
      expect(yield* lowOnes).toEqual([1])
    })
  )

  it.scoped("may share a transaction until payers' code has burnt its part of the day's", () =>
    Effect.gen(function* () {
      const journal = yield* SettlementJournal
      const mostTogether = (burnt: bigint) =>
        Effect.gen(function* () {
          const { terms } = yield* makeEconomy({
            node: nodeWith(Effect.succeed({ baseFee: 1n, tip: 1n, height: 1, dataFee: 0n }), 10n ** 18n),
            journal: { ...journal, burntToday: Effect.succeed(burnt) },
            price: Effect.succeed(ETHER_PRICE),
            settings,
            addresses: [ADDRESS]
          })
          return (yield* terms).mostTogether
        })
      expect(yield* mostTogether(settings.dailyFees / 10n - 1n)).toBe(MAX_BATCH)
      expect(yield* mostTogether(settings.dailyFees / 10n)).toBe(1)
    }).pipe(Effect.provide(journalAt(":memory:")))
  )

  it.effect("is not sold while publishing it on Ethereum would eat its price, alone or beside its gas", () =>
    Effect.gen(function* () {
      const baseFee = 5_000_000n
      // 0.003 and 0.006 USD.
      expect(yield* admitting({ baseFee, dataFee: 10n ** 12n })).toMatchObject(SOLD)
      expect(yield* admitting({ baseFee, dataFee: 2n * 10n ** 12n })).toMatchObject(NOT_SOLD)
      // Either alone would be in proportion, both together are not.
      expect(yield* admitting({ baseFee: 12_000_000n })).toMatchObject(SOLD)
      expect(yield* admitting({ baseFee: 12_000_000n, dataFee: 10n ** 12n })).toMatchObject(NOT_SOLD)
    })
  )

  it.effect("of a contract wallet pays for its own signature: the gas of its check, and its length", () =>
    Effect.gen(function* () {
      const baseFee = 5_000_000n
      expect(yield* admitting({ baseFee, gas: 250_000n })).toMatchObject(SOLD)
      expect(yield* admitting({ baseFee, gas: 300_000n })).toMatchObject(NOT_SOLD)
      const data: Hex = `0x${"00".repeat(4 * 356)}`
      expect(yield* admitting({ baseFee, dataFee: 4n * 10n ** 11n })).toMatchObject(SOLD)
      expect(yield* admitting({ baseFee, dataFee: 4n * 10n ** 11n, data })).toMatchObject(NOT_SOLD)
    })
  )

  it.effect("is sold on a development chain, where ether has no price, at any fee", () =>
    Effect.map(admitting({ baseFee: 1_000_000_000n, price: 0n }), (answer) =>
      expect(answer).toMatchObject(SOLD)
    )
  )
})
