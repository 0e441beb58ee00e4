import { type ClientHttp2Session, connect, constants } from "node:http2"
import { type Answered, type Asked, tooLarge } from "./http-exchange.ts"

/** Flow-control windows in bytes: of one answer, and of all answers of a connection together. */
const WINDOW = 4 * 1024 * 1024
const WINDOWS = 16 * 1024 * 1024
/** Milliseconds without an exchange after which a connection is given up. */
const IDLE = 60_000

/** The other side certainly did not begin to process the exchange, so it may be sent again. */
export class NotTaken extends Error {}

/** One HTTP/2 connection that all exchanges with an origin share. */
export interface SharedSession {
  /** Whether it accepts further exchanges. */
  readonly isOpen: () => boolean
  /** Whether it was ever established. */
  readonly hasBegun: () => boolean
  /** Rejects with `NotTaken`, `AnswerTooLarge`, or what broke the exchange. */
  readonly exchange: (
    asked: Asked,
    path: string,
    headers: Readonly<Record<string, string>>
  ) => Promise<Answered>
}

/** Certificate authorities to trust instead of the system's. */
export interface Trust {
  readonly ca?: string
}

const opened = (origin: string, trust: Trust): ClientHttp2Session => {
  const session = connect(origin, { ...trust, settings: { initialWindowSize: WINDOW, enablePush: false } })
  session.once("connect", () => session.setLocalWindowSize(WINDOWS))
  session.setTimeout(IDLE, () => session.close())
  // Each stream reports the error to whoever waits for it; on the session it would end the process if unheard.
  session.on("error", () => session.destroy())
  // An idle connection must not keep the process alive; whoever waits for an answer has a timer that does.
  session.unref()
  return session
}

/**
 * Opens the connection. One that sent nothing until an exchange timed out accepts no more, and is left to the exchanges that
 * still wait on it: otherwise all would wait for a dead connection until the system notices.
 */
export const openSession = (origin: string, trust: Trust): SharedSession => {
  const session = opened(origin, trust)
  let hasBegun = false
  let lastHeard = 0
  session.once("connect", () => (hasBegun = true))
  return {
    isOpen: () => !session.closed && !session.destroyed,
    hasBegun: () => hasBegun,
    exchange: ({ body, maxBytes, signal }, path, headers) =>
      new Promise((resolve, reject) => {
        const since = performance.now()
        const stream = session.request({ ...headers, ":method": "POST", ":path": path })
        const chunks: Array<Buffer> = []
        let [size, status, isZipped] = [0, 0, false]
        const end = (why: Error): void => {
          reject(why)
          stream.close(constants.NGHTTP2_CANCEL)
        }
        const fail = (): void => {
          const isRefused = stream.rstCode === constants.NGHTTP2_REFUSED_STREAM
          reject(hasBegun && !isRefused ? new Error("the exchange broke off") : new NotTaken())
        }
        const leave = (): void => {
          if (lastHeard < since) session.close()
          end(new Error("nobody waits for it any more"))
        }
        stream
          .on("response", (answered) => {
            lastHeard = performance.now()
            status = Number(answered[":status"])
            isZipped = answered["content-encoding"] === "gzip"
          })
          .on("data", (chunk: Buffer) => {
            size += chunk.length
            if (size > maxBytes) end(tooLarge(maxBytes))
            else chunks.push(chunk)
          })
          .on("end", () => resolve({ status, isZipped, bytes: Buffer.concat(chunks) }))
          .on("error", fail)
          .on("close", fail)
        signal.addEventListener("abort", leave, { once: true })
        if (signal.aborted) leave()
        else stream.end(body)
      })
  }
}
