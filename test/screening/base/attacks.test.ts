import { describe, expect, it } from "@effect/vitest"
import { known, missing } from "../../../src/domain/fact.ts"
import { USDC } from "../../../src/screening/base/addresses.ts"
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
})
