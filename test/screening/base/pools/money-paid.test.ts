import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { known } from "../../../../src/domain/fact.ts"
import {
  AERODROME,
  HIGH,
  LOW,
  V2,
  V3,
  V3_BURN,
  V3_MINT,
  V4,
  births,
  event,
  poolOf,
  position,
  purchased,
  swap
} from "../../../support/base/pool-events.ts"

it.effect(
  "what pools gave is told with the money that was paid and is still there, by every kind of pool",
  () =>
    Effect.gen(function* () {
      const trades = {
        v2: [swap(V2, 0n, 90n, 700n, 0n), swap(V2, 200n, 0n, 0n, 20n)],
        "aerodrome-v2": [swap(AERODROME, 0n, 90n, 700n, 0n), swap(AERODROME, 200n, 0n, 0n, 20n)],
        v3: [swap(V3, -700n, 90n, 1n, 1n, 1n), swap(V3, 200n, -20n, 1n, 1n, 1n)],
        v4: [swap(V4, 700n, -90n, 1n, 1n, 1n, 1n), swap(V4, -200n, 20n, 1n, 1n, 1n, 1n)]
      }
      for (const kind of ["v2", "aerodrome-v2", "v3", "v4"] as const) {
        // A hundred units of the money are worth fifty USD now.
        const pool = poolOf(LOW, HIGH, kind, { quoteReserve: 100n, quoteUsd: 50 })
        const [begun, [buy, sale]] = [births[kind], trades[kind]]
        const both = yield* purchased(pool, ...begun, ...trades[kind])
        expect([kind, both]).toEqual([kind, known({ tokens: 500n, usd: 35 })])
        if (buy === undefined || sale === undefined) return
        const alone = yield* purchased(pool, ...begun, buy, { ...buy, sameTransaction: true }, buy)
        expect([kind, alone]).toEqual([kind, known({ tokens: 700n, usd: 45 })])
        // More was sold for than was paid: nothing of it is there.
        expect([kind, yield* purchased(pool, ...begun, buy, sale, sale, sale, sale, sale)]).toMatchObject([
          kind,
          { value: { usd: 0 } }
        ])
      }
      // Whoever put it in took the money out.
      const pool = poolOf(LOW, HIGH, "v3", { quoteReserve: 100n, quoteUsd: 50 })
      const put = event(V3_MINT, position(8n), 8n, 50n, 5_000n, 0n)
      const burn = event(V3_BURN, position(8n), 50n, 4_500n, 60n)
      const kept = yield* purchased(pool, ...births.v3, put, swap(V3, -700n, 90n, 1n, 1n, 1n), burn)
      expect(kept).toEqual(known({ tokens: 200n, usd: 15 }))
    })
)
