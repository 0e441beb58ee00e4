import { describe, expect, it } from "@effect/vitest"
import { known, missing } from "../../../src/domain/fact.ts"
import { USDC, WETH } from "../../../src/screening/base/addresses.ts"
import { liquidityUsd, priceEvidence } from "../../../src/screening/base/pools/liquidity.ts"
import { lpVerdict } from "../../../src/screening/base/pools/lp-lock.ts"
import { mintAuthorityOff } from "../../../src/screening/base/power/power.ts"
import { nothingProven } from "../../../src/screening/base/power/proof/prove.ts"
import { wornBy } from "../../../src/screening/base/reads/symbol.ts"
import {
  BLOCK_TIME,
  OWNER,
  POOL,
  TOKEN,
  clean,
  found,
  harmlessCode,
  judge,
  pair,
  pool,
  withPower,
  withTrades
} from "../../support/base/fixtures.ts"

const OTHER_POOL = "0xbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"
const live = { kind: "eoa" } as const

describe("an attack on the scanner", () => {
  it("leaves the clean token alone: allowed, safe, below caution", () => {
    const result = judge(clean)
    expect(result).toMatchObject({ verdict: "allow", safe: true })
    expect(result.score).toBeLessThan(25)
  })

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

  it("by swapping the code behind a proxy after the scan is never allowed, and the report names the code", () => {
    const proxied = judge({
      ...clean,
      code: {
        ...clean.code,
        proxy: { kind: "upgradeable", implementation: OTHER_POOL, admin: OWNER },
        implementation: OTHER_POOL,
        upgrader: live
      }
    })
    expect(proxied.state("UPGRADEABLE")).toBe("fail")
    expect(proxied).toMatchObject({ verdict: "caution", safe: false })
  })

  it("by destroying and redeploying the code is never allowed", () => {
    expect(judge(withPower({ replaceableCode: found })).verdict).not.toBe("allow")
  })

  it("by a tax or a block that starts after the scan is avoided", () => {
    expect(judge(withTrades({ laterSellTaxBps: 9900 })).verdict).toBe("avoid")
    expect(judge(withTrades({ laterHoneypot: true })).verdict).toBe("avoid")
  })

  it("by a later tax that no trial measured passes only where the code is proven to ask neither block nor time", () => {
    const sale = (name: string) => ({ name, sold: true, taxBps: null })
    const unmeasured = {
      ...withTrades({ laterSellTaxBps: null }),
      wallets: known({
        seed: "0x00000001",
        sales: ["sell soon", "sell month"].map(sale),
        whale: null,
        permit2: null,
        others: [],
        refused: 0
      })
    }
    expect(judge(unmeasured).state("LATER_SELL")).toBe("pass")
    const code = {
      ...clean.code,
      findings: known({ ...harmlessCode, proof: nothingProven("it asks the time") })
    }
    expect(judge({ ...unmeasured, code }).state("LATER_SELL")).toBe("unknown")
  })

  it("by a launch-window tax says so instead of calling the token clean", () => {
    const young = [pair({ createdAt: (Number(BLOCK_TIME) - 60) * 1000 })]
    const result = judge({ ...withTrades({ sellTaxBps: 3000, laterSellTaxBps: 100 }), market: known(young) })
    expect(result.message("NEW_POOL")).toContain("launch window")
    expect(result.verdict).not.toBe("allow")
  })

  it("by a tax of zero that the owner can raise is never allowed", () => {
    expect(judge(withPower({ unboundedFee: found })).verdict).not.toBe("allow")
  })

  it("by recognising the simulator is avoided", () => {
    expect(judge(withTrades({ inconsistent: true }))).toMatchObject({ verdict: "avoid", safe: false })
    expect(judge(withPower({ environmentGate: found })).verdict).not.toBe("allow")
  })

  it("by blocking each buyer after the purchase is seen through real holders, and in the code", () => {
    const holders = known({ tried: 6, failed: 5 })
    expect(judge(withTrades({ holders })).verdict).toBe("avoid")
    expect(judge(withPower({ blacklist: found, limitingSell: found })).verdict).toBe("avoid")
  })

  it("by refusing to sell everything at once is never allowed, and avoided where hardly anything can be sold", () => {
    expect(judge(withTrades({ fullSell: known(false) })).verdict).not.toBe("allow")
  })

  it("by renouncing with a lock that gives ownership back is seen", () => {
    const locked = {
      ...clean,
      code: { ...clean.code, canUnlock: true },
      owner: { ...clean.owner, unlockTime: BLOCK_TIME + 60n }
    }
    expect(judge(locked).state("FAKE_RENOUNCE")).toBe("fail")
    expect(judge(locked)).toMatchObject({ safe: false })
    const pending = { ...clean, owner: { ...clean.owner, pendingOwner: OWNER } }
    expect(judge(pending).state("FAKE_RENOUNCE")).toBe("fail")
  })

  it("by renouncing while a hidden gate stays open keeps the power live", () => {
    const hidden = {
      ...withPower({ hiddenMint: found, hiddenOwner: found }),
      owner: clean.owner
    }
    expect(mintAuthorityOff(hidden)).toBe(false)
    expect(judge(hidden).verdict).not.toBe("allow")
  })

  it("by lying about balances is seen from the pool's side", () => {
    expect(judge({ ...clean, pools: [pool({ tokenBalance: 1n })] }).state("BALANCES_INCONSISTENT")).toBe(
      "fail"
    )
    const toTheCaller = { ...clean.shape, seenByPools: new Map([[POOL, 1n]]) }
    expect(judge({ ...clean, shape: toTheCaller }).state("BALANCES_INCONSISTENT")).toBe("fail")
    expect(judge({ ...clean, shape: { ...clean.shape, supply: 5n } }).state("BALANCES_INCONSISTENT")).toBe(
      "fail"
    )
  })

  it("by lying about balances to the second pool only is seen from that pool's side", () => {
    const pools = [pool(), pool({ address: OTHER_POOL })]
    const seenBy = (...other: ReadonlyArray<bigint>) => {
      const [first] = [...clean.shape.seenByPools]
      if (first === undefined) throw new Error("a clean token tells its pool")
      const seenByPools = new Map([first, ...other.map((balance) => [OTHER_POOL, balance] as const)])
      return judge({ ...clean, pools, shape: { ...clean.shape, seenByPools } }).state("BALANCES_INCONSISTENT")
    }
    expect(seenBy(10n ** 24n)).toBe("pass")
    expect(seenBy(1n)).toBe("fail")
    expect(seenBy()).toBe("unknown")
  })

  it("by not telling balances has shown nothing of them", () => {
    const untold = judge({ ...clean, pools: [pool({ tokenBalance: null })] })
    expect(untold).toMatchObject({ verdict: "caution", safe: null })
    expect(untold.state("BALANCES_INCONSISTENT")).toBe("unknown")
    const seenByNobody = judge({ ...clean, shape: { ...clean.shape, seenByPools: new Map() } })
    expect(seenByNobody.state("BALANCES_INCONSISTENT")).toBe("unknown")
    // Such a pool's own balance is its record: nothing of it could be compared.
    const other = pool({ kind: "v3", tokenBalance: null })
    const shape = { ...clean.shape, seenByPools: new Map() }
    expect(judge({ ...clean, shape, pools: [other] }).state("BALANCES_INCONSISTENT")).toBe("pass")
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

  it("by borrowing a major's symbol is avoided, in any script and with invisible letters", () => {
    for (const symbol of ["USDC", "usdc", "ＵＳＤＣ", "U\u200bSDC", "USDС", "ÚSDC", "U$DC", "USD₮"]) {
      expect([symbol, wornBy(TOKEN, symbol, "")]).toEqual([symbol, "major"])
    }
    expect(wornBy(USDC, "USDC", "USD Coin")).toBe(null)
    expect(["USDX", "", "ETHER"].map((symbol) => wornBy(TOKEN, symbol, ""))).toEqual([null, null, null])
    const wearing = (of: "major" | "listed") =>
      judge({ ...clean, shape: { ...clean.shape, copycat: { of, backedByEth: false } } })
    expect(wearing("major").verdict).toBe("avoid")
    expect(wearing("listed")).toMatchObject({ verdict: "caution", safe: false })
    const silent = judge({ ...clean, shape: { ...clean.shape, areTextsTold: false } })
    expect(silent.state("COPYCAT")).toBe("unknown")
  })

  it("by an address that is no token is avoided: no code, or one private key with borrowed code", () => {
    for (const account of ["none", "delegated-eoa"] as const) {
      expect(judge({ ...clean, code: { ...clean.code, account } })).toMatchObject({
        verdict: "avoid",
        safe: false
      })
    }
    expect(judge({ ...clean, shape: { ...clean.shape, supply: null } }).verdict).toBe("avoid")
  })

  it("by liquidity in many wallets is not safe before the market had a month to leave", () => {
    const many = { ...clean, lp: { locked: false, share: 0, spread: true } }
    expect(judge({ ...many, age: 29n * 86_400n })).toMatchObject({ verdict: "caution", safe: false })
    expect(judge({ ...many, age: null })).toMatchObject({ safe: false })
    expect(judge(many)).toMatchObject({ verdict: "allow", safe: true })
    expect(judge({ ...many, hadMoney: false })).toMatchObject({ verdict: "caution", safe: false })
  })

  it("by taking a source down never passes for good news", () => {
    const blind = [
      { ...clean, market: missing("down") },
      { ...clean, simulation: missing("down") },
      { ...clean, code: { ...clean.code, findings: missing("down"), gates: missing("down") } },
      {
        ...clean,
        ethUsd: missing("down"),
        pools: [pool({ quoteUsd: 0, priceUsd: null })],
        price: { price: missing("down"), spread: null }
      },
      { ...clean, lp: { locked: null, share: 0, spread: false } }
    ]
    for (const evidence of blind) {
      const result = judge(evidence)
      expect(result).toMatchObject({ safe: null })
      expect(result.verdict).toBe("caution")
    }
  })

  it("by text in names cannot reach a reason: no message contains text from outside", () => {
    const messages = judge(withPower({ hiddenMint: found, blacklist: found })).signals.map(
      ({ message }) => message
    )
    expect(messages.every((message) => /^[\x20-\x7e]*$/.test(message))).toBe(true)
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

describe("an honest token's powers", () => {
  it("of an established issuer end in allow with an honest reason, never in avoid", () => {
    const powers = {
      hiddenMint: found,
      blacklist: found,
      pause: found,
      leakingToken: found,
      limitingSell: found
    }
    const usdcLike = {
      ...withPower(powers),
      established: true,
      lp: { locked: false, share: 0, spread: false },
      code: {
        ...withPower(powers).code,
        proxy: { kind: "upgradeable", implementation: OTHER_POOL, admin: OWNER } as const,
        upgrader: live
      }
    }
    const result = judge(usdcLike)
    expect(result).toMatchObject({ verdict: "allow", safe: true })
    expect(result.state("MINT_POWER")).toBe("fail")
  })

  it("weigh less behind a delay or several signatures, and never nothing", () => {
    const minting = { hiddenMint: found }
    const key = judge(withPower(minting)).score
    const timelock = judge(withPower(minting, { kind: "timelock", delaySeconds: 172_800 }))
    expect(timelock.score).toBeLessThan(key)
    expect(timelock).toMatchObject({ verdict: "caution", safe: false })
  })

  it("are over when the owner is nobody and every gate is empty", () => {
    const gone = {
      ...clean,
      code: {
        ...clean.code,
        findings: known({
          ...harmlessCode,
          hiddenMint: found,
          pause: found,
          limitingSell: found,
          gateSlots: ["0x05"]
        }),
        gates: known([{ slot: "0x05", value: 0n }])
      }
    }
    expect(mintAuthorityOff(gone)).toBe(true)
    expect(judge(gone)).toMatchObject({ verdict: "allow", safe: true })
    const noGetter = { ...gone, owner: { ...gone.owner, status: "none" } as const }
    expect(mintAuthorityOff(noGetter)).toBeNull()
    expect(judge(noGetter)).toMatchObject({ verdict: "caution", safe: null })
  })

  it("of one kind make caution, and avoid only with liquidity in the same hands", () => {
    const minting = withPower({ hiddenMint: found, pause: found, limitingSell: found })
    expect(judge(minting).verdict).toBe("caution")
    expect(judge({ ...minting, lp: { locked: false, share: 0, spread: false } }).verdict).toBe("avoid")
  })

  it("are counted against quotes we trust only", () => {
    expect(liquidityUsd([pool({ quote: WETH, quoteUsd: 50 })])).toBe(100)
  })
})
