import { afterAll, beforeAll, describe, expect, it } from "@effect/vitest"
import { Effect, Exit, Scope } from "effect"
import type { Address } from "viem"
import { zeroAddress } from "viem"
import type { Pool } from "../../../../src/screening/base/pools/pool.ts"
import type { SimulationFindings } from "../../../../src/screening/base/simulation/findings.ts"
import { simulateTrades } from "../../../../src/screening/base/simulation/simulate.ts"
import { TestChain, weth } from "../../../support/base/simulation/chain.ts"
import { makeAerodrome, makeV3, makeV4 } from "../../../support/base/simulation/other-pools.ts"

const scope = Effect.runSync(Scope.make())
let chain: TestChain
let v3: Awaited<ReturnType<typeof makeV3>>
let v4: Awaited<ReturnType<typeof makeV4>>
let aerodrome: ReturnType<typeof makeAerodrome>

beforeAll(async () => {
  chain = await Effect.runPromise(Scope.extend(TestChain.start, scope))
  v3 = await makeV3(chain)
  v4 = await makeV4(chain)
  aerodrome = makeAerodrome(chain)
})
afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))

const findings = async (pool: Pool, holders: ReadonlyArray<Address> = []): Promise<SimulationFindings> => {
  const blockNumber = await Effect.runPromise(chain.rpc.blockNumber)
  const input = { token: pool.token, pools: [pool], holders: Effect.succeed(holders), blockNumber }
  const fact = await Effect.runPromise(simulateTrades(chain.rpc, input))
  if (!fact.known) throw new Error(fact.why)
  return fact.value
}

const clean = { tradingBlocked: false, honeypot: false, laterHoneypot: false, inconsistent: false }
const untaxed = { ...clean, buyTaxBps: 0, transferTaxBps: 0, sellTaxBps: 0, laterSellTaxBps: 0 }

describe("simulateTrades in a Uniswap V3 pool", () => {
  it("finds nothing in a plain token, on either side of the pair", async () => {
    for (let round = 0; round < 3; round++) {
      const result = await findings(await v3(await chain.token("Plain")))
      expect(result).toMatchObject({ ...untaxed, fullSell: { known: true, value: true } })
      expect(result.variants).toHaveLength(18)
    }
  })

  it("measures the taxes of a token that such pools' routers cannot sell, and calls it no honeypot", async () => {
    const result = await findings(await v3(await chain.token("Tax", [500, 100, 800])))
    expect(result).toMatchObject({ ...clean, buyTaxBps: 500, transferTaxBps: 100, sellTaxBps: 800 })
  })

  it.each(["SellReverts", "OriginGate", "ForgedResult"] as const)(
    "catches a honeypot by %s",
    async (behaviour) => {
      expect(await findings(await v3(await chain.token(behaviour)))).toMatchObject({ honeypot: true })
    }
  )

  it("tells trading that is not open from a honeypot", async () => {
    expect(await findings(await v3(await chain.token("TradingClosed")))).toMatchObject({
      ...clean,
      tradingBlocked: true
    })
  })

  it("trades against a quote token that is not WETH", async () => {
    expect(await findings(await v3(await chain.token("Plain"), await chain.token("Plain")))).toMatchObject(
      untaxed
    )
  })
})

describe("simulateTrades in a Uniswap V4 pool", () => {
  it.each(["ether", "WETH", "a token"] as const)(
    "finds nothing in a plain token against %s",
    async (against) => {
      const quote = against === "ether" ? zeroAddress : against === "WETH" ? weth : await chain.token("Plain")
      const result = await findings(await v4(await chain.token("Plain"), quote))
      expect(result).toMatchObject({ ...untaxed, fullSell: { known: true, value: true } })
    }
  )

  it("tells what a hook keeps from the token's taxes", async () => {
    const result = await findings(await v4(await chain.token("Plain"), zeroAddress, "takes"))
    expect(result).toMatchObject(clean)
    expect(result).toMatchObject({ buyTaxBps: 0, sellTaxBps: 0 })
    const taken = result.variants.map(({ legs }) => legs.hookTaxBps ?? 0)
    expect(Math.min(...taken)).toBeGreaterThanOrEqual(1990)
    expect(Math.max(...taken)).toBeLessThanOrEqual(2010)
  })

  it("catches a hook that lets nobody sell", async () => {
    expect(await findings(await v4(await chain.token("Plain"), zeroAddress, "traps"))).toMatchObject({
      honeypot: true
    })
  })

  it("catches a token that lets nobody sell", async () => {
    expect(await findings(await v4(await chain.token("SellReverts"), zeroAddress))).toMatchObject({
      honeypot: true
    })
  })

  it("does not trade under a key that is not the pool's", async () => {
    const pool = await v4(await chain.token("Plain"), zeroAddress)
    await expect(findings({ ...pool, feePips: 500 })).rejects.toThrow("no pool to trade in")
  })
})

it.each([
  ["a Uniswap V4", (token: Address) => v4(token, zeroAddress)],
  ["an Aerodrome", (token: Address) => aerodrome(token, false)]
] as const)("simulateTrades in %s pool measures the token's taxes", async (_, open) => {
  const result = await findings(await open(await chain.token("Tax", [500, 100, 800])))
  expect(result).toMatchObject({ ...clean, buyTaxBps: 500, transferTaxBps: 100, sellTaxBps: 800 })
})

describe("simulateTrades in an Aerodrome pool", () => {
  it.each([false, true])("finds nothing in a plain token (stable: %s)", async (stable) => {
    const result = await findings(await aerodrome(await chain.token("Plain"), stable))
    expect(result).toMatchObject({ ...untaxed, fullSell: { known: true, value: true } })
  })

  it("catches a honeypot", async () => {
    expect(await findings(await aerodrome(await chain.token("SellReverts"), false))).toMatchObject({
      honeypot: true
    })
  })
})
