import { HttpServerResponse } from "@effect/platform"
import { Context, Effect } from "effect"
import type { Rest } from "../http/admission/facts.ts"
import { TOOK_TOO_LONG } from "../http/admission/places.ts"

/**
 * Milliseconds that an answer may take to be whole, ten seconds unless a test says otherwise. The library says nothing on
 * a stream for longer than that.
 */
export class Patience extends Context.Reference<Patience>()("token-risk/Patience", {
  defaultValue: () => 10_000
}) {}

/** The message that is answered, by the id its answer bears. */
export type AnswerId = string | number | null

/** An answer to a message. */
export interface Answer {
  readonly response: HttpServerResponse.HttpServerResponse
  /** Where it goes on as a stream. */
  readonly rest: Rest | undefined
}

type Reader = ReadableStreamDefaultReader<Uint8Array>
type Read = Awaited<ReturnType<Reader["read"]>>

/** MCP's code for a request that took too long. Source: `RequestTimeout` of its TypeScript library. */
const REQUEST_TIMEOUT = -32_001

/** The last message of a stream that is cut: without an answer, clients wait for their own time limit. */
const lastWords = (id: AnswerId): Uint8Array => {
  const message = { jsonrpc: "2.0", id, error: { code: REQUEST_TIMEOUT, message: TOOK_TOO_LONG } }
  return Buffer.from(`event: message\ndata: ${JSON.stringify(message)}\n\n`)
}

/** A first line where none was said: the head of an answer is sent with what comes first. Clients skip comments. */
const greeting = (headers: Headers): ReadonlyArray<Uint8Array> =>
  headers.get("content-type")?.startsWith("text/event-stream") === true
    ? [Buffer.from(": keepalive\n\n")]
    : []

/**
 * What has been read, then what comes. It is read on whether or not the caller reads: the slot is for the work, and the
 * caller's pace is none of it. It is little: one message, and a line now and then that says the call is alive.
 */
const goOn = (reader: Reader, before: ReadonlyArray<Uint8Array>, next: Promise<Read>, id: AnswerId) => {
  let isOver = false
  let out: ReadableStreamDefaultController<Uint8Array> | undefined
  /** Once: whoever hangs up, the end and the time limit may come in any order. */
  const end = (how: () => void): void => {
    if (isOver) return
    isOver = true
    how()
  }
  const stream = new ReadableStream<Uint8Array>({
    start: (controller) => {
      out = controller
      before.forEach((chunk) => controller.enqueue(chunk))
    },
    cancel: (reason) => {
      isOver = true
      return reader.cancel(reason)
    }
  })
  const readOn = async (): Promise<void> => {
    for (let read = await next; !read.done; read = await reader.read()) {
      if (!isOver) out?.enqueue(read.value)
    }
    end(() => out?.close())
  }
  const ended = readOn().catch((error: unknown) => end(() => out?.error(error)))
  const cut = Effect.promise(async () => {
    end(() => {
      out?.enqueue(lastWords(id))
      out?.close()
    })
    await reader.cancel()
  })
  return { stream, rest: { ended: Effect.promise(() => ended), cut } }
}

/** Waits, and gives up when it is late; the timer does not outlive the wait. */
const inTime = async <A>(waited: Promise<A>, late: Promise<undefined>): Promise<A | undefined> =>
  Promise.race([waited, late])

/**
 * The answer to a message, in one piece where it is whole in time. Callers of the older generations get theirs on a stream,
 * which the library opens before the work has begun: handed on as that, a call would be worked on with its slot given
 * back, its time limit over, and its line in the log written before anybody knows what came of it; and a stream of one
 * message costs more than the message. One that takes long goes on as a stream, where the library keeps it alive, and its
 * rest is told, so that slot, time limit and line are its own until it has ended.
 */
export const wholeOrStream = async (
  response: Response,
  id: AnswerId,
  patienceMillis: number
): Promise<Answer> => {
  const { body, headers, status } = response
  if (body === null) return { response: HttpServerResponse.fromWeb(response), rest: undefined }
  const reader = body.getReader()
  const chunks: Array<Uint8Array> = []
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, patienceMillis, undefined)
  })
  try {
    for (;;) {
      const next = reader.read()
      const read = await inTime(next, late)
      if (read === undefined) {
        const { rest, stream } = goOn(reader, chunks.length > 0 ? chunks : greeting(headers), next, id)
        return { response: HttpServerResponse.fromWeb(new Response(stream, { status, headers })), rest }
      }
      if (read.done) break
      chunks.push(read.value)
    }
  } finally {
    clearTimeout(timer)
  }
  const whole = HttpServerResponse.uint8Array(Buffer.concat(chunks), {
    status,
    headers: Object.fromEntries(headers),
    contentType: headers.get("content-type") ?? "application/json"
  })
  return { response: whole, rest: undefined }
}
