import { Effect, Layer, Redacted } from "effect"
import { baseRpcConfig } from "./base-rpc.ts"
import { hostOf } from "./endpoint-urls.ts"
import { postJson } from "./http-exchange.ts"
import { BASE_CHAIN } from "./own-chain.ts"

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
  /** The chain's own public endpoint: limited, and not meant for services. */
  readonly isPublic: boolean
  /** It answers, and as a node of Base. */
  readonly isOurs: boolean
  /** The other chain that it is of. */
  readonly otherChain: string | undefined
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

/** Which chain the answer to `eth_chainId` names. */
const chainOf = (answer: unknown): Pick<NodeReport, "isOurs" | "otherChain"> => {
  if (!isRecord(answer) || !hasResult(answer)) return { isOurs: false, otherChain: undefined }
  const otherChain = BASE_CHAIN.otherIn(answer["result"])
  return { isOurs: otherChain === undefined, otherChain }
}

const request = (id: number, method: string, params: ReadonlyArray<unknown>) => ({
  jsonrpc: "2.0",
  id,
  method,
  params
})

/** Asks one node; never fails. Four small requests. */
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
  return Effect.map(
    Effect.all([ask(request(1, "eth_chainId", [])), ask(call), ask(simulate), ask(batch)], {
      concurrency: 1
    }),
    ([chain, called, simulated, batched]) => ({
      host: hostOf(url),
      answers: hasResult(chain),
      ...chainOf(chain),
      overrides: isRecord(called) && typeof called["result"] === "string" && called["result"].endsWith("2a"),
      simulatesBlocks: hasResult(simulated),
      batch: Array.isArray(batched) && batched.length === 10 && batched.every(hasResult) ? 10 : 1,
      isPublic: hostOf(url) === PUBLIC_HOST
    })
  )
}

/** What every configured node can do, in the order of preference. */
export const reportNodes = (
  urls: ReadonlyArray<Redacted.Redacted<string>>,
  fetch: typeof globalThis.fetch = globalThis.fetch
): Effect.Effect<ReadonlyArray<NodeReport>> =>
  Effect.forEach(urls, (url) => reportOf(url, fetch), { concurrency: 4 })

/** What an operator should know about a node; empty where nothing is missing. */
export const shortcomings = (node: NodeReport): ReadonlyArray<string> => {
  if (!node.answers) return ["does not answer"]
  return node.otherChain === undefined
    ? [
        ...(node.isPublic ? ["is the public endpoint, which limits requests: set BASE_RPC_URL"] : []),
        ...(node.overrides ? [] : ["replaces no state in calls: trades cannot be simulated there"]),
        ...(node.simulatesBlocks ? [] : ["has no eth_simulateV1: later blocks cannot be simulated there"]),
        ...(node.batch === 10 ? [] : ["takes no batches of ten calls: every call is its own request"])
      ]
    : [`is a node of ${node.otherChain}, not of Base: nothing that it says is taken`]
}

/** Logs once, after the start, what the nodes can do. */
export const logNodes = (urls: ReadonlyArray<Redacted.Redacted<string>>): Effect.Effect<void> =>
  Effect.flatMap(
    reportNodes(urls),
    Effect.forEach(
      (node) => {
        const missing = shortcomings(node)
        const text = `Base node ${node.host}`
        if (node.otherChain !== undefined) return Effect.logError(`${text}: ${missing.join("; ")}`)
        return missing.length === 0
          ? Effect.logInfo(`${text}: overrides, eth_simulateV1, batches of ten`)
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
