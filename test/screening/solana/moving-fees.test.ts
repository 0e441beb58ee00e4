/** Fees that grow while the price moves: as the next trade would pay them, by the pool's own state. */
import { readFileSync } from "node:fs"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { program, USDC } from "../../../src/screening/solana/addresses.ts"
import { decodePool } from "../../../src/screening/solana/pools/decode.ts"
import { extraAt, feeAt } from "../../../src/screening/solana/pools/terms.ts"
import { whirlpoolOracle } from "../../../src/screening/solana/reads/pdas.ts"
import { placeAdaptive } from "../../support/solana/adaptive.ts"
import { SUPPLY } from "../../support/solana/clean-token.ts"
import { placeBins } from "../../support/solana/concentrated.ts"
import { account, anchored, i32, u16, u32, wallet } from "../../support/solana/encode.ts"
import { findings, makeFakeWorld, screenIn } from "../../support/solana/fake-world.ts"
import { patch } from "../../support/solana/scenarios.ts"

const Rows = Schema.Struct({
  rows: Schema.Array(
    Schema.Struct({
      binStep: Schema.Number,
      baseFactor: Schema.Number,
      filter: Schema.Number,
      decay: Schema.Number,
      control: Schema.Number,
      most: Schema.Number,
      accumulated: Schema.Number,
      reference: Schema.Number,
      index: Schema.Number,
      active: Schema.Number,
      elapsed: Schema.Number,
      fee: Schema.Number,
      peak: Schema.Number
    })
  )
})
const { rows } = Schema.decodeUnknownSync(Schema.parseJson(Rows))(
  readFileSync(new URL("../../support/solana/dlmm-fees.json", import.meta.url), "utf8")
)

const LAST = 1_790_000_000
const [token, pair] = [wallet("token of a pair"), wallet("pair")]

const pool = (row: (typeof rows)[number]) =>
  decodePool(
    pair,
    anchored(program.meteoraDlmm, "LbPair", 904, [
      [8, u16(row.baseFactor)],
      [10, u16(row.filter)],
      [12, u16(row.decay)],
      [14, u16(5000)],
      [16, u32(row.control)],
      [20, u32(row.most)],
      [40, u32(row.accumulated)],
      [44, u32(row.reference)],
      [48, i32(row.index)],
      [56, BigInt(LAST)],
      [76, i32(row.active)],
      [80, u16(row.binStep)],
      [88, token],
      [120, USDC]
    ]),
    token
  )

describe("DLMM's fee", () => {
  it("is what the SDK makes of the same state: at once, after the filter's period, and after the decay", () => {
    expect(rows.length).toBeGreaterThan(40)
    for (const row of rows) {
      const found = pool(row)
      if (found === null) throw new Error("no pool")
      const now = feeAt(found.fee, { seconds: LAST + row.elapsed, slot: 1n })?.now ?? 0
      expect({ row, fee: Math.round(now * 1e9) }).toEqual({ row, fee: row.fee })
      expect({ row, peak: Math.round(found.peakFee * 1e9) }).toEqual({ row, peak: row.peak })
      expect(extraAt(found, { seconds: LAST, slot: 1n })).toBe(0)
    }
  })

  it.effect("while the price moves is in the report, and at 10 % of a trade it forbids trust", () =>
    Effect.gen(function* () {
      const found = []
      for (const accumulated of [0, 150_000]) {
        const world = makeFakeWorld()
        const placed = placeBins(world, {
          label: `moved ${accumulated}`,
          tokens: SUPPLY / 5n,
          providers: Array.from({ length: 12 }, (_, index) => ({
            owner: wallet(`provider ${index}`),
            sol: 10 + index,
            from: -66 + index,
            count: 55
          }))
        })
        patch(world, placed.pool, [
          [12, u16(65_535)],
          [14, u16(10_000)],
          [16, u32(400_000)],
          [20, u32(accumulated === 0 ? 10_000 : 150_000)],
          [40, u32(accumulated)],
          [56, 1_790_000_000n - 60n]
        ])
        const { safe, screening } = yield* screenIn(world, placed.mint)
        const fee = screening.signals.find(({ id }) => id === "POOL_FEE")?.message ?? ""
        found.push({ safe, fee, high: findings(screening).includes("HIGH_POOL_FEE:fail") })
      }
      expect(found).toEqual([
        { safe: true, fee: "The deepest pool takes 0.8 % of a trade.", high: false },
        {
          safe: false,
          fee: "The deepest pool takes 10 % of a trade now, and 0.8 % once its schedule has run out or the price has calmed.",
          high: true
        }
      ])
    })
  )
})

describe("a Whirlpool of a tier whose terms stand in an oracle", () => {
  it.effect.each([
    ["that the node does not give", undefined],
    ["that is another program's", account(program.meteoraDlmm, new Uint8Array(254))]
  ] as const)("%s has a fee nobody knows", ([, oracle]) =>
    Effect.gen(function* () {
      const world = makeFakeWorld()
      const mint = placeAdaptive(world, "unread oracle", [])
      const place = whirlpoolOracle(wallet("unread oracle pool"))
      if (oracle === undefined) world.accounts.delete(place)
      else world.accounts.set(place, oracle)
      const { screening } = yield* screenIn(world, mint)
      expect(findings(screening)).toEqual(
        expect.arrayContaining(["POOL_FEE:unknown", "HIGH_POOL_FEE:unknown"])
      )
    })
  )
})
