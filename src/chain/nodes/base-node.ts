import { Effect, Option, type Redacted } from "effect"
import { hostOf } from "../endpoint-urls.ts"
import { evmDialect } from "../evm-dialect.ts"
import { SPANS } from "../evm-log-ranges.ts"
import { BASE_CHAIN } from "../own-chain.ts"
import type { Ask, NodeReport } from "./node-question.ts"
import {
  asking,
  hasResult,
  missingUnless,
  reportAll,
  request,
  resultIn,
  uselessness
} from "./node-question.ts"

/** The chain's own public endpoint: limited, and not meant for services. */
const PUBLIC_HOST = "mainnet.base.org"
/** An address without code, and code that answers with the number 42. */
const WITNESS = "0x5555555555555555555555555555555555555555"
const ANSWERS_42 = "0x602a60005260206000f3"
const BATCH = 10
/** Blocks of half a year. */
const HALF_YEAR = 7_776_000
/** Blocks that pass while a screening goes on, and more. */
const MOMENT = 8
const numberIn = (answer: unknown): number | undefined => {
  const result = resultIn(answer)
  return typeof result === "string" && /^0x[0-9a-f]{1,12}$/i.test(result) ? Number(result) : undefined
}
const asQuantity = (block: number): string => `0x${Math.max(0, block).toString(16)}`

/** `eth_call` with replaced code: trades of contracts, storage read in one call. */
const overrides = (ask: Ask) =>
  Effect.map(
    ask(request("eth_call", [{ to: WITNESS, data: "0x" }, "latest", { [WITNESS]: { code: ANSWERS_42 } }])),
    (called) => String(resultIn(called)).endsWith("2a")
  )

const takesBatches = (ask: Ask) =>
  Effect.map(
    ask(Array.from({ length: BATCH }, (_, id) => request("eth_chainId", [], id))),
    (answer) => Array.isArray(answer) && answer.length === BATCH && answer.every(hasResult)
  )

/** Blocks of which it proves that a token's storage is known whole. */
const proofs = (ask: Ask, head: number): Effect.Effect<"recent" | "newest" | "none"> => {
  const has = (block: string) => Effect.map(ask(request("eth_getProof", [WITNESS, [], block])), hasResult)
  return Effect.flatMap(has(asQuantity(head - MOMENT)), (recent) =>
    recent
      ? Effect.succeed("recent" as const)
      : Effect.map(has("latest"), (newest) => (newest ? "newest" : "none"))
  )
}

/** Blocks whose events it lists at once: the longest span that a screening asks for, 0 where not even the shortest. */
const logBlocks = (ask: Ask, head: number): Effect.Effect<number> =>
  Effect.map(
    Effect.findFirst(SPANS.map(Number), (span) => {
      const range = { fromBlock: asQuantity(head - span + 1), toBlock: asQuantity(head) }
      return Effect.map(ask(request("eth_getLogs", [{ address: WITNESS, ...range }])), hasResult)
    }),
    Option.getOrElse(() => 0)
  )

const missingProofs = {
  recent: [],
  newest: [
    "proves its newest block alone (reth: --rpc.eth-proof-window): of busy tokens proofs come too late"
  ],
  none: ["has no eth_getProof: no young token is called safe on its word"]
} as const

const missingLogs = (blocks: number): ReadonlyArray<string> => {
  if (blocks >= Number(SPANS[0])) return []
  return blocks === 0
    ? ["lists events of fewer than 2,000 blocks at once: who holds a token is not found out there"]
    : [`lists events of ${blocks.toLocaleString("en-US")} blocks at once: older tokens are not read whole`]
}

const UNCOUNTED = [
  "does not say which block is its newest: nothing is known of its proofs, events and old state"
]

/** What it lacks of blocks that are not its newest. */
const missingOfBlocks = (ask: Ask, head: number): Effect.Effect<ReadonlyArray<string>> =>
  Effect.gen(function* () {
    const longAgo = request("eth_getBalance", [WITNESS, asQuantity(head - HALF_YEAR)])
    return [
      ...missingProofs[yield* proofs(ask, head)],
      ...missingLogs(yield* logBlocks(ask, head)),
      ...missingUnless(
        hasResult(yield* ask(longAgo)),
        "keeps no state of half a year ago: liquidity that is not locked counts as new"
      )
    ]
  })

/** Asks one node; never fails. Eleven small requests at most. */
const report = (url: Redacted.Redacted<string>, fetch: typeof globalThis.fetch): Effect.Effect<NodeReport> =>
  Effect.gen(function* () {
    const host = hostOf(url)
    const { ask, missingByLimit } = asking(url, fetch, evmDialect)
    const has = (method: string, ...params: ReadonlyArray<unknown>) =>
      Effect.map(ask(request(method, params)), hasResult)
    const useless = uselessness(host, BASE_CHAIN, yield* ask(request("eth_chainId", [])))
    if (useless !== undefined) return useless
    const head = numberIn(yield* ask(request("eth_blockNumber", [])))
    const missing = [
      missingUnless(host !== PUBLIC_HOST, "is the public endpoint, which limits requests: set BASE_RPC_URL"),
      missingUnless(yield* overrides(ask), "replaces no state in calls: trades cannot be simulated there"),
      missingUnless(
        yield* has("eth_simulateV1", { blockStateCalls: [{ calls: [] }] }, "latest"),
        "has no eth_simulateV1: later blocks cannot be simulated there"
      ),
      head === undefined ? UNCOUNTED : yield* missingOfBlocks(ask, head),
      missingUnless(yield* takesBatches(ask), "takes no batches of ten calls: every call is its own request"),
      missingByLimit()
    ]
    return { host, state: "usable", missing: missing.flat() }
  })

/** What every one of Base's nodes can do for a screening. */
export const reportBaseNodes = reportAll(report)

/** Of a node that lacks nothing. */
export const BASE_COMPLETE =
  "overrides, eth_simulateV1, eth_getProof, long lists of events, the state of half a year ago, batches of ten"
