import { afterAll, beforeAll, describe, expect, it } from "@effect/vitest"
import { Effect, Exit, Redacted, Scope } from "effect"
import { numberToHex } from "viem"
import { makeBaseRpcWith } from "../../../../src/chain/base-rpc.ts"
import { simulateTrades } from "../../../../src/screening/base/simulation/simulate.ts"
import type { Behaviour } from "../../../support/base/simulation/chain.ts"
import { TestChain } from "../../../support/base/simulation/chain.ts"

const scope = Effect.runSync(Scope.make())
let chain: TestChain

beforeAll(async () => {
  chain = await Effect.runPromise(Scope.extend(TestChain.start, scope))
})
afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))

interface Call {
  readonly id: number
  readonly method: string
  readonly params: ReadonlyArray<unknown>
}
type Fetch = typeof globalThis.fetch
/** Changes what reaches the node, as a node that knows fewer parameters would. */
type Change = (call: Call) => Call

const changed =
  (change: Change): Fetch =>
  (input, init) => {
    const body: Call | ReadonlyArray<Call> = JSON.parse(String(init?.body))
    const sent = "length" in body ? body.map(change) : change(body)
    return globalThis.fetch(input, { ...init, body: JSON.stringify(sent) })
  }

const firstParams =
  (count: number): Change =>
  (call) => ({ ...call, params: call.params.slice(0, count) })

/** A node that answers any call with more than `count` parameters as geth does when there are too many. */
const refusing =
  (count: number): Fetch =>
  async (input, init) => {
    const body: Call | ReadonlyArray<Call> = JSON.parse(String(init?.body))
    const calls = "length" in body ? body : [body]
    if (calls.every(({ params }) => params.length <= count)) return globalThis.fetch(input, init)
    const error = { code: -32602, message: `too many arguments, want at most ${count}` }
    const replies = calls.map(({ id }) => ({ jsonrpc: "2.0", id, error }))
    return Response.json("length" in body ? replies : replies[0])
  }

const simulateOver = async (fetch: Fetch, behaviour: Behaviour, url = chain.url) => {
  const rpc = await Effect.runPromise(
    makeBaseRpcWith({ urls: [Redacted.make(url)], timeout: "20 seconds", concurrency: 8, fetch })
  )
  const pool = await chain.tradedToken(behaviour)
  const blockNumber = await Effect.runPromise(chain.rpc.blockNumber)
  const input = { token: pool.token, pools: [pool], holders: Effect.succeed([chain.account]), blockNumber }
  return Effect.runPromise(simulateTrades(rpc, input))
}

describe("simulateTrades is unknown, never clean", () => {
  it.each([
    ["ignores all overrides", changed(firstParams(2))],
    ["refuses all overrides", refusing(2)],
    ["ignores block overrides", changed(firstParams(3))],
    ["refuses block overrides", refusing(3)]
  ] as const)("on a node that %s", async (_, fetch) => {
    expect(await simulateOver(fetch, "Plain")).toMatchObject({ known: false })
  })

  it("on a node that trades in another block than it was asked for, though it moves the clock where it is told to", async () => {
    const pool = await chain.tradedToken("Plain")
    const before = numberToHex(await chain.client.getBlockNumber())
    await chain.client.mine({ blocks: 1, interval: 2 })
    const { number, timestamp } = await chain.client.getBlock()
    const tradedOver = (fetch: Fetch) =>
      Effect.runPromise(
        Effect.flatMap(
          makeBaseRpcWith({ urls: [Redacted.make(chain.url)], timeout: "20 seconds", concurrency: 8, fetch }),
          (rpc) =>
            simulateTrades(rpc, {
              token: pool.token,
              pools: [pool],
              holders: Effect.succeed([]),
              blockNumber: number,
              blockTime: timestamp,
              later: Effect.succeed(false)
            })
        )
      )
    expect(await tradedOver(globalThis.fetch)).toMatchObject({ known: true })
    const behind = changed((call) => ({
      ...call,
      params: call.params.map((param, at) => (at === 1 ? before : param))
    }))
    expect(await tradedOver(behind)).toMatchObject({ known: false })
    // One that has just begun a block may be behind for a moment.
    const seen = new Set<string>()
    const behindOnce = changed((call) => {
      const isFirst = call.params.length > 2 && !seen.has(String(call.params[1]))
      if (isFirst) seen.add(String(call.params[1]))
      return isFirst ? { ...call, params: call.params.map((param, at) => (at === 1 ? before : param)) } : call
    })
    expect(await tradedOver(behindOnce)).toMatchObject({ known: true })
    expect(seen.size).toBe(1)
  })

  it("when the node cannot be reached", async () => {
    expect(await simulateOver(globalThis.fetch, "Plain", "http://127.0.0.1:1")).toMatchObject({
      known: false
    })
  })

  it("without a pool that holds anything", async () => {
    const pool = await chain.tradedToken("Plain")
    const input = {
      token: pool.token,
      pools: [{ ...pool, quoteReserve: 10n }],
      holders: Effect.succeed([]),
      blockNumber: 1n
    }
    expect(await Effect.runPromise(simulateTrades(chain.rpc, input))).toMatchObject({ known: false })
  })
})

describe("simulateTrades on a node without block overrides", () => {
  it("still catches a honeypot", async () => {
    const fact = await simulateOver(refusing(3), "SellReverts")
    expect(fact).toMatchObject({ known: true, value: { honeypot: true, laterSellTaxBps: null } })
  })
})

describe("the cost of simulateTrades", () => {
  it("is four HTTP requests in two waves with holders", async () => {
    let requests = 0
    const counting: Fetch = (input, init) => {
      requests += 1
      return globalThis.fetch(input, init)
    }
    const fact = await simulateOver(counting, "Plain")
    expect(fact).toMatchObject({
      known: true,
      value: { holders: { known: true, value: { tried: 1, failed: 0 } } }
    })
    // Balances; trades now, later, and holders' transfers.
    expect(requests).toBe(4)
  })
})
