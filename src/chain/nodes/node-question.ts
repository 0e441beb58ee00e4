import { Data, Effect, Either, Redacted } from "effect"
import type { UpstreamError } from "../../domain/errors.ts"
import { isRecord } from "../../domain/json.ts"
import { postJson } from "../http-exchange.ts"
import type { Dialect } from "../json-rpc-answer.ts"
import { makeAnswerReader } from "../json-rpc-answer.ts"
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

/** What a node gave that is no answer, in our own words. */
class Silence extends Data.TaggedClass("Silence")<{ readonly why: string }> {}

const SILENT = new Silence({ why: "does not answer" })
const LIMITED = new Silence({ why: "limits our requests: what it can do is not known" })

const silenceOf = ({ detail, kind }: UpstreamError): Silence =>
  kind === "rate-limited" ? LIMITED : new Silence({ why: `does not answer as a node: ${detail}` })

/** The JSON that a node answers; a `Silence` where it gives none in time. */
export type Ask = (body: unknown) => Effect.Effect<unknown>

/** Asks one node, and knows whether it has refused to answer so much. Never fails: silence of four seconds is an answer. */
export const asking = (url: Redacted.Redacted<string>, fetch: typeof globalThis.fetch, dialect: Dialect) => {
  const { readHttp, readOne } = makeAnswerReader(dialect)
  let wasLimited = false

  const read = ({ status, text }: { readonly status: number; readonly text: string }): unknown => {
    const json = readHttp(status, text)
    if (Either.isLeft(json)) return silenceOf(json.left.error)
    const one = Array.isArray(json.right) ? undefined : readOne(json.right)
    const isLimit = one !== undefined && Either.isLeft(one) && one.left.error.kind === "rate-limited"
    return isLimit ? LIMITED : json.right
  }

  const ask: Ask = (body) =>
    Effect.tryPromise((signal) =>
      postJson({ fetch, url: Redacted.value(url), body: JSON.stringify(body), maxBytes: MAX_BYTES, signal })
    ).pipe(
      Effect.map(read),
      Effect.timeout(TIMEOUT),
      Effect.catchAll(() => Effect.succeed(SILENT)),
      Effect.tap((answer) => {
        wasLimited ||= answer === LIMITED
      })
    )

  /** What a node that limited some of the questions may not lack. */
  const missingByLimit = (): ReadonlyArray<string> =>
    missingUnless(!wasLimited, "limited our requests while it was asked: it may have what it seems to lack")

  return { ask, missingByLimit }
}

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
  if (said instanceof Silence) return { host, state: "silent", missing: [said.why] }
  if (!hasResult(said))
    return chain.mustBeSaid
      ? {
          host,
          state: "silent",
          missing: ["does not say of which chain it is: nothing that it says is taken"]
        }
      : undefined
  const other = chain.otherIn(resultIn(said))
  if (other === undefined) return undefined
  return {
    host,
    state: "foreign",
    missing: [`is a node of ${other}, not of ${chain.name}: nothing that it says is taken`]
  }
}
