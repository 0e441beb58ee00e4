import { isIP } from "node:net"
import { connect } from "node:tls"
import { openSession, type SharedSession, type Trust } from "./http2-session.ts"

/** Milliseconds until an origin that does not speak HTTP/2, or could not be reached, is tried again. */
const ASKED_AGAIN = 600_000
/** Time limit of that handshake, in milliseconds. */
const PATIENCE = 5_000

/** Whether a server speaks HTTP/2, learned by a separate TLS handshake. False also where it cannot be reached. */
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
 * The HTTP/2 connection to an origin that is known to speak it; `undefined` where it does not, or where that is not known
 * yet: no request waits for the handshake. Only `https:` origins are tried. An origin that stops speaking HTTP/2 is tried
 * again later.
 */
export const makeSessions = (trust: Trust): ((origin: string) => SharedSession | undefined) => {
  /** Origins that speak HTTP/2; `undefined` while there is no connection. */
  const takers = new Map<string, SharedSession | undefined>()
  /** From when on an origin may be tried, on the clock of `performance.now()`. */
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
