import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { numberToHex } from "viem"
import { known, mapFact } from "../../../../src/domain/fact.ts"
import type { Pool } from "../../../../src/screening/base/pools/pool.ts"
import { readPurchases } from "../../../../src/screening/base/pools/purchases.ts"
import type { Log } from "../../../support/base/pool-events.ts"
import {
  HIGH,
  LOW,
  ID,
  node,
  poolOf,
  word,
  event,
  swap,
  TRANSFER,
  lpMinted,
  V2_MINT,
  V3_MINT,
  V3_BURN,
  V3_COLLECT,
  V4_MODIFY,
  PUT,
  position,
  taken,
  births,
  V2,
  AERODROME,
  V3,
  PANCAKE,
  V4,
  listed,
  purchased
} from "../../../support/base/pool-events.ts"

const tokensIn = (fact: Effect.Effect.Success<ReturnType<typeof readPurchases>>) =>
  mapFact(fact, ({ tokens }) => tokens)

const told = (pool: Pool, ...logs: ReadonlyArray<Log>) => Effect.map(purchased(pool, ...logs), tokensIn)

const bought = (pool: Pool, ...logs: ReadonlyArray<Log>) => told(pool, ...births[pool.kind], ...logs)

describe("what pools gave for money", () => {
  it.effect.each([
    [V2, "v2"],
    [AERODROME, "aerodrome-v2"]
  ] as const)("is what went out less what came in, by %s", ([signature, kind]) =>
    Effect.gen(function* () {
      const [buy, sale] = [swap(signature, 0n, 9n, 700n, 0n), swap(signature, 200n, 0n, 0n, 2n)]
      expect(yield* bought(poolOf(LOW, HIGH, kind), buy, sale)).toEqual(known(500n))
      expect(yield* bought(poolOf(HIGH, LOW, kind), buy, sale)).toEqual(known(0n))
    })
  )

  it.effect.each([V3, PANCAKE])("is what the pool lost, by %s", (signature) =>
    Effect.gen(function* () {
      const logs = [swap(signature, -700n, 9n, 1n, 1n, 1n), swap(signature, 200n, -2n, 1n, 1n, 1n)]
      expect(yield* bought(poolOf(LOW, HIGH, "v3"), ...logs)).toEqual(known(500n))
    })
  )

  it.effect("is what swappers got, in V4", () =>
    Effect.gen(function* () {
      const logs = [swap(V4, -9n, 700n, 1n, 1n, 1n, 1n), swap(V4, 2n, -200n, 1n, 1n, 1n, 1n)]
      expect(yield* bought(poolOf(HIGH, LOW, "v4"), ...logs)).toEqual(known(500n))
    })
  )

  it.effect("is nothing where it was bought in the block in which the pool was opened, by however many", () =>
    Effect.gen(function* () {
      const bySide = (signature: string, tokens: bigint) =>
        signature === V2
          ? swap(V2, tokens < 0n ? -tokens : 0n, 9n, tokens > 0n ? tokens : 0n, 0n)
          : swap(V3, -tokens, 9n, 1n, 1n, 1n)
      for (const [kind, signature] of [
        ["v2", V2],
        ["v3", V3]
      ] as const) {
        const pool = poolOf(LOW, HIGH, kind)
        const at = (tokens: bigint): Log => ({ ...bySide(signature, tokens), sameBlock: true })
        const later = bySide(signature, 300n)
        expect(yield* bought(pool, at(400n), at(100n), later)).toEqual(known(300n))
        // Sold again at once, it is nobody's; sold later, nobody can tell by whom.
        expect(yield* bought(pool, at(400n), at(-400n), later)).toEqual(known(300n))
        expect(yield* bought(pool, at(400n), bySide(signature, -400n), later)).toEqual(known(0n))
      }
    })
  )

  it.effect("is nothing where it was bought in a block in which liquidity was added", () =>
    Effect.gen(function* () {
      const pool = poolOf(LOW, HIGH, "v3")
      const [early, late] = [swap(V3, -700n, 9n, 1n, 1n, 1n), swap(V3, -500n, 9n, 1n, 1n, 1n)]
      const added: Log = event(V3_MINT, position(8n), 8n, 50n, 5_000n, 5_000n)
      expect(yield* bought(pool, early, added, late)).toEqual(known(1_200n))
      expect(yield* bought(pool, early, added, { ...late, sameBlock: true })).toEqual(known(700n))
      const put = event(V4_MODIFY, [ID, word(8n)], -600n, 600n, 10n ** 24n, 0n)
      const buy = swap(V4, -9n, 700n, 2n ** 96n, 1n, 1n, 1n)
      const v4 = poolOf(HIGH, LOW, "v4")
      expect(yield* bought(v4, put, buy)).toEqual(known(700n))
      expect(yield* bought(v4, put, { ...buy, sameBlock: true })).toEqual(known(0n))
    })
  )

  it.effect("is nothing where one transaction bought several times: for as many wallets as it likes", () =>
    Effect.gen(function* () {
      const buys = {
        v2: swap(V2, 0n, 9n, 200n, 0n),
        "aerodrome-v2": swap(AERODROME, 0n, 9n, 200n, 0n),
        v3: swap(V3, -200n, 9n, 1n, 1n, 1n),
        v4: swap(V4, 200n, -9n, 1n, 1n, 1n, 1n)
      }
      for (const kind of ["v2", "aerodrome-v2", "v3", "v4"] as const) {
        const [pool, buy] = [poolOf(LOW, HIGH, kind), buys[kind]]
        const again: Log = { ...buy, sameTransaction: true }
        expect([kind, yield* bought(pool, buy, { ...buy, sameBlock: true })]).toEqual([kind, known(400n)])
        expect([kind, yield* bought(pool, buy, again, again)]).toEqual([kind, known(0n)])
        expect([kind, yield* bought(pool, buy, again, buy)]).toEqual([kind, known(200n)])
      }
      // Bought once and sold again in one transaction is a trade between pools.
      const sale: Log = { ...swap(V2, 150n, 0n, 0n, 9n), sameTransaction: true }
      expect(yield* bought(poolOf(LOW, HIGH), buys.v2, sale)).toEqual(known(50n))
    })
  )

  it.effect("is no more than what is gone of what was put in: a node may have left out a sale", () =>
    Effect.gen(function* () {
      const v2 = poolOf(LOW, HIGH, "v2", { tokenReserve: PUT - 500n })
      expect(yield* bought(v2, swap(V2, 0n, 9n, 700n, 0n))).toEqual(known(500n))
      const removed = taken(100n, 100n, 9n)
      expect(yield* bought(v2, swap(V2, 0n, 9n, 700n, 0n), ...removed)).toEqual(known(400n))
      const v3 = poolOf(LOW, HIGH, "v3", { tokenReserve: PUT - 500n })
      const buy = swap(V3, -700n, 9n, 1n, 1n, 1n)
      expect(yield* bought(v3, buy)).toEqual(known(500n))
      expect(yield* bought(v3, buy, event(V3_COLLECT, position(9n), 9n, 100n, 0n))).toEqual(known(400n))
    })
  )

  it.effect(
    "is nothing where it was put above the price, bought and taken out as money, by V3's events",
    () =>
      Effect.gen(function* () {
        const put = event(V3_MINT, position(8n), 8n, 50n, 5_000n, 0n)
        const buy = swap(V3, -5_300n, 9n, 1n, 1n, 1n)
        const takes = (liquidity: bigint, tokens: bigint) =>
          event(V3_BURN, position(8n), liquidity, tokens, 4_000n)
        const pool = poolOf(LOW, HIGH, "v3", { tokenReserve: PUT - 300n })
        expect(yield* bought(pool, put, buy)).toEqual(known(5_300n))
        expect(yield* bought(pool, put, buy, takes(50n, 0n))).toEqual(known(300n))
        expect(yield* bought(pool, put, buy, takes(10n, 0n))).toEqual(known(4_300n))
        // Brought and taken again as it was: nobody bought from it.
        const back = event(V3_COLLECT, position(8n), 8n, 5_000n, 0n)
        expect(yield* bought(pool, put, takes(50n, 5_000n), back, swap(V3, -300n, 9n, 1n, 1n, 1n))).toEqual(
          known(300n)
        )
        expect(yield* bought(pool, event(V3_MINT, position(8n), 8n))).toMatchObject({ known: false })
        // More is taken than was put: the node has left out that it was.
        expect(yield* bought(pool, buy, takes(50n, 0n))).toMatchObject({ known: false })
      })
  )

  it.effect("is nothing where it was put above the price, bought and taken out as money, in V4", () =>
    Effect.gen(function* () {
      const size = 10n ** 24n
      const change = (liquidity: bigint) => event(V4_MODIFY, [ID, word(8n)], 60n, 120n, liquidity, 0n)
      // The price passes over all of it: to the root of 1.0001 to the 120th.
      const beyond = BigInt(Math.floor(1.0001 ** 60 * 2 ** 96))
      const tokens = BigInt(Math.floor(1e24 * (1 / 1.0001 ** 30 - 1 / 1.0001 ** 60)))
      const buy = swap(V4, tokens, -tokens, beyond, 1n, 120n, 3_000n)
      const pool = poolOf(LOW, HIGH, "v4")
      expect(yield* bought(pool, change(size), buy)).toEqual(known(tokens))
      expect(yield* bought(pool, change(size), buy, change(-size))).toEqual(known(0n))
      expect(yield* bought(pool, buy, change(-size))).toMatchObject({ known: false })
      const walked = poolOf(LOW, HIGH, "v4", { tokenReserve: tokens / 2n, curve: [] })
      expect(yield* bought(walked, change(size), buy)).toEqual(known(tokens - tokens / 2n))
    })
  )

  it.effect(
    "is nothing where somebody bought out his own pool of V2's kind before he locked some of it",
    () =>
      Effect.gen(function* () {
        const buy = swap(V2, 0n, 90_000n, 9_000n, 0n)
        const locked = [lpMinted(9n, 100n), event(V2_MINT, [word(9n)], 10n, 1_000n)]
        const pool = poolOf(LOW, HIGH, "v2", { tokenReserve: 10n })
        expect(yield* bought(pool, buy, ...taken(PUT, 1_000n, 100_000n))).toEqual(known(0n))
        const again = yield* bought(pool, buy, ...taken(PUT, 1_000n, 100_000n), ...locked)
        expect(again.known && again.value < 100n).toBe(true)
        // What a holder sends on meanwhile is not what was destroyed.
        const sent = event(TRANSFER, [word(5n), word(0n)], 1n)
        const between = taken(PUT, 1_000n, 100_000n).flatMap((log, at) => (at === 0 ? [log, sent] : [log]))
        expect(yield* bought(pool, buy, ...between)).toEqual(known(0n))
        // Without a word of the LP tokens nothing is known.
        expect(yield* told(pool, ...births.v2.slice(2))).toMatchObject({ known: false })
        // Nor is it by what was said of another event.
        const silent = taken(PUT, 1_000n, 100_000n).slice(1)
        expect(yield* bought(pool, buy, ...locked, ...silent)).toMatchObject({ known: false })
      })
  )

  it.effect("is not known where swaps are not served, or are too many for one answer", () =>
    Effect.gen(function* () {
      const refusing = node(() => Promise.reject(new Error("not served")))
      expect(yield* readPurchases(refusing, [poolOf(LOW, HIGH)], 1n, null)).toMatchObject({ known: false })
      const many = Array.from({ length: 4_001 }, () => swap(V2, 0n, 1n, 1n, 0n))
      expect(yield* bought(poolOf(LOW, HIGH), ...many)).toMatchObject({ known: false })
    })
  )

  it.effect("is not known where the pool's beginning was not seen: sales before it would be missed", () =>
    Effect.gen(function* () {
      for (const [kind, signature] of [
        ["v2", V2],
        ["aerodrome-v2", AERODROME],
        ["v3", V3],
        ["slipstream", V3],
        ["v4", V4]
      ] as const) {
        const buy = swap(signature, 0n, 9n, 700n, 0n, 1n, 1n)
        expect([kind, yield* told(poolOf(LOW, HIGH, kind), buy)]).toMatchObject([kind, { known: false }])
        expect([kind, yield* told(poolOf(LOW, HIGH, kind))]).toMatchObject([kind, { known: false }])
      }
    })
  )

  it.effect("takes no later liquidity for a pool's first, also where as much is given to nobody", () =>
    Effect.gen(function* () {
      const [buy, sync] = [swap(V2, 0n, 9n, 700n, 0n), swap(V2, 0n, 0n, 0n, 0n)]
      for (const events of [
        [lpMinted(0n, 1_000n)],
        [lpMinted(0n, 1_000n), sync, lpMinted(9n, 5n)],
        [lpMinted(0n, 999n), lpMinted(9n, 5n)],
        [lpMinted(1n, 1_000n), lpMinted(9n, 5n)],
        [lpMinted(9n, 5n)]
      ]) {
        expect(yield* told(poolOf(LOW, HIGH), ...events, buy)).toMatchObject({ known: false })
      }
    })
  )

  it.effect("is known of a pool whose market tells no date, where its beginning was seen all the same", () =>
    Effect.gen(function* () {
      const pool = poolOf(LOW, HIGH)
      const late = (logs: ReadonlyArray<Log>) => {
        const rpc = node(() =>
          Promise.resolve(
            listed(pool, logs).map((log) => ({
              ...log,
              blockNumber: numberToHex(999_000n + BigInt(log.blockNumber))
            }))
          )
        )
        return Effect.map(readPurchases(rpc, [pool], 1_000_000n, null), tokensIn)
      }
      const buy = swap(V2, 0n, 9n, 700n, 0n)
      expect(yield* late([buy])).toMatchObject({ known: false })
      expect(yield* late([...births.v2, buy])).toEqual(known(700n))
    })
  )

  it.effect("is not known where a swap does not say what was swapped", () =>
    Effect.gen(function* () {
      const short = swap(V2, 0n, 9n, 700n)
      expect(yield* bought(poolOf(LOW, HIGH), short)).toEqual(known(700n))
      expect(yield* bought(poolOf(HIGH, LOW), short)).toMatchObject({ known: false })
      expect(yield* bought(poolOf(LOW, HIGH), swap(V2))).toMatchObject({ known: false })
    })
  )

  it.effect.each(
    [null, "0x", {}, [null], [{}], [{ topics: [] }], [{ data: "0x" }]].map((answer) => ({ answer }))
  )("is not known where the node gives $answer", ({ answer }) =>
    Effect.gen(function* () {
      const rpc = node(() => Promise.resolve(answer))
      expect(yield* readPurchases(rpc, [poolOf(LOW, HIGH)], 1n, null)).toMatchObject({ known: false })
    })
  )
})
