import { HttpApiBuilder, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import type { McpServerFactory } from "@modelcontextprotocol/server"
import { createMcpHandler, Server } from "@modelcontextprotocol/server"
import { Config, Effect, Either, identity, Runtime } from "effect"
import { BadRequest, Forbidden } from "../api/errors.ts"
import { API_VERSION } from "../api/version.ts"
import { MCP_PATH } from "../domain/catalog.ts"
import { META } from "../domain/mcp-meta.ts"
import { invalid } from "../domain/settings.ts"
import { answeredIdIn, isSubscription, messageIn } from "../http/admission/tool-calls.ts"
import { type Facts, RequestFacts, withFacts } from "../http/admission/facts.ts"
import { ClientAddress } from "../http/client-address.ts"
import { MAX_BODY_BYTES } from "../http/admission/body.ts"
import { makePace } from "../http/pace.ts"
import { UnpaidTools } from "../http/fast/unpaid-tools.ts"
import { Offers } from "../operations/offers.ts"
import { PaymentDue } from "../operations/operations.ts"
import { problemOfBatch } from "./batch.ts"
import { makeCallTool, makeRefusals } from "./call-tool.ts"
import { Patience, wholeOrStream } from "./answers.ts"
import { toolsFor } from "./tools.ts"
import { writtenOut } from "./unpaid.ts"
import { warmUp } from "./warm-up.ts"

/** As browsers send it: scheme and host in lower case, no path, not even a slash at its end. */
const isOrigin = (text: string): boolean => /^[a-z][a-z0-9+.-]*:\/\/[^/?#\s]+$/.test(text)

/**
 * `MCP_ALLOWED_ORIGINS`: origins of web pages that may call the endpoint, comma-separated, `*` for all. Callers that
 * are no browser send no Origin and are not concerned. Our own origin is always allowed.
 */
export const mcpConfig = Config.all({
  allowedOrigins: Config.array(Config.nonEmptyString(), "MCP_ALLOWED_ORIGINS").pipe(
    Config.withDefault<ReadonlyArray<string>>([]),
    Config.mapOrFail((origins) =>
      origins.every((origin) => origin === "*" || isOrigin(origin))
        ? Either.right(origins)
        : invalid("MCP_ALLOWED_ORIGINS", "must be * or origins without a path, such as https://app.example")
    )
  )
})

const info = { name: "token-risk", title: "Token risk", version: API_VERSION }

const INSTRUCTIONS =
  "Ping every candidate token first. Run the deep report only on tokens that pass the ping, or that back an order " +
  "above 100 USD. Treat safe=null and verdict=caution as position size zero. Results cost USDC over x402. Where an error says " +
  "that the outcome of a payment is open, repeat the call with the same payment."

/** What our server knows of the request a tool call came in. */
interface About {
  readonly ip: string
  readonly facts: Facts
}

/**
 * By the request that the library which reads the protocol hands on as it got it. Node's own way to carry something along,
 * AsyncLocalStorage, hooks every promise of the process from its first use on.
 */
const abouts = new WeakMap<Request, About>()

/** Requests that the library begins to read in one round of the event loop: each takes it two or three milliseconds. */
const PER_ROUND = 4

/** Tool lists change with a release only. */
const LIST_TTL_MILLIS = 300_000

type CallTool = Effect.Effect.Success<typeof makeCallTool>

/** A server for one request: it holds nothing between requests. */
const makeFactory = (
  callTool: CallTool,
  tools: ReturnType<typeof toolsFor>,
  run: ReturnType<typeof Runtime.runPromise<never>>
): McpServerFactory => {
  return ({ requestInfo }) => {
    const about = requestInfo && abouts.get(requestInfo)
    const server = new Server(info, { capabilities: { tools: {} }, instructions: INSTRUCTIONS })
    server.setRequestHandler("tools/list", () => ({
      tools,
      ttlMs: LIST_TTL_MILLIS,
      cacheScope: "public" as const
    }))
    server.setRequestHandler("tools/call", ({ params }, context) => {
      const meta = context.mcpReq._meta ?? {}
      const request = context.http?.req
      const call = callTool({
        name: params.name,
        arguments: params.arguments ?? {},
        meta,
        clientIdHeader: request?.headers.get("x-client-id") ?? undefined,
        ip: about?.ip ?? "unknown"
      }).pipe(about === undefined ? identity : withFacts(about.facts))
      // A cancelled call with a payment runs on: its answer is stored and the same payment fetches it.
      return run(call, meta[META.payment] === undefined ? { signal: context.mcpReq.signal } : {})
    })
    return server
  }
}

/** Says which origins are neither ours nor allowed. */
const makeIsForeign = Effect.fnUntraced(function* (publicUrl: string) {
  const { allowedOrigins } = yield* mcpConfig
  const ownOrigin = new URL(publicUrl).origin
  return (origin: string | undefined): boolean =>
    origin !== undefined &&
    origin !== ownOrigin &&
    !allowedOrigins.includes("*") &&
    !allowedOrigins.includes(origin)
})

/**
 * The MCP endpoint: Streamable HTTP, stateless, both protocol eras. A fresh server per request holds nothing between
 * requests; what must outlive one (payments, free calls) is in the database.
 */
export const McpLive = HttpApiBuilder.Router.use((router) =>
  Effect.gen(function* () {
    const offers = yield* Offers
    const clientAddress = yield* ClientAddress
    const isForeign = yield* makeIsForeign(offers.publicUrl)
    const run = Runtime.runPromise(yield* Effect.runtime<never>())
    const factory = makeFactory(yield* makeCallTool, toolsFor(offers), run)
    const handler = yield* Effect.acquireRelease(
      Effect.sync(() => createMcpHandler(factory, { maxRequestBodySize: MAX_BODY_BYTES })),
      (mcp) => Effect.promise(() => mcp.close())
    )
    yield* Effect.forkScoped(warmUp(handler))
    const refusal = yield* makeRefusals
    const unpaid = yield* UnpaidTools
    unpaid.keep((operation) => writtenOut(refusal(operation, new PaymentDue())))
    const pace = makePace(PER_ROUND)
    const patience = yield* Patience
    const endpoint = offers.publicUrl + MCP_PATH

    yield* router.post(
      MCP_PATH,
      Effect.gen(function* () {
        const request = yield* HttpServerRequest.HttpServerRequest
        if (isForeign(request.headers["origin"])) {
          return yield* Effect.fail(new Forbidden({ error: "origin is not allowed" }))
        }
        const body = yield* request.text
        const message = messageIn(body)
        const problem = problemOfBatch(message)
        if (problem !== undefined) return yield* Effect.fail(new BadRequest({ error: problem }))
        yield* pace
        const { headers } = request
        const about = { ip: clientAddress(request), facts: yield* RequestFacts }
        // A caller that hangs up ends an unpaid call; a paid one runs on by itself.
        const ask = (signal: AbortSignal): Promise<Response> => {
          const asked = { method: "POST", headers, signal }
          // What is no JSON the library has to see for itself, to say so.
          if (message === undefined) return handler.fetch(new Request(endpoint, { ...asked, body }))
          const call = new Request(endpoint, asked)
          abouts.set(call, about)
          // A body that is read from a request again takes as long as all that is done with a call.
          return handler.fetch(call, { parsedBody: message })
        }
        if (isSubscription(message)) return HttpServerResponse.fromWeb(yield* Effect.promise(ask))
        const { response, rest } = yield* Effect.promise(async (signal) =>
          wholeOrStream(await ask(signal), answeredIdIn(message), patience)
        )
        about.facts.rest = rest
        return response
      })
    )
  })
)
