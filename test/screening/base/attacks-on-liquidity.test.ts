import { describe, expect, it } from "@effect/vitest"
import { known, missing } from "../../../src/domain/fact.ts"
import { USDC } from "../../../src/screening/base/addresses.ts"
import { liquidityUsd, priceEvidence } from "../../../src/screening/base/pools/liquidity.ts"
import { lpVerdict } from "../../../src/screening/base/pools/lp-lock.ts"
import { clean, judge, pair, pool } from "../../support/base/fixtures.ts"

const OTHER_POOL = "0xbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"

describe("an attack on the scanner", () => {
  it("by fake liquidity against a worthless quote counts nothing and gives no price", () => {
    const worthless = pool({ quote: OTHER_POOL, quoteUsd: 0, priceUsd: null })
    expect(liquidityUsd([worthless])).toBe(0)
    expect(priceEvidence([worthless], known([pair()])).price.known).toBe(false)
    const result = judge({
      ...clean,
      pools: [worthless],
      price: priceEvidence([worthless], known([])),
      liquidityUsd: 0,
      lp: lpVerdict([{ ...worthless, lockedShare: 1 }]),
      market: known([pair({ quoteAddress: OTHER_POOL, liquidityUsd: 5_000_000 })])
    })
    expect(result.state("NO_TRUSTED_LIQUIDITY")).toBe("fail")
    expect(result.state("MARKET_DATA")).toBe("fail")
    expect(result.verdict).toBe("avoid")
  })

  it("by liquidity that was not there minutes ago is at least caution", () => {
    const result = judge({ ...clean, pools: [pool({ earlierQuoteReserve: 10n ** 18n })] })
    expect(result.state("LIQUIDITY_MOVED")).toBe("fail")
    expect(result.verdict).not.toBe("allow")
  })

  it("by wash volume or paid boosts cannot lower the score: neither is read", () => {
    const boosted = judge({ ...clean, market: known([pair({ labels: ["boosted", "verified"] })]) })
    expect(boosted.score).toBe(judge(clean).score)
  })

  it("by a lock that ends soon, or only of a part, is not locked", () => {
    const partly = lpVerdict([{ ...pool(), lockedShare: 0.94 }])
    expect(partly.locked).toBe(false)
    expect(judge({ ...clean, lp: partly })).toMatchObject({ verdict: "caution", safe: false })
  })

  it("by locking a small pool beside a large unlocked one is not locked, whichever is listed first", () => {
    const small = { ...pool({ quoteUsd: 900 }), lockedShare: 1 }
    const large = { ...pool({ address: OTHER_POOL, quoteUsd: 90_000 }), lockedShare: 0 }
    expect(lpVerdict([small, large]).locked).toBe(false)
    expect(lpVerdict([large, small]).locked).toBe(false)
  })

  it("by cutting what is unlocked, or has a hook nobody read, into many small pools is seen all the same", () => {
    const hooks = `0x${"0".repeat(36)}00c0` as const
    const small = Array.from({ length: 40 }, (_, at) => {
      const poolId = `0x${(at + 1).toString(16).padStart(64, "0")}` as const
      return pool({ kind: "v4", feePips: 3000, quoteUsd: 1_900, v4: { poolId, hooks }, lockedShare: 0 })
    })
    const main = { ...pool({ quoteUsd: 24_000 }), lockedShare: 1 }
    expect(lpVerdict([main, ...small])).toMatchObject({ locked: false, spread: false })
    expect(judge({ ...clean, pools: [main, ...small] }).state("UNKNOWN_HOOK")).toBe("unknown")
    const dear = small.map(() => pool({ feePips: 900_000, quoteUsd: 1_900 }))
    expect(judge({ ...clean, pools: [main, ...dear] }).state("POOL_FEE")).toBe("fail")
    // A stranger's few cents, in however many pools.
    const dust = small.map((one) => ({ ...one, quoteUsd: 10 }))
    expect(lpVerdict([main, ...dust]).locked).toBe(true)
    expect(judge({ ...clean, pools: [main, ...dust] }).state("UNKNOWN_HOOK")).toBe("pass")
  })

  it("by claims of liquidity while ether has no price is undecided", () => {
    const dear = { market: known([pair({ liquidityUsd: 5_000_000 })]), liquidityUsd: 2_000 }
    const dollars = { pools: [pool({ quote: USDC, quoteUsd: 1_000 })], ethUsd: missing("down") }
    expect(judge({ ...clean, ...dear, ...dollars }).state("MARKET_DATA")).toBe("unknown")
    expect(judge({ ...clean, ...dear, pools: dollars.pools }).state("MARKET_DATA")).toBe("fail")
    expect(
      judge({ ...clean, ...dollars, market: known([pair({ liquidityUsd: 3_000 })]) }).state("MARKET_DATA")
    ).toBe("pass")
  })

  it("by liquidity in many wallets is not safe before the market had a month to leave", () => {
    const many = { ...clean, lp: { locked: false, share: 0, spread: true } }
    expect(judge({ ...many, age: 29n * 86_400n })).toMatchObject({ verdict: "caution", safe: false })
    expect(judge({ ...many, age: null })).toMatchObject({ safe: false })
    expect(judge(many)).toMatchObject({ verdict: "allow", safe: true })
    expect(judge({ ...many, hadMoney: false })).toMatchObject({ verdict: "caution", safe: false })
  })

  it("by an unknown v4 hook that may take from swaps is at least caution", () => {
    const hooked = pool({
      kind: "v4",
      v4: { poolId: `0x${"22".repeat(32)}`, hooks: "0x00000000000000000000000000000000000000cc" }
    })
    const result = judge({ ...clean, pools: [hooked] })
    expect(result.state("UNKNOWN_HOOK")).toBe("unknown")
    expect(result).toMatchObject({ verdict: "caution", safe: null })
  })
})
