/** Two processes of the selling side on one PostgreSQL, a long way from their node. */
import { expect, layer } from "@effect/vitest"
import { Clock, ConfigProvider, Context, Effect, Layer, Schedule } from "effect"
import { evmKey } from "../../scripts/sandbox/accounts.ts"
import { ChainRpcLive } from "../../src/chain/chain-rpc-live.ts"
import { SaleLive } from "../../src/payment/sale/sale-live.ts"
import { Sale } from "../../src/payment/sale/sale.ts"
import type { SaleError } from "../../src/domain/errors.ts"
import { PaymentVerifierLive } from "../../src/payment/verifier/payment-verifier-live.ts"
import type { DatabaseUrl } from "../../src/storage/database-url.ts"
import { databaseAt } from "../../src/storage/database.ts"
import { newPayer, signedPayment } from "../support/payment/base-settling.ts"
import { sharedPostgres } from "../support/postgres.ts"
import { LocalBase, LocalSolana, startRpcProxy } from "../support/sandbox.ts"
import { termsFor } from "../support/payment/terms.ts"

const PAYMENTS = 40
/** Milliseconds to the node. */
const DISTANCE = 60
const URL = "http://127.0.0.1/ping"

/** On a machine that does too much else, a payer is told to come again with the same payment, and does. */
const untilResolved = <A>(selling: Effect.Effect<A, SaleError>) =>
  Effect.retry(selling, {
    while: ({ _tag }) => _tag === "PaymentUnresolved",
    schedule: Schedule.spaced("500 millis")
  })

const startProcess = (database: DatabaseUrl, node: string) =>
  Effect.gen(function* () {
    const { accounts, url } = yield* LocalSolana
    const config = new Map([
      ["BASE_RPC_URL", node],
      ["SOLANA_RPC_URL", url],
      ["BASE_SETTLER_PRIVATE_KEY", evmKey("settler")],
      ["SOLANA_FEE_PAYER_PRIVATE_KEY", accounts.feePayerSecret]
    ])
    const process = SaleLive.pipe(
      Layer.provide(PaymentVerifierLive),
      Layer.provide(Layer.merge(ChainRpcLive, databaseAt(database))),
      Layer.provide(Layer.setConfigProvider(ConfigProvider.fromMap(config)))
    )
    return Context.get(yield* Layer.build(Layer.fresh(process)), Sale)
  })

layer(Layer.merge(LocalBase.layer, LocalSolana.layer), { excludeTestServices: true, timeout: 60_000 })(
  "two processes with one settling key on PostgreSQL, 60 ms from their node",
  (it) => {
    it.scoped("answer forty payments at once, each for one transfer", () =>
      Effect.gen(function* () {
        const chain = yield* LocalBase
        const payTo = chain.accounts.merchant.address
        const node = yield* startRpcProxy(chain.url)
        node.httpFaults.delayMs = DISTANCE
        const database = yield* (yield* sharedPostgres).database("forty")
        const processes = yield* Effect.all(
          [startProcess(database, node.url), startProcess(database, node.url)],
          {
            concurrency: 2
          }
        )
        const validBefore = Math.floor((yield* Clock.currentTimeMillis) / 1_000) + 60
        const payer = yield* newPayer(chain)
        const payments = yield* Effect.all(
          Array.from({ length: PAYMENTS }, () => signedPayment({ payer, payTo, validBefore }))
        )
        const before = yield* chain.usdcBalance(payTo)
        const answers = yield* Effect.forEach(
          payments,
          ({ payment }, at) => {
            const order = {
              accepts: [termsFor(payTo, 5_000n)],
              fingerprint: `order ${at}`,
              resourceUrl: URL
            }
            const sale = processes[at % processes.length]
            return sale === undefined
              ? Effect.dieMessage("a process")
              : Effect.either(untilResolved(sale.sell(payment, order, Effect.succeed(`report ${at}`))))
          },
          { concurrency: "unbounded" }
        )
        expect(answers.map((one) => (one._tag === "Right" ? one.right.answer : one.left._tag))).toEqual(
          payments.map((_, at) => `report ${at}`)
        )
        expect((yield* chain.usdcBalance(payTo)) - before).toBe(BigInt(PAYMENTS) * 5_000n)
      })
    )
  }
)
