import { describe, expect, it } from "@effect/vitest"
import type { Address, Hex } from "viem"
import { readsOf } from "../../../src/chain/chain-rpc.ts"
import { SECOND_RING, USDC, WETH, ZERO_ADDRESS } from "../../../src/screening/base/addresses.ts"
import { V4 } from "../../../src/screening/base/pools/factories.ts"
import { V2_FACTORIES } from "../../../src/screening/base/pools/registry/exchanges.ts"
import { pricePool } from "../../../src/screening/base/pools/liquidity.ts"
import {
  readMarketPools,
  readStandings,
  standingUsd,
  uniswapV3PoolAddress
} from "../../../src/screening/base/pools/market-pools.ts"
import { poolSearch } from "../../../src/screening/base/pools/pool-search.ts"
import type { PoolCandidate } from "../../../src/screening/base/pools/pool-search.ts"
import { readPool } from "../../../src/screening/base/pools/pool-state.ts"
import { guessedKeys, hookTrust, poolIdOf, v4Key } from "../../../src/screening/base/pools/v4.ts"
import { mapQuery, pure } from "../../../src/screening/base/reads/query.ts"
import { answer, ask } from "../../support/base/answers.ts"
import { POOL, TOKEN, pair, poolState } from "../../support/base/fixtures.ts"

const UNI_V2 = V2_FACTORIES[0]?.address ?? ZERO_ADDRESS
const ether = 10n ** 18n
/** sqrt(1) in Q96: one smallest unit against one. */
const Q96 = 1n << 96n

const v3: PoolCandidate = { kind: "v3", dex: "uniswap-v3", address: POOL, quote: WETH, feePips: 3000 }
const v3Answers = (liquidity: bigint, held: bigint) => [
  answer(POOL, "0x3850c7bd", [], Q96, 0),
  answer(POOL, "0x1a686502", [], liquidity),
  answer(WETH, "0x70a08231", [POOL], held),
  answer(TOKEN, "0x70a08231", [POOL], 5n * ether)
]

/** Pools alone: nothing more is read of them. */
const searchPools = poolSearch(() => () => pure(undefined), { reads: [], decode: () => undefined })
const search = (token: Address) =>
  mapQuery(searchPools(token), ([{ pools }]) => pools.map(({ pool }) => pool))

describe("the search for pools", () => {
  it("finds a pool its factory names and nothing where factories are not deployed", () => {
    expect(ask(search(TOKEN), [])).toEqual([])
    const found = ask(search(TOKEN), [answer(UNI_V2, "0xe6a43905", [TOKEN, WETH], POOL)])
    expect(found).toEqual([{ kind: "v2", dex: "uniswap-v2", address: POOL, quote: WETH, feePips: 3000 }])
  })

  it("takes a factory's zero address for no pool", () => {
    expect(ask(search(TOKEN), [answer(UNI_V2, "0xe6a43905", [TOKEN, WETH], ZERO_ADDRESS)])).toEqual([])
  })

  it("never asks for a pool of a token against itself", () => {
    const reads = search(WETH).reads.flatMap((read) => ("alike" in read ? readsOf(read) : []))
    expect(reads.length).toBeGreaterThan(0)
    const selfQuoted = reads.filter((read) => "data" in read && read.data.split(WETH.slice(2)).length > 2)
    expect(selfQuoted).toEqual([])
  })
})

describe("a pool's state", () => {
  it("of V2 takes reserves by the order of addresses", () => {
    const candidate: PoolCandidate = {
      kind: "v2",
      dex: "uniswap-v2",
      address: POOL,
      quote: WETH,
      feePips: 3000
    }
    const state = ask(readPool(TOKEN, 18, candidate), [
      answer(POOL, "0x0902f1ac", [], 100n * ether, 2n * ether, 0)
    ])
    expect(state).toMatchObject({ tokenReserve: 100n * ether, quoteReserve: 2n * ether, ratio: 0.02 })
    const reversed = ask(readPool(WETH, 18, { ...candidate, quote: TOKEN }), [
      answer(POOL, "0x0902f1ac", [], 100n * ether, 2n * ether, 0)
    ])
    expect(reversed).toMatchObject({ tokenReserve: 2n * ether, quoteReserve: 100n * ether })
  })

  it("of V3 credits quote parked out of range with nothing", () => {
    expect(ask(readPool(TOKEN, 18, v3), v3Answers(0n, 1000n * ether))).toMatchObject({ quoteReserve: 0n })
    expect(ask(readPool(TOKEN, 18, v3), v3Answers(3n * ether, 1000n * ether))).toMatchObject({
      quoteReserve: 3n * ether
    })
    expect(ask(readPool(TOKEN, 18, v3), v3Answers(5000n * ether, 7n * ether))).toMatchObject({
      quoteReserve: 7n * ether
    })
  })

  it("of v4 is the depth to a price 2 % lower, because all pools share one vault", () => {
    const poolId: Hex = `0x${"33".repeat(32)}`
    const candidate: PoolCandidate = {
      kind: "v4",
      dex: "uniswap-v4",
      address: V4.poolManager,
      quote: ZERO_ADDRESS,
      feePips: null,
      v4: { poolId, hooks: ZERO_ADDRESS }
    }
    const state = ask(readPool(TOKEN, 18, candidate), [
      answer(V4.stateView, "0xc815641c", [poolId], Q96, 0, 0, 3000),
      answer(V4.stateView, "0xfa6793d5", [poolId], 1000n * ether)
    ])
    expect(state?.feePips).toBe(3000)
    expect(Number(state?.quoteReserve) / 1e18).toBeCloseTo(9.85, 2)
  })

  it("that does not answer, or answers with amounts no pool can hold, is none", () => {
    expect(ask(readPool(TOKEN, 18, v3), [])).toBeUndefined()
    expect(ask(readPool(TOKEN, 18, v3), v3Answers(1n << 127n, 1n << 200n))?.quoteReserve).toBe(1n << 127n)
    const v2: PoolCandidate = { ...v3, kind: "v2" }
    expect(ask(readPool(TOKEN, 18, v2), [answer(POOL, "0x0902f1ac", [], 1n << 130n, 1n, 0)])).toBeUndefined()
  })

  it("that nobody opened is told from one that does not answer", () => {
    expect(ask(readPool(TOKEN, 18, v3), [answer(POOL, "0x3850c7bd", [], 0, 0)])).toBeNull()
  })
})

describe("a pool's worth", () => {
  const state = poolState()
  const full = (usd: number) => ({ usd, decimals: 18, maxCreditUsd: Number.POSITIVE_INFINITY })

  it("is its quote side at the trusted price", () => {
    expect(pricePool(state, 18, () => full(3000))).toMatchObject({ quoteUsd: 30_000, priceUsd: 30 })
  })

  it("is nothing against a quote without a price, and against itself", () => {
    expect(pricePool(state, 18, () => undefined)).toMatchObject({ quoteUsd: 0, priceUsd: null })
    expect(pricePool({ ...state, quote: TOKEN }, 18, () => full(3000))).toMatchObject({
      quoteUsd: 0,
      priceUsd: null
    })
  })

  it("is capped at what a second-ring quote's own market could pay", () => {
    expect(pricePool(state, 18, () => ({ ...full(3000), maxCreditUsd: 500 })).quoteUsd).toBe(500)
  })
})

describe("pools only market data knows", () => {
  const fee = 250
  const address = uniswapV3PoolAddress(TOKEN, WETH, fee)
  const asPool = (at: Address, claimed: number) => [
    answer(at, "0xddca3f43", [], claimed),
    answer(at, "0x3850c7bd", [], Q96, 0),
    answer(at, "0x1a686502", [], ether),
    answer(WETH, "0x70a08231", [at], ether),
    answer(TOKEN, "0x70a08231", [at], ether)
  ]

  it("have the address Uniswap really gives them (WETH/USDC 0.05 % on Base)", () => {
    expect(uniswapV3PoolAddress(WETH, USDC, 500)).toBe("0xd0b53d9277642d899df5c87a3966a349a798f224")
  })

  it("count when the factory would have made them for the fee they claim", () => {
    const found = ask(readMarketPools(TOKEN, [pair({ pairAddress: address })], []), asPool(address, fee))
    expect(found).toMatchObject([{ address, feePips: fee, quoteReserve: ether }])
  })

  it("are ignored when their address is not what the factory would give them", () => {
    expect(ask(readMarketPools(TOKEN, [pair({ pairAddress: POOL })], []), asPool(POOL, fee))).toEqual([])
    expect(ask(readMarketPools(TOKEN, [pair({ pairAddress: address })], []), asPool(address, 500))).toEqual(
      []
    )
  })

  it("are asked for the money at their address, whoever made them", () => {
    const held = (holder: Address) => [answer(WETH, "0x70a08231", [holder], ether)]
    expect(ask(readStandings(TOKEN, [pair({ pairAddress: POOL })], []), held(POOL))).toEqual([
      { address: POOL, quote: WETH, held: ether }
    ])
    const known = { kind: "v2", dex: "uniswap-v2", address: POOL, quote: WETH, feePips: 3000 } as const
    expect(readStandings(TOKEN, [pair({ pairAddress: POOL })], [known]).reads).toEqual([])
    expect(readStandings(TOKEN, [pair({ pairAddress: `0x${"12".repeat(32)}` })], []).reads).toEqual([])
    expect(readStandings(TOKEN, [pair({ quoteAddress: POOL })], []).reads).toEqual([])
  })

  it("hold nobody knows how much where it was not read, or what it is in has no price", () => {
    const priced = () => ({ usd: 3000, decimals: 18, maxCreditUsd: Number.POSITIVE_INFINITY })
    const worth = (held: bigint | null, priceOf: typeof priced | (() => undefined) = priced) =>
      standingUsd([{ address: POOL, quote: WETH, held }], [], priceOf)
    expect(ask(readStandings(TOKEN, [pair({ pairAddress: POOL })], []), [])).toMatchObject([{ held: null }])
    expect([worth(ether), worth(0n), worth(null)]).toEqual([3000, 0, null])
    expect([worth(ether, () => undefined), worth(0n, () => undefined)]).toEqual([null, 0])
    expect(standingUsd([{ address: POOL, quote: WETH, held: null }], [{ address: POOL }], priced)).toBe(0)
  })

  it("are not looked at against quotes nobody trusts", () => {
    expect(readMarketPools(TOKEN, [pair({ quoteAddress: POOL })], []).reads).toEqual([])
    expect(readMarketPools(TOKEN, [pair({ quoteAddress: null })], []).reads).toEqual([])
  })

  it("in v4 count when the PositionManager's key hashes back to the id", () => {
    const key = v4Key(TOKEN, WETH, { fee: 7000, tickSpacing: 140, hooks: ZERO_ADDRESS })
    const poolId = poolIdOf(key)
    const keyAnswer = answer(
      V4.positionManager,
      "0x86b6be7d",
      [`0x${poolId.slice(2, 52).padEnd(64, "0")}`],
      key.currency0,
      key.currency1,
      key.fee,
      key.tickSpacing,
      key.hooks
    )
    const state = [
      answer(V4.stateView, "0xc815641c", [poolId], Q96, 0, 0, 7000),
      answer(V4.stateView, "0xfa6793d5", [poolId], 1000n * ether)
    ]
    const query = readMarketPools(TOKEN, [pair({ pairAddress: poolId })], [])
    expect(ask(query, [keyAnswer, ...state])).toMatchObject([{ kind: "v4", quote: WETH }])
    expect(ask(query, state)).toEqual([])
  })
})

describe("v4 keys", () => {
  const ZORA = SECOND_RING[1]?.address ?? ZERO_ADDRESS

  it("hash to the ids seen on Base", () => {
    const creatorCoin = v4Key("0x15e012abf9d32cd67fc6cf480ea0e318e9ed5926", ZORA, {
      fee: 30_000,
      tickSpacing: 200,
      hooks: "0xd61a675f8a0c67a73dc3b54fb7318b4d91409040"
    })
    expect(poolIdOf(creatorCoin)).toBe("0x0fe6333346fcd0ffa4be3fda91f271bda52c6755f604b06483b709666d363628")
    const hookless = v4Key(ZORA, ZERO_ADDRESS, { fee: 3000, tickSpacing: 60, hooks: ZERO_ADDRESS })
    expect(poolIdOf(hookless)).toBe("0xd694bd7285eeeee19d3d5da38f613859168c422d628def88a0c95dad12071f3a")
  })

  it("are guessed once each", () => {
    const ids = guessedKeys(TOKEN).map(poolIdOf)
    expect(new Set(ids).size).toBe(ids.length)
  })

  it("with an unknown hook are judged by its permission bits", () => {
    expect(hookTrust(ZERO_ADDRESS)).toBe("none")
    expect(hookTrust("0xd61a675f8a0c67a73dc3b54fb7318b4d91409040")).toBe("known")
    expect(hookTrust("0x1000000000000000000000000000000000000008")).toBe("can-take-from-swaps")
    expect(hookTrust("0x1000000000000000000000000000000000000080")).toBe("can-block-swaps")
    expect(hookTrust("0x1000000000000000000000000000000000000200")).toBe("harmless")
  })
})
