import { Effect, Redacted } from "effect"
import { isRecord } from "../../domain/json.ts"
import { postJson } from "../http-exchange.ts"
import type { OwnChain } from "../own-chain.ts"

/** What an operator is told of one node. */
export interface NodeReport {
  /** Never the whole URL: it may hold a key. */
  readonly host: string
  /** One that is silent, or of another chain, is of no use. */
  readonly state: "usable" | "silent" | "foreign"
  /** What it lacks for a screening, and what that means; nothing where it lacks nothing. */
  readonly missing: ReadonlyArray<string>
}

const TIMEOUT = "4 seconds"
const MAX_BYTES = 256 * 1024

/** The result in an answer; undefined in any other. */
export const resultIn = (answer: unknown): unknown => (isRecord(answer) ? answer["result"] : undefined)
/** A result that is null is none of those that are asked for here. */
export const hasResult = (answer: unknown): boolean => (resultIn(answer) ?? null) !== null

/** A JSON-RPC request. */
export const request = (method: string, params: ReadonlyArray<unknown>, id = 1) => ({
  jsonrpc: "2.0",
  id,
  method,
  params
})

/** The JSON that a node answers; null where it gives none in time. */
export type Ask = (body: unknown) => Effect.Effect<unknown>

/** Asks one node. Never fails: a node that gives no JSON within four seconds has answered null. */
export const asking =
  (url: Redacted.Redacted<string>, fetch: typeof globalThis.fetch): Ask =>
  (body) =>
    Effect.tryPromise((signal) =>
      postJson({ fetch, url: Redacted.value(url), body: JSON.stringify(body), maxBytes: MAX_BYTES, signal })
    ).pipe(
      Effect.flatMap(({ text }) => Effect.try((): unknown => JSON.parse(text))),
      Effect.timeout(TIMEOUT),
      Effect.catchAll(() => Effect.succeed(null))
    )

/** Asks all nodes of a chain, in the order of preference. */
export const reportAll =
  (report: (url: Redacted.Redacted<string>, fetch: typeof globalThis.fetch) => Effect.Effect<NodeReport>) =>
  (
    urls: ReadonlyArray<Redacted.Redacted<string>>,
    fetch: typeof globalThis.fetch = globalThis.fetch
  ): Effect.Effect<ReadonlyArray<NodeReport>> =>
    Effect.forEach(urls, (url) => report(url, fetch), { concurrency: 4 })

/** What a node lacks, where it does not have it. */
export const missingUnless = (has: boolean, text: string): ReadonlyArray<string> => (has ? [] : [text])

/** Of a node that answers nothing, or not as one of this chain; `undefined` where it is usable. */
export const uselessness = (host: string, chain: OwnChain, said: unknown): NodeReport | undefined => {
  if (said === null) return { host, state: "silent", missing: ["does not answer"] }
  const other = hasResult(said) || chain.mustBeSaid ? chain.otherIn(resultIn(said)) : undefined
  if (other === undefined) return undefined
  return {
    host,
    state: "foreign",
    missing: [`is a node of ${other}, not of ${chain.name}: nothing that it says is taken`]
  }
}
