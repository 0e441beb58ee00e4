/** Payers who get code that burns gas (EIP-7702), or move their money away, after they were tried and before their block. */
import { describe, expect, layer } from "@effect/vitest"
import { SqlClient } from "@effect/sql"
import { Clock, Effect, Fiber, Schedule } from "effect"
import { type Address, encodeFunctionData, erc20Abi, numberToHex } from "viem"
import { evmAccount } from "../../../../scripts/sandbox/accounts.ts"
import { BASE_USDC } from "../../../../src/domain/chain.ts"
import { SettlementJournal } from "../../../../src/payment/settler/evm/journal.ts"
import type { Settle } from "../../../../src/payment/verifier/payment-verifier.ts"
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

type Made = Effect.Effect.Success<typeof newPayment>

/** What becomes of a payment that goes first, and of others that share the next transaction; `turning` comes before their block. */
const settledTogether = Effect.fnUntraced(function* (
  settle: Settle,
  made: {
    readonly first: Made
    readonly others: ReadonlyArray<Made>
    readonly turning: Effect.Effect<unknown, never, LocalBase>
  }
) {
  yield* asked("evm_setAutomine", [false])
  yield* asked("evm_setIntervalMining", [0])
  const before = yield* sentBy("latest")
  const alone = yield* Effect.fork(settle(made.first.payment, begun))
  yield* until(Effect.map(sentBy("pending"), (sent) => sent > before))
  const together = yield* Effect.fork(
    Effect.forEach(made.others, ({ payment }) => settle(payment, begun), { concurrency: "unbounded" })
  )
  yield* until(Effect.map(sentBy("pending"), (sent) => sent > before + 1))
  yield* made.turning
  yield* asked("evm_mine", [])
  yield* asked("evm_setAutomine", [true])
  return [yield* Fiber.join(alone), ...(yield* Fiber.join(together))].map(({ state }) => state)
})

/** A payer sends all he has to somebody else, for whatever it takes to be first in the block. */
const movingAway = (payer: Address) =>
  Effect.gen(function* () {
    const { accounts, devnet } = yield* LocalBase
    const held = yield* Effect.promise(() =>
      devnet.client.readContract({
        address: BASE_USDC,
        abi: erc20Abi,
        functionName: "balanceOf",
        args: [payer]
      })
    )
    const args = [accounts.settler.address, held] as const
    yield* asked("anvil_setBalance", [payer, numberToHex(10n ** 18n)])
    yield* asked("anvil_impersonateAccount", [payer])
    yield* asked("eth_sendTransaction", [
      {
        from: payer,
        to: BASE_USDC,
        data: encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args }),
        gas: numberToHex(100_000),
        maxFeePerGas: numberToHex(10n ** 12n),
        maxPriorityFeePerGas: numberToHex(10n ** 11n)
      }
    ])
  })

const FOUR_OF_FIVE = ["settled", "settled", "settled", "settled", "open"]

/** What becomes of five payments together whose last payer turns coat when they are under way. */
const settledBeside = (turn: (payer: Address) => Effect.Effect<unknown, never, LocalBase>) =>
  Effect.gen(function* () {
    const { url } = yield* LocalBase
    const { settle } = yield* settlingOver(url, { accounts: [settler] })
    const [first, ...others] = yield* newPayments(5)
    const turncoat = others.at(-1)
    if (first === undefined || turncoat === undefined) return []
    return yield* settledTogether(settle, { first, others, turning: turn(turncoat.payer) })
  })

describe("payers whose money goes between their trial and their block", () => {
  layer(LocalBase.layer, { excludeTestServices: true, timeout: 60_000 })((it) => {
    it.scoped(
      "fail, and those beside them are settled; their part of what that costs counts as burnt by failing",
      () =>
        Effect.gen(function* () {
          expect(yield* settledBeside(movingAway)).toEqual(FOUR_OF_FIVE)
          const { burntToday, failedToday } = yield* SettlementJournal
          expect(yield* burntToday).toBe(0n)
          const sql = yield* SqlClient.SqlClient
          const [carrying] = yield* sql<{
            fee: number
            jobs: number
          }>`SELECT MAX(fee_micros) AS fee, COUNT(*) AS jobs
          FROM settlement_jobs JOIN settlement_transactions USING (nonce)
          WHERE nonce IN (SELECT nonce FROM settlement_jobs WHERE state = 'failed')`
          const { fee = 0, jobs = 0 } = carrying ?? {}
          // It is tried anew before it would be sent a second time.
          expect(jobs).toBe(4)
          expect(yield* failedToday).toBe(BigInt(Math.ceil(fee / jobs)))
        }).pipe(Effect.provide(journalAt(":memory:")))
    )
  })
})

describe("payers whose code comes between their trial and their block", () => {
  layer(LocalBase.layer, { excludeTestServices: true, timeout: 60_000 })((it) => {
    it.scoped("fail, and those beside them are settled; what they burn counts as burnt by payers' code", () =>
      Effect.gen(function* () {
        expect(yield* settledBeside((payer) => asked("anvil_setCode", [payer, BURNS]))).toEqual(FOUR_OF_FIVE)
        const { burntToday, failedToday } = yield* SettlementJournal
        expect(yield* burntToday).toBeGreaterThan(1_000n)
        expect(yield* failedToday).toBe(0n)
      }).pipe(Effect.provide(journalAt(":memory:")))
    )
  })
})
