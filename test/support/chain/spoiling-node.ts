/** A node in front of an honest one that answers everything rightly but one question. */
import { Effect, Schema, type Scope } from "effect"
import { request as post } from "undici"
import { serveJson } from "../../../scripts/sandbox/json-server.ts"
import { type Spoiling, spoiled } from "./rubbish.ts"

const Request = Schema.Struct({ id: Schema.Unknown, method: Schema.String, params: Schema.Unknown })
type Request = typeof Request.Type
const decodeBody = Schema.decodeUnknownSync(Schema.parseJson(Schema.Union(Request, Schema.Array(Request))))
const isBatch = (body: Request | ReadonlyArray<Request>): body is ReadonlyArray<Request> =>
  Array.isArray(body)

const Answer = Schema.Struct({
  id: Schema.Unknown,
  result: Schema.optional(Schema.Unknown),
  error: Schema.optional(
    Schema.Struct({ code: Schema.Number, message: Schema.String, data: Schema.optional(Schema.Unknown) })
  )
})
type Answer = typeof Answer.Type
const decodeAnswer = Schema.decodeUnknownSync(Schema.parseJson(Answer))

/** What is done with one question: it is answered with rubbish, or not at all. */
export interface Fault {
  /** Method and parameters, as `SpoilingNode.asked` has it. */
  readonly question: string
  readonly by: Spoiling | "refused"
}

export interface SpoilingNode {
  readonly url: string
  /** All questions since the last `begin`, each once. */
  readonly asked: ReadonlySet<string>
  /** Forgets what was asked; from now on the node has this fault. */
  readonly begin: (fault?: Fault) => void
  /** What was answered instead of the truth; undefined where nothing else was. */
  readonly said: () => string | undefined
}

const REFUSED = { code: -32601, message: "method not found" }

/** Reads answer by reverting, so that an error's data is spoiled as a result is. */
const spoil = ({ error, id, result }: Answer, by: Fault["by"]): Answer => {
  if (by === "refused") return { id, error: REFUSED }
  return error === undefined
    ? { id, result: spoiled(result, by) }
    : { id, error: { ...error, data: spoiled(error.data, by) } }
}

const questionOf = ({ method, params }: Request): string => `${method} ${JSON.stringify(params)}`

const askAt =
  (upstream: string) =>
  async (request: Request): Promise<Answer> => {
    const { body } = await post(upstream, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", ...request })
    })
    return decodeAnswer(await body.text())
  }

/**
 * Starts one in front of `upstream`. The same question gets the same answer, however often it is asked.
 * @param head the method that names the state of which the upstream's answers tell: from one `begin` to the next, what it
 *   answered is asked again where that has changed only. Absent: always.
 */
export const startSpoilingNode = (
  upstream: string,
  head?: string
): Effect.Effect<SpoilingNode, never, Scope.Scope> =>
  Effect.gen(function* () {
    const asked = new Set<string>()
    const ask = askAt(upstream)
    const known = new Map<string, Answer>()
    let knownOf: unknown
    let looked = Promise.resolve()
    let fault: Fault | undefined
    let said: string | undefined
    const forgetTheOld = async (): Promise<void> => {
      const now = head === undefined ? {} : (await ask({ id: 0, method: head, params: [] })).result
      if (now !== knownOf) known.clear()
      knownOf = now
    }
    const answerTo = async (request: Request): Promise<Answer> => {
      const question = questionOf(request)
      asked.add(question)
      await looked
      const answer = { ...(known.get(question) ?? (await ask(request))), id: request.id }
      known.set(question, answer)
      if (fault?.question !== question) return answer
      const wrong = spoil(answer, fault.by)
      if (JSON.stringify(wrong) !== JSON.stringify(answer)) said = JSON.stringify(wrong)
      return wrong
    }
    const { url } = yield* serveJson(async ({ body }) => {
      const requests = decodeBody(body)
      return {
        status: 200,
        body: isBatch(requests) ? await Promise.all(requests.map(answerTo)) : await answerTo(requests)
      }
    })
    return {
      url,
      asked,
      said: () => said,
      begin: (next) => {
        asked.clear()
        looked = forgetTheOld()
        fault = next
        said = undefined
      }
    }
  })
