import { afterAll, beforeAll, describe, expect, it } from "@effect/vitest"
import { Effect, Exit, Scope } from "effect"
import type { Hex } from "viem"
import { createPublicClient, custom, numberToHex, zeroAddress } from "viem"
import { MULTICALL3 } from "../../../../src/domain/base-contracts.ts"
import { known, missing } from "../../../../src/domain/fact.ts"
import type { WalletFindings } from "../../../../src/screening/base/simulation/wallet-trial.ts"
import { tryWallets } from "../../../../src/screening/base/simulation/wallet-trial.ts"
import { SPENDERS } from "../../../../src/screening/base/simulation/spenders.ts"
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
    expect(life.seed).toMatch(/^0x[0-9a-f]{32}$/)
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

interface Call {
  readonly to: string
  readonly data: string
}

/** What `eth_simulateV1` is asked. */
interface Simulation {
  readonly blockStateCalls: ReadonlyArray<{ readonly calls: ReadonlyArray<Call> }>
}

/** How a node answers one call: null where the call is refused. */
type Answer = (call: Call) => bigint | null

const LOOKS = { ether: "0x4d2301cc", balance: "0x70a08231", pull: "0x23b872dd" } as const
const WHOLE = 10n ** 21n

/** Looks at ether before and after a sale, one after the other, each of which finds `gain` more. */
const ether = (gain: bigint): Answer => {
  let amount = 10n ** 18n
  return ({ data, to }) => {
    if (to === MULTICALL3) return (amount += gain)
    return data.startsWith(LOOKS.balance) ? WHOLE : 1n
  }
}

/** A node on which every transaction passes that `answer` lets pass, and leaves an event. */
const node = (answer: Answer) => {
  const answered = (call: Call) => {
    const value = answer(call)
    return {
      status: value === null ? "0x0" : "0x1",
      returnData: value === null ? "0x" : numberToHex(value, { size: 32 }),
      logs: [{ address: call.to, topics: [], data: "0x" }],
      gasUsed: "0x5208"
    }
  }
  const transport = custom({
    request: async ({ params: [{ blockStateCalls }, block] }: { params: readonly [Simulation, Hex] }) =>
      blockStateCalls.map(({ calls }, at) => ({
        number: numberToHex(BigInt(block) + 1n + BigInt(at)),
        calls: calls.map(answered)
      }))
  })
  return { ...chain.rpc, client: createPublicClient({ transport }) }
}

/** What wallets live through on such a node, in as many V4 pools against ether. */
const livedOn = async (answer: Answer, pools = 1) => {
  const v4 = await makeV4(chain)
  const token = await chain.token("Plain")
  const pool = await v4(token, zeroAddress)
  const { number, timestamp } = await chain.client.getBlock()
  const fact = await Effect.runPromise(
    tryWallets(
      node(answer),
      Array.from({ length: pools }, () => pool),
      { blockNumber: number, blockTime: timestamp }
    )
  )
  if (!fact.known) throw new Error(fact.why)
  return fact.value
}

/** The answers of another node, but for the calls of one kind that `which` counts, from 0. */
const except = (
  answer: Answer,
  look: string,
  which: (nth: number) => boolean,
  instead: bigint | null
): Answer => {
  let seen = 0
  return (call) => {
    const given = answer(call)
    return call.data.startsWith(look) && which(seen++) ? instead : given
  }
}

describe("a sale for ether", () => {
  const sold = async (answer: Answer) => (await livedOn(answer)).sales.map((sale) => sale.sold)

  it("counts where ether arrived, and not where the sale passed and nothing did", async () => {
    expect(await sold(ether(10n ** 15n))).toEqual([true, true, true, true, true])
    expect(await sold(ether(0n))).toEqual([false, false, false, false, false])
  })

  it("does not count where what the seller had before, or after, was not answered", async () => {
    for (const side of [0, 1]) {
      const half = except(ether(10n ** 15n), LOOKS.ether, (nth) => nth % 2 === side, null)
      expect(await sold(half)).toEqual([false, false, false, false, false])
      expect((await livedOn(half)).permit2).toMatchObject({ sold: false })
    }
  })
})

describe("a purchase that passed and whose tokens are not there", () => {
  const gone = (nth: number, instead: bigint | null) =>
    except(ether(10n ** 15n), LOOKS.balance, (seen) => seen === nth, instead)

  it("is a lost one of a twentieth of the pool, not a refused one", async () => {
    for (const instead of [null, 0n]) {
      expect((await livedOn(gone(1, instead))).whale).toMatchObject({ sold: false })
    }
  })

  it("is a lost one in a lesser pool", async () => {
    for (const instead of [null, 0n]) {
      expect((await livedOn(gone(2, instead), 2)).others).toMatchObject([{ sold: false }])
    }
    expect((await livedOn(ether(10n ** 15n), 2)).others).toMatchObject([{ sold: true }])
  })
})

it("a router whose transfer answers that it did not move the tokens is refused", async () => {
  const { refused } = await livedOn(except(ether(10n ** 15n), LOOKS.pull, () => true, 0n))
  // Permit2 asks the token itself, and would have failed.
  expect(refused).toBe(SPENDERS.length - 1)
  expect((await livedOn(ether(10n ** 15n))).refused).toBe(0)
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
