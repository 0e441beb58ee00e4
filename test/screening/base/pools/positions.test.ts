import { describe, expect, it } from "@effect/vitest"
import * as fc from "fast-check"
import type { Address } from "viem"
import { heldIn } from "../../../../src/screening/base/pools/ladder.ts"
import type {
  Hold,
  HeldPosition,
  PositionsOfPool
} from "../../../../src/screening/base/pools/position-shares.ts"
import { NOTHING_OWED, sharesOf } from "../../../../src/screening/base/pools/position-shares.ts"

const POOL = `0x${"aa".repeat(20)}` as const
const BURNED: Address = "0x000000000000000000000000000000000000dead"
const LOCKER: Address = "0x1111111111111111111111111111111111111111"
const BOX: Address = "0x3333333333333333333333333333333333333333"
const MAKER: Address = "0x2222222222222222222222222222222222222222"
const WIDE = { tickLower: -887_220, tickUpper: 887_220 }
/** Above the price: tokens wait there, and no money stands against them. */
const ABOVE = { tickLower: 60_000, tickUpper: 120_000 }
const ALL = 10n ** 21n

const holdOf = ({ holder }: HeldPosition): Hold =>
  holder === BURNED ? "burned" : holder === BOX ? "locked" : holder === LOCKER ? "undated" : "free"
const position = (
  holder: Address,
  liquidity: bigint,
  ticks: { readonly tickLower: number; readonly tickUpper: number } = WIDE
): HeldPosition => ({ pool: POOL, holder, liquidity, owed: NOTHING_OWED, nft: true, ...ticks })
const tokensOf = (liquidity: bigint, { tickLower, tickUpper }: typeof WIDE): bigint =>
  heldIn(2n ** 96n, [
    { tick: tickLower, net: Number(liquidity) },
    { tick: tickUpper, net: -Number(liquidity) }
  ]).amount0

const shares = (change: Partial<PositionsOfPool>) =>
  sharesOf({
    state: { tick: 0, sqrtPrice: 2n ** 96n, liquidity: ALL },
    tokenIs0: true,
    tokenReserve: tokensOf(ALL, WIDE),
    // The price is one, so that a pool over all prices holds as much money as tokens.
    quoteReserve: tokensOf(ALL, WIDE),
    held: [],
    unread: [],
    whole: true,
    // As much as its positions hold.
    fees: { growth: [2n ** 128n, 2n ** 128n], beside: [0n, 0n] },
    holdOf,
    ...change
  })

describe("whose a pool's liquidity is", () => {
  it("is nobody's who could take it where all of it was burned", () => {
    expect(shares({ held: [position(BURNED, ALL)] })).toMatchObject({
      locked: 1,
      known: 1,
      largestFree: 0,
      freeTokens: 0n,
      possibleTokens: 0n
    })
  })

  it("is one unknown owner's as far as it is not accounted for, however many small owners are known", () => {
    const dust = Array.from({ length: 60 }, (_, index) =>
      position(`0x${(index + 1000).toString(16).padStart(40, "0")}`, ALL / 1000n)
    )
    const found = shares({ held: dust })
    expect(found.known).toBeCloseTo(0.06, 3)
    expect(found.largestFree).toBeGreaterThan(0.9)
    expect(shares({}).largestFree).toBe(1)
  })

  it("is by its money whose the money is: close around the price next to none is all the liquidity in range", () => {
    const near = { tickLower: -60, tickUpper: 60 }
    const beneath = { tickLower: -120_000, tickUpper: -60 }
    const held = [position(BURNED, ALL, near), position(MAKER, ALL / 2n, beneath)]
    const moneyIn = (stretch: typeof WIDE, liquidity: bigint) =>
      heldIn(2n ** 96n, [
        { tick: stretch.tickLower, net: Number(liquidity) },
        { tick: stretch.tickUpper, net: -Number(liquidity) }
      ]).amount1
    const [own, other] = [moneyIn(near, ALL), moneyIn(beneath, ALL / 2n)]
    const share = Number(own) / Number(own + other)
    for (const whole of [true, false]) {
      const found = shares({ held, whole, quoteReserve: own + other })
      expect(found.locked).toBeCloseTo(share, 4)
      expect(found.largestFree).toBeCloseTo(1 - share, 4)
      expect(found.known).toBeCloseTo(1, 4)
    }
    // Where nobody knows who put it there, it may be anybody's.
    const nameless = shares({ held: held.slice(0, 1), whole: false, quoteReserve: own + other })
    expect(nameless.locked + (1 - nameless.known)).toBeCloseTo(1, 4)
    expect(nameless.locked).toBeCloseTo(share, 4)
    expect(nameless.largestFree).toBeCloseTo(1 - share, 4)
  })

  it("leaves bids alone that a pool is not credited with", () => {
    const beneath = position(MAKER, ALL, { tickLower: -120_000, tickUpper: -60_000 })
    expect(shares({ held: [position(BURNED, ALL), beneath] }).locked).toBe(1)
  })

  it("tells its money from the fees beside it only where every position is known", () => {
    const held = [position(BURNED, ALL)]
    const quoteReserve = 2n * tokensOf(ALL, WIDE)
    expect(shares({ held, quoteReserve })).toMatchObject({ locked: 1, largestFree: 0 })
    expect(Number(shares({ held, quoteReserve }).money) / Number(quoteReserve)).toBeCloseTo(0.5, 6)
    const incomplete = shares({ held, quoteReserve, whole: false })
    expect(incomplete.money).toBeNull()
    expect(incomplete.locked).toBeCloseTo(0.5, 6)
    expect(incomplete.largestFree).toBeCloseTo(0.5, 6)
  })

  it("is somebody's nobody knows where a pool holds more than its positions and what they can have earned", () => {
    const held = [position(BURNED, ALL)]
    const all = tokensOf(ALL, WIDE)
    const fees = { growth: [2n ** 125n, 2n ** 125n], beside: [all / 8n, all / 8n] } as const
    const earned = { held, fees, tokenReserve: (all * 5n) / 4n, quoteReserve: (all * 5n) / 4n }
    expect(shares(earned)).toMatchObject({ locked: 1, known: 1, possibleTokens: 0n })
    const parked = shares({ ...earned, tokenReserve: 2n * all })
    expect(Number(parked.possibleTokens) / Number(all)).toBeCloseTo(1, 4)
    expect(parked.curve).toBeNull()
    const bids = shares({ ...earned, quoteReserve: 2n * all })
    expect(bids).toMatchObject({ money: null })
    expect(bids.locked).toBeCloseTo(0.5, 4)
    expect(shares({ ...earned, fees: null }).curve).toBeNull()
  })

  it("in a locker whose dates cannot be read is neither locked nor anybody's we know", () => {
    expect(shares({ held: [position(LOCKER, ALL)] })).toMatchObject({ locked: 0, known: 0, largestFree: 1 })
  })

  it("meets sellers as far down as it reaches, and nobody knows how where a position is missing", () => {
    const near = { tickLower: -600, tickUpper: 600 }
    const both = [position(BURNED, ALL / 2n), position(MAKER, ALL / 2n, near)]
    const { curve } = shares({ held: both })
    const reached = [1, 1.0001 ** -300, 1.0001 ** (WIDE.tickLower / 2)]
    expect(curve?.map(({ top }) => top)).toEqual(reached.slice(0, 2).map((root) => expect.closeTo(root, 9)))
    expect(curve?.map(({ bottom }) => bottom)).toEqual(
      reached.slice(1).map((root) => expect.closeTo(root, 9))
    )
    expect(curve?.map(({ liquidity }) => liquidity)).toEqual([Number(ALL), Number(ALL / 2n)])
    const mirrored = shares({ held: both, tokenIs0: false }).curve
    expect(mirrored?.[0]?.bottom).toBeCloseTo(1.0001 ** -300, 9)
    const [first] = both
    if (first === undefined) throw new Error("no position")
    expect(shares({ held: [first] }).curve).toBeNull()
    expect(shares({ held: both, whole: false }).curve).toBeNull()
    expect(shares({ held: both, unread: [position(MAKER, ALL, ABOVE)] }).curve).toBeNull()
  })

  it("parked beside the price counts as its owner's tokens, though it holds no money", () => {
    const parked = shares({ held: [position(BURNED, ALL), position(MAKER, ALL, ABOVE)] })
    expect(parked).toMatchObject({ locked: 1, largestFree: 0 })
    expect(parked.freeTokens).toBe(tokensOf(ALL, ABOVE))
  })

  it("that events name and nobody read may be one hand's", () => {
    const unread = shares({
      held: [position(BURNED, ALL)],
      unread: [{ liquidity: ALL, owed: [7n, 0n], ...ABOVE }]
    })
    expect(unread.freeTokens).toBe(0n)
    expect(unread.possibleTokens).toBe(tokensOf(ALL, ABOVE) + 7n)
  })

  it("taken out and not fetched yet counts as its owner's tokens, and on neither side as liquidity", () => {
    const emptied = { ...position(MAKER, 0n, ABOVE), owed: [5_000n, 9n] as const }
    const whole = { held: [position(BURNED, ALL), emptied] }
    expect(shares(whole)).toMatchObject({ locked: 1, known: 1, largestFree: 0, freeTokens: 5_000n })
    expect(shares({ ...whole, tokenIs0: false }).freeTokens).toBe(9n)
    expect(shares({ held: [position(BURNED, ALL), { ...emptied, holder: BURNED }] }).possibleTokens).toBe(0n)
  })

  it("of a contract that cannot take it out stays, but for what was taken out before and can be fetched", () => {
    const boxed = { ...position(BOX, ALL), owed: [5_000n, 0n] as const }
    expect(shares({ held: [boxed] })).toMatchObject({
      locked: 1,
      largestFree: 0,
      freeTokens: 5_000n,
      possibleTokens: 5_000n
    })
  })

  it("of many owners is told apart from that of the largest", () => {
    const owners = [MAKER, POOL, LOCKER].map((holder) => position(holder, ALL, ABOVE))
    const { freeTokens, othersTokens, possibleTokens } = shares({ held: [position(BURNED, ALL), ...owners] })
    const one = tokensOf(ALL, ABOVE)
    expect([freeTokens, othersTokens, possibleTokens]).toEqual([one, one, 2n * one])
  })

  it("beyond what is known of an incomplete list may be one hand's, all of it", () => {
    const hidden = { held: [position(BURNED, ALL)], tokenReserve: tokensOf(ALL, WIDE) + 7_000n }
    expect(shares({ ...hidden, whole: true }).possibleTokens).toBe(0n)
    expect(shares({ ...hidden, whole: false }).possibleTokens).toBe(7_000n)
  })

  it("never looks safer for a position that could not be read", () => {
    const one = fc.record({
      holder: fc.constantFrom(BURNED, LOCKER, MAKER),
      liquidity: fc.bigInt({ min: 1n, max: ALL }),
      isAbove: fc.boolean()
    })
    fc.assert(
      fc.property(
        fc.array(one, { minLength: 1, maxLength: 6 }),
        fc.nat(5),
        fc.boolean(),
        (list, at, whole) => {
          const all = list.map(({ holder, liquidity, isAbove }) =>
            position(holder, liquidity / BigInt(list.length), isAbove ? ABOVE : WIDE)
          )
          const lost = all[at % all.length]
          if (lost === undefined) return
          const full = shares({ held: all, whole })
          const less = shares({ held: all.filter((each) => each !== lost), unread: [lost], whole })
          expect(less.locked).toBeLessThanOrEqual(full.locked)
          expect(less.largestFree).toBeGreaterThanOrEqual(full.largestFree)
          expect(less.possibleTokens).toBeGreaterThanOrEqual(full.freeTokens)
        }
      )
    )
  })
})
