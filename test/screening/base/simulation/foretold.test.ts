/** What is asked before it is known whether it is worth asking, and what counts of it. */
import { afterAll, beforeAll, describe, expect, it } from "@effect/vitest"
import { Effect, Exit, Random, Redacted, Scope } from "effect"
import fc from "fast-check"
import { type Address, type Hex, pad, parseAbi, toHex } from "viem"
import { makeBaseRpcWith } from "../../../../src/chain/base-rpc.ts"
import type { EvmLog } from "../../../../src/chain/evm-logs.ts"
import type { Pool } from "../../../../src/screening/base/pools/pool.ts"
import { foretellBuyers, tellTax } from "../../../../src/screening/base/simulation/foretold-holdings.ts"
import { foretellPurchases } from "../../../../src/screening/base/simulation/foretold-purchases.ts"
import { simulateTrades } from "../../../../src/screening/base/simulation/simulate.ts"
import { tryWallets } from "../../../../src/screening/base/simulation/wallet-trial.ts"
import { type Behaviour, TestChain, weth } from "../../../support/base/simulation/chain.ts"
import { makeAerodrome } from "../../../support/base/simulation/other-pools.ts"
import { heldBack } from "../../../support/base/waves.ts"

const ROUTER: Address = "0x4752ba5dbc23f44d87826276bf6fd6b1c372ad24"
const library = parseAbi([
  "function getAmountOut(uint256 amountIn, uint256 reserveIn, uint256 reserveOut) view returns (uint256)"
])
const aerodrome = parseAbi([
  "function getAmountOut(uint256 amountIn, address tokenIn) view returns (uint256)"
])

const scope = Effect.runSync(Scope.make())
let chain: TestChain

beforeAll(async () => {
  chain = await Effect.runPromise(Scope.extend(TestChain.start, scope))
})
afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))

const amount = (most: bigint) => fc.bigInt({ min: 1_000n, max: most })

describe("what purchases bring", () => {
  it("follows Uniswap's own arithmetic, one purchase after another", async () => {
    const token = await chain.token("Plain")
    const pool = await chain.v2Pool(token)
    const reserves = amount(10n ** 30n)
    await fc.assert(
      fc.asyncProperty(
        reserves,
        reserves,
        fc.array(amount(10n ** 28n), { maxLength: 4 }),
        async (...drawn) => {
          const [quoteReserve, tokenReserve, stakes] = drawn
          const told = foretellPurchases({ ...pool, quoteReserve, tokenReserve }, stakes)
          let [quote, left] = [quoteReserve, tokenReserve]
          for (const [index, stake] of stakes.entries()) {
            const call = { address: ROUTER, abi: library, functionName: "getAmountOut" } as const
            const bought = await chain.client.readContract({ ...call, args: [stake, quote, left] })
            expect(told?.[index]).toBe(bought)
            quote += stake
            left -= bought
            if (left === 0n) break
          }
        }
      ),
      { numRuns: 40 }
    )
  })

  it("follows Aerodrome's for its volatile pools, and is not told for stable ones", async () => {
    const [open, token] = [makeAerodrome(chain), await chain.token("Plain")]
    const pool = await open(token, false)
    const stakes = [10n ** 18n + 7n, 3n * 10n ** 19n + 1n, 123_456_789n]
    const told = foretellPurchases(pool, stakes)
    const side = BigInt(token) < BigInt(weth) ? 0 : 1
    for (const [index, stake] of stakes.entries()) {
      const args = [stake, weth] as const
      const call = { address: pool.address, abi: aerodrome, functionName: "getAmountOut", args } as const
      const bought = await chain.client.readContract(call)
      expect(told?.[index]).toBe(bought)
      await chain.send(weth, "transfer(address,uint256)", [pool.address, stake])
      const out = side === 0 ? [bought, 0n] : [0n, bought]
      await chain.send(pool.address, "swap(uint256,uint256,address,bytes)", [...out, chain.account, "0x"])
    }
    expect(foretellPurchases({ ...pool, stable: true }, stakes)).toBeNull()
  })

  it("is not told of other kinds of pools, nor by a fee that nobody read", async () => {
    const pool = await chain.v2Pool(await chain.token("Plain"))
    for (const other of [{ kind: "v3" }, { kind: "v4" }, { feeUnread: true }] as const)
      expect(foretellPurchases({ ...pool, ...other }, [1n])).toBeNull()
  })
})

/** The node, answering only when nothing more is asked. */
const watched = () => {
  const { asked, fetch } = heldBack()
  const url = Redacted.make(chain.url)
  const made = makeBaseRpcWith({ urls: [url], timeout: "20 seconds", concurrency: 8, fetch })
  const rpc = Effect.runSync(Scope.extend(made, scope))
  const params = (body: string): string => JSON.stringify(JSON.parse(body).params)
  return { rpc, waves: () => asked().map((wave) => wave.map(params)) }
}

/** What wallets live through in a pool, and in which waves that was asked; the same is drawn every time. */
const lived = async (pool: Pool, isTaxed: boolean) => {
  const { rpc, waves } = watched()
  const { number, timestamp } = await chain.client.getBlock()
  const start = { blockNumber: number, blockTime: timestamp, isTaxed: Effect.succeed(isTaxed) }
  const trial = Effect.withRandom(tryWallets(rpc, [pool], start), Random.make(pool.address))
  return { fact: await Effect.runPromise(trial), waves: waves() }
}

describe("the lives of wallets", () => {
  it("are asked beside the purchases that they begin with, and not again where those bring what was foretold", async () => {
    for (let run = 0; run < 5; run++) {
      const pool = await chain.tradedToken("Plain")
      const [ahead, after] = [await lived(pool, false), await lived(pool, true)]
      expect(ahead.fact).toMatchObject({ known: true })
      expect(ahead.fact).toEqual(after.fact)
      expect(ahead.waves).toHaveLength(1)
      expect(after.waves).toHaveLength(2)
      expect(ahead.waves.flat().toSorted()).toEqual(after.waves.flat().toSorted())
    }
  })

  const liars: ReadonlyArray<readonly [Behaviour, readonly [number, number, number]]> = [
    ["Tax", [500, 0, 0]],
    ["Tax", [9_900, 0, 300]],
    ["MaxTransaction", [0, 0, 0]],
    ["BuyKeepsAll", [0, 0, 0]],
    ["TradingClosed", [0, 0, 0]]
  ]
  it.each(liars)(
    "are asked as ever where purchases bring something else: %s %j",
    async (behaviour, taxes) => {
      const pool = await chain.tradedToken(behaviour, taxes)
      const [ahead, after] = [await lived(pool, false), await lived(pool, true)]
      expect(ahead.fact).toEqual(after.fact)
      const asked = ahead.waves.flat()
      expect(asked).toEqual(expect.arrayContaining(after.waves.flat()))
      expect(asked).toHaveLength(after.waves.flat().length + 1)
      expect(ahead.waves[1]).toEqual(after.waves[1])
    }
  )

  it("are asked as ever where somebody gave the pool quote that its reserves do not count", async () => {
    const pool = await chain.tradedToken("Plain")
    await chain.send(weth, "transfer(address,uint256)", [pool.address, 10n ** 15n])
    const [ahead, after] = [await lived(pool, false), await lived(pool, true)]
    expect(ahead.fact).toEqual(after.fact)
    expect(ahead.waves[1]).toEqual(after.waves[1])
  })
})

describe("transfers of those who bought", () => {
  const holders: ReadonlyArray<Address> = [`0x${"a1".repeat(20)}`, `0x${"b2".repeat(20)}`]
  const GIVEN = 10n ** 20n

  /** What is found of two holders, one of them blocked, and how often each one's own transfers were tried. */
  const tried = async (behaviour: Behaviour, foretold: ReadonlyArray<bigint>) => {
    const pool = await chain.tradedToken(behaviour)
    for (const holder of holders) await chain.send(pool.token, "transfer(address,uint256)", [holder, GIVEN])
    if (behaviour === "Blacklist") await chain.send(pool.token, "setBlocked(address)", [holders[0]])
    const bodies: Array<string> = []
    const { rpc: made } = watched()
    const callAll: typeof made.callAll = (calls) => {
      for (const { from } of calls) bodies.push(from ?? "")
      return chain.rpc.callAll(calls)
    }
    const { number, timestamp } = await chain.client.getBlock()
    const told = foretold.flatMap((balance, index) => {
      const holder = holders[index]
      return holder === undefined ? [] : [{ holder, balance }]
    })
    const fact = await Effect.runPromise(
      simulateTrades(
        { ...chain.rpc, callAll },
        {
          token: pool.token,
          pools: [pool],
          holders: Effect.succeed(holders),
          foretold: Effect.succeed(told),
          blockNumber: number,
          blockTime: timestamp
        }
      )
    )
    if (!fact.known) throw new Error(fact.why)
    return {
      found: fact.value.holders,
      times: holders.map((holder) => bodies.filter((from) => from === holder).length / 2)
    }
  }

  it("are tried once where they hold what was foretold", async () => {
    const { found, times } = await tried("Blacklist", [GIVEN, GIVEN])
    expect(found).toEqual({ known: true, value: { tried: 2, failed: 1 } })
    expect(times).toEqual([1, 1])
  })

  it("are tried anew where somebody holds anything else, and only of them", async () => {
    const { found, times } = await tried("Blacklist", [GIVEN - 1n, GIVEN])
    expect(found).toEqual({ known: true, value: { tried: 2, failed: 1 } })
    expect(times).toEqual([2, 1])
  })

  it("are tried as ever where nothing was foretold", async () => {
    const { found, times } = await tried("Plain", [])
    expect(found).toEqual({ known: true, value: { tried: 2, failed: 0 } })
    expect(times).toEqual([1, 1])
  })
})

describe("a token's events", () => {
  const TRANSFER: Hex = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef"
  const TOKEN: Address = `0x${"70".repeat(20)}`
  const NOW = 10_000n
  const who = (index: number): Address => pad(toHex(index + 1), { size: 20 })
  const POOL: Pick<Pool, "address"> = { address: who(0) }
  const told = async () => ({ ...(await chain.v2Pool(await chain.token("Plain"))), ...POOL })

  const event = (from: number, to: number, value: bigint, block: bigint, transaction = block): EvmLog => ({
    address: TOKEN,
    topics: [TRANSFER, pad(who(from), { size: 32 }), pad(who(to), { size: 32 })],
    data: toHex(value, { size: 32 }),
    transactionHash: toHex(transaction, { size: 32 }),
    blockNumber: block,
    blockHash: toHex(block, { size: 32 }),
    logIndex: 0n
  })

  it("tell what buyers hold: what they got less what they gave, until the block that is looked at", async () => {
    const pool = await told()
    const move = fc.record({
      from: fc.integer({ min: 0, max: 5 }),
      to: fc.integer({ min: 0, max: 5 }),
      value: fc.bigInt({ min: 1n, max: 9n }),
      block: fc.bigInt({ min: NOW - 1_000n, max: NOW + 20n })
    })
    fc.assert(
      fc.property(fc.array(move, { maxLength: 40 }), (drawn) => {
        const moves = drawn.toSorted((a, b) => Number(a.block - b.block))
        const events = moves.map(({ block, from, to, value }) => event(from, to, value, block))
        const until = moves.filter(({ block }) => block <= NOW)
        const recent = until.filter(({ block, from }) => from === 0 && block >= NOW - 900n)
        const order = [...new Set(recent.toReversed().map(({ to }) => to))].filter((to) => to !== 0)
        const sum = (of: number) =>
          until.reduce(
            (all, { from, to, value }) => all + (to === of ? value : 0n) - (from === of ? value : 0n),
            0n
          )
        expect(foretellBuyers(events, TOKEN, [pool], NOW)).toEqual(
          order.flatMap((of) => (sum(of) > 0n ? [{ holder: who(of), balance: sum(of) }] : []))
        )
      })
    )
  })

  it("tell a tax where the last purchase went to two accounts, and none where each went to one", async () => {
    const pool = await told()
    const plain = [event(0, 1, 5n, 1n), event(0, 2, 5n, 2n), event(2, 3, 1n, 3n)]
    expect(tellTax(plain, [pool])).toBe(false)
    expect(tellTax([], [pool])).toBe(false)
    expect(tellTax([...plain, event(0, 4, 1n, 4n), event(0, 1, 9n, 4n)], [pool])).toBe(true)
    expect(tellTax([event(0, 4, 1n, 0n), event(0, 1, 9n, 0n), ...plain], [pool])).toBe(false)
  })
})
