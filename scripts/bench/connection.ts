/**
 * A caller's connection that costs next to nothing: Node's own client takes several times the processor's time of a server
 * that answers from memory, and on two cores the server then waits for its caller, and is measured idling. Requests are
 * written as they stand, and an answer is read as far as its end must be found.
 */
import { connect } from "node:net"

/** Its body is bytes of its connection's own, which the next answer overwrites. */
export interface Answer {
  readonly status: number
  readonly body: Buffer
}

export interface Connection {
  /** One request at a time. Rejects when the connection ends before the answer does. */
  readonly exchange: (request: string) => Promise<Answer>
  readonly destroy: () => void
}

/** Bytes that are read at once, into one buffer over and over: Node makes a new one for each read else. */
const READ_TOGETHER = 65_536
const NOTHING = Buffer.alloc(0)
const HEAD_END = "\r\n\r\n"
const CHUNKS_END = "\r\n0\r\n\r\n"

const withoutFrames = (chunked: Buffer): Buffer => {
  const parts: Array<Buffer> = []
  for (let at = 0; at < chunked.length;) {
    const line = chunked.indexOf("\r\n", at)
    const size = Number.parseInt(chunked.toString("latin1", at, line), 16)
    if (size === 0) break
    parts.push(chunked.subarray(line + 2, line + 2 + size))
    at = line + 2 + size + 2
  }
  return Buffer.concat(parts)
}

/** The answer, once all of it is there; `atEnd`: the connection has ended, and with it an answer of no stated length. */
const answerIn = (bytes: Buffer, atEnd: boolean): Answer | undefined => {
  const end = bytes.indexOf(HEAD_END)
  if (end < 0) return undefined
  const head = bytes.toString("latin1", 0, end)
  const status = Number(head.slice(9, 12))
  const body = bytes.subarray(end + HEAD_END.length)
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
  if (length !== undefined) return body.length < Number(length) ? undefined : { status, body }
  if (/\r\ntransfer-encoding: *chunked/i.test(head)) {
    const isWhole = bytes.subarray(-CHUNKS_END.length).toString("latin1") === CHUNKS_END
    return isWhole ? { status, body: withoutFrames(body) } : undefined
  }
  return atEnd ? { status, body } : undefined
}

interface Waiting {
  readonly resolve: (answer: Answer) => void
  readonly reject: (cause: Error) => void
}

/** Opens a connection to the host of an address; requests may be written at once. */
export const openConnection = ({ hostname, port }: URL): Connection => {
  let received: Buffer = NOTHING
  let waiting: Waiting | undefined

  const look = (atEnd: boolean): void => {
    const answer = answerIn(received, atEnd)
    if (answer === undefined) {
      received = Buffer.from(received)
      return
    }
    const { resolve } = waiting ?? {}
    received = NOTHING
    waiting = undefined
    resolve?.(answer)
  }
  const fail = (cause: Error): void => {
    waiting?.reject(cause)
    waiting = undefined
  }

  const read = (length: number, into: Uint8Array): boolean => {
    const chunk = Buffer.from(into.buffer, into.byteOffset, length)
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
    look(false)
    return true
  }
  const socket = connect({
    host: hostname,
    port: Number(port),
    noDelay: true,
    onread: { buffer: Buffer.alloc(READ_TOGETHER), callback: read }
  })
  socket.on("error", fail)
  socket.on("close", () => {
    look(true)
    fail(new Error("the connection ended before its answer"))
  })
  return {
    exchange: (request) =>
      new Promise((resolve, reject) => {
        if (socket.destroyed) return reject(new Error("the connection has ended"))
        waiting = { resolve, reject }
        socket.write(request)
      }),
    destroy: () => socket.destroy()
  }
}
