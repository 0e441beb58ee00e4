/** What a look for a prepared refund concludes when a node says too little, too late, or what strangers wrote. */
import { describe, expect, it } from "@effect/vitest"
import { getBase58Decoder } from "@solana/kit"
import { Effect, Schema } from "effect"
import { createPublicClient, custom, numberToHex, pad } from "viem"
import { transferData } from "../../src/checkout/base/usdc.ts"
import { makeBaseRefunds } from "../../src/checkout/refunds/base-refunds.ts"
import type { Refund } from "../../src/checkout/refunds/refund.ts"
import { makeSolanaRefunds } from "../../src/checkout/refunds/solana-refunds.ts"
import { UpstreamError } from "../../src/domain/errors.ts"
import { BASE_NETWORK, BASE_USDC, SOLANA_NETWORK, SOLANA_USDC } from "../../src/domain/chain.ts"
import { refundReferenceOf } from "../../src/checkout/solana/solana-pay.ts"
import type { CheckoutTerms } from "../../src/domain/checkout.ts"
import { refundTerms } from "../support/checkout/refund-terms.ts"
import { firstPageOf, pageOf } from "../support/solana/listing.ts"

const MERCHANT = `0x${"11".repeat(20)}` as const
const PAYER = `0x${"22".repeat(20)}` as const
const SOLANA_MERCHANT = "9hBtedmwk3FAmsvWvdTQQ7ejbM1R7gatBMQZhHTSYMiS"

const termsOn = (network: CheckoutTerms["network"], payTo: string): CheckoutTerms =>
  refundTerms(network, payTo, {
    checkoutId: `chk_${"ab".repeat(16)}`,
    expiresAt: "2026-01-01T00:00:00.000Z",
    extra: {}
  })

const refund: Refund = {
  id: `ref_${"cd".repeat(16)}`,
  checkoutId: `chk_${"ab".repeat(16)}`,
  payer: PAYER,
  amount: 1_000_000n,
  lifetime: "7",
  validUntil: null,
  state: "open",
  lookedTo: 10,
  preparedAt: 0
}

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

/**
 * A Solana node at final slot 10,000 whose listing of the refund's key holds so many strangers' transactions, and which
 * lists what accounts did up to a slot; `null` where it keeps no listings.
 * @param most transactions that it lists at once
 */
const solanaNode = (listed: number, indexed: number | null = 10_000, most?: number, list = pageOf) => {
  const answer = (method: string, params: ReadonlyArray<unknown>): unknown => {
    switch (method) {
      case "getSlot":
      case "getBlockHeight":
        return 10_000
      case "getSignaturesForAddress": {
        const entry = (at: number) => ({
          signature: getBase58Decoder().decode(Buffer.alloc(64, `${at};`)),
          slot: params[0] === SOLANA_USDC ? indexed : 5,
          err: null,
          blockTime: 5
        })
        const isReference = params[0] === refundReferenceOf(refund.id)
        const length = isReference ? listed : indexed === null ? 0 : 1
        const entries = Array.from({ length }, (_, at) => entry(at))
        return list(entries, params[1], most)
      }
      case "getTransaction":
        return {
          slot: 5,
          blockTime: 5,
          transaction: {
            signatures: [params[0]],
            message: { accountKeys: [SOLANA_MERCHANT], instructions: [] }
          },
          meta: { err: null, preTokenBalances: [], postTokenBalances: [] }
        }
      default:
        return undefined
    }
  }
  const call = <A, I>(method: string, params: ReadonlyArray<unknown>, result: Schema.Schema<A, I>) =>
    Schema.decodeUnknown(result)(answer(method, params)).pipe(
      Effect.mapError(() => new UpstreamError({ upstream: "solana-rpc", kind: "malformed", detail: method }))
    )
  const getAccounts = () => Effect.succeed({ slot: 1n, accounts: [] })
  return { call, getAccounts, nodes: [{ host: "one", call }] }
}

describe("a look for a refund on Solana", () => {
  const spent: Refund = { ...refund, payer: SOLANA_MERCHANT, lifetime: "1", validUntil: 100 }
  const terms = termsOn(SOLANA_NETWORK, SOLANA_MERCHANT)

  it.effect("is void once nothing can land any more and everything that names it was read", () =>
    Effect.gen(function* () {
      expect(
        (yield* makeSolanaRefunds(solanaNode(3), () => Effect.succeed([])).look(spent, terms)).state
      ).toBe("void")
      expect(
        (yield* makeSolanaRefunds(solanaNode(0), () => Effect.succeed([])).look(spent, terms)).state
      ).toBe("void")
    })
  )

  it.effect("stays open as long as a fork could carry it, which is some blocks more than its own time", () =>
    Effect.gen(function* () {
      const { look } = makeSolanaRefunds(solanaNode(0), () => Effect.succeed([]))
      // The node's final height is 10,000.
      for (const [validUntil, state] of [
        [9_936, "open"],
        [9_935, "void"]
      ] as const)
        expect((yield* look({ ...spent, validUntil }, terms)).state).toBe(state)
    })
  )

  it.effect("stays open where nobody knows until when it could land", () =>
    Effect.gen(function* () {
      const timeless = { ...spent, validUntil: null }
      expect(
        (yield* makeSolanaRefunds(solanaNode(0), () => Effect.succeed([])).look(timeless, terms)).state
      ).toBe("open")
    })
  )

  it.effect(
    "stays open at a node that lists nothing of anybody: it would not have shown the refund either",
    () =>
      Effect.gen(function* () {
        expect(
          (yield* makeSolanaRefunds(solanaNode(0, null), () => Effect.succeed([])).look(spent, terms)).state
        ).toBe("open")
      })
  )

  it.effect(
    "stays open while its node's listing ends before the final slot: the refund may land in between",
    () =>
      Effect.gen(function* () {
        const late = solanaNode(0, 9_999)
        expect((yield* makeSolanaRefunds(late, () => Effect.succeed([])).look(spent, terms)).state).toBe(
          "open"
        )
        const both = { ...late, nodes: [...late.nodes, ...solanaNode(0).nodes] }
        expect((yield* makeSolanaRefunds(both, () => Effect.succeed([])).look(spent, terms)).state).toBe(
          "void"
        )
      })
  )

  it.effect("stays open where the node that would have it void lists one that was not read", () =>
    Effect.gen(function* () {
      const mixed = { ...solanaNode(0), nodes: solanaNode(1).nodes }
      expect((yield* makeSolanaRefunds(mixed, () => Effect.succeed([])).look(spent, terms)).state).toBe(
        "open"
      )
    })
  )

  it.effect("stays open where the node lists fewer than it was asked for: the refund may stand below", () =>
    Effect.gen(function* () {
      const looked = (most: number, list = pageOf) =>
        makeSolanaRefunds(solanaNode(4, 10_000, most, list), () => Effect.succeed([])).look(spent, terms)
      expect((yield* looked(3)).state).toBe("open")
      // Nor does the list end where the node does not know where it goes on.
      expect((yield* looked(3, firstPageOf)).state).toBe("open")
      expect((yield* looked(4)).state).toBe("void")
    })
  )

  it.effect(
    "stays open behind a crowd of strangers' transactions that name it: the refund may be among them",
    () =>
      Effect.gen(function* () {
        for (const crowd of [25, 5_000])
          expect(
            (yield* makeSolanaRefunds(solanaNode(crowd), () => Effect.succeed([])).look(spent, terms)).state
          ).toBe("open")
      })
  )
})
