import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { type Address, type Hex, createPublicClient, custom } from "viem"
import { MAX_LOGS, readLogs, readReceipt } from "../../src/chain/evm-logs.ts"

const [OURS, OTHERS]: readonly [Address, Address] = [`0x${"ab".repeat(20)}`, `0x${"cd".repeat(20)}`]
const word = (byte: string): Hex => `0x${byte.repeat(32)}`
const [EVENT, PAYER, NONCE] = [word("e1"), word("a1"), word("b1")]

const log = {
  address: OURS,
  topics: [EVENT, PAYER, NONCE],
  data: "0x",
  transactionHash: word("77"),
  blockHash: word("88"),
  blockNumber: "0x5",
  logIndex: "0x1",
  transactionIndex: "0x0",
  removed: false
}

const nodeOf = (answer: () => Promise<unknown>) =>
  createPublicClient({ transport: custom({ request: answer }, { retryCount: 0 }) })
const saying = (answer: unknown) => nodeOf(() => Promise.resolve(answer))

const filter = { address: OURS, topics: [[EVENT], null, NONCE], fromBlock: 4n, toBlock: 6n } as const
const asked = (answer: unknown) => readLogs(saying(answer), filter)

const rubbish: Readonly<Record<string, unknown>> = {
  null: null,
  nothing: undefined,
  text: "0x",
  "a number": 7,
  "an object": {},
  "a list of nothing": [null],
  "a list of lists": [[log]],
  "a list of text": ["0x"],
  "a log without fields": [{}],
  "a log without data": [{ ...log, data: undefined }],
  "a log without topics": [{ ...log, topics: undefined }],
  "topics in text": [{ ...log, topics: EVENT }],
  "a topic that is cut": [{ ...log, topics: [EVENT.slice(0, 40), PAYER, NONCE] }],
  "five topics": [{ ...log, topics: [EVENT, PAYER, NONCE, EVENT, EVENT] }],
  "half a byte": [{ ...log, data: "0x123" }],
  "data that is no hex": [{ ...log, data: "0xzz" }],
  "data without 0x": [{ ...log, data: "12" }],
  "data as a number": [{ ...log, data: 12 }],
  "no transaction": [{ ...log, transactionHash: null }],
  "no block's hash": [{ ...log, blockHash: null }],
  "a pending block": [{ ...log, blockNumber: null }],
  "a block beyond all numbers": [{ ...log, blockNumber: `0x${"f".repeat(400)}` }],
  "no place in its block": [{ ...log, logIndex: undefined }],
  "what was removed": [{ ...log, removed: true }],
  "another contract's": [{ ...log, address: OTHERS }],
  "another event": [{ ...log, topics: [word("e2"), PAYER, NONCE] }],
  "another word": [{ ...log, topics: [EVENT, PAYER, word("b2")] }],
  "fewer words": [{ ...log, topics: [EVENT, PAYER] }],
  "a block before": [{ ...log, blockNumber: "0x3" }],
  "a block after": [{ ...log, blockNumber: "0x7" }],
  "an event twice": [log, log],
  "one good and one foreign": [log, { ...log, logIndex: "0x2", address: OTHERS }],
  "more than anybody asked for": Array.from({ length: MAX_LOGS + 1 }, (_, at) => ({
    ...log,
    logIndex: `0x${at.toString(16)}`
  }))
}

describe("events of a node", () => {
  for (const [name, answer] of Object.entries(rubbish)) {
    it.effect(`are malformed where it answers ${name}`, () =>
      Effect.gen(function* () {
        const error = yield* Effect.flip(asked(answer))
        expect(error).toMatchObject({ _tag: "UpstreamError", upstream: "base-rpc", kind: "malformed" })
        expect(error.detail.length).toBeLessThan(100)
      })
    )
  }

  it.effect("are refused where the node refuses", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(
        readLogs(
          nodeOf(() => Promise.reject(new Error("range"))),
          filter
        )
      )
      expect(error).toMatchObject({ _tag: "UpstreamError", kind: "rejected" })
    })
  )

  it.effect("come in the chain's order and in lower case, whatever the node's", () =>
    Effect.gen(function* () {
      const upper = (text: string) => `0x${text.slice(2).toUpperCase()}`
      const found = yield* asked([
        { ...log, blockNumber: "0x6", logIndex: "0x0" },
        { ...log, logIndex: "0x2", data: "0xAB" },
        { ...log, address: upper(OURS), topics: log.topics.map(upper) }
      ])
      expect(found.map(({ blockNumber, logIndex }) => [blockNumber, logIndex])).toEqual([
        [5n, 1n],
        [5n, 2n],
        [6n, 0n]
      ])
      expect(found[0]).toEqual({
        address: OURS,
        topics: [EVENT, PAYER, NONCE],
        data: "0x",
        transactionHash: word("77"),
        blockNumber: 5n,
        blockHash: word("88"),
        logIndex: 1n
      })
      expect(found[1]?.data).toBe("0xab")
    })
  )

  it.effect("are asked for by contract, topics and blocks", () =>
    Effect.gen(function* () {
      const seen: Array<unknown> = []
      const client = createPublicClient({
        transport: custom({
          request: ({ params }: { readonly params: unknown }) => {
            seen.push(params)
            return Promise.resolve([])
          }
        })
      })
      yield* readLogs(client, filter)
      yield* readLogs(client, { address: [OURS, OTHERS], fromBlock: 0n, toBlock: "latest" })
      expect(seen).toEqual([
        [{ address: OURS, topics: [[EVENT], null, NONCE], fromBlock: "0x4", toBlock: "0x6" }],
        [{ address: [OURS, OTHERS], fromBlock: "0x0", toBlock: "latest" }]
      ])
    })
  )
})

const receipt = {
  transactionHash: word("77"),
  blockHash: word("88"),
  blockNumber: "0x5",
  status: "0x1",
  gasUsed: "0x64",
  effectiveGasPrice: "0xa",
  l1Fee: "0x7",
  logs: [log]
}

describe("a receipt", () => {
  const of = (answer: unknown) => readReceipt(saying(answer), word("77"))

  it.effect("tells where a transaction is, whether it passed and what it left", () =>
    Effect.gen(function* () {
      expect(yield* of(receipt)).toMatchObject({ passed: true, blockNumber: 5n, logs: [{ address: OURS }] })
      expect(yield* of(receipt)).toMatchObject({ gasUsed: 100n, gasPrice: 10n, dataFee: 7n })
      expect(yield* of({ ...receipt, l1Fee: undefined })).toMatchObject({ dataFee: 0n })
      expect(yield* of({ ...receipt, status: "0x0", logs: [] })).toMatchObject({ passed: false, logs: [] })
      expect(yield* of(null)).toBe(undefined)
    })
  )

  const wrong: Readonly<Record<string, unknown>> = {
    text: "0x",
    "a list": [],
    "an object": {},
    "no logs": { ...receipt, logs: null },
    "no status": { ...receipt, status: undefined },
    "no gas": { ...receipt, gasUsed: null },
    "half a fee": { ...receipt, l1Fee: "0x" },
    "no block": { ...receipt, blockHash: null },
    "another transaction": { ...receipt, transactionHash: word("78") },
    "another transaction's event": { ...receipt, logs: [{ ...log, transactionHash: word("78") }] },
    "another block's event": { ...receipt, logs: [{ ...log, blockNumber: "0x6" }] },
    "a removed event": { ...receipt, logs: [{ ...log, removed: true }] },
    "an event twice": { ...receipt, logs: [log, log] },
    "events with a gap": { ...receipt, logs: [log, { ...log, logIndex: "0x3" }] }
  }
  for (const [name, answer] of Object.entries(wrong)) {
    it.effect(`is malformed where the node answers ${name}`, () =>
      Effect.gen(function* () {
        expect(yield* Effect.flip(of(answer))).toMatchObject({ kind: "malformed", upstream: "base-rpc" })
      })
    )
  }
})
