import type { Socket } from "node:net"
import { peerBucket } from "../http/client-address.ts"

/** How many connections may be open at once: over all peers, and of one peer (`undefined`: no limit per peer). */
export interface ConnectionLimits {
  readonly total: number
  readonly perPeer: number | undefined
}

export const DEFAULT_LIMITS: ConnectionLimits = { total: 4_096, perPeer: 1_024 }

/** Requests of each connection that have not been answered, oldest connection first. */
type Open = Map<Socket, number>

const oldestIdle = (open: Iterable<readonly [Socket, number]>): Socket | undefined => {
  for (const [socket, requests] of open) if (requests === 0) return socket
  return undefined
}

/**
 * Keeps count of connections. Where there is no room for a new one, the one that has been silent for longest makes
 * room, of the same peer when the peer has too many: idle sockets cost their owner, nobody else. Only when every
 * connection is being served is the new one refused.
 */
export const makeConnections = (limits: ConnectionLimits) => {
  const open: Open = new Map()
  const byPeer = new Map<string, Set<Socket>>()

  const peers = (socket: Socket): Set<Socket> => {
    const peer = peerBucket(socket.remoteAddress)
    const sockets = byPeer.get(peer) ?? new Set()
    byPeer.set(peer, sockets)
    socket.once("close", () => {
      sockets.delete(socket)
      if (sockets.size === 0 && byPeer.get(peer) === sockets) byPeer.delete(peer)
    })
    return sockets
  }

  /** Makes room among these connections; false when all of them are being served. */
  const evict = (candidates: Iterable<readonly [Socket, number]>): boolean => {
    const victim = oldestIdle(candidates)
    if (victim === undefined) return false
    open.delete(victim)
    victim.destroy()
    return true
  }

  function* of(sockets: Iterable<Socket>): Generator<readonly [Socket, number]> {
    for (const socket of sockets) {
      const requests = open.get(socket)
      if (requests !== undefined) yield [socket, requests]
    }
  }

  const add = (socket: Socket): void => {
    const sockets = peers(socket)
    const isPeerFull = limits.perPeer !== undefined && sockets.size >= limits.perPeer
    if ((isPeerFull && !evict(of(sockets))) || (open.size >= limits.total && !evict(open))) {
      socket.destroy()
      return
    }
    sockets.add(socket)
    open.set(socket, 0)
    socket.once("close", () => open.delete(socket))
  }

  /** A request's headers have arrived. How many of this connection are unanswered now. */
  const begin = (socket: Socket): number => {
    const requests = (open.get(socket) ?? 0) + 1
    if (open.has(socket)) open.set(socket, requests)
    return requests
  }

  /** A request was answered. The connection counts as the youngest of the idle ones. */
  const end = (socket: Socket): void => {
    const requests = open.get(socket)
    if (requests === undefined) return
    open.delete(socket)
    open.set(socket, Math.max(0, requests - 1))
  }

  /** Cuts every connection that is not being served, also those that never asked anything. */
  const closeIdle = (): void => {
    for (const [socket, requests] of open) if (requests === 0) socket.destroy()
  }

  return { add, begin, end, closeIdle, size: () => open.size }
}
