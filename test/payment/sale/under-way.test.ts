/** One payer's payments at once: each is signed, unused and funded, and together they are more than he holds. */
import { SqlClient } from "@effect/sql"
import { describe, expect, layer } from "@effect/vitest"
import { Clock, Effect, Either } from "effect"
import type { KeyPairSigner } from "@solana/kit"
import { evmAccount, solanaSigner } from "../../../scripts/sandbox/accounts.ts"
import type { Buyer } from "../../../scripts/sandbox/buyer.ts"
import { USDC_MINT } from "../../../scripts/sandbox/solana/addresses.ts"
import type { PaymentRequirements } from "../../../src/domain/x402.ts"
import { BASE_NETWORK, SOLANA_NETWORK } from "../../../src/domain/chain.ts"
import { Sale } from "../../../src/payment/sale/sale.ts"
import { BURNT_BY_FAILING, feesOn } from "../../../src/payment/settler/fee-ledger.ts"
import {
  baseParty,
  buy,
  challenge,
  report,
  SaleOverNodes,
  solanaParty
} from "../../support/payment/failing-nodes.ts"
import { baseBuyer, LocalBase, LocalSolana, solanaBuyer } from "../../support/sandbox.ts"

const PRICE = 5_000n
const MANY = 8

const signMany = (buyer: Buyer, requirements: PaymentRequirements) =>
  Effect.flatMap(Sale, (sale) =>
    Effect.replicateEffect(
      Effect.flatMap(
        Effect.promise(() => buyer.client.createPaymentPayload(challenge(requirements))),
        sale.parseObject
      ),
      MANY
    )
  )

type Signed = Effect.Effect.Success<ReturnType<typeof signMany>>

/**
 * How many are sold of payments that are presented at once, and what the others are told. Nothing lands before so many have
 * been told something, however long that takes: then `land` is run.
 */
const presentAll = (
  signed: Signed,
  requirements: PaymentRequirements,
  { land, told }: { readonly told: number; readonly land: Effect.Effect<unknown> }
) =>
  Effect.gen(function* () {
    let left = told
    const one = (payment: Signed[number]) =>
      buy({ payment, requirements }, report, "ping", { work: "beside" }).pipe(
        Effect.tapError(() => Effect.suspend(() => (--left === 0 ? land : Effect.void))),
        Effect.either
      )
    const answers = yield* Effect.forEach(signed, one, { concurrency: "unbounded" })
    return {
      sold: answers.filter(Either.isRight).length,
      others: answers.flatMap((answer) => (Either.isLeft(answer) ? [JSON.stringify(answer.left)] : []))
    }
  })

/** Sent were those that the money pays for, and of the others nobody says that they were sent or are over. */
const UNSENT = JSON.stringify({ retryAfterSeconds: 2, _tag: "PaymentUnresolved" })
const others = Array<string>(MANY - 1).fill(UNSENT)

/** A Base payer with money for so many presents them all; what became of them, and how many transactions were sent. */
const onBase = Effect.fnUntraced(function* (label: string, many: bigint) {
  const { accounts, devnet, mintUsdc } = yield* LocalBase
  const { requirements } = yield* baseParty
  const payer = evmAccount(label)
  yield* mintUsdc(payer.address, many * PRICE)
  const signed = yield* signMany(baseBuyer(payer), requirements)
  const { address } = accounts.settler
  const count = Effect.promise(() => devnet.client.getTransactionCount({ address }))
  const before = yield* count
  // All come within one block, as they do where a block takes two seconds.
  yield* Effect.promise(() => devnet.request("evm_setIntervalMining", [3_600]))
  const mine = Effect.promise(async () => {
    await devnet.request("evm_setIntervalMining", [0])
    await devnet.request("evm_setAutomine", [true])
    await devnet.request("evm_mine", [])
  })
  const answers = yield* presentAll(signed, requirements, { told: MANY - 1, land: mine })
  return { ...answers, sent: (yield* count) - before }
})

describe("payments of one payer who holds the money of some of them", () => {
  layer(SaleOverNodes, { excludeTestServices: true })((it) => {
    /** A Solana payer with money for so many, and its payments. */
    const solanaPayer = Effect.fnUntraced(function* (label: string, many: bigint) {
      const { place, url } = yield* LocalSolana
      const { requirements } = yield* solanaParty
      const signer: KeyPairSigner = yield* Effect.promise(() => solanaSigner(label))
      yield* Effect.promise(() =>
        place.tokenAccount({ mint: USDC_MINT, owner: signer.address, amount: many * PRICE })
      )
      return { requirements, signed: yield* signMany(solanaBuyer(signer, url), requirements) }
    })

    const onSolana = (label: string, many: bigint) =>
      Effect.gen(function* () {
        const { ledger } = yield* LocalSolana
        const { requirements, signed } = yield* solanaPayer(label, many)
        ledger.faults.holdTransactions = true
        const before = ledger.history().length
        const answers = yield* presentAll(signed, requirements, {
          told: MANY - Number(many),
          land: Effect.sync(ledger.release)
        })
        const landed = ledger.history().slice(0, ledger.history().length - before)
        return { ...answers, requirements, signed, errors: landed.map(({ error }) => error) }
      })

    it.effect("on Solana: none is sent that would fail at our expense", () =>
      Effect.gen(function* () {
        const answers = yield* onSolana("payer of one", 1n)
        expect(answers).toMatchObject({ sold: 1, others, errors: [null] })
      })
    )

    it.effect("on Solana: what was not sent is sold when it comes again and there is money for it", () =>
      Effect.gen(function* () {
        const { place } = yield* LocalSolana
        const { errors, requirements, signed, sold } = yield* onSolana("payer of three", 3n)
        expect([sold, errors]).toEqual([3, [null, null, null]])
        const { address } = yield* Effect.promise(() => solanaSigner("payer of three"))
        yield* Effect.promise(() =>
          place.tokenAccount({ mint: USDC_MINT, owner: address, amount: BigInt(MANY) * PRICE })
        )
        const all = yield* presentAll(signed, requirements, { told: 0, land: Effect.void })
        expect(all).toEqual({ sold: MANY, others: [] })
      })
    )

    it.effect("on Base: one transfer is sent, and no batch of failing ones with it", () =>
      Effect.gen(function* () {
        expect(yield* onBase("payer of one", 1n)).toEqual({ sold: 1, others, sent: 1 })
      })
    )
  })
})

/** One transfer of a payer's takes the money from all that he has under way: they fail, and we have paid for each. */
describe("payments of one payer who holds the money of all of them, where such have failed for a tenth of the day's fees", () => {
  layer(SaleOverNodes, { excludeTestServices: true })((it) => {
    /** Of a hundred dollars a day. */
    const burnt = Effect.gen(function* () {
      const { add } = feesOn(yield* SqlClient.SqlClient)
      const now = yield* Clock.currentTimeMillis
      for (const network of [BASE_NETWORK, SOLANA_NETWORK] as const)
        yield* add(BURNT_BY_FAILING, network, 10_000_000, now)
    })

    it.effect(
      "on Solana are sent one after the other, and what was not sent is sold when it comes again",
      () =>
        Effect.gen(function* () {
          yield* burnt
          const { ledger, place, url } = yield* LocalSolana
          const { requirements } = yield* solanaParty
          const signer: KeyPairSigner = yield* Effect.promise(() => solanaSigner("payer of all"))
          yield* Effect.promise(() =>
            place.tokenAccount({ mint: USDC_MINT, owner: signer.address, amount: BigInt(MANY) * PRICE })
          )
          const signed = yield* signMany(solanaBuyer(signer, url), requirements)
          ledger.faults.holdTransactions = true
          const answers = yield* presentAll(signed, requirements, {
            told: MANY - 1,
            land: Effect.sync(ledger.release)
          })
          expect(answers).toEqual({ sold: 1, others })
          for (const payment of signed)
            yield* buy({ payment, requirements }, report, "ping", { work: "beside" })
        })
    )

    it.effect("on Base are sent one after the other", () =>
      Effect.gen(function* () {
        expect(yield* onBase("payer of all", BigInt(MANY))).toEqual({ sold: 1, others, sent: 1 })
      })
    )
  })
})
