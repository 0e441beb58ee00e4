import { Effect, Redacted } from "effect"
import { postJson } from "../http-exchange.ts"

/** What an operator is told of one node. */
export interface NodeReport {
  /** Never the whole URL: it may hold a key. */
  readonly host: string
  readonly answers: boolean
  /** What it lacks for a screening, and what that means; nothing where it lacks nothing. */
  readonly missing: ReadonlyArray<string>
}

const TIMEOUT = "4 seconds"
const MAX_BYTES = 256 * 1024

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** The result in an answer; undefined in any other. */
export const resultIn = (answer: unknown): unknown => (isRecord(answer) ? answer["result"] : undefined)
export const hasResult = (answer: unknown): boolean => isRecord(answer) && "result" in answer

export const request = (method: string, params: ReadonlyArray<unknown>, id = 1) => ({
  jsonrpc: "2.0",
  id,
  method,
  params
})

/** The JSON that a node answers; null where it gives none in time. */
export type Ask = (body: unknown) => Effect.Effect<unknown>

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

export const missingUnless = (has: boolean, text: string): ReadonlyArray<string> => (has ? [] : [text])

/** What is said of a node that does not answer. */
export const SILENT = ["does not answer"]
