/** EIP-3009 payments of an order that somebody else than us sent to a real chain: an order's amount names it there, too. */
import { SqlClient } from "@effect/sql"
import { expect, layer } from "@effect/vitest"
import { Effect, Option, Schema } from "effect"
import type { Address, Hex } from "viem"
import { parseSignature } from "viem"
import { merchantCaller } from "../../../src/checkout/caller.ts"
import { Checkouts } from "../../../src/checkout/checkouts.ts"
import { BASE_NETWORK, BASE_USDC } from "../../../src/domain/chain.ts"
import type { CheckoutTerms } from "../../../src/domain/checkout.ts"
import { NO_SETTINGS } from "../../../src/domain/merchant.ts"
import { Ledger } from "../../../src/payment/ledger/ledger.ts"
import type { Evidence } from "../../../src/payment/outcome.ts"
import { usdcAbi } from "../../../src/payment/verifier/evm/usdc.ts"
import { Chain, order, shop, sign, statusOf, verify } from "../../support/checkout/shop.ts"
import { LocalBase } from "../../support/sandbox.ts"

const MERCHANT: Address = `0x${"5b".repeat(20)}`

/** An order of a merchant with a token, who takes plain transfers. */
const openOrderOf = Effect.fnUntraced(function* (merchantPayTo: Address) {
  const checkouts = yield* Checkouts
  const account = `${BASE_NETWORK}:${merchantPayTo.toLowerCase()}`
  const merchant = { id: "mer_1", account, settings: NO_SETTINGS }
  return yield* checkouts.create(order({ merchantPayTo, amountUsd: "1", plainTransfers: true }), {
    caller: merchantCaller(merchant.id),
    merchant,
    idempotencyKey: Option.none()
  })
})
const openOrder = openOrderOf(MERCHANT)

const hex = Schema.TemplateLiteral("0x", Schema.String)
const Signed = Schema.parseJson(
  Schema.Struct({
    payload: Schema.Struct({
      signature: hex,
      authorization: Schema.Struct({
        from: hex,
        value: Schema.String,
        validBefore: Schema.String,
        nonce: hex
      })
    })
  })
)
const signedIn = (payment: string) =>
  Schema.decodeUnknownSync(Signed)(Buffer.from(payment, "base64").toString("utf8")).payload

/** Somebody sends what the buyer signed for these terms, at their own cost. */
const send = (terms: CheckoutTerms, payment: string) =>
  Effect.flatMap(LocalBase, ({ accounts, devnet }) =>
    Effect.promise(async () => {
      const { authorization, signature } = signedIn(payment)
      const { from, nonce, validBefore, value } = authorization
      const { r, s, v = 27n } = parseSignature(signature)
      const payer = accounts.payer.address
      await devnet.write(payer, BASE_USDC, transferAbi, "transfer", [from, BigInt(terms.amount)])
      const args = [from, MERCHANT, BigInt(value), 0n, BigInt(validBefore), nonce, Number(v), r, s] as const
      const transaction: Hex = await devnet.write(
        payer,
        BASE_USDC,
        usdcAbi,
        "transferWithAuthorization",
        args
      )
      return transaction
    })
  )
/** A payment that its order gave back unsent, because sending it cost too much then, and that somebody sends. */
const sentAfterAll = (terms: CheckoutTerms) =>
  Effect.gen(function* () {
    const chain = yield* Chain
    const payment = yield* sign(terms)
    chain.fee = 1_000_000_000n
    expect(yield* Effect.flip(verify(terms.checkoutId, payment))).toMatchObject({ _tag: "CheckoutLimited" })
    return { payment, transaction: (yield* send(terms, payment)).toLowerCase() }
  })
const transferAbi = [
  {
    type: "function",
    name: "transfer",
    stateMutability: "nonpayable",
    inputs: [
      { name: "to", type: "address" },
      { name: "value", type: "uint256" }
    ],
    outputs: [{ type: "bool" }]
  }
] as const

const round = Effect.flatMap(Checkouts, ({ findPlainTransfers }) => findPlainTransfers)

layer(LocalBase.withPast, { excludeTestServices: true, timeout: 60_000 })(
  "a signed payment that somebody else sent",
  (it) => {
    const inShop = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
      Effect.flatMap(LocalBase, ({ url }) => Effect.provide(effect, shop({ BASE_RPC_URL: url })))

    it.effect(
      "pays the order of its amount, and no other that it names: the ledger knows it as one transfer",
      () =>
        Effect.gen(function* () {
          const ledger = yield* Ledger
          const terms = yield* openOrder
          const payment = yield* sign(terms)
          const transaction = (yield* send(terms, payment)).toLowerCase()
          yield* round
          expect(yield* statusOf(terms.checkoutId)).toMatchObject({
            status: "paid",
            receipt: { transaction }
          })
          // As a sale recognises it: by its authorization's log, which is the first of the transaction.
          const evidence: Evidence = {
            network: BASE_NETWORK,
            transaction,
            index: 0,
            height: 1,
            payer: signedIn(payment).authorization.from,
            payTo: MERCHANT,
            amount: terms.amount
          }
          expect(yield* ledger.claimEvidence(evidence, "another order")).toBe(false)
        }).pipe(inShop)
    )

    it.effect("pays its order also when it was presented before, and given back unsent", () =>
      Effect.gen(function* () {
        const chain = yield* Chain
        const terms = yield* openOrder
        const { payment, transaction } = yield* sentAfterAll(terms)
        yield* round
        expect(yield* statusOf(terms.checkoutId)).toMatchObject({ status: "paid", receipt: { transaction } })
        // Whoever presents it now gets the receipt of what it paid.
        expect((yield* verify(terms.checkoutId, payment)).settlement.transaction).toBe(transaction)
        expect(chain.settles).toBe(0)
      }).pipe(inShop)
    )

    it.effect("is money without an order where another order gave it back, until it pays that", () =>
      Effect.gen(function* () {
        const ledger = yield* Ledger
        const sql = yield* SqlClient.SqlClient
        const { create, strays } = yield* Checkouts
        const account = `${BASE_NETWORK}:${MERCHANT}`
        yield* sql`INSERT INTO merchants (id, account, settings, created_at)
          VALUES ('mer_1', ${account}, ${JSON.stringify(NO_SETTINGS)}, 0)`
        // The account is watched for the sake of one order; the payment is another one's, which takes none by its amount.
        yield* openOrder
        const merchant = { id: "mer_1", account, settings: NO_SETTINGS }
        const options = { caller: merchantCaller("mer_1"), merchant, idempotencyKey: Option.none<string>() }
        const terms = yield* create(order({ merchantPayTo: MERCHANT, amountUsd: "2" }), options)
        const { payment, transaction } = yield* sentAfterAll(terms)
        yield* round
        // Other tests' transfers are on this chain, too.
        const listed = Effect.map(strays(merchant, {}), ({ transfers }) =>
          transfers.filter((one) => one.transaction === transaction)
        )
        expect(yield* listed).toMatchObject([{ amount: "2000000", reason: "no-order" }])
        // What a payment has bought is no longer money without an order.
        const { from: payer, nonce } = signedIn(payment).authorization
        const place = { network: BASE_NETWORK, transaction, index: 0, height: 1, payTo: MERCHANT } as const
        const key = `${BASE_NETWORK}:${BASE_USDC}:${payer}:${nonce}`.toLowerCase()
        expect(yield* ledger.claimEvidence({ ...place, payer, amount: terms.amount }, key)).toBe(true)
        expect(yield* listed).toEqual([])
      }).pipe(inShop)
    )

    it.effect(
      "is no money that came in where an account moved its own to itself, or a stranger nothing",
      () =>
        Effect.gen(function* () {
          const { accounts, devnet } = yield* LocalBase
          const sql = yield* SqlClient.SqlClient
          const owner = accounts.payer.address
          const account = `${BASE_NETWORK}:${owner.toLowerCase()}`
          yield* sql`INSERT INTO merchants (id, account, settings, created_at)
          VALUES ('mer_1', ${account}, ${JSON.stringify(NO_SETTINGS)}, 0)`
          const { amount, checkoutId } = yield* openOrderOf(owner)
          yield* round
          yield* Effect.promise(() =>
            devnet.write(accounts.trader.address, BASE_USDC, transferAbi, "transfer", [owner, 0n])
          )
          yield* Effect.promise(() =>
            devnet.write(owner, BASE_USDC, transferAbi, "transfer", [owner, BigInt(amount)])
          )
          yield* Effect.promise(() => devnet.write(owner, BASE_USDC, transferAbi, "transfer", [MERCHANT, 1n]))
          yield* round
          expect(yield* statusOf(checkoutId)).toMatchObject({ status: "open", payments: [] })
          const { strays } = yield* Checkouts
          const listed = Effect.map(
            strays({ id: "mer_1", account, settings: NO_SETTINGS }, {}),
            ({ transfers }) => transfers.map(({ amount }) => amount)
          )
          expect(yield* listed).toEqual([])
          // The least that does come in is some.
          for (const [from, to] of [
            [owner, accounts.trader.address],
            [accounts.trader.address, owner]
          ] as const)
            yield* Effect.promise(() => devnet.write(from, BASE_USDC, transferAbi, "transfer", [to, 1n]))
          yield* round
          expect(yield* listed).toEqual(["1"])
        }).pipe(inShop)
    )
  }
)
