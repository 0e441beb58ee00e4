import type { HttpServerRequest } from "@effect/platform"
import { Headers, HttpServerError } from "@effect/platform"
import { Data, Effect } from "effect"
import { Readable } from "node:stream"
import {
  BadRequest,
  PayloadTooLarge,
  RequestTimeout,
  TooManyRequests,
  Unavailable
} from "../../api/errors.ts"
import { isTooDeep } from "../../domain/strict-json.ts"
import { within } from "../../domain/together.ts"
import { BUSY_RETRY_SECONDS } from "../../operations/failures.ts"
import { makeBodyBytes } from "./body-bytes.ts"
import type { Full, Holding } from "./body-room.ts"

/** Largest request body in bytes, over every path. */
export const MAX_BODY_BYTES = 65_536

/**
 * A body over the limit is thrown away as it arrives, up to here: cutting it at the limit would cut the connection with
 * it, and the caller would never see why.
 */
const MAX_DISCARDED_BYTES = 1_048_576

/**
 * Pieces that a body may come in: chunks of its encoding, or what was read at once. Reading one costs the same whether it
 * brings a byte or a thousand, and a body of one byte to a chunk would cost as much as hundreds of others.
 */
const MAX_PIECES = 2_048

/** A body must be here this long after its headers. It waits outside of every slot. */
const BODY_DEADLINE = "5 seconds"

/** The caller hung up before the body was whole. */
class Aborted extends Data.TaggedError("Aborted") {}

/** A connection on which much of a body may still arrive is not worth keeping. */
const tooLarge = (size: number) => PayloadTooLarge.of(MAX_BODY_BYTES, size > MAX_DISCARDED_BYTES)

/** Whether a message announces a body. On a connection, neither header means there is none. */
export const hasBody = ({ headers }: HttpServerRequest.HttpServerRequest): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0

/** The rest of the body would wait on its connection, unread, for as long as the caller likes. */
const noRoom = (full: Full): TooManyRequests | Unavailable => {
  const error =
    full === "address"
      ? TooManyRequests.after("too many unfinished bodies of this address", BUSY_RETRY_SECONDS)
      : Unavailable.after("too busy: send the same request again", BUSY_RETRY_SECONDS)
  error.endsConnection = true
  return error
}

/** What is left is in pieces, too. */
const tooManyPieces = (): PayloadTooLarge => {
  const error = new PayloadTooLarge({ error: `body: comes in more than ${MAX_PIECES} pieces` })
  error.endsConnection = true
  return error
}

type Refused = PayloadTooLarge | TooManyRequests | Unavailable | Aborted

/** Collects a body up to the limit. Its listeners, and what it held, go when the fiber does. */
const collect = (source: Readable, holding: Holding) =>
  Effect.async<string, Refused>((resume) => {
    const bytes = makeBodyBytes(MAX_BODY_BYTES)
    let size = 0
    let pieces = 0
    const keep = (chunk: Buffer) => {
      const full = holding.hold(chunk.length)
      if (full === undefined) bytes.add(chunk)
      else end(Effect.fail(noRoom(full)))
    }
    const onData = (chunk: Buffer) => {
      size += chunk.length
      pieces += 1
      if (pieces > MAX_PIECES) return end(Effect.fail(tooManyPieces()))
      if (size <= MAX_BODY_BYTES) return keep(chunk)
      bytes.clear()
      holding.release()
      if (size > MAX_DISCARDED_BYTES) end(Effect.fail(tooLarge(size)))
    }
    const onEnd = () =>
      end(size > MAX_BODY_BYTES ? Effect.fail(tooLarge(size)) : Effect.succeed(bytes.text()))
    const onAbort = () => end(Effect.fail(new Aborted()))
    const detach = () => {
      holding.release()
      source.off("data", onData).off("end", onEnd).off("close", onAbort).off("error", onAbort)
      // A request that ends with an error after this must not end the process.
      source.on("error", () => {})
      // What still comes is thrown away: kept, each piece of one byte would take a hundred.
      source.resume()
    }
    const end = (result: Effect.Effect<string, Refused>) => {
      detach()
      resume(result)
    }
    if (source.destroyed) return resume(Effect.fail(new Aborted()))
    source.on("data", onData).once("end", onEnd).once("close", onAbort).once("error", onAbort)
    return Effect.sync(detach)
  })

const read = (request: HttpServerRequest.HttpServerRequest, holding: Holding) =>
  request.source instanceof Readable
    ? collect(request.source, holding)
    : request.text.pipe(
        Effect.mapError(() => new Aborted()),
        Effect.filterOrFail(
          (text) => Buffer.byteLength(text) <= MAX_BODY_BYTES,
          (text) => tooLarge(text.length)
        )
      )

/** A body that came with its headers, as most do: nothing has to be waited for. */
const arrived = ({ headers, source }: HttpServerRequest.HttpServerRequest): string | undefined => {
  const isHere =
    source instanceof Readable &&
    !source.destroyed &&
    headers["transfer-encoding"] === undefined &&
    source.readableLength === Number(headers["content-length"])
  const bytes: unknown = isHere ? source.read() : undefined
  return Buffer.isBuffer(bytes) ? bytes.toString("utf8") : undefined
}

/** No endpoint takes a body nested this deep, and decoding it would recurse. */
const refuseDeep = (text: string) =>
  isTooDeep(text)
    ? Effect.fail(new BadRequest({ error: "body: is nested too deeply" }))
    : Effect.succeed(text)

/**
 * The whole body as text, before anything else is spent on the request. A declared length over the limit is believed:
 * such a body is not read at all. A caller that hangs up interrupts.
 * @param holding what this body may hold until it is whole
 */
export const readBody = (
  request: HttpServerRequest.HttpServerRequest,
  holding: Holding
): Effect.Effect<string, BadRequest | PayloadTooLarge | RequestTimeout | TooManyRequests | Unavailable> => {
  if (request.source instanceof Readable && !hasBody(request)) return Effect.succeed("")
  const declared = Number(request.headers["content-length"] ?? 0)
  if (declared > MAX_BODY_BYTES) return Effect.fail(tooLarge(declared))
  const late = Effect.failSync(() => new RequestTimeout({ error: "body took too long to arrive" }))
  return Effect.suspend(() => {
    const here = arrived(request)
    return here === undefined ? within(read(request, holding), BODY_DEADLINE, late) : Effect.succeed(here)
  }).pipe(
    Effect.flatMap(refuseDeep),
    Effect.catchTag("Aborted", () => Effect.interrupt)
  )
}

/** A JSON type under a name of its own, such as `application/problem+json`. */
const NAMED_JSON = /^application\/[\w.-]+\+json\s*(?:;|$)/i

/** No body is `null`, whichever server took the request: what the platform makes of one differs between them. */
const parsed = (request: HttpServerRequest.HttpServerRequest, text: string) =>
  text.trim() === ""
    ? Effect.succeed(null)
    : Effect.try({
        try: (): unknown => JSON.parse(text),
        catch: (cause) => new HttpServerError.RequestError({ request, reason: "Decode", cause })
      })

/**
 * The request with its body at hand. The platform reads a body once, so everything behind takes it from here; it would
 * read one of a named JSON type as bytes, again, and wait for ever.
 */
export const withBody = (
  request: HttpServerRequest.HttpServerRequest,
  text: string
): HttpServerRequest.HttpServerRequest => {
  const { headers } = request
  const isNamed = NAMED_JSON.test(headers["content-type"] ?? "")
  const read = isNamed ? Headers.set(headers, "content-type", "application/json") : headers
  // A copy: of an object that becomes a prototype V8 keeps a class until the next full collection, and with it the request.
  return Object.defineProperties(request.modify({ headers: read }), {
    text: { value: Effect.succeed(text) },
    json: { value: parsed(request, text) }
  })
}
