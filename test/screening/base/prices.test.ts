import { describe, expect, it } from "@effect/vitest"
import fc from "fast-check"
import { known, missing } from "../../../src/domain/fact.ts"
import { SECOND_RING, USDC, WETH, ZERO_ADDRESS } from "../../../src/screening/base/addresses.ts"
import { priceEvidence } from "../../../src/screening/base/pools/liquidity.ts"
import type { PoolReading, PoolState } from "../../../src/screening/base/pools/pool-state.ts"
import {
  type References,
  ethPrice,
  quotePricer,
  referencesOf
} from "../../../src/screening/base/pools/quote-prices.ts"
import { BLOCK_TIME, TOKEN, pair, pool, poolState } from "../../support/base/fixtures.ts"

const ether = 10n ** 18n
const round = (usd: number, age = 60n) => ({
  answer: BigInt(Math.round(usd * 1e8)),
  startedAt: BLOCK_TIME - age,
  updatedAt: BLOCK_TIME - age
})
const noFeeds = { eth: undefined, btc: undefined, sequencer: undefined }

const ethPool = (usd: number, dollars = 1_000_000n) =>
  poolState({ token: WETH, quote: USDC, quoteReserve: dollars * 1_000_000n, ratio: usd / 1e12 })

const read = (...pools: ReadonlyArray<PoolState>): References => ({ pools, unread: new Set() })

const eth = (change: Partial<Parameters<typeof ethPrice>[0]>) =>
  ethPrice({
    feeds: noFeeds,
    now: BLOCK_TIME,
    references: read(),
    pairs: [],
    pools: [],
    decimals: 18,
    ...change
  })

describe("the price of ETH", () => {
  it("is the feed's, then the deepest pool's, then what market data implies", () => {
    expect(eth({ feeds: { ...noFeeds, eth: round(3000) } })).toEqual(known(3000))
    const pooled = eth({ references: read(ethPool(3100)) })
    expect(pooled.known && Math.round(pooled.value)).toBe(3100)
    const implied = eth({ pools: [poolState({})], pairs: [pair({ priceUsd: 29 })] })
    expect(implied.known && Math.round(implied.value)).toBe(2900)
  })

  it("is unknown from a stale feed, a feed at or below zero, or while the sequencer is down", () => {
    expect(eth({ feeds: { ...noFeeds, eth: round(3000, 2401n) } }).known).toBe(false)
    expect(eth({ feeds: { ...noFeeds, eth: round(0) } }).known).toBe(false)
    expect(eth({ feeds: { ...noFeeds, eth: round(-5) } }).known).toBe(false)
    const down = { ...round(0), answer: 1n }
    expect(eth({ feeds: { ...noFeeds, eth: round(3000), sequencer: down } }).known).toBe(false)
  })

  it("is unknown when two sources differ by more than a tenth", () => {
    expect(eth({ feeds: { ...noFeeds, eth: round(3000) }, references: read(ethPool(2000)) }).known).toBe(
      false
    )
    expect(
      eth({ references: read(ethPool(3000)), pools: [poolState({})], pairs: [pair({ priceUsd: 10 })] }).known
    ).toBe(false)
  })

  it("is not taken from a pool too shallow to mean anything", () => {
    expect(eth({ references: read(ethPool(9999, 5000n)) }).known).toBe(false)
  })

  it("is not taken from market data whose pools imply different prices", () => {
    const second = poolState({ address: "0xbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb" })
    const pairs = [pair({ priceUsd: 30 }), pair({ pairAddress: second.address, priceUsd: 60 })]
    expect(eth({ pools: [poolState({}), second], pairs }).known).toBe(false)
  })
})

describe("the price of a quote", () => {
  const priceOf = quotePricer({
    eth: known(3000),
    feeds: { ...noFeeds, btc: round(90_000) },
    now: BLOCK_TIME,
    redeems: true,
    references: read(
      poolState({ token: SECOND_RING[0]?.address ?? TOKEN, quoteReserve: 100n * ether, ratio: 0.0005 })
    )
  })

  it("is known for trusted quotes, native ETH among them, and for no other token", () => {
    expect(priceOf(WETH)?.usd).toBe(3000)
    expect(priceOf(ZERO_ADDRESS)?.usd).toBe(3000)
    expect(priceOf(USDC)).toMatchObject({ usd: 1, decimals: 6 })
    expect(priceOf("0xcbb7c0000ab88b473b1f5afd9ef808440eed33bf")?.usd).toBe(90_000)
    expect(priceOf(TOKEN)).toBeUndefined()
  })

  it("in the second ring follows the quote's own WETH pool, and its credit that pool's depth", () => {
    const virtual = priceOf(SECOND_RING[0]?.address ?? TOKEN)
    expect(virtual?.usd).toBeCloseTo(1.5)
    expect(virtual?.maxCreditUsd).toBe(300_000)
    expect(priceOf(SECOND_RING[1]?.address ?? TOKEN)).toBeUndefined()
  })

  it("is not known where another of its pools, a tenth as deep or more, says otherwise", () => {
    const of = SECOND_RING[0]?.address ?? TOKEN
    const market = poolState({ token: of, quoteReserve: 100n * ether, ratio: 0.0005 })
    const withOther = (weth: bigint, ratio: number | null) =>
      quotePricer({
        eth: known(3000),
        feeds: noFeeds,
        now: BLOCK_TIME,
        redeems: true,
        references: read(market, poolState({ token: of, quoteReserve: weth * ether, ratio }))
      })(of)?.usd
    for (const [weth, ratio] of [
      [101n, 5],
      [10n, 5],
      [999n, 5],
      [10n, null]
    ] as const)
      expect(withOther(weth, ratio)).toBeUndefined()
    expect([withOther(9n, 5), withOther(10n, 0.00052), withOther(9n, 0.0001)]).toEqual([1.5, 1.5, 1.5])
  })

  it("is not known where one of its pools did not answer like one; one that nobody opened says nothing", () => {
    const of = SECOND_RING[0]?.address ?? TOKEN
    const market = poolState({ token: of, quoteReserve: 100n * ether, ratio: 0.0005 })
    const beside = (reading: PoolReading, money = of) =>
      quotePricer({
        eth: known(3000),
        feeds: noFeeds,
        now: BLOCK_TIME,
        redeems: true,
        references: referencesOf([
          { of, reading: market },
          { of: money, reading }
        ])
      })(of)?.usd
    expect(beside(undefined)).toBeUndefined()
    expect([beside(null), beside(undefined, SECOND_RING[1]?.address)]).toEqual([1.5, 1.5])
    const unread = referencesOf([
      { of: WETH, reading: ethPool(3100) },
      { of: WETH, reading: undefined }
    ])
    expect(eth({ references: unread }).known).toBe(false)
  })
})

describe("the token's price", () => {
  const other = "0xbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"

  it("is the deepest pool's when sources agree", () => {
    const { price, spread } = priceEvidence(
      [pool(), pool({ address: other, priceUsd: 0.091, quoteUsd: 40_000 })],
      known([pair()])
    )
    expect(price).toEqual(known(0.09))
    expect(spread).toBeLessThan(0.1)
  })

  it("is null when the second pool, or market data about the same pool, differs by more than a tenth", () => {
    const second = pool({ address: other, priceUsd: 0.2, quoteUsd: 40_000 })
    expect(priceEvidence([pool(), second], known([])).price.known).toBe(false)
    expect(priceEvidence([pool()], known([pair({ priceUsd: 0.2 })])).price.known).toBe(false)
  })

  it("cannot be silenced by dust at a mad price", () => {
    const dust = pool({ address: other, priceUsd: 999, quoteUsd: 200 })
    expect(priceEvidence([pool(), dust], known([])).price).toEqual(known(0.09))
  })

  it("is null where no pool holds 100 USD", () => {
    expect(priceEvidence([pool({ quoteUsd: 99 })], missing("down")).price.known).toBe(false)
  })

  it("is, when known, always the price of a pool that was given", () => {
    const pools = fc.array(
      fc.record({
        priceUsd: fc.double({ min: 1e-9, max: 1e6, noNaN: true }),
        quoteUsd: fc.double({ min: 0, max: 1e7, noNaN: true })
      }),
      { maxLength: 6 }
    )
    fc.assert(
      fc.property(pools, (given) => {
        const { price } = priceEvidence(
          given.map((change) => pool(change)),
          known([])
        )
        return (
          !price.known || given.some(({ priceUsd, quoteUsd }) => priceUsd === price.value && quoteUsd >= 100)
        )
      })
    )
  })
})
