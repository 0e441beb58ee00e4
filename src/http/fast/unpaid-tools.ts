import { Context, Layer } from "effect"
import type { OperationId } from "../../domain/catalog.ts"
import type { Offers, PreparedChallenge } from "../../operations/offers.ts"
import { CORS_HEADERS } from "../cors.ts"
import type { PreparedAnswer } from "./prepared-answer.ts"
import type { UnpaidCall } from "./tool-call.ts"

/** An answer with the status 200 that is whole but for the id of the call, which stands between two texts. */
export interface UnpaidAnswer {
  readonly headers: Readonly<Record<string, string>>
  readonly before: string
  readonly after: string
}

/** What a call of a tool is answered that pays nothing. Filled while the routes are made. */
export class UnpaidTools extends Context.Tag("token-risk/UnpaidTools")<
  UnpaidTools,
  {
    readonly keep: (answerOf: (id: OperationId) => UnpaidAnswer) => void
    readonly find: (id: OperationId) => UnpaidAnswer | undefined
  }
>() {}

export const UnpaidToolsLive = Layer.sync(UnpaidTools, () => {
  let kept: ((id: OperationId) => UnpaidAnswer) | undefined
  return UnpaidTools.of({
    keep: (answerOf) => {
      kept = answerOf
    },
    find: (id) => kept?.(id)
  })
})

const latin1 = (text: string): string => Buffer.from(text).toString("latin1")

/** As prepared answers hold it: a text of one byte to a character. */
const inBytes = ({ after, before, headers }: UnpaidAnswer) => ({
  headers: Object.entries({ ...headers, ...CORS_HEADERS }).flat(),
  before: latin1(before),
  after: latin1(after)
})

/** The answer to each call in bytes, made anew when the price list is. */
export const makeToolAnswers = (offers: Offers["Type"], tools: UnpaidTools["Type"]) => {
  const kept = new WeakMap<PreparedChallenge, ReturnType<typeof inBytes>>()

  const bytesOf = (operation: OperationId) => {
    const from = offers.challenge(operation, "mcp")
    const known = kept.get(from)
    if (known !== undefined) return known
    const answer = tools.find(operation)
    if (answer === undefined) return undefined
    const bytes = inBytes(answer)
    kept.set(from, bytes)
    return bytes
  }

  return ({ id, operation }: UnpaidCall): PreparedAnswer | undefined => {
    const bytes = bytesOf(operation)
    if (bytes === undefined) return undefined
    const body = bytes.before + latin1(id) + bytes.after
    const headers = [...bytes.headers, "content-length", String(body.length)]
    return { status: 200, headers, body, message: undefined }
  }
}
