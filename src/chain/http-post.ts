import { promisify } from "node:util"
import { gunzip } from "node:zlib"
import { Agent, type Dispatcher } from "undici"
import { type Answered, type Asked, splitCredentials, tooLarge } from "./http-exchange.ts"
import { makeSessions } from "./http2-offers.ts"
import { NotTaken, type Trust } from "./http2-session.ts"

/** Sends JSON to a URL and gives the whole answer. Rejects with `AnswerTooLarge`, or with what broke the exchange. */
export type Post = (asked: Asked) => Promise<{ readonly status: number; readonly text: string }>

const unzip = promisify(gunzip)

const HEADERS = { "content-type": "application/json", accept: "application/json", "accept-encoding": "gzip" }

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
  readonly headers: Readonly<Record<string, string>>
}
const places = new Map<string, Place>()

/** Throws where it is no URL. */
const placeOf = (url: string): Place => {
  const known = places.get(url)
  if (known !== undefined) return known
  const { headers, url: plain } = splitCredentials(url)
  const { origin, pathname, search } = plain
  const place = { origin, path: pathname + search, headers: { ...HEADERS, ...headers } }
  places.set(url, place)
  return place
}

/**
 * One exchange over HTTP/1.1, its answer gathered as it comes. The library's `request` makes a stream of every answer and
 * reads that again, which takes longer than all the rest; `fetch` takes three times the processor's time.
 */
const exchange = (agent: Agent, place: Place, { body, maxBytes, signal }: Asked): Promise<Answered> =>
  new Promise((resolve, reject) => {
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
    agent.dispatch({ ...place, method: "POST", body }, handler)
  })

/**
 * Exchanges over kept connections: one of HTTP/2 for all where the node offers it, so that the reads of a screening neither
 * open a dozen connections nor begin slowly on each; else as many of HTTP/1.1 as are needed, which outlive the pause
 * between two payments; a node that says how long it keeps them is believed. A redirect is a failure: a node that is made
 * to send one must not choose whom else we ask.
 * @param trust for tests
 */
export const makePost = (trust: Trust = {}): Post => {
  const agent = new Agent({ keepAliveTimeout: 15_000, keepAliveMaxTimeout: 60_000, connect: trust })
  const sessionTo = makeSessions(trust)
  const answerOf = async (asked: Asked): Promise<Answered> => {
    const place = placeOf(asked.url)
    const session = sessionTo(place.origin)
    if (session === undefined) return exchange(agent, place, asked)
    try {
      return await session.exchange(asked, place.path, place.headers)
    } catch (error) {
      if (error instanceof NotTaken && !asked.signal.aborted) return exchange(agent, place, asked)
      throw error
    }
  }
  return async (asked) => {
    const { bytes, isZipped, status } = await answerOf(asked)
    if (status >= 300 && status < 400) throw new Error("the node redirects")
    const plain = isZipped ? await unzipBounded(bytes, asked.maxBytes) : bytes
    return { status, text: plain.toString("utf8") }
  }
}

/** Over the connections that all clients of nodes in this process share. */
export const postKept: Post = makePost()
