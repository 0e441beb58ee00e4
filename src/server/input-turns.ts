import { Predicate } from "effect"
import type { Socket } from "node:net"
import { makeArrivals } from "../http/arrivals.ts"
import { peerBucket } from "../http/client-address.ts"
import { makeTurns } from "../http/turns.ts"
import { makeReading } from "./reading.ts"

/** Bytes that the HTTP parser is given in one go. A request with a payment is about as long. */
const SLICE_BYTES = 4_096
/**
 * And lines. Of the shortest requests, two lines each, those bytes hold hundreds, and the parser makes all of a slice also
 * where the connection was cut at one of the first. What honest callers send together has fewer.
 */
const SLICE_LINES = 64
const LINE_FEED = 0x0a
/**
 * What may wait for the parser, in bytes, of all connections of one peer. Callers who mean it send a few kilobytes at
 * once; a peer of a thousand connections that each send the 64 KB one read brings would make the process hold 64 MB.
 */
export const WAITING_BYTES = 8 * 1_048_576
/** The same where the peers are proxies, and all callers come from one of them. */
export const WAITING_BYTES_OF_PROXIES = 4 * WAITING_BYTES

/** As much of the beginning of a chunk as the parser is given in one go: all of it, mostly. */
const sliceOf = (chunk: Buffer): Buffer => {
  const slice = chunk.length > SLICE_BYTES ? chunk.subarray(0, SLICE_BYTES) : chunk
  let end = 0
  for (let lines = 0; lines < SLICE_LINES; lines++) {
    const feed = slice.indexOf(LINE_FEED, end)
    if (feed < 0) return slice
    end = feed + 1
  }
  return end === chunk.length ? chunk : slice.subarray(0, end)
}

/** What Node ends a connection with that its caller has broken off. */
const isBrokenOff = (error: Error | undefined): boolean =>
  Predicate.hasProperty(error, "syscall") && error.syscall === "read"

/**
 * Bounds how long what has arrived on connections can keep the event loop busy. Node parses all that one read brought
 * (64 KB, that is over a thousand requests sent ahead) and all connections that are readable in one go: 128 connections
 * of one peer stop everything for seconds, before the application is even asked. Here the parser gets slices, in turns
 * between which the loop goes round, and every peer has its own place in the queue. Nothing more is read from a
 * connection while something of it waits, and a connection is cut when its peer has too much waiting.
 *
 * It stands where a socket receives what was read (`push`), which the parser leaves alone once somebody else listens
 * for data.
 */
export const makeInputTurns = (waitingBytes = WAITING_BYTES): ((socket: Socket) => void) => {
  const arrivals = makeArrivals()
  const turns = makeTurns(arrivals)
  /** Connections that go on or are closed: neither waits behind what others have sent. */
  const besides = makeTurns(arrivals)
  const reading = makeReading(besides)
  const bytes = new Map<string, number>()

  /** Whether a peer may have this much more waiting; having less is always allowed. */
  const count = (peer: string, more: number): boolean => {
    const next = (bytes.get(peer) ?? 0) + more
    if (more > 0 && next > waitingBytes) return false
    if (next === 0) bytes.delete(peer)
    else bytes.set(peer, next)
    return true
  }

  return (socket) => {
    arrivals.note()
    if (socket.destroyed) return
    reading.add(socket)
    const peer = peerBucket(socket.remoteAddress)
    const push = socket.push.bind(socket)
    const destroy = socket.destroy.bind(socket)
    const waiting: Array<Buffer | null> = []

    const forget = (): void => {
      for (const chunk of waiting) count(peer, -(chunk?.length ?? 0))
      waiting.length = 0
    }

    const step = (): void => {
      if (socket.destroyed) forget()
      const first = waiting.shift()
      if (first === undefined) return
      const next = first === null ? null : sliceOf(first)
      const rest = first?.subarray(next?.length)
      if (rest !== undefined && rest.length > 0) waiting.unshift(rest)
      count(peer, -(next?.length ?? 0))
      push(next)
      if (waiting.length > 0) turns.takeLater(peer, step)
      else socket.read(0)
    }

    // The end of a connection waits behind what came before it.
    socket.push = (chunk: Buffer | null): boolean => {
      reading.took(chunk?.length ?? 0)
      const isShort = chunk === null || sliceOf(chunk) === chunk
      const taken = isShort && waiting.length === 0 ? turns.takeNow(() => push(chunk)) : undefined
      if (taken !== undefined) return taken
      if (!count(peer, chunk?.length ?? 0)) {
        // A thousand at once would stop everything for as long as the kernel takes to close them.
        besides.takeLater(peer, () => socket.destroy())
        return false
      }
      if (waiting.length === 0) turns.takeLater(peer, step)
      waiting.push(chunk)
      return false
    }
    // Whoever breaks off a thousand at once breaks them off in one round, and each is closed to its end in that round.
    socket.destroy = (error?: Error) => {
      if (!isBrokenOff(error)) return destroy(error)
      besides.takeLater(peer, () => destroy(error))
      return socket
    }
    socket.on("data", () => undefined)
  }
}
