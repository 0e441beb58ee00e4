/** Plain USDC transfers on Base, sent by any wallet to a real chain, and the orders they name by their amount. */
import { SqlClient } from "@effect/sql"
import { expect, layer } from "@effect/vitest"
import { Effect, Option } from "effect"
import type { Address, PublicClient } from "viem"
import { createPublicClient, custom, http, parseAbi } from "viem"
import { makeReadInflows } from "../../../src/checkout/base/usdc-inflow.ts"
import { ChainRpc } from "../../../src/chain/chain-rpc.ts"
import { merchantCaller } from "../../../src/checkout/caller.ts"
import { expireCheckouts } from "../../../src/checkout/checkout-worker.ts"
import { Checkouts } from "../../../src/checkout/checkouts.ts"
import { BASE_NETWORK, BASE_USDC } from "../../../src/domain/chain.ts"
import type { CheckoutTerms, CreateCheckout } from "../../../src/domain/checkout.ts"
import { viewOfBase } from "../../../src/payment/verifier/evm/view.ts"
import { NO_SETTINGS } from "../../../src/domain/merchant.ts"
import { Chain, from, order, shop, sign, statusOf, STRANGER, verify } from "../../support/checkout/shop.ts"
import { events } from "../../support/checkout/wallets.ts"
import { LocalBase } from "../../support/sandbox.ts"

const usdc = parseAbi(["function transfer(address to, uint256 value) returns (bool)"])

const shopAt = (url: string, settings: Readonly<Record<string, string>> = {}) =>
  shop({ BASE_RPC_URL: url, ...settings })

const merchantAt = (payTo: Address) => ({
  id: "mer_1",
  account: `${BASE_NETWORK}:${payTo.toLowerCase()}`,
  settings: NO_SETTINGS
})

/** An order of a merchant with a token, who takes plain transfers. */
const openOrder = (payTo: Address, change: Partial<CreateCheckout> = {}) =>
  Effect.gen(function* () {
    const checkouts = yield* Checkouts
    const merchant = merchantAt(payTo)
    return yield* checkouts.create(
      order({ merchantPayTo: payTo, amountUsd: "1", plainTransfers: true, ...change }),
      { caller: merchantCaller(merchant.id), merchant, idempotencyKey: Option.none() }
    )
  })

const transfer = (payTo: string, amount: bigint) =>
  Effect.flatMap(LocalBase, ({ accounts, devnet }) =>
    Effect.promise(() => {
      const { address } = accounts.payer
      return devnet.write(address, BASE_USDC, usdc, "transfer", [asAddress(payTo), amount])
    })
  )
const asAddress = (text: string): Address => `0x${text.slice(2)}`

const devnet = Effect.map(LocalBase, ({ devnet: chain }) => chain)
const mine = (blocks: number) =>
  Effect.flatMap(devnet, ({ request }) =>
    Effect.promise(() => request("anvil_mine", [`0x${blocks.toString(16)}`]))
  )
/** What takes away every block that comes from here on. */
const forkHere = Effect.flatMap(devnet, ({ request }) =>
  Effect.map(
    Effect.promise(() => request("evm_snapshot", [])),
    (id) => Effect.promise(() => request("evm_revert", [id]))
  )
)

/** Blocks are of ten seconds later from here on: a chain that was slow to start is behind the clock that ends orders. */
const laterOnChain = Effect.flatMap(devnet, ({ request }) =>
  Effect.promise(() => request("evm_increaseTime", [10]))
)

const merchantOf = (account: string): Address => asAddress(account.slice(account.lastIndexOf(":") + 1))

const pays = (terms: CheckoutTerms) => transfer(terms.payTo, BigInt(terms.amount))
const round = Effect.flatMap(Checkouts, ({ findPlainTransfers }) => findPlainTransfers)

/** A receiving address nobody used before. */
let merchants = 0
const newMerchant = Effect.sync((): Address => {
  merchants += 1
  return `0x${"5a".repeat(18)}${merchants.toString(16).padStart(4, "0")}`
})

/** What reorganisations took is seen by these nodes. */
const watched = Effect.gen(function* () {
  const chain = yield* Chain
  const { base } = yield* ChainRpc
  chain.view = () => viewOfBase(base.nodes)
  return base
})

layer(LocalBase.withPast, { excludeTestServices: true, timeout: 60_000 })(
  "a plain transfer on Base",
  (it) => {
    const withShop =
      (settings: Readonly<Record<string, string>> = {}) =>
      <A, E, R>(effect: Effect.Effect<A, E, R>) =>
        Effect.flatMap(LocalBase, ({ url }) => Effect.provide(effect, shopAt(url, settings)))

    it.effect("of an order's amount pays it, once, by the tokens' owner; another amount names none", () =>
      Effect.gen(function* () {
        const { accounts } = yield* LocalBase
        const payTo = yield* newMerchant
        const sql = yield* SqlClient.SqlClient
        const merchant = merchantAt(payTo)
        yield* sql`INSERT INTO merchants (id, account, settings, created_at)
        VALUES (${merchant.id}, ${merchant.account}, ${JSON.stringify(NO_SETTINGS)}, 0)`
        const [terms, other] = yield* Effect.all([openOrder(payTo), openOrder(payTo)])
        expect(terms.amount).not.toBe(other.amount)
        for (const { amount } of [terms, other]) expect(amount).toMatch(/^100\d{4}$/)
        expect(yield* round).toBe(1)
        expect(yield* round).toBe(0)
        const transaction = yield* pays(terms)
        yield* transfer(payTo, 1_000_000n)
        yield* round
        expect((yield* statusOf(terms.checkoutId)).receipt).toMatchObject({
          transaction: transaction.toLowerCase(),
          binding: "amount",
          payer: accounts.payer.address,
          received: terms.amount
        })
        expect(yield* statusOf(other.checkoutId)).toMatchObject({ status: "open", payments: [] })
        const checkouts = yield* Checkouts
        expect((yield* checkouts.strays(merchant, {})).transfers).toMatchObject([
          { amount: "1000000", reason: "no-order" }
        ])
        yield* pays(terms)
        yield* round
        const { payments } = yield* statusOf(terms.checkoutId)
        expect(payments.map(({ kind }) => kind)).toEqual(["paid", "extra"])
      }).pipe(withShop())
    )

    it.effect(
      "after the order's end is late, and never another order's; without one the order expires after a look",
      () =>
        Effect.gen(function* () {
          const payTo = yield* newMerchant
          const [late, unpaid] = yield* Effect.all([openOrder(payTo), openOrder(payTo)])
          yield* Effect.sleep("1100 millis")
          expect(yield* expireCheckouts).toBe(0)
          expect((yield* statusOf(unpaid.checkoutId)).status).toBe("open")
          yield* laterOnChain
          yield* pays(late)
          yield* round
          expect(yield* expireCheckouts).toBe(2)
          expect(yield* statusOf(late.checkoutId)).toMatchObject({
            status: "expired",
            payments: [{ kind: "late" }]
          })
          expect(yield* statusOf(unpaid.checkoutId)).toMatchObject({ status: "expired", payments: [] })
        }).pipe(withShop({ CHECKOUT_TTL: "100 millis" }))
    )

    it.effect("that a node does not list is not taken for absent: the balance tells what is missing", () =>
      Effect.gen(function* () {
        const { url } = yield* LocalBase
        const payTo = yield* newMerchant
        const honest = createPublicClient({ transport: http(url) })
        const lying = createPublicClient({
          transport: custom({
            request: ({ method, params }) =>
              method === "eth_getLogs" ? Promise.resolve([]) : honest.transport.request({ method, params })
          })
        })
        const start = Number(yield* Effect.promise(() => honest.getBlockNumber({ cacheTime: 0 })))
        yield* transfer(payTo, 1_000_123n)
        const span = { owner: payTo, from: start, to: start + 1 }
        const node = (client: PublicClient) => ({ host: "node", client })
        const refused = yield* Effect.flip(makeReadInflows({ nodes: [node(lying)] })(span))
        expect(refused).toMatchObject({ kind: "rejected" })
        const { inflows } = yield* makeReadInflows({ nodes: [node(lying), node(honest)] })(span)
        expect(inflows).toMatchObject([{ amount: 1_000_123n, authorizationKey: null }])
      })
    )

    it.effect("in a block that a reorganisation put in the place of one already looked through pays", () =>
      Effect.gen(function* () {
        const payTo = yield* newMerchant
        const terms = yield* openOrder(payTo)
        const fork = yield* forkHere
        yield* mine(2)
        yield* round
        yield* fork
        yield* pays(terms)
        yield* mine(2)
        yield* round
        expect((yield* statusOf(terms.checkoutId)).status).toBe("paid")
      }).pipe(withShop())
    )

    it.effect("that a reorganisation takes away pays no more, with an event; back in the chain it does", () =>
      Effect.gen(function* () {
        yield* watched
        const payTo = yield* newMerchant
        const terms = yield* openOrder(payTo, { webhookUrl: "https://shop.example/hook" })
        const fork = yield* forkHere
        yield* pays(terms)
        yield* round
        expect((yield* statusOf(terms.checkoutId)).status).toBe("paid")
        yield* fork
        // Until the block in its place is final nothing is said.
        yield* mine(2)
        yield* round
        expect((yield* statusOf(terms.checkoutId)).status).toBe("paid")
        yield* mine(100)
        yield* round
        expect(yield* statusOf(terms.checkoutId)).toMatchObject({
          status: "open",
          receipt: null,
          received: "0",
          missing: terms.amount,
          payments: [{ kind: "lost", amount: terms.amount }]
        })
        const transaction = yield* pays(terms)
        yield* round
        const { payments, receipt } = yield* statusOf(terms.checkoutId)
        expect(receipt).toMatchObject({ transaction: transaction.toLowerCase() })
        expect(payments.filter(({ kind }) => kind === "paid")).toHaveLength(1)
        expect(yield* events).toEqual(["checkout.paid", "checkout.transfer.lost", "checkout.paid"])
      }).pipe(withShop())
    )

    it.effect("that a reorganisation moved to another block still pays, and is final in the end", () =>
      Effect.gen(function* () {
        const base = yield* watched
        const terms = yield* openOrder(yield* newMerchant)
        const fork = yield* forkHere
        const first = yield* pays(terms)
        yield* round
        yield* fork
        yield* mine(3)
        expect(yield* pays(terms)).toBe(first)
        yield* mine(100)
        yield* round
        yield* round
        const receipt = yield* Effect.promise(async () =>
          base.nodes[0]?.client.getTransactionReceipt({ hash: first })
        )
        expect(yield* statusOf(terms.checkoutId)).toMatchObject({
          status: "paid",
          payments: [{ kind: "paid", block: Number(receipt?.blockNumber) }]
        })
        const sql = yield* SqlClient.SqlClient
        expect(yield* sql`SELECT standing FROM payment_evidence`).toEqual([{ standing: "final" }])
      }).pipe(withShop())
    )

    it.effect(
      "without an order is listed no more when a reorganisation took it, and again when it is back",
      () =>
        Effect.gen(function* () {
          yield* watched
          const merchant = merchantAt(yield* newMerchant)
          const sql = yield* SqlClient.SqlClient
          yield* sql`INSERT INTO merchants (id, account, settings, created_at)
        VALUES (${merchant.id}, ${merchant.account}, ${JSON.stringify(NO_SETTINGS)}, 0)`
          const { payTo } = yield* openOrder(merchantOf(merchant.account))
          const checkouts = yield* Checkouts
          const strays = Effect.map(checkouts.strays(merchant, {}), ({ transfers }) => transfers.length)
          const fork = yield* forkHere
          yield* transfer(payTo, 77n)
          yield* round
          expect(yield* strays).toBe(1)
          yield* fork
          yield* mine(100)
          yield* round
          expect(yield* strays).toBe(0)
          yield* transfer(payTo, 77n)
          yield* round
          expect(yield* strays).toBe(1)
          yield* mine(100)
          yield* round
          // Final: nobody looks for it any more.
          expect(yield* sql`SELECT claimant FROM checkout_sightings`).toEqual([])
        }).pipe(withShop())
    )

    it.effect("is only for merchants with a token, on whole cents; and x402 pays the same order", () =>
      Effect.gen(function* () {
        const payTo = yield* newMerchant
        const checkouts = yield* Checkouts
        const anonymous = checkouts.create(
          order({ merchantPayTo: payTo, plainTransfers: true }),
          from(STRANGER)
        )
        expect(yield* Effect.flip(anonymous)).toMatchObject({ field: "plainTransfers" })
        const fine = checkouts.create(
          order({ merchantPayTo: payTo, plainTransfers: true, amountUsd: "1.005" }),
          from(STRANGER)
        )
        expect(yield* Effect.flip(fine)).toMatchObject({ field: "amountUsd" })
        const terms = yield* openOrder(payTo)
        yield* verify(terms.checkoutId, yield* sign(terms))
        expect((yield* statusOf(terms.checkoutId)).receipt).toMatchObject({ binding: "server" })
      }).pipe(withShop())
    )
  }
)
