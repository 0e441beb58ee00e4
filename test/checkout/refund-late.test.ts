/** A look for a refund that ended, before another is prepared in its place, by nodes that are behind. */
import { describe, expect, it } from "@effect/vitest"
import { Effect, Either, TestClock } from "effect"
import { createPublicClient, custom, numberToHex } from "viem"
import { makeBaseRefunds } from "../../src/checkout/refunds/base-refunds.ts"
import type { Refund } from "../../src/checkout/refunds/refund.ts"
import { BASE_NETWORK } from "../../src/domain/chain.ts"
import { refundTerms } from "../support/checkout/refund-terms.ts"

/** Unix seconds. */
const NOW = 1_795_000_000
const [MERCHANT, PAYER] = [`0x${"11".repeat(20)}`, `0x${"22".repeat(20)}`]
const terms = refundTerms(BASE_NETWORK, MERCHANT, {
  checkoutId: "chk_1",
  expiresAt: "2026-01-01T00:00:00.000Z",
  extra: {}
})
const refund: Refund = {
  id: "ref_1",
  checkoutId: "chk_1",
  payer: PAYER,
  amount: 1_000_000n,
  lifetime: "7",
  validUntil: null,
  state: "void",
  lookedTo: 90,
  preparedAt: 0
}

/** A node that lists no transfer, with this block for the newest, so many seconds old. */
const node = (head: number, age: number, name = "op-geth/v1") => {
  const client = createPublicClient({
    transport: custom(
      {
        request: ({
          method,
          params
        }: {
          readonly method: string
          readonly params: ReadonlyArray<unknown>
        }) => {
          if (method === "web3_clientVersion") return Promise.resolve(name)
          if (method === "eth_blockNumber") return Promise.resolve(numberToHex(head))
          if (method === "eth_getLogs") return Promise.resolve([])
          const [number, old] = params[0] === "finalized" ? [head - 5, age + 10] : [head, age]
          return Promise.resolve({
            number: numberToHex(number),
            hash: `0x${"aa".repeat(32)}`,
            timestamp: numberToHex(NOW - old)
          })
        }
      },
      { retryCount: 0 }
    )
  })
  return { host: "node", client }
}

const looked = (...nodes: ReadonlyArray<ReturnType<typeof node>>) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(NOW * 1_000)
    const [first] = nodes
    if (first === undefined) return yield* Effect.dieMessage("no node")
    return yield* Effect.either(makeBaseRefunds({ client: first.client, nodes }).lookLate(refund, terms))
  })

describe("a refund that ended is not seen to be unsent", () => {
  it.effect("by a node whose newest block is a minute old", () =>
    Effect.gen(function* () {
      expect(Either.isLeft(yield* looked(node(100, 61)))).toBe(true)
    })
  )

  it.effect("by a node that is not as far as it was looked for already", () =>
    Effect.gen(function* () {
      expect(Either.isLeft(yield* looked(node(89, 2)))).toBe(true)
    })
  )

  it.effect("but by one that has come to now, whichever it is, or whose chain has a time of its own", () =>
    Effect.gen(function* () {
      for (const nodes of [[node(100, 2)], [node(100, 900), node(120, 2)], [node(100, 900, "anvil/v1.5")]]) {
        const look = yield* looked(...nodes)
        expect(Either.isRight(look) && look.right).toMatchObject({ candidates: [], isToHead: true })
      }
    })
  )
})
