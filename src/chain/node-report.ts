import { Effect, Layer, Option, Redacted } from "effect"
import { baseRpcConfig } from "./base-rpc.ts"
import { hostOf } from "./endpoint-urls.ts"
import { SPANS } from "./evm-log-ranges.ts"
import { postJson } from "./http-exchange.ts"

/** What one of Base's nodes can do for a screening. */
export interface NodeReport {
  /** Never the whole URL: it may hold a key. */
  readonly host: string
  readonly answers: boolean
  /** `eth_call` with replaced code: trades of contracts, storage read in one call. */
  readonly overrides: boolean
  /** `eth_simulateV1`: what wallets live through in later blocks. */
  readonly simulatesBlocks: boolean
  /** Calls of one batch that it takes: 10, or 1. */
  readonly batch: 1 | 10
  /** `eth_getProof`, which proves that a token's storage is known whole: of blocks a moment old, of the newest alone, or not. */
  readonly proofs: "recent" | "newest" | "none"
  /** Blocks whose events it lists at once: the longest span of `LOG_SPANS`, 0 where not even the shortest. */
  readonly logBlocks: number
  /** It keeps the state of a month ago, which shows how long liquidity has been where it is. */
  readonly remembers: boolean
  /** The chain's own public endpoint: limited, and not meant for services. */
  readonly isPublic: boolean
}

const PUBLIC_HOST = "mainnet.base.org"
const TIMEOUT = "4 seconds"
const MAX_BYTES = 256 * 1024
/** An address without code, and code that answers with the number 42. */
const WITNESS = "0x5555555555555555555555555555555555555555"
const ANSWERS_42 = "0x602a60005260206000f3"

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const hasResult = (value: unknown): boolean => isRecord(value) && "result" in value

/** What a screening asks for where the whole is refused, longest first. */
const LOG_SPANS = SPANS.map(Number)
/** Blocks of a month. */
const MONTH = 1_296_000
/** Blocks that pass while a screening goes on, and more. */
const MOMENT = 8
const asQuantity = (block: number): string => `0x${Math.max(0, block).toString(16)}`

const request = (id: number, method: string, params: ReadonlyArray<unknown>) => ({
  jsonrpc: "2.0",
  id,
  method,
  params
})

type Ask = (body: unknown) => Effect.Effect<unknown>

const blockIn = (answer: unknown): number =>
  isRecord(answer) && typeof answer["result"] === "string" ? Number(answer["result"]) || 0 : 0

const proofsOf = (ask: Ask, head: number): Effect.Effect<NodeReport["proofs"]> => {
  const has = (block: string) => Effect.map(ask(request(1, "eth_getProof", [WITNESS, [], block])), hasResult)
  return Effect.flatMap(has(asQuantity(head - MOMENT)), (recent) =>
    recent
      ? Effect.succeed("recent" as const)
      : Effect.map(has("latest"), (newest) => (newest ? "newest" : "none"))
  )
}

const logBlocksOf = (ask: Ask, head: number): Effect.Effect<number> =>
  Effect.map(
    Effect.findFirst(LOG_SPANS, (span) => {
      const range = { fromBlock: asQuantity(head - span + 1), toBlock: asQuantity(head) }
      return Effect.map(ask(request(1, "eth_getLogs", [{ address: WITNESS, ...range }])), hasResult)
    }),
    Option.getOrElse(() => 0)
  )

/** What the lack of proofs means. */
const PROOFS = {
  recent: [],
  newest: [
    "proves its newest block alone (reth: --rpc.eth-proof-window): of busy tokens proofs come too late"
  ],
  none: ["has no eth_getProof: no young token is called safe on its word"]
} as const

/** What short lists of events mean. */
const shortLists = (blocks: number): ReadonlyArray<string> => {
  if (blocks >= (LOG_SPANS[0] ?? 0)) return []
  return blocks === 0
    ? ["lists events of fewer than 2,000 blocks at once: who holds a token is not found out there"]
    : [`lists events of ${blocks.toLocaleString("en-US")} blocks at once: older tokens are not read whole`]
}

/** Asks one node; never fails. Eleven small requests at most. */
const reportOf = (
  url: Redacted.Redacted<string>,
  fetch: typeof globalThis.fetch
): Effect.Effect<NodeReport> => {
  const ask = (body: unknown): Effect.Effect<unknown> =>
    Effect.tryPromise((signal) =>
      postJson({ fetch, url: Redacted.value(url), body: JSON.stringify(body), maxBytes: MAX_BYTES, signal })
    ).pipe(
      Effect.flatMap(({ text }) => Effect.try((): unknown => JSON.parse(text))),
      Effect.timeout(TIMEOUT),
      Effect.catchAll(() => Effect.succeed(null))
    )
  const call = request(1, "eth_call", [
    { to: WITNESS, data: "0x" },
    "latest",
    { [WITNESS]: { code: ANSWERS_42 } }
  ])
  const simulate = request(1, "eth_simulateV1", [{ blockStateCalls: [{ calls: [] }] }, "latest"])
  const batch = Array.from({ length: 10 }, (_, id) => request(id, "eth_chainId", []))
  return Effect.gen(function* () {
    const chain = yield* ask(request(1, "eth_chainId", []))
    const called = yield* ask(call)
    const simulated = yield* ask(simulate)
    const batched = yield* ask(batch)
    const head = blockIn(yield* ask(request(1, "eth_blockNumber", [])))
    return {
      host: hostOf(url),
      answers: hasResult(chain),
      overrides: isRecord(called) && typeof called["result"] === "string" && called["result"].endsWith("2a"),
      simulatesBlocks: hasResult(simulated),
      batch: Array.isArray(batched) && batched.length === 10 && batched.every(hasResult) ? 10 : 1,
      proofs: yield* proofsOf(ask, head),
      logBlocks: yield* logBlocksOf(ask, head),
      remembers: hasResult(yield* ask(request(1, "eth_getBalance", [WITNESS, asQuantity(head - MONTH)]))),
      isPublic: hostOf(url) === PUBLIC_HOST
    }
  })
}

/** What every configured node can do, in the order of preference. */
export const reportNodes = (
  urls: ReadonlyArray<Redacted.Redacted<string>>,
  fetch: typeof globalThis.fetch = globalThis.fetch
): Effect.Effect<ReadonlyArray<NodeReport>> =>
  Effect.forEach(urls, (url) => reportOf(url, fetch), { concurrency: 4 })

/** What an operator should know about a node; empty where nothing is missing. */
export const shortcomings = (node: NodeReport): ReadonlyArray<string> =>
  node.answers
    ? [
        ...(node.isPublic ? ["is the public endpoint, which limits requests: set BASE_RPC_URL"] : []),
        ...(node.overrides ? [] : ["replaces no state in calls: trades cannot be simulated there"]),
        ...(node.simulatesBlocks ? [] : ["has no eth_simulateV1: later blocks cannot be simulated there"]),
        ...PROOFS[node.proofs],
        ...shortLists(node.logBlocks),
        ...(node.remembers
          ? []
          : ["keeps no state of a month ago: liquidity that is not locked counts as new"]),
        ...(node.batch === 10 ? [] : ["takes no batches of ten calls: every call is its own request"])
      ]
    : ["does not answer"]

/** Of a node that lacks nothing. */
export const COMPLETE =
  "overrides, eth_simulateV1, eth_getProof, long lists of events, the state of a month ago, batches of ten"

/** Logs once, after the start, what the nodes can do. */
const logNodes = (urls: ReadonlyArray<Redacted.Redacted<string>>): Effect.Effect<void> =>
  Effect.flatMap(
    reportNodes(urls),
    Effect.forEach(
      (node) => {
        const missing = shortcomings(node)
        const text = `Base node ${node.host}`
        return missing.length === 0
          ? Effect.logInfo(`${text}: ${COMPLETE}`)
          : Effect.logWarning(`${text}: ${missing.join("; ")}`)
      },
      { discard: true }
    )
  )

/** The start itself must not compete with this for a limited node. */
const REPORT_AFTER = "2 seconds"

/** Says in the log of a started service what Base's nodes can do. */
export const BaseNodesLive = Layer.scopedDiscard(
  Effect.flatMap(baseRpcConfig, ({ urls }) => Effect.forkScoped(Effect.delay(logNodes(urls), REPORT_AFTER)))
)
