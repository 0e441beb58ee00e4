import type { Socket } from "node:net"
import type { Arrivals } from "./arrivals.ts"
import { peerBucket } from "./client-address.ts"
import type { Listener } from "./fast/fast-path.ts"
import { makeTurns } from "./turns.ts"

/** A connection that is being served, and who waits there. */
interface Line {
  readonly peer: string
  isServed: boolean
  readonly waiting: Array<() => void>
}

/**
 * Serves the requests of one connection one after another: a request that was sent ahead waits until the answer before
 * it is out. Node hands over all of them at once and keeps the answers. Whoever sends sixteen and reads nothing, or has
 * hung up long since, would be served sixteen times for nothing; here once, and no more when the connection is gone.
 * Those who waited go on in turns, each peer in its own.
 */
export const oneAtATime = (serve: Listener, arrivals: Arrivals): Listener => {
  const lines = new WeakMap<Socket, Line>()
  const turns = makeTurns(arrivals)

  const lineOf = (socket: Socket): Line => {
    const known = lines.get(socket)
    if (known !== undefined) return known
    const line = { peer: peerBucket(socket.remoteAddress), isServed: false, waiting: [] }
    lines.set(socket, line)
    return line
  }

  return (request, response) => {
    const { socket } = request
    const line = lineOf(socket)
    const begin = (): void => {
      // Node hands over the rest of a chunk of requests sent ahead although the server has cut the connection off.
      if (socket.destroyed) return
      response.once("close", () => {
        const next = line.waiting.shift()
        if (next === undefined) line.isServed = false
        else turns.takeLater(line.peer, next)
      })
      serve(request, response)
    }
    if (line.isServed) line.waiting.push(begin)
    else {
      line.isServed = true
      begin()
    }
  }
}
