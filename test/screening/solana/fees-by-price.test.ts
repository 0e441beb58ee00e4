/** DAMM v2's fees that fall as the price rises: what a trade costs now, after a fall, and once the schedule has ended. */
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { decodePool } from "../../../src/screening/solana/pools/decode.ts"
import { extraAt, feeAt } from "../../../src/screening/solana/pools/terms.ts"
import { SUPPLY } from "../../support/solana/clean-token.ts"
import { u128 } from "../../support/solana/encode.ts"
import { NOW_SECONDS } from "../../support/solana/fake-node.ts"
import type { FakeWorld } from "../../support/solana/fake-world.ts"
import { makeFakeWorld, screenIn } from "../../support/solana/fake-world.ts"
import { dammV2, placeToken } from "../../support/solana/launches.ts"
import { patch } from "../../support/solana/scenarios.ts"

const [LINEAR, EXPONENTIAL] = [3, 4]
const [START, DAY] = [NOW_SECONDS - 1000n, 86_400n]
const RESERVES = { quote: 200_000_000_000n, tokens: SUPPLY / 5n }
const PRICE = Number(RESERVES.quote) / Number(RESERVES.tokens)
const ROOT = BigInt(Math.round(Math.sqrt(PRICE) * 2 ** 52)) << 12n

interface Terms {
  readonly mode: number
  /** The root of the price now, in thousandths of what it was at first. */
  readonly above: bigint
  readonly lasts: bigint
  readonly reduction?: bigint
  readonly cliff?: bigint
  readonly firstIsUnknown?: boolean
}

/** A launch of half and less in ten steps of a tenth of the price's root, all of its liquidity locked. */
const place = (world: FakeWorld, { above, cliff, firstIsUnknown, lasts, mode, reduction }: Terms) => {
  const placed = placeToken(
    world,
    { label: "by price", tokens: RESERVES.tokens, quoteAmount: RESERVES.quote },
    dammV2({
      price: PRICE,
      quoteAmount: RESERVES.quote,
      activation: START,
      cliff: cliff ?? 500_000_000n,
      fee: { mode, periods: 10, every: 1000n + (lasts << 32n), reduction: reduction ?? 49_000_000n }
    })
  )
  patch(world, placed.pool, [[152, u128(firstIsUnknown === true ? 0n : (ROOT * 1000n) / above)]])
  return placed
}

const rows: ReadonlyArray<
  readonly [name: string, terms: Terms, now: number, lasting: number, extra: number]
> = [
  [
    "its first rate, where the price is what it was",
    { mode: LINEAR, above: 1000n, lasts: DAY },
    0.5,
    0.01,
    0
  ],
  ["its first rate, where the price has fallen", { mode: LINEAR, above: 700n, lasts: DAY }, 0.5, 0.01, 0],
  [
    "its first rate, where nobody wrote the price down",
    { mode: LINEAR, above: 1350n, lasts: DAY, firstIsUnknown: true },
    0.5,
    0.01,
    0
  ],
  [
    "less by three steps, and all of it after a fall",
    { mode: LINEAR, above: 1350n, lasts: DAY },
    0.353,
    0.01,
    0.147
  ],
  [
    "less by a factor for each step",
    { mode: EXPONENTIAL, above: 1350n, lasts: DAY, reduction: 1000n },
    0.3645,
    0.1743,
    0.1355
  ],
  [
    "its lowest, where the price is far above, until it falls",
    { mode: LINEAR, above: 9000n, lasts: DAY },
    0.01,
    0.01,
    0.49
  ],
  [
    "its lowest for good, where the schedule has ended",
    { mode: LINEAR, above: 700n, lasts: 900n },
    0.01,
    0.01,
    0
  ]
]

describe("a fee by price is", () => {
  for (const [name, terms, now, lasting, extra] of rows)
    it(`${name}`, () => {
      const world = makeFakeWorld()
      const { mint, pool } = place(world, terms)
      const decoded = decodePool(pool, world.accounts.get(pool) ?? null, mint)
      const time = { seconds: Number(NOW_SECONDS), slot: 1n }
      expect(decoded).not.toBe(null)
      if (decoded === null) return
      const fee = feeAt(decoded.fee, time)
      expect(fee?.now).toBeCloseTo(now, 3)
      expect(fee?.lasting).toBeCloseTo(lasting, 3)
      expect(extraAt(decoded, time)).toBeCloseTo(extra, 3)
    })
})

describe("a launch with a fee by price", () => {
  const verdicts: ReadonlyArray<readonly [name: string, terms: Terms, verdict: string, safe: boolean]> = [
    ["is allowed once the schedule has ended", { mode: LINEAR, above: 700n, lasts: 900n }, "allow", true],
    [
      "is not while whoever sells after a fall pays half",
      { mode: LINEAR, above: 9000n, lasts: DAY },
      "caution",
      false
    ]
  ]
  for (const [name, terms, verdict, safe] of verdicts)
    it.effect(`${name}`, () =>
      Effect.gen(function* () {
        const world = makeFakeWorld()
        const { mint } = place(world, terms)
        expect(yield* screenIn(world, mint)).toMatchObject({ verdict, safe })
      })
    )
})
