import { Socket } from "node:net"
import { setImmediate as nextTurn } from "node:timers/promises"
import { describe, expect, it } from "@effect/vitest"
import { makeInputTurns } from "../../src/server/input-turns.ts"

/** A connection of this peer; what the parser is given of it is noted by the peer's name. */
const connection = (bound: (socket: Socket) => void, peer: string, given: Array<string>) => {
  const socket = new Socket()
  // One that is not connected waits to be read, anew for each piece.
  socket.setMaxListeners(0)
  Object.defineProperty(socket, "remoteAddress", { value: peer })
  socket.on("data", (chunk: Buffer) => given.push(`${peer} ${chunk.length}`))
  bound(socket)
  return socket
}

const CHUNK = 65_536

describe("what arrives on connections", () => {
  it("is given to the parser in slices and turns, and no peer waits for all of another's", async () => {
    const bound = makeInputTurns()
    const given: Array<string> = []
    const attackers = Array.from({ length: 20 }, () => connection(bound, "192.0.2.1", given))
    const honest = connection(bound, "192.0.2.2", given)
    await nextTurn()
    for (const socket of attackers) expect(socket.push(Buffer.alloc(CHUNK))).toBe(false)
    honest.push(Buffer.from("GET"))
    expect(given).toEqual([])
    while (!given.includes("192.0.2.2 3")) await nextTurn()
    // 20 chunks are 320 slices, and a turn has at most 16.
    expect(given.length).toBeLessThan(64)
    while (given.length < 321) await nextTurn()
    expect(given.filter((one) => one === "192.0.2.1 4096")).toHaveLength(320)
  })

  it("is given at once where nobody waits, and ends in its order", async () => {
    const given: Array<string> = []
    const socket = connection(makeInputTurns(), "192.0.2.1", given)
    socket.on("end", () => given.push("end"))
    await nextTurn()
    socket.push(Buffer.alloc(100))
    socket.push(Buffer.alloc(10_000))
    socket.push(null)
    while (!given.includes("end")) await nextTurn()
    expect(given).toEqual(["192.0.2.1 100", "192.0.2.1 4096", "192.0.2.1 4096", "192.0.2.1 1808", "end"])
  })

  it("comes in as few lines in a slice that requests are not made by the hundred of a connection that is being cut", async () => {
    const given: Array<string> = []
    const socket = connection(makeInputTurns(), "192.0.2.1", given)
    await nextTurn()
    const request = "GET / HTTP/1.0\r\n\r\n"
    socket.push(Buffer.from(request.repeat(100)))
    while (given.length < 4) await nextTurn()
    const some = `192.0.2.1 ${request.length * 32}`
    expect(given).toEqual([some, some, some, `192.0.2.1 ${request.length * 4}`])
  })

  it("is not held without end: a peer with too much waiting loses what brings more, sixteen in a turn, and nobody else does", async () => {
    const bound = makeInputTurns()
    const given: Array<string> = []
    const honest = connection(bound, "192.0.2.2", given)
    const attackers = Array.from({ length: 200 }, () => connection(bound, "192.0.2.1", given))
    await nextTurn()
    for (const socket of attackers) socket.push(Buffer.alloc(CHUNK))
    honest.push(Buffer.alloc(CHUNK))
    const lost = () => attackers.filter(({ destroyed }) => destroyed).length
    expect(lost()).toBe(0)
    for (let before = 0; before < 72; before = lost()) {
      await nextTurn()
      expect(lost() - before).toBeLessThanOrEqual(16)
    }
    for (let turn = 0; turn < 8; turn++) await nextTurn()
    expect(lost()).toBe(72)
    expect(honest.destroyed).toBe(false)
    // Whoever hangs up gives the room back.
    for (const socket of attackers) socket.destroy()
    while (given.filter((one) => one.startsWith("192.0.2.2")).length < 16) await nextTurn()
    const again = connection(bound, "192.0.2.1", given)
    again.push(Buffer.alloc(CHUNK))
    expect(again.destroyed).toBe(false)
  })

  it("is forgotten with a connection that was cut", async () => {
    const given: Array<string> = []
    const socket = connection(makeInputTurns(), "192.0.2.1", given)
    await nextTurn()
    socket.push(Buffer.alloc(CHUNK))
    socket.destroy()
    for (let turn = 0; turn < 8; turn++) await nextTurn()
    expect(given).toEqual([])
  })
})

describe("connections that are broken off", () => {
  it("together are closed in turns, each peer's in its own", async () => {
    const bound = makeInputTurns()
    const many = Array.from({ length: 100 }, () => connection(bound, "192.0.2.1", []))
    const other = connection(bound, "192.0.2.2", [])
    await nextTurn()
    const order: Array<Socket> = []
    for (const socket of [...many, other])
      socket
        .on("error", () => order.push(socket))
        .destroy(Object.assign(new Error("read ECONNRESET"), { syscall: "read" }))
    const closed = () => many.filter(({ destroyed }) => destroyed).length
    expect(closed()).toBe(0)
    for (let before = 0; before < 100; before = closed()) {
      await nextTurn()
      expect(closed() - before).toBeLessThanOrEqual(16)
    }
    // One of the many is before it, which were here first.
    expect(order.indexOf(other)).toBe(1)
  })

  it("are closed at once where this process breaks them off", async () => {
    const socket = connection(makeInputTurns(), "192.0.2.1", [])
    await nextTurn()
    socket.destroy()
    expect(socket.destroyed).toBe(true)
  })
})
