import { SqlClient } from "@effect/sql"
import { describe, expect } from "@effect/vitest"
import { Duration, Effect, Layer, TestClock } from "effect"
import { ChainRpc } from "../../../src/chain/chain-rpc.ts"
import { ChainRpcLive } from "../../../src/chain/chain-rpc-live.ts"
import { LOOK_INTERVAL, PLAIN_INTERVAL } from "../../../src/checkout/checkout-worker.ts"
import { Checkouts } from "../../../src/checkout/checkouts.ts"
import { BASE_NETWORK, SOLANA_NETWORK } from "../../../src/domain/chain.ts"
import { Chain, statusOf } from "../../support/checkout/shop.ts"
import { openOrder, round, wallet } from "../../support/checkout/wallets.ts"
import { inShop, NOW } from "../../support/checkout/in-shop.ts"

/** Five thousand open checkouts of a hundred merchants on each network, whose accounts were looked at before. */
const crowd = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { checkoutId } = yield* openOrder()
  for (const network of [BASE_NETWORK, SOLANA_NETWORK]) {
    const merchant = sql`${`${network}:0x`} || printf('%040x', i % 100)`
    yield* sql`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
      INSERT INTO checkouts (id, status, merchant, caller, terms, created_at, expires_at, request_digest)
      SELECT ${network} || i, 'open', ${merchant}, 'address:x', terms, created_at, expires_at, ''
      FROM n, checkouts WHERE id = ${checkoutId}`
  }
  yield* sql`INSERT INTO receiving_accounts (owner, watch_from, watch_until, looked_at, scanned_to, balance)
    SELECT merchant, MIN(created_at), MAX(expires_at), 0, ${NOW}, '0' FROM checkouts WHERE id <> ${checkoutId}
    GROUP BY merchant`
})

/** Base as it is, but for balances: nobody has any, and each question is counted. */
const countedBase = (counted: { calls: number }) =>
  Layer.effect(
    ChainRpc,
    Effect.map(ChainRpc, ({ base, solana }) => ({
      solana,
      base: {
        ...base,
        readAll: (reads) =>
          Effect.sync(() => {
            counted.calls += 1
            const results = reads.map(() => ({ ok: true, data: `0x${"00".repeat(32)}` }) as const)
            return { blockNumber: 1n, blockTime: BigInt(NOW / 1000), results }
          })
      } satisfies typeof base
    }))
  ).pipe(Layer.provide(ChainRpcLive))

const base = { calls: 0 }

describe("watching checkouts nothing happens to", () => {
  inShop(
    "costs at most twenty calls a minute for ten thousand, of both networks together",
    function* () {
      const chain = yield* Chain
      const checkouts = yield* Checkouts
      yield* crowd
      /** A minute as the worker spends it. */
      const minute = Effect.gen(function* () {
        for (let second = 1; second <= 60; second++) {
          yield* TestClock.adjust("1 seconds")
          if (second % Duration.toSeconds(LOOK_INTERVAL) === 0) yield* checkouts.findTransfers
          if (second % Duration.toSeconds(PLAIN_INTERVAL) === 0) yield* checkouts.findPlainTransfers
        }
      })
      // The first one looks at the account of the order that was just created.
      yield* minute
      base.calls = 0
      chain.looks = { balances: 0, pages: 0 }
      yield* minute
      expect({ base: base.calls, ...chain.looks }).toEqual({ base: 4, balances: 15, pages: 0 })
      expect(base.calls + chain.looks.balances + chain.looks.pages).toBeLessThanOrEqual(20)
    },
    {},
    countedBase(base)
  )

  inShop("costs one call a round, however many there are", function* () {
    const chain = yield* Chain
    yield* Effect.replicateEffect(openOrder(), 200, { discard: true })
    yield* round
    chain.looks = { balances: 0, pages: 0 }
    for (let i = 0; i < 15; i++) {
      yield* TestClock.adjust("4 seconds")
      yield* round
    }
    expect(chain.looks).toEqual({ balances: 15, pages: 0 })
  })

  inShop("keeps from nobody his turn: what a wallet pays beside a crowd is found", function* () {
    yield* crowd
    const order = yield* openOrder()
    const rounds = Effect.replicateEffect(Effect.zipRight(TestClock.adjust(LOOK_INTERVAL), round), 4, {
      discard: true
    })
    yield* rounds
    yield* wallet(BigInt(order.amount), [order], NOW + 1_000)
    yield* rounds
    expect((yield* statusOf(order.checkoutId)).status).toBe("paid")
  })
})
