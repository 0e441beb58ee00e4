import { afterAll, beforeAll, describe, expect, it } from "@effect/vitest"
import { Effect, Exit, Scope } from "effect"
import type { Address } from "viem"
import type { Pool } from "../../../../src/screening/base/pools/pool.ts"
import type { SimulationFindings } from "../../../../src/screening/base/simulation/findings.ts"
import { simulateTrades } from "../../../../src/screening/base/simulation/simulate.ts"
import type { Behaviour } from "../../../support/base/simulation/chain.ts"
import { TestChain } from "../../../support/base/simulation/chain.ts"

const scope = Effect.runSync(Scope.make())
let chain: TestChain

beforeAll(async () => {
  chain = await Effect.runPromise(Scope.extend(TestChain.start, scope))
})
afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))

const simulate = async (pools: ReadonlyArray<Pool>, holders: ReadonlyArray<Address> = []) => {
  const [best] = pools
  if (best === undefined) throw new Error("no pool")
  const blockNumber = await Effect.runPromise(chain.rpc.blockNumber)
  const input = { token: best.token, pools, holders: Effect.succeed(holders), blockNumber }
  return Effect.runPromise(simulateTrades(chain.rpc, input))
}

const findings = async (pool: Pool, holders: ReadonlyArray<Address> = []): Promise<SimulationFindings> => {
  const fact = await simulate([pool], holders)
  if (!fact.known) throw new Error(fact.why)
  return fact.value
}

const clean = { tradingBlocked: false, honeypot: false, laterHoneypot: false, inconsistent: false }
const play = async (behaviour: Behaviour, taxes?: readonly [number, number, number]) =>
  findings(await chain.tradedToken(behaviour, taxes))

describe("simulateTrades in a Uniswap V2 pool", () => {
  it("finds nothing in a plain token, in eighteen variants", async () => {
    const result = await play("Plain")
    expect(result).toMatchObject({
      ...clean,
      buyTaxBps: 0,
      transferTaxBps: 0,
      sellTaxBps: 0,
      laterSellTaxBps: 0
    })
    expect(result.fullSell).toEqual({ known: true, value: true })
    expect(result.variants).toHaveLength(18)
  })

  it.each([
    [500, 200, 1000],
    [0, 0, 9900],
    [9900, 0, 0],
    [3000, 10, 3000],
    [1, 0, 0]
  ] as const)(
    "measures taxes of %i, %i and %i basis points without price impact",
    async (buy, move, sell) => {
      const result = await play("Tax", [buy, move, sell])
      expect(result).toMatchObject({
        ...clean,
        buyTaxBps: buy,
        transferTaxBps: move,
        sellTaxBps: sell,
        laterSellTaxBps: sell
      })
    }
  )

  it("calls a token whose sells revert a honeypot", async () => {
    const result = await play("SellReverts")
    expect(result).toMatchObject({ ...clean, honeypot: true, laterHoneypot: true, buyTaxBps: 0 })
    expect(result.fullSell).toEqual({ known: true, value: false })
  })

  it("calls a token that keeps everything sold a honeypot with a tax of 100 %", async () => {
    expect(await play("Tax", [0, 0, 10_000])).toMatchObject({ honeypot: true, sellTaxBps: 10_000 })
  })

  it("measures a buy that gives nothing as a tax of 100 %, not as a honeypot", async () => {
    expect(await play("BuyKeepsAll")).toMatchObject({ ...clean, buyTaxBps: 10_000, sellTaxBps: null })
  })

  it("tells trading that is not open from a honeypot", async () => {
    expect(await play("TradingClosed")).toMatchObject({ ...clean, tradingBlocked: true, sellTaxBps: null })
  })

  it("sees sells that will fail within the hour", async () => {
    expect(await play("TimeBomb")).toMatchObject({ ...clean, laterHoneypot: true })
  })

  it("sees trading that will close altogether", async () => {
    expect(await play("ClosesLater")).toMatchObject({ ...clean, laterHoneypot: true })
  })

  it("sees a tax that starts within the week", async () => {
    expect(await play("TaxInLaterHours", [0, 0, 9000])).toMatchObject({
      ...clean,
      sellTaxBps: 0,
      laterSellTaxBps: 9000
    })
  })

  it("catches a token that lets only others than the sender of the transaction sell", async () => {
    expect(await play("OriginGate")).toMatchObject({ honeypot: true, inconsistent: true })
  })

  it.each(["GasPriceGate", "CoinbaseGate"] as const)(
    "does not look like a simulator to a token with a %s",
    async (gate) => {
      expect(await play(gate)).toMatchObject({ honeypot: true })
    }
  )

  it("catches a token that lets only contracts sell", async () => {
    expect(await play("ContractsOnly")).toMatchObject({ honeypot: true, inconsistent: true })
  })

  it("catches a token that refuses only the router", async () => {
    expect(await play("RouterTrap")).toMatchObject({ honeypot: true })
  })

  it("takes no revert data of the token for a result", async () => {
    expect(await play("ForgedResult")).toMatchObject({ honeypot: true })
  })

  it("gives its result though the token burns all gas when it is sold", async () => {
    expect(await play("BurnsGas")).toMatchObject({ honeypot: true, buyTaxBps: 0 })
  })

  it("raises no alarm over a token that keeps contracts out", async () => {
    expect(await play("NoContracts")).toMatchObject({
      ...clean,
      sellTaxBps: 0,
      fullSell: { known: true, value: true }
    })
  })

  it("raises no alarm over a limit on the size of a transaction", async () => {
    expect(await play("MaxTransaction")).toMatchObject({ ...clean, buyTaxBps: 0, sellTaxBps: 0 })
  })

  it("notices that not everything can be sold at once", async () => {
    expect(await play("FullSellRefused")).toMatchObject({ ...clean, fullSell: { known: true, value: false } })
  })

  it("trades a token whose transfers return nothing", async () => {
    const token = await chain.deploy(chain.tokens("NoReturnToken"))
    const pool = await chain.v2Pool(token, { tokenReserve: 10n ** 14n })
    expect(await findings(pool)).toMatchObject({ ...clean, buyTaxBps: 0, sellTaxBps: 0 })
  })

  it("funds a quote token that is not WETH by replacing its balance", async () => {
    const [token, quote] = [await chain.token("Tax", [300, 0, 700]), await chain.token("Plain")]
    const pool = await chain.v2Pool(token, { quote })
    await chain.send(token, "setPool(address)", [pool.address])
    expect(await findings(pool)).toMatchObject({ ...clean, buyTaxBps: 300, sellTaxBps: 700 })
  })

  it("trades in a pool whose stated fee is too low", async () => {
    const pool = await chain.tradedToken("Plain")
    expect(await findings({ ...pool, feePips: 2000 })).toMatchObject({
      ...clean,
      buyTaxBps: 0,
      sellTaxBps: 0
    })
  })

  it("counts the holders who were blocked by name while fresh buyers still sell", async () => {
    const pool = await chain.tradedToken("Blacklist")
    const holders: ReadonlyArray<Address> = [
      `0x${"a1".repeat(20)}`,
      `0x${"b2".repeat(20)}`,
      `0x${"c3".repeat(20)}`
    ]
    for (const holder of holders.slice(0, 2))
      await chain.send(pool.token, "transfer(address,uint256)", [holder, 10n ** 20n])
    await chain.send(pool.token, "setBlocked(address)", [holders[0]])
    const result = await findings(pool, [...holders, pool.address])
    expect(result).toMatchObject({ ...clean, holders: { known: true, value: { tried: 2, failed: 1 } } })
  })

  it("judges by the best pool, whatever a lesser one allows", async () => {
    const trap = await chain.tradedToken("SellReverts")
    const quote = await chain.token("Plain")
    const decoy = await chain.v2Pool(trap.token, { quote })
    const fact = await simulate([trap, decoy])
    expect(fact).toMatchObject({ known: true, value: { honeypot: true } })
  })
})
