import { describe, expect, it } from "@effect/vitest"
import { known } from "../../../src/domain/fact.ts"
import { WETH } from "../../../src/screening/base/addresses.ts"
import { liquidityUsd } from "../../../src/screening/base/pools/liquidity.ts"
import { mintAuthorityOff } from "../../../src/screening/base/power/power.ts"
import { OWNER, clean, found, harmlessCode, judge, pool, withPower } from "../../support/base/fixtures.ts"

const OTHER_POOL = "0xbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"
const live = { kind: "eoa" } as const

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
