import { Config, Metric } from "effect"
import type { ServerResponse } from "node:http"
import type { Socket } from "node:net"
import { addressLimitsConfig } from "../free-tier/failure-budget.ts"
import { clientAddressConfig, peerBucket } from "../http/client-address.ts"

/** How many connections may be open at once: over all peers, and of one peer (`undefined`: no limit per peer). */
export interface ConnectionLimits {
  readonly total: number
  readonly perPeer: number | undefined
}

export const DEFAULT_LIMITS: ConnectionLimits = { total: 4_096, perPeer: 1_024 }

/** Behind proxies all connections come from a few peers, and something in front may do the counting. */
export const connectionLimitsConfig = Config.map(
  Config.all([addressLimitsConfig, clientAddressConfig]),
  ([limits, trust]): ConnectionLimits =>
    limits === "on" && trust._tag === "nobody" ? DEFAULT_LIMITS : { ...DEFAULT_LIMITS, perPeer: undefined }
)

const openConnections = Metric.gauge("token_risk_connections_open", {
  description: "TCP connections that are open"
})

/**
 * How long a whole answer may wait for its reader, in milliseconds, once somebody else wants the connection's place or the
 * server is to stop. Its caller may ask again.
 */
const UNREAD_MILLIS = 10_000

/**
 * Answers each connection waits for, sixteen at most; the connection that has been idle for longest comes first. A list: a
 * set that lives as long as a connection would leave every few requests to the next full collection.
 */
type Open = Map<Socket, Array<ServerResponse>>

/**
 * A connection that breaks is closed by Node, which hears its errors itself, but not any more once somebody asked for a
 * tunnel; and an error that nobody hears ends the process.
 */
const hearErrors = (): void => {}

/**
 * For every request that a closing connection leaves unanswered Node makes an error, and writes out where it was made: a
 * thirtieth of a millisecond each, seventeen of them on one connection, hundreds of connections in one round of the event
 * loop. Nobody reads that. To be called when nobody but Node listens to the connection yet.
 */
const closeWithoutTraces = (socket: Socket): void => {
  let { stackTraceLimit } = Error
  socket.prependOnceListener("close", () => {
    stackTraceLimit = Error.stackTraceLimit
    Error.stackTraceLimit = 0
  })
  socket.once("close", () => void (Error.stackTraceLimit = stackTraceLimit))
}

/** The open connections, and who has to go when there are too many. */
const makeRegistry = (limits: ConnectionLimits, unreadMillis: number, onLeave: () => void) => {
  const open: Open = new Map()
  /** When an answer was first found whole and its connection taken, by who wanted room; nothing is noted before. */
  const unreadSince = new WeakMap<ServerResponse, number>()
  const byPeer = new Map<string, Set<Socket>>()

  const show = (): void => openConnections.unsafeUpdate(open.size, [])
  const isIdle = (socket: Socket): boolean => open.get(socket)?.length === 0

  /** Whether all that keeps it is that its caller does not read. What was sent ahead behind such an answer is not begun. */
  const isUnread = (socket: Socket, now: number): boolean => {
    const [first] = open.get(socket) ?? []
    if (first?.writableEnded !== true) return false
    const since = unreadSince.get(first) ?? now
    unreadSince.set(first, since)
    return now - since >= unreadMillis
  }

  const leave = (socket: Socket, peer: string): void => {
    open.delete(socket)
    const sockets = byPeer.get(peer)
    sockets?.delete(socket)
    if (sockets?.size === 0) byPeer.delete(peer)
    show()
    onLeave()
  }

  const cut = (socket: Socket): true => {
    leave(socket, peerBucket(socket.remoteAddress))
    socket.destroy()
    return true
  }

  /** Makes room among these connections, the idle first and the oldest of them; false when all are being served. */
  const evict = (sockets: Iterable<Socket>): boolean => {
    const now = performance.now()
    let unread: Socket | undefined
    for (const socket of sockets) {
      if (isIdle(socket)) return cut(socket)
      if (unread === undefined && isUnread(socket, now)) unread = socket
    }
    return unread !== undefined && cut(unread)
  }

  const hasRoom = (peer: string): boolean => {
    const own = byPeer.get(peer) ?? new Set()
    if (limits.perPeer !== undefined && own.size >= limits.perPeer && !evict(own)) return false
    return open.size < limits.total || evict(open.keys())
  }

  const add = (socket: Socket): void => {
    socket.on("error", hearErrors)
    closeWithoutTraces(socket)
    const peer = peerBucket(socket.remoteAddress)
    // Whoever broke off before being taken has no address any more, and what they asked would be served to nobody.
    if (socket.remoteAddress === undefined || !hasRoom(peer)) {
      socket.destroy()
      return
    }
    open.set(socket, [])
    byPeer.set(peer, (byPeer.get(peer) ?? new Set()).add(socket))
    show()
    socket.once("close", () => leave(socket, peer))
  }

  /** Cuts every connection whose caller has left a whole answer unread for long enough. */
  const cutUnread = (): void => {
    const now = performance.now()
    for (const socket of open.keys()) if (isUnread(socket, now)) cut(socket)
  }

  return { open, add, cutUnread, isIdle }
}

/**
 * Keeps count of connections. Where there is no room for a new one, the one that has been idle for longest makes room,
 * of the same peer when the peer has too many: idle sockets cost their owner and nobody else. Where none is idle, one goes
 * whose caller has not read a whole answer for a while. Only when every connection is being served is the new one refused.
 */
export const makeConnections = (limits: ConnectionLimits, unreadMillis = UNREAD_MILLIS) => {
  let onChange: (() => void) | undefined
  const { add, cutUnread, isIdle, open } = makeRegistry(limits, unreadMillis, () => onChange?.())

  /** A request's headers have arrived. How many of this connection are unanswered now; none: it is gone. */
  const begin = (socket: Socket, response: ServerResponse): number => {
    const responses = open.get(socket)
    if (responses === undefined) return 0
    return responses.push(response)
  }

  /** A request was answered. The connection counts as the youngest of the idle ones. */
  const end = (socket: Socket, response: ServerResponse): void => {
    const responses = open.get(socket)
    if (responses === undefined) return
    const at = responses.indexOf(response)
    if (at >= 0) responses.splice(at, 1)
    open.delete(socket)
    open.set(socket, responses)
    onChange?.()
  }

  /** Cuts every connection that is not being served, also those that never asked anything. */
  const closeIdle = (): void => {
    for (const socket of [...open.keys()].filter(isIdle)) socket.destroy()
  }

  /** Tells every caller who is being served that this answer is the last on its connection. */
  const announceEnd = (): void => {
    for (const responses of open.values()) for (const response of responses) response.shouldKeepAlive = false
  }

  /**
   * Makes the last answer a connection waits for the last one it gets at all. False where it waits for none, or only
   * for answers to requests that never became whole and so were never served.
   */
  const endAfterAnswers = (socket: Socket): boolean => {
    const served = [...(open.get(socket) ?? [])].filter(({ req }) => req.complete)
    const last = served.at(-1)
    if (last !== undefined) last.shouldKeepAlive = false
    return last !== undefined
  }

  /** Calls back once no connection is being served any more; at once when none is. */
  const whenQuiet = (quiet: () => void): void => {
    onChange = () => {
      for (const responses of open.values()) if (responses.length > 0) return
      onChange = undefined
      quiet()
    }
    onChange()
  }

  return { add, begin, end, closeIdle, cutUnread, announceEnd, endAfterAnswers, whenQuiet }
}
