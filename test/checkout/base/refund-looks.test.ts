/** What a look for a prepared refund concludes on Base when a node says too little, too late, or what strangers wrote. */
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { createPublicClient, custom, numberToHex, pad } from "viem"
import { transferData } from "../../../src/checkout/base/usdc.ts"
import { makeBaseRefunds } from "../../../src/checkout/refunds/base-refunds.ts"
import { BASE_NETWORK, BASE_USDC } from "../../../src/domain/chain.ts"
import { PAYER, termsOn, refund } from "../../support/checkout/refund-looks.ts"

const MERCHANT = `0x${"11".repeat(20)}` as const

const TRANSFER = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef"
const HASH = `0x${"aa".repeat(32)}` as const

const transferLog = (at: number) => ({
  address: BASE_USDC,
  topics: [TRANSFER, pad(MERCHANT), pad(PAYER)],
  data: numberToHex(refund.amount, { size: 32 }),
  blockNumber: numberToHex(at),
  blockHash: HASH,
  transactionHash: HASH,
  transactionIndex: "0x0",
  logIndex: "0x7",
  removed: false
})
const otherLog = (at: number) => ({ ...transferLog(at), topics: [HASH], logIndex: "0x6" })

/**
 * A node whose final block is 50. Its merchant used nonce 7 for a transaction in block `spentAt`, which moved what its
 * receipt says; it indexes logs only up to `indexed`.
 */
interface BaseNode {
  indexed: number
  readonly transferAt: number
  readonly spentAt?: number
  readonly receipt?: ReadonlyArray<unknown>
  /** What that transaction asked of USDC, where it did. */
  readonly input?: string
  readonly status?: "0x0" | "0x1"
  /** The block that receipts name, where it is another one. */
  readonly receiptIn?: { readonly number?: number; readonly hash?: string }
  /** Of every account. */
  readonly code?: string
  /** What blocks say they are called. */
  readonly hash?: string
}
const baseNode = (node: BaseNode) =>
  createPublicClient({
    transport: custom({
      request: async ({ method, params }) => {
        const [first] = Array.isArray(params) ? params : []
        const { hash = HASH, receiptIn = {}, spentAt = 100 } = node
        const [to, input] = node.input === undefined ? [PAYER, "0x"] : [BASE_USDC, node.input]
        const landedAt = node.spentAt ?? node.transferAt
        const block = (height: number) => ({
          number: numberToHex(height),
          timestamp: "0x69000000",
          hash,
          transactions: height === spentAt ? [{ hash: HASH, from: MERCHANT, to, input, nonce: "0x7" }] : []
        })
        switch (method) {
          case "eth_blockNumber":
            return numberToHex(100)
          case "eth_getBlockByNumber":
            return block(first === "finalized" ? 50 : Number(first))
          case "eth_getTransactionCount":
            return numberToHex(Number(Array.isArray(params) ? params[1] : 0) >= spentAt ? 8 : 7)
          case "eth_getCode":
            return node.code ?? "0x"
          case "eth_getTransactionReceipt":
            return {
              // The refund is behind a log of something else in its transaction.
              logs:
                node.receipt ??
                (node.spentAt === undefined ? [otherLog(landedAt), transferLog(landedAt)] : []),
              status: node.status ?? "0x1",
              transactionHash: HASH,
              blockHash: receiptIn.hash ?? HASH,
              blockNumber: numberToHex(receiptIn.number ?? landedAt),
              gasUsed: "0x1",
              effectiveGasPrice: "0x1"
            }
          case "eth_getLogs": {
            const [from, to] = [Number(first.fromBlock), Number(first.toBlock)]
            const { indexed, transferAt } = node
            if (transferAt > indexed || transferAt < from || transferAt > to) return []
            return [transferLog(transferAt)]
          }
          default:
            throw new Error(method)
        }
      }
    }),
    cacheTime: 0
  })

describe("a look for a refund on Base", () => {
  it.effect("finds what its node indexed late: above the final block absence is believed of nothing", () =>
    Effect.gen(function* () {
      const node = { indexed: 60, transferAt: 80 }
      const client = baseNode(node)
      const { look } = makeBaseRefunds({ client, nodes: [{ host: "one", client }] })
      const terms = termsOn(BASE_NETWORK, MERCHANT)
      const first = yield* look(refund, terms)
      expect(first.candidates).toEqual([])
      node.indexed = 100
      const second = yield* look({ ...refund, lookedTo: first.lookedTo }, terms)
      // Named by its place in its transaction: its place in the block changes with the block.
      const name = { evidence: `${BASE_NETWORK}:${HASH}:1`, transaction: HASH, amount: 1_000_000n }
      const place = { index: 1, height: 80, blockHash: HASH, payer: MERCHANT, payTo: PAYER }
      expect(second.candidates).toMatchObject([{ transfer: name, place }])
    })
  )

  it.effect(
    "is not told by a node that lists no logs: the transaction that used the nonce shows the refund",
    () =>
      Effect.gen(function* () {
        const client = baseNode({ indexed: 0, transferAt: 40, spentAt: 40, receipt: [transferLog(40)] })
        const { look } = makeBaseRefunds({ client, nodes: [{ host: "one", client }] })
        const found = yield* look(refund, termsOn(BASE_NETWORK, MERCHANT))
        expect(found).toMatchObject({
          lookedTo: 50,
          candidates: [{ transfer: { transaction: HASH, amount: 1_000_000n } }]
        })
      })
  )

  it.effect("is void by the transaction that took its nonce, and open while that is not shown", () =>
    Effect.gen(function* () {
      const terms = termsOn(BASE_NETWORK, MERCHANT)
      for (const { spentAt, state } of [
        { spentAt: 23, state: "void" },
        { spentAt: 51, state: "open" }
      ]) {
        const client = baseNode({ indexed: 0, transferAt: 0, spentAt })
        const { look } = makeBaseRefunds({ client, nodes: [{ host: "one", client }] })
        expect(yield* look(refund, terms)).toEqual({ candidates: [], lookedTo: 50, state })
      }
    })
  )

  it.effect(
    "is void by no transaction that asked for it and passed, whatever a node leaves out of its receipt",
    () =>
      Effect.gen(function* () {
        const terms = termsOn(BASE_NETWORK, MERCHANT)
        const input = transferData(PAYER, refund.amount)
        const looking = (node: Partial<BaseNode>) => {
          const client = baseNode({ indexed: 0, transferAt: 0, spentAt: 23, ...node })
          return makeBaseRefunds({ client, nodes: [{ host: "one", client }] }).look(refund, terms)
        }
        const open = { candidates: [], lookedTo: refund.lookedTo, state: "open" }
        expect(yield* looking({ input })).toEqual(open)
        // Its wallet may have put something behind the call.
        expect(yield* looking({ input: `${input}c0ffee` })).toEqual(open)
        expect(yield* looking({ receiptIn: { number: 24 } })).toEqual(open)
        for (const node of [{ input, status: "0x0" }, { input: transferData(PAYER, 1n) }] as const)
          expect(yield* looking(node)).toMatchObject({ candidates: [], state: "void" })
      })
  )

  it.effect(
    "is no other amount, nor what somebody else sends to the payer, in the transaction that took its nonce",
    () =>
      Effect.gen(function* () {
        const terms = termsOn(BASE_NETWORK, MERCHANT)
        const own = transferLog(40)
        const strangers = [
          { ...own, data: numberToHex(refund.amount + 1n, { size: 32 }) },
          { ...own, topics: [TRANSFER, pad(PAYER), pad(PAYER)] },
          { ...own, topics: [TRANSFER, pad(MERCHANT), pad(MERCHANT)] },
          { ...own, address: PAYER }
        ]
        for (const one of strangers) {
          const client = baseNode({ indexed: 0, transferAt: 40, spentAt: 40, receipt: [one] })
          const { look } = makeBaseRefunds({ client, nodes: [{ host: "one", client }] })
          expect(yield* look(refund, terms)).toEqual({ candidates: [], lookedTo: 50, state: "void" })
        }
      })
  )

  it.effect("takes no transfer for seen whose block is another one by now", () =>
    Effect.gen(function* () {
      const terms = termsOn(BASE_NETWORK, MERCHANT)
      const other = `0x${"bb".repeat(32)}`
      for (const node of [{ receiptIn: { hash: other } }, { hash: other }, {}]) {
        const client = baseNode({ indexed: 100, transferAt: 40, ...node })
        const look = makeBaseRefunds({ client, nodes: [{ host: "one", client }] }).look(refund, terms)
        const found = yield* Effect.either(look)
        expect([node, found._tag]).toEqual([node, Object.keys(node).length === 0 ? "Right" : "Left"])
      }
    })
  )

  it.effect(
    "completes no node's word by another's: one that gives no logs is followed by one that gives all",
    () =>
      Effect.gen(function* () {
        const client = baseNode({ indexed: 100, transferAt: 40 })
        const broken = createPublicClient({
          transport: custom({
            request: async ({ method }) => {
              if (method === "eth_blockNumber") return numberToHex(20)
              throw new Error(method)
            }
          })
        })
        const nodes = [broken, client].map((one, at) => ({ host: `${at}`, client: one }))
        const { candidates } = yield* makeBaseRefunds({ client: broken, nodes }).look(
          refund,
          termsOn(BASE_NETWORK, MERCHANT)
        )
        expect(candidates).toMatchObject([{ transfer: { transaction: HASH } }])
      })
  )

  it.effect("carries a nonce where its merchant signs by a key, also one that delegates to a contract", () =>
    Effect.gen(function* () {
      for (const [code, lifetime, isKeyless] of [
        ["0x", "8", false],
        [`0xef0100${"33".repeat(20)}`, "8", false],
        ["0x60", "", true]
      ] as const) {
        const client = baseNode({ indexed: 100, transferAt: 0, spentAt: 90, code })
        const refunds = makeBaseRefunds({ client, nodes: [{ host: "one", client }] })
        const begun = yield* refunds.anchor(termsOn(BASE_NETWORK, MERCHANT))
        expect([code, begun.lifetime, yield* refunds.isKeyless(PAYER)]).toEqual([code, lifetime, isKeyless])
      }
    })
  )

  it.effect(
    "begins with a nonce that is free where it begins, though a node behind gives one that was used",
    () =>
      Effect.gen(function* () {
        // The merchant's nonce 7 was used in block 90; what is pending is told by a node that has not seen it.
        const client = baseNode({ indexed: 100, transferAt: 0, spentAt: 90 })
        const { anchor } = makeBaseRefunds({ client, nodes: [{ host: "one", client }] })
        const begun = yield* anchor(termsOn(BASE_NETWORK, MERCHANT))
        expect(begun).toEqual({ lifetime: "8", validUntil: null, lookedTo: 100 })
      })
  )
})
