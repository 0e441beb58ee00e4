import { promisify } from "node:util"
import { gunzip } from "node:zlib"
import { Agent, type Dispatcher } from "undici"
import { AnswerTooLarge } from "./http-exchange.ts"

/** Sends JSON to a URL and gives the whole answer. Rejects with `AnswerTooLarge`, or with what broke the exchange. */
export type Post = (exchange: {
  readonly url: string
  readonly body: string
  readonly maxBytes: number
  readonly signal: AbortSignal
}) => Promise<{ readonly status: number; readonly text: string }>

const unzip = promisify(gunzip)

/**
 * Connections outlive the pause between two payments; a node that says how long it keeps them is believed. `fetch` is
 * left aside because it takes three times the processor's time for the same exchange.
 */
const agent = new Agent({ keepAliveTimeout: 15_000, keepAliveMaxTimeout: 60_000 })

const HEADERS = { "content-type": "application/json", accept: "application/json", "accept-encoding": "gzip" }

const tooLarge = (maxBytes: number) => new AnswerTooLarge(`answer larger than ${maxBytes} bytes`)

const isTooLarge = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE"

const unzipBounded = async (bytes: Buffer, maxBytes: number): Promise<Buffer> => {
  try {
    return await unzip(bytes, { maxOutputLength: maxBytes })
  } catch (error) {
    throw isTooLarge(error) ? tooLarge(maxBytes) : error
  }
}

/** Where a URL leads, as the library wants it. There are as many as endpoints, and each is asked all the time. */
interface Place {
  readonly origin: string
  readonly path: string
}
const places = new Map<string, Place>()

/** Throws where it is no URL. */
const placeOf = (url: string): Place => {
  const known = places.get(url)
  if (known !== undefined) return known
  const { origin, pathname, search } = new URL(url)
  const place = { origin, path: pathname + search }
  places.set(url, place)
  return place
}

interface Answered {
  readonly status: number
  readonly isZipped: boolean
  readonly bytes: Buffer
}

/**
 * One exchange, its answer gathered as it comes. The library's `request` makes a stream of every answer and reads that
 * again, which takes longer than all the rest.
 */
const exchange: (asked: Parameters<Post>[0]) => Promise<Answered> = ({ body, maxBytes, signal, url }) =>
  new Promise((resolve, reject) => {
    const place = placeOf(url)
    const chunks: Array<Buffer> = []
    let size = 0
    let status = 0
    let isZipped = false
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart: (controller) => {
        const abort = (): void => controller.abort(new Error("nobody waits for it any more"))
        if (signal.aborted) abort()
        else signal.addEventListener("abort", abort, { once: true })
      },
      onResponseStart: (_controller, code, headers) => {
        status = code
        isZipped = headers["content-encoding"] === "gzip"
      },
      onResponseData: (controller, chunk) => {
        size += chunk.length
        if (size > maxBytes) controller.abort(tooLarge(maxBytes))
        else chunks.push(chunk)
      },
      onResponseEnd: () => resolve({ status, isZipped, bytes: Buffer.concat(chunks) }),
      onResponseError: (_controller, error) => reject(error)
    }
    agent.dispatch({ ...place, method: "POST", headers: HEADERS, body }, handler)
  })

/** Over kept connections. A redirect is a failure: a node that is made to send one must not choose whom else we ask. */
export const postKept: Post = async (asked) => {
  const { bytes, isZipped, status } = await exchange(asked)
  if (status >= 300 && status < 400) throw new Error("the node redirects")
  const plain = isZipped ? await unzipBounded(bytes, asked.maxBytes) : bytes
  return { status, text: plain.toString("utf8") }
}
