import { isIP } from "node:net"
import { connect } from "node:tls"
import { openSession, type SharedSession, type Trust } from "./http2-session.ts"

/** Milliseconds after which an origin that took no HTTP/2, or could not be asked, is asked again. */
const ASKED_AGAIN = 600_000
/** Milliseconds to learn it in. */
const PATIENCE = 5_000

/** Whether a server would take HTTP/2, learned from a handshake of its own; one that cannot be reached would not. */
const takesHttp2 = (origin: URL, trust: Trust): Promise<boolean> =>
  new Promise((resolve) => {
    const host = origin.hostname.replace(/^\[|\]$/g, "")
    const socket = connect({
      ...trust,
      host,
      port: Number(origin.port || "443"),
      ...(isIP(host) === 0 && { servername: host }),
      ALPNProtocols: ["h2", "http/1.1"],
      timeout: PATIENCE
    })
    const end = (): void => {
      resolve(socket.alpnProtocol === "h2")
      socket.destroy()
    }
    socket.once("secureConnect", end).once("timeout", end).once("error", end)
  })

/**
 * The HTTP/2 connection to an origin, where it is known that it takes one; `undefined` where it is not, or not yet: nobody
 * waits for the answer. What is not encrypted is never asked. An origin that does not take it any more is asked again later.
 */
export const makeSessions = (trust: Trust): ((origin: string) => SharedSession | undefined) => {
  /** `undefined`: takes it, and has no connection. */
  const takers = new Map<string, SharedSession | undefined>()
  /** When an origin may be asked, `performance.now()`. */
  const askable = new Map<string, number>()

  const learn = async (origin: string): Promise<void> => {
    askable.set(origin, performance.now() + ASKED_AGAIN)
    if (await takesHttp2(new URL(origin), trust)) takers.set(origin, undefined)
  }

  return (origin) => {
    if (!takers.has(origin)) {
      if (origin.startsWith("https:") && (askable.get(origin) ?? 0) <= performance.now()) void learn(origin)
      return undefined
    }
    const known = takers.get(origin)
    if (known?.isOpen() === true) return known
    if (known?.hasBegun() === false) {
      takers.delete(origin)
      return undefined
    }
    const session = openSession(origin, trust)
    takers.set(origin, session)
    return session
  }
}
