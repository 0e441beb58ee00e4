import { describe, expect, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { maxUint256, parseEther } from "viem"
import * as abi from "../../scripts/sandbox/base/abi.ts"
import * as at from "../../scripts/sandbox/base/addresses.ts"
import { LocalSandbox } from "../support/sandbox.ts"

const Pairs = Schema.Array(
  Schema.Struct({
    chainId: Schema.String,
    pairAddress: Schema.String,
    baseToken: Schema.Struct({ address: Schema.String, symbol: Schema.String }),
    quoteToken: Schema.Struct({ address: Schema.String }),
    priceUsd: Schema.NumberFromString,
    liquidity: Schema.Struct({ usd: Schema.Number, base: Schema.Number, quote: Schema.Number }),
    pairCreatedAt: Schema.Number
  })
)

const Report = Schema.Struct({
  mintAuthority: Schema.NullOr(Schema.String),
  freezeAuthority: Schema.NullOr(Schema.String),
  score_normalised: Schema.Number,
  transferFee: Schema.Struct({ pct: Schema.Number }),
  markets: Schema.Array(
    Schema.Struct({
      pubkey: Schema.String,
      lp: Schema.Struct({ lpLockedPct: Schema.Number, quoteUSD: Schema.Number })
    })
  ),
  topHolders: Schema.Array(Schema.Struct({ address: Schema.String, pct: Schema.Number }))
})

const get = (url: string) =>
  Effect.promise(async () => {
    const response = await fetch(url)
    const text = await response.text()
    return { status: response.status, text }
  })

const pairs = (url: string) =>
  get(url).pipe(Effect.flatMap(({ text }) => Schema.decode(Schema.parseJson(Pairs))(text)))

const report = (url: string) =>
  get(url).pipe(Effect.flatMap(({ text }) => Schema.decode(Schema.parseJson(Report))(text)))

describe("the local market data", () => {
  layer(LocalSandbox.layer, { excludeTestServices: true })((it) => {
    it.scoped("prices a Base token from the pool's reserves of the moment", () =>
      Effect.gen(function* () {
        const { base, market } = yield* LocalSandbox
        const { address, pool } = base.tokens.clean
        const url = `${market.dexScreenerUrl}/token-pairs/v1/base/${address}`
        // The pool is as it was again, also where this is tried again.
        const untouched = yield* Effect.promise(() => base.devnet.request("evm_snapshot", []))
        yield* Effect.addFinalizer(() => Effect.promise(() => base.devnet.request("evm_revert", [untouched])))
        const [before] = yield* pairs(url)
        expect(before).toMatchObject({ chainId: "base", pairAddress: pool, quoteToken: { address: at.WETH } })
        expect(before?.liquidity).toMatchObject({ quote: 60, base: 940_000_000, usd: 360_000 })
        expect(before?.priceUsd).toBeCloseTo((60 * 3000) / 940_000_000, 12)
        const trader = base.accounts.trader.address
        yield* Effect.promise(() =>
          base.devnet.write(
            trader,
            at.V2_ROUTER,
            abi.v2Router,
            "swapExactETHForTokensSupportingFeeOnTransferTokens",
            [0n, [at.WETH, address], trader, maxUint256],
            parseEther("1")
          )
        )
        const [after] = yield* pairs(url)
        expect(after?.liquidity.quote).toBe(61)
      })
    )

    it.effect("agrees with V2 arithmetic on the V3 pool's price", () =>
      Effect.gen(function* () {
        const { base, market } = yield* LocalSandbox
        const [pair] = yield* pairs(
          `${market.dexScreenerUrl}/token-pairs/v1/base/${base.tokens.concentrated.address}`
        )
        expect(pair?.priceUsd).toBeCloseTo((60 * 3000) / 940_000_000, 9)
      })
    )

    it.effect("lists WETH's pools with WETH as quote, as the real service does", () =>
      Effect.gen(function* () {
        const { market } = yield* LocalSandbox
        const found = yield* pairs(`${market.dexScreenerUrl}/tokens/v1/base/${at.WETH}`)
        expect(found.filter(({ quoteToken }) => quoteToken.address === at.WETH).length).toBeGreaterThan(5)
        const reference = found.find(({ baseToken }) => baseToken.address === at.WETH)
        expect(reference?.priceUsd).toBe(3000)
      })
    )

    it.effect("lists nothing for a token without a pool", () =>
      Effect.gen(function* () {
        const { base, market, solana } = yield* LocalSandbox
        const onBase = yield* get(
          `${market.dexScreenerUrl}/token-pairs/v1/base/${base.tokens.unlisted.address}`
        )
        const legacy = yield* get(
          `${market.dexScreenerUrl}/latest/dex/tokens/${solana.tokens.unlisted.address}`
        )
        expect([onBase.text, legacy.text]).toEqual(["[]", '{"schemaVersion":"1.0.0","pairs":null}'])
      })
    )

    it.effect("prices a Solana token from its vaults", () =>
      Effect.gen(function* () {
        const { market, solana } = yield* LocalSandbox
        const [pair] = yield* pairs(
          `${market.dexScreenerUrl}/token-pairs/v1/solana/${solana.tokens.clean.address}`
        )
        expect(pair?.pairAddress).toBe(solana.tokens.clean.pool?.address)
        expect(pair?.liquidity).toMatchObject({ quote: 800, usd: 240_000 })
        expect(pair?.priceUsd).toBeCloseTo((800 * 150) / 940_000_000, 12)
      })
    )

    it.effect("reports authorities, LP and fees as the chain has them", () =>
      Effect.gen(function* () {
        const { market, solana } = yield* LocalSandbox
        const of = (address: string) => report(`${market.rugCheckUrl}/tokens/${address}/report`)
        const clean = yield* of(solana.tokens.clean.address)
        expect(clean).toMatchObject({ mintAuthority: null, freezeAuthority: null, score_normalised: 0 })
        expect(clean.markets[0]?.lp).toEqual({ lpLockedPct: 100, quoteUSD: 120_000 })
        expect(clean.topHolders.map(({ pct }) => pct)).toEqual([94, 1, 1, 1, 1, 1, 1])
        expect((yield* of(solana.tokens.mintable.address)).mintAuthority).not.toBeNull()
        expect((yield* of(solana.tokens.freezable.address)).freezeAuthority).not.toBeNull()
        expect((yield* of(solana.tokens.unlocked.address)).markets[0]?.lp.lpLockedPct).toBe(0)
        expect((yield* of(solana.tokens.transferFee.address)).transferFee.pct).toBe(10)
      })
    )

    it.effect("does not know what is no mint", () =>
      Effect.gen(function* () {
        const { market, solana } = yield* LocalSandbox
        const { status } = yield* get(
          `${market.rugCheckUrl}/tokens/${solana.accounts.payer.address}/report/summary`
        )
        expect(status).toBe(404)
      })
    )

    it.effect("fails in the way it is told to, each service on its own", () =>
      Effect.gen(function* () {
        const { base, market, solana } = yield* LocalSandbox
        const dex = `${market.dexScreenerUrl}/token-pairs/v1/base/${base.tokens.clean.address}`
        const rug = `${market.rugCheckUrl}/tokens/${solana.tokens.clean.address}/report`
        const asked = market.dexScreener.requests()
        market.dexScreener.faults.fault = "error"
        expect((yield* get(dex)).status).toBe(500)
        expect((yield* get(rug)).status).toBe(200)
        market.dexScreener.faults.fault = "garbage"
        expect((yield* Effect.either(pairs(dex)))._tag).toBe("Left")
        market.dexScreener.faults.fault = "empty"
        expect((yield* get(dex)).text).toBe("")
        market.dexScreener.faults.fault = "reset"
        expect((yield* Effect.either(Effect.tryPromise(() => fetch(dex))))._tag).toBe("Left")
        market.dexScreener.faults.fault = "none"
        expect((yield* get(dex)).status).toBe(200)
        expect(market.dexScreener.requests()).toBe(asked + 5)
      })
    )
  })
})
