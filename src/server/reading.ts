import { Predicate } from "effect"
import type { Socket } from "node:net"
import { peerBucket } from "../http/client-address.ts"
import type { makeTurns } from "../http/turns.ts"

/** What is read in one round of the event loop, in bytes, before the other connections have to wait. */
export const BYTES_PER_ROUND = 2 * 1_048_576

/** What Node reads a connection with. `reading`: Node means it to go on. */
interface Reader {
  readonly reading: boolean
  readonly readStart: () => unknown
  readonly readStop: () => unknown
}

const isReader = (value: unknown): value is Reader =>
  Predicate.hasProperty(value, "reading") &&
  Predicate.hasProperty(value, "readStart") &&
  Predicate.isFunction(value.readStart) &&
  Predicate.hasProperty(value, "readStop") &&
  Predicate.isFunction(value.readStop)

/** Node documents no way to it. Where it is another one day, there is none, and nothing is held. */
const readerOf = (socket: Socket): Reader | undefined => {
  const handle: unknown = Reflect.get(socket, "_handle")
  return isReader(handle) ? handle : undefined
}

/**
 * Bounds what one round of the event loop reads. Whatever is readable is read in one go, 64 KB of each connection: a
 * thousand connections that send together are 64 MB, and 50 ms of finding memory for it, before anybody is asked whether
 * that is wanted. When a round has read its part, all other connections are held, and let go on in turns.
 * @param turns in which connections go on
 */
export const makeReading = (turns: ReturnType<typeof makeTurns>) => {
  const reading = new Set<Socket>()
  let bytes = 0

  const goOn = (socket: Socket): void => {
    if (socket.destroyed) return
    reading.add(socket)
    const reader = readerOf(socket)
    if (reader?.reading === true) reader.readStart()
  }

  const hold = (socket: Socket): void => {
    const reader = readerOf(socket)
    // One that Node has stopped itself has its own way back.
    if (reader?.reading !== true) return
    reader.readStop()
    reading.delete(socket)
    turns.takeLater(peerBucket(socket.remoteAddress), () => goOn(socket))
  }

  return {
    add: (socket: Socket): void => {
      reading.add(socket)
      socket.once("close", () => reading.delete(socket))
    },
    /** Counts bytes that were read, and holds all connections once a round's share is used up. */
    took: (more: number): void => {
      if (bytes === 0) setImmediate(() => (bytes = 0))
      const before = bytes
      bytes += more
      if (before < BYTES_PER_ROUND && bytes >= BYTES_PER_ROUND) for (const socket of reading) hold(socket)
    }
  }
}
