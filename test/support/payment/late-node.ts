/** A Base node that is behind the one it asks: it does not know the newest blocks, and takes transactions all the same. */
import { Effect, Schema, type Scope } from "effect"
import { serveJson } from "../../../scripts/sandbox/json-server.ts"

const Request = Schema.Struct({
  id: Schema.Unknown,
  method: Schema.String,
  params: Schema.optionalWith(Schema.Array(Schema.Unknown), { default: () => [] })
})
type Request = typeof Request.Type

const decodeBody = Schema.decodeUnknownSync(Schema.parseJson(Schema.Union(Request, Schema.Array(Request))))
const decodeAnswer = Schema.decodeUnknownSync(
  Schema.Struct({ result: Schema.optional(Schema.Unknown), error: Schema.optional(Schema.Unknown) })
)
type Answer = ReturnType<typeof decodeAnswer>

const TAGS: ReadonlySet<unknown> = new Set(["latest", "pending", "safe", "finalized"])
/** A block's own number, or that of the block a receipt, transaction or log is in. */
const Placed = Schema.Union(
  Schema.Struct({ blockNumber: Schema.NonEmptyString }),
  Schema.Struct({ number: Schema.NonEmptyString })
)
const isPlaced = Schema.is(Placed)

const isAbove =
  (head: number) =>
  (found: unknown): boolean =>
    isPlaced(found) && Number("number" in found ? found.number : found.blockNumber) > head

export interface LateNode {
  readonly url: string
  /** The newest block it knows; everything when absent. */
  head: number | undefined
}

const asks = (upstream: string) => async (request: Request) => {
  const response = await fetch(upstream, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", ...request })
  })
  return decodeAnswer(await response.json())
}

/** The answer of a node whose newest block is `head`. */
const answerAt = async (head: number, request: Request, ask: (request: Request) => Promise<Answer>) => {
  const newest = `0x${head.toString(16)}`
  if (request.method === "eth_blockNumber") return { result: newest }
  const params = request.params.map((param) => (TAGS.has(param) ? newest : param))
  const { error, result } = await ask({ ...request, params })
  if (Array.isArray(result)) return { error, result: result.filter((one) => !isAbove(head)(one)) }
  return { error, result: isAbove(head)(result) ? null : result }
}

/** Starts one in front of `upstream`. It is behind when it is told where it stands. */
export const startLateNode = (upstream: string): Effect.Effect<LateNode, never, Scope.Scope> =>
  Effect.gen(function* () {
    const ask = asks(upstream)
    const answer = async (request: Request) => {
      const said = await (node.head === undefined ? ask(request) : answerAt(node.head, request, ask))
      return { jsonrpc: "2.0", id: request.id, ...said }
    }
    const { url } = yield* serveJson(async ({ body }) => {
      const asked = decodeBody(body)
      const isBatch = (one: Request | ReadonlyArray<Request>): one is ReadonlyArray<Request> =>
        Array.isArray(one)
      return {
        status: 200,
        body: isBatch(asked) ? await Promise.all(asked.map(answer)) : await answer(asked)
      }
    })
    const node: LateNode = { url, head: undefined }
    return node
  })
