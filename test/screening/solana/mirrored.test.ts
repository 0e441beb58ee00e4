/** A pool has the same market whichever of its sides the token is: programs order mints by their bytes. */
import { describe, expect, it } from "@effect/vitest"
import * as fc from "fast-check"
import type { SolanaAccount } from "../../../src/chain/chain-rpc.ts"
import * as at from "../../../src/screening/solana/addresses.ts"
import { decodePool } from "../../../src/screening/solana/pools/decode.ts"
import type { RawPosition } from "../../../src/screening/solana/pools/positions/formats.ts"
import { weigh } from "../../../src/screening/solana/pools/positions/reach.ts"
import { depthOf } from "../../../src/screening/solana/pools/reserves.ts"
import { tried } from "../../support/properties.ts"
import { anchored, encodeTokenAccount, i32, u128, u16, wallet } from "../../support/solana/encode.ts"

const [token, pool] = [wallet("token"), wallet("pool")]
const [tokenVault, quoteVault] = [wallet("token vault"), wallet("quote vault")]

interface Market {
  readonly tick: number
  readonly positions: ReadonlyArray<readonly [lower: number, upper: number, liquidity: number]>
}

const market: fc.Arbitrary<Market> = fc.record({
  tick: fc.integer({ min: -60_000, max: 60_000 }),
  positions: fc.array(
    fc
      .tuple(
        fc.integer({ min: -4_000, max: 4_000 }),
        fc.integer({ min: 1, max: 20_000 }),
        fc.integer({ min: 1, max: 1e9 })
      )
      .map(([from, width, liquidity]) => [from, from + width, liquidity * 1e6] as const),
    { minLength: 1, maxLength: 6 }
  )
})

/** The market in a pool whose first mint is the token, or the quote. */
const seen = ({ positions, tick }: Market, kind: "clmm" | "whirlpool", tokenIsA: boolean) => {
  // In the middle of a tick: at its edge the two sides round to different ones.
  const now = tokenIsA ? tick : -tick - 1
  const root = 1.0001 ** ((now + 0.5) / 2)
  const ranges = positions.map(([from, to, liquidity]) => {
    const [lower, upper] = [tick + from, tick + to]
    return { liquidity, ticks: tokenIsA ? ([lower, upper] as const) : ([-upper, -lower] as const) }
  })
  const counted = ranges.reduce(
    (sum, { liquidity, ticks }) => (ticks[0] <= now && now < ticks[1] ? sum + liquidity : sum),
    0
  )
  const [mintA, mintB] = tokenIsA ? [token, at.WSOL] : [at.WSOL, token]
  const [vaultA, vaultB] = tokenIsA ? [tokenVault, quoteVault] : [quoteVault, tokenVault]
  const sqrt = BigInt(Math.round(root * 2 ** 40)) << 24n
  const account: SolanaAccount =
    kind === "clmm"
      ? anchored(at.program.raydiumClmm, "PoolState", 1544, [
          [73, mintA],
          [105, mintB],
          [137, vaultA],
          [169, vaultB],
          [235, u16(1)],
          [237, u128(BigInt(counted))],
          [253, u128(sqrt)],
          [269, i32(now)]
        ])
      : anchored(at.program.orcaWhirlpool, "Whirlpool", 653, [
          [49, u128(BigInt(counted))],
          [65, u128(sqrt)],
          [81, i32(now)],
          [101, mintA],
          [133, vaultA],
          [181, mintB],
          [213, vaultB]
        ])
  const book = new Map([
    [pool, account],
    [tokenVault, encodeTokenAccount(token, wallet("v"), 10n ** 16n)],
    [quoteVault, encodeTokenAccount(at.WSOL, wallet("v"), 10n ** 16n)]
  ])
  const decoded = decodePool(pool, account, token, book)
  if (decoded === null) throw new Error("no pool")
  const raw = ranges.map(({ liquidity, ticks }, index): RawPosition => ({
    address: wallet(`position ${index}`),
    mint: null,
    owner: null,
    operator: null,
    isDelegatesToo: false,
    free: liquidity,
    heldBack: 0,
    locked: 0,
    schedule: null,
    releaseAt: null,
    ticks,
    bins: null
  }))
  const weighed = weigh({ address: pool, pool: decoded, token }, raw, book)
  if (weighed === null) throw new Error("not weighed")
  return { depth: depthOf(decoded, token, book, 0), weighed }
}

const figures = ({ depth, weighed }: ReturnType<typeof seen>): Readonly<Record<string, number>> => ({
  ...depth,
  unseen: weighed.unseen,
  reachable: weighed.reachable ?? -1,
  offered: weighed.offered ?? -1,
  ...Object.fromEntries(
    weighed.positions.flatMap(({ firm, position, tokens, weight }) =>
      Object.entries({ firm, tokens, weight }).map(([name, value]) => [`${name} ${position.address}`, value])
    )
  )
})

describe("a pool of ranges", () => {
  for (const kind of ["clmm", "whirlpool"] as const)
    it(`has the same market on either side: ${kind}`, () => {
      fc.assert(
        fc.property(market, (one) => {
          const [first, second] = [true, false].map((tokenIsA) => figures(seen(one, kind, tokenIsA)))
          expect(Object.keys(first ?? {}).toSorted()).toEqual(Object.keys(second ?? {}).toSorted())
          for (const [name, value] of Object.entries(first ?? {})) {
            const other = second?.[name] ?? Number.NaN
            expect({ name, isNear: Math.abs(value - other) <= 1e-3 * Math.max(1, Math.abs(value)) }).toEqual({
              name,
              isNear: true
            })
          }
        }),
        tried(5_000, 100)
      )
    })
})
