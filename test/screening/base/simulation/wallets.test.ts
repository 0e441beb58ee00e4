import { afterAll, beforeAll, describe, expect, it } from "@effect/vitest"
import { Effect, Exit, Scope } from "effect"
import { createPublicClient, custom, numberToHex, zeroAddress } from "viem"
import { MULTICALL3 } from "../../../../src/domain/base-contracts.ts"
import { known, missing } from "../../../../src/domain/fact.ts"
import type { WalletFindings } from "../../../../src/screening/base/simulation/wallet-trial.ts"
import { tryWallets } from "../../../../src/screening/base/simulation/wallet-trial.ts"
import { makeDice } from "../../../../src/screening/base/simulation/dice.ts"
import { clean, judge } from "../../../support/base/fixtures.ts"
import type { Behaviour } from "../../../support/base/simulation/chain.ts"
import { TestChain } from "../../../support/base/simulation/chain.ts"
import { makeV4 } from "../../../support/base/simulation/other-pools.ts"

const scope = Effect.runSync(Scope.make())
let chain: TestChain

beforeAll(async () => {
  chain = await Effect.runPromise(Scope.extend(TestChain.start, scope))
})
afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))

const lived = async (behaviour: Behaviour, taxes?: readonly [number, number, number]) => {
  const pool = await chain.tradedToken(behaviour, taxes)
  const { number, timestamp } = await chain.client.getBlock()
  const fact = await Effect.runPromise(
    tryWallets(chain.rpc, [pool], { blockNumber: number, blockTime: timestamp })
  )
  if (!fact.known) throw new Error(fact.why)
  return fact.value
}

const unsold = ({ sales }: WalletFindings) => sales.filter(({ sold }) => !sold).map(({ name }) => name)

describe("wallets in simulated blocks", () => {
  it("sell a plain token at every time, in every size and through every router, and the seed is named", async () => {
    const life = await lived("Plain")
    expect(unsold(life)).toEqual([])
    expect(life.sales).toHaveLength(5)
    expect(life.whale?.sold).toBe(true)
    expect(life.refused).toBe(0)
    expect(life.seed).toMatch(/^0x[0-9a-f]{8}$/)
    for (const { taxBps } of life.sales) expect(taxBps).toBe(0)
  })

  it("pay the token's sell tax, told apart from the pool's fee and the price's movement", async () => {
    const { sales } = await lived("Tax", [0, 0, 800])
    for (const { taxBps } of sales) expect(taxBps).toBeGreaterThan(700)
  })

  it("cannot sell what closes later, and the earlier sale does not excuse it", async () => {
    expect(unsold(await lived("ClosesLater"))).toContain("sell month")
  })

  it("cannot sell what refuses sales", async () => {
    expect(unsold(await lived("SellReverts"))).toHaveLength(5)
  })
})

/** What `eth_simulateV1` is asked. */
interface Simulation {
  readonly blockStateCalls: ReadonlyArray<{ readonly calls: ReadonlyArray<{ readonly to: string }> }>
}

describe("a sale for ether", () => {
  /** A node on which every transaction passes; each look at somebody's ether finds so much more of it. */
  const node = (gain: bigint) => {
    let ether = 10n ** 18n
    const returnData = (to: string) =>
      numberToHex(to === MULTICALL3 ? (ether += gain) : 10n ** 21n, { size: 32 })
    const transport = custom({
      request: async ({ params: [{ blockStateCalls }] }: { params: readonly [Simulation] }) =>
        blockStateCalls.map(({ calls }) => ({
          calls: calls.map(({ to }) => ({
            status: "0x1",
            returnData: returnData(to),
            logs: [],
            gasUsed: "0x5208"
          }))
        }))
    })
    return { ...chain.rpc, client: createPublicClient({ transport }) }
  }

  const sold = async (gain: bigint) => {
    const v4 = await makeV4(chain)
    const pool = await v4(await chain.token("Plain"), zeroAddress)
    const { number, timestamp } = await chain.client.getBlock()
    const fact = await Effect.runPromise(
      tryWallets(node(gain), [pool], { blockNumber: number, blockTime: timestamp })
    )
    if (!fact.known) throw new Error(fact.why)
    return fact.value.sales.map((sale) => sale.sold)
  }

  it("counts where ether arrived, and not where the sale passed and nothing did", async () => {
    expect(await sold(10n ** 15n)).toEqual([true, true, true, true, true])
    expect(await sold(0n)).toEqual([false, false, false, false, false])
  })
})

describe("what wallets lived through", () => {
  const sale = (name: string, sold = true) => ({ name, sold, taxBps: sold ? 0 : null })
  const fair: WalletFindings = {
    seed: "0x00000001",
    sales: ["sell soon", "sell second", "sell minutes", "sell hours", "sell month"].map((name) => sale(name)),
    whale: sale("sell whale"),
    permit2: null,
    others: [],
    refused: 0
  }
  const verdict = (change: Partial<WalletFindings>) =>
    judge({ ...clean, wallets: known({ ...fair, ...change }) })

  it("lets a fair token pass, and leaves a node without simulated blocks to the older trial", () => {
    expect(verdict({})).toMatchObject({ verdict: "allow", safe: true })
    expect(judge({ ...clean, wallets: missing("the node does not simulate blocks") }).verdict).toBe("allow")
  })

  it("is avoided where the wallet is stuck later, and never allowed where something else is refused", () => {
    expect(verdict({ sales: [...fair.sales.slice(0, 4), sale("sell month", false)] })).toMatchObject({
      verdict: "avoid",
      safe: false
    })
    for (const change of [
      { sales: [sale("sell soon", false), ...fair.sales.slice(1)] },
      { whale: sale("sell whale", false) },
      { others: [sale("sell other 0", false)] },
      { refused: 1 },
      { permit2: sale("sell permit2", false) }
    ]) {
      expect(verdict(change).safe).toBe(false)
      expect(verdict(change).verdict).not.toBe("allow")
    }
  })

  it("follows from its seed alone", () => {
    const [one, same, other] = [makeDice("0x00000001"), makeDice("0x00000001"), makeDice("0x00000002")]
    expect(one.address("wallet")).toBe(same.address("wallet"))
    expect(one.address("wallet")).not.toBe(other.address("wallet"))
    expect(one.between("x", 1n, 10n ** 9n)).not.toBe(other.between("x", 1n, 10n ** 9n))
  })
})
