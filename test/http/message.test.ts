import { afterEach, describe, expect, it, vi } from "vitest"
import { createServer } from "node:http"
import { type AddressInfo, connect } from "node:net"
import { HttpServerResponse } from "@effect/platform"
import { makeMessage } from "../../src/http/fast/message.ts"
import { prepareAnswer, sendPrepared } from "../../src/http/fast/prepared-answer.ts"

const BODY = "ä body of bytes"
const prepared = prepareAnswer(HttpServerResponse.text(BODY, { status: 402, headers: { "x-more": "1" } }))

/** All that a server which sends the prepared answer writes for these bytes, until it has written `count` answers or closed. */
const told = async (bytes: string, count: number): Promise<string> => {
  let requests = 0
  const server = createServer((request, response) => {
    request.resume()
    requests += 1
    if (prepared !== undefined) sendPrepared(prepared, response, `id-${requests}`)
  })
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening))
  const { port } = server.address() as AddressInfo
  const text = await new Promise<string>((resolve, reject) => {
    let received = ""
    const socket = connect(port, "127.0.0.1", () => socket.write(bytes))
    socket.setEncoding("utf8")
    socket.on("error", reject)
    socket.on("close", () => resolve(received))
    socket.on("data", (chunk) => {
      received += String(chunk)
      if (received.split(BODY).length > count) socket.end()
    })
  })
  server.close()
  return text
}

const GET = "GET / HTTP/1.1\r\nhost: a\r\n\r\n"
const heads = (text: string) =>
  text
    .split(BODY)
    .slice(0, -1)
    .map((head) => head.trimEnd().split("\r\n"))

describe("a prepared answer", () => {
  afterEach(() => vi.useRealTimers())

  it("is one well-formed message on a connection that is kept", async () => {
    const [lines = []] = heads(await told(GET, 1))
    expect(lines[0]).toBe("HTTP/1.1 402 Payment Required")
    expect(lines).toContain("x-request-id: id-1")
    expect(lines).toContain(`content-length: ${Buffer.byteLength(BODY)}`)
    expect(lines).toContain("Connection: keep-alive")
    const date = lines.find((line) => line.startsWith("Date: "))?.slice(6) ?? ""
    expect(Math.abs(Date.parse(date) - Date.now())).toBeLessThan(60_000)
    expect(new Date(date).toUTCString()).toBe(date)
  })

  it("bears the time of its own second", async () => {
    vi.useFakeTimers({ toFake: ["Date"] })
    for (const now of ["Wed, 25 Nov 2026 12:00:00 GMT", "Wed, 25 Nov 2026 12:00:01 GMT"]) {
      vi.setSystemTime(Date.parse(now))
      expect(heads(await told(GET, 1))[0]).toContain(`Date: ${now}`)
    }
  })

  it("comes once for each request that was sent ahead, in their order", async () => {
    const found = heads(await told(GET.repeat(5), 5))
    expect(found.map((lines) => lines.find((line) => line.startsWith("x-request-id")))).toEqual(
      [1, 2, 3, 4, 5].map((number) => `x-request-id: id-${number}`)
    )
  })

  it("ends a connection whose caller wants it ended, and says so", async () => {
    for (const request of [
      "GET / HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n",
      "GET / HTTP/1.0\r\n\r\n"
    ]) {
      const [lines = []] = heads(await told(request, 2))
      expect(lines.map((line) => line.toLowerCase())).toContain("connection: close")
      expect(lines.filter((line) => line.startsWith("HTTP/"))).toHaveLength(1)
    }
  })

  it("of a large body is its own bytes, which all callers share", () => {
    const bytes = new Uint8Array(100_000).fill(65)
    const large = prepareAnswer(HttpServerResponse.uint8Array(bytes))
    expect(large?.message).toBeUndefined()
    expect(Buffer.isBuffer(large?.body) && large.body.equals(bytes)).toBe(true)
  })

  it("is left to Node where it speaks about its connection, or does not say its length", () => {
    expect(makeMessage(200, { "content-length": "2", connection: "close" }, "ok")).toBeUndefined()
    expect(makeMessage(200, { "content-type": "text/plain" }, "ok")).toBeUndefined()
    expect(() => makeMessage(200, { "content-length": "2", "x-a": "1\r\nx-b: 2" }, "ok")).toThrow("x-a")
  })
})
