import { once } from "node:events"
import { connect, Socket } from "node:net"
import { describe, expect, it } from "vitest"
import { listen, serving, raw } from "../support/server/raw-http.ts"

describe("what is no valid request", () => {
  it("behind one that is being served is not answered in its place: a 400 would say that nothing was charged", async () => {
    let arrived: (finish: () => void) => void
    const inFlight = new Promise<() => void>((resolve) => (arrived = resolve))
    const { port, server } = await listen((_request: unknown, response: { end: (text: string) => void }) =>
      arrived(() => response.end("sold"))
    )
    const answer = raw(port, "GET / HTTP/1.1\r\nhost: x\r\n\r\nRUBBISH\r\n\r\n")
    const finish = await inFlight
    // The rubbish was read with the request; the round after this has parsed it.
    await new Promise((resolve) => setImmediate(resolve))
    finish()
    expect(await answer).toMatch(/^HTTP\/1\.1 200 [^]*connection: close\r\n[^]*sold$/i)
    await new Promise<void>((resolve) => server.close(() => resolve()))
  })

  it("after a body that is not whole is: nobody was served yet", async () => {
    const { port, server } = await listen(() => {})
    const chunked = "POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\nRUBBISH\r\n"
    expect(await raw(port, chunked)).toMatch(/^HTTP\/1\.1 400 [^]*\{"error":/)
    await new Promise<void>((resolve) => server.close(() => resolve()))
  })

  it.each([
    ["expects what nobody promised", "GET / HTTP/1.1\r\nhost: x\r\nexpect: 200-ok\r\n\r\n", 417],
    ["names no host", "GET / HTTP/1.1\r\naccept: */*\r\n\r\n", 400],
    ["names two hosts", "GET / HTTP/1.1\r\nhost: a\r\nHost: b\r\n\r\n", 400],
    ["names one host twice", "GET / HTTP/1.0\r\nhost: a\r\nhost: a\r\n\r\n", 400],
    ["names a host that is none", "GET / HTTP/1.1\r\nhost: a b\r\n\r\n", 400],
    [
      "comes in chunks before there were any",
      "POST / HTTP/1.0\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n",
      400
    ],
    [
      "has more headers than are read",
      `GET / HTTP/1.1\r\nhost: a\r\nconnection: close\r\n${"a:\r\n".repeat(1_000)}\r\n`,
      431
    ],
    [
      "says how its body comes behind more headers than are read",
      `GET / HTTP/1.1\r\nhost: a\r\nconnection: close\r\n${"a:\r\n".repeat(1_000)}transfer-encoding: chunked\r\n\r\n0\r\n\r\n`,
      431
    ],
    ["gets the server itself", "GET * HTTP/1.1\r\nhost: a\r\n\r\n", 400],
    ["wants a tunnel", "CONNECT x:80 HTTP/1.1\r\nhost: x\r\n\r\n", 405]
  ])("because it %s is told so in JSON", async (_, bytes, status) => {
    const { port, server } = await listen(serving)
    const answer = await raw(port, bytes)
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} [^]*\\{"error":"[^"]+"\\}$`))
    expect(answer).not.toContain("served")
    await new Promise<void>((resolve) => server.close(() => resolve()))
  })

  it.each([
    "GET / HTTP/1.1\r\nhost: [2001:db8::1]:3402",
    "GET / HTTP/1.1\r\nhost:",
    "GET / HTTP/1.0\r\nx: y"
  ])("is not %j", async (head) => {
    const { port, server } = await listen(serving)
    expect(await raw(port, `${head}\r\nconnection: close\r\n\r\n`)).toContain("served")
    await new Promise<void>((resolve) => server.close(() => resolve()))
  })

  it("is not one with five hundred headers", async () => {
    const { port, server } = await listen(serving)
    const request = `GET / HTTP/1.1\r\nhost: a\r\n${"a:\r\n".repeat(500)}connection: close\r\n\r\n`
    expect(await raw(port, request)).toContain("served")
    await new Promise<void>((resolve) => server.close(() => resolve()))
  })

  it("after one that is being served is not told either: it would be taken for that one's answer", async () => {
    let arrived: (finish: () => void) => void
    const inFlight = new Promise<() => void>((resolve) => (arrived = resolve))
    const { port, server } = await listen((_request: unknown, response: { end: (text: string) => void }) =>
      arrived(() => response.end("sold"))
    )
    const answer = raw(port, "GET / HTTP/1.1\r\nhost: x\r\n\r\nCONNECT x:80 HTTP/1.1\r\nhost: x\r\n\r\n")
    const finish = await inFlight
    await new Promise((resolve) => setImmediate(resolve))
    finish()
    expect(await answer).toMatch(/^HTTP\/1\.1 200 [^]*connection: close\r\n[^]*sold$/i)
    await new Promise<void>((resolve) => server.close(() => resolve()))
  })

  it("and breaks off after asking for a tunnel ends its connection, not the process", async () => {
    const { port, server } = await listen(() => {})
    const taken = once(server, "connection")
    const client = connect(port, "127.0.0.1")
    const [socket]: ReadonlyArray<unknown> = await taken
    if (!(socket instanceof Socket)) throw new Error("no connection")
    const asked = once(server, "connect")
    client.write("CONNECT x:80 HTTP/1.1\r\nhost: x\r\n\r\n")
    await asked
    // An error that nobody hears would end this process, too.
    expect(socket.listenerCount("error")).toBeGreaterThan(0)
    const closed = new Promise((resolve) => socket.once("close", resolve))
    client.resetAndDestroy()
    await closed
    await new Promise<void>((resolve) => server.close(() => resolve()))
  })
})
