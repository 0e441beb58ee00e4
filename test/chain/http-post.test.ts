import { afterAll, beforeAll, describe, expect, it } from "@effect/vitest"
import { once } from "node:events"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { gzipSync } from "node:zlib"
import { AnswerTooLarge, postJson } from "../../src/chain/http-exchange.ts"
import { postKept } from "../../src/chain/http-post.ts"

const ANSWER = `{"result":"${"é".repeat(40_000)}"}`

const answers: Readonly<Record<string, (request: IncomingMessage, response: ServerResponse) => void>> = {
  "/plain?key=1": (_, response) => response.end(ANSWER),
  "/zipped": (_, response) => response.setHeader("content-encoding", "gzip").end(gzipSync(ANSWER)),
  "/busy": (_, response) => response.writeHead(429).end("later"),
  "/elsewhere": (_, response) => response.writeHead(307, { location: "/plain?key=1" }).end(),
  "/cut": (_, response) => response.write("{", () => response.destroy()),
  "/echo": (request, response) => request.pipe(response),
  "/who?key=1": ({ headers }, response) => response.end(headers.authorization ?? "nobody")
}

const server = createServer((request, response) => answers[request.url ?? ""]?.(request, response))
let origin = ""
beforeAll(async () => {
  await once(server.listen(0, "127.0.0.1"), "listening")
  const address = server.address()
  origin = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const post = (
  path: string,
  { body = "{}", maxBytes = 1_000_000, signal = new AbortController().signal } = {}
) => postKept({ url: origin + path, body, maxBytes, signal })

describe("an exchange with a node", () => {
  it("gives the whole answer, however it is encoded, and whatever its status", async () => {
    expect(await post("/plain?key=1")).toEqual({ status: 200, text: ANSWER })
    expect(await post("/zipped")).toEqual({ status: 200, text: ANSWER })
    expect(await post("/busy")).toEqual({ status: 429, text: "later" })
    expect(await post("/echo", { body: ANSWER })).toEqual({ status: 200, text: ANSWER })
  })

  it("reads no more than is allowed, zipped or not, and goes on with the next one", async () => {
    const maxBytes = ANSWER.length - 1
    await expect(post("/plain?key=1", { maxBytes })).rejects.toBeInstanceOf(AnswerTooLarge)
    await expect(post("/zipped", { maxBytes })).rejects.toBeInstanceOf(AnswerTooLarge)
    expect(await post("/busy", { maxBytes })).toEqual({ status: 429, text: "later" })
  })

  it("presents the name and password of the address, whoever sends it", async () => {
    const { signal } = new AbortController()
    const basic = (text: string) => `Basic ${Buffer.from(text).toString("base64")}`
    for (const [credentials, presented] of [
      ["", "nobody"],
      ["me:s%3Acr%E2%82%ACt@", basic("me:s:cr€t")],
      ["key@", basic("key:")],
      [":100%@", basic(":100%")]
    ] as const) {
      const asked = {
        url: `${origin.replace("//", `//${credentials}`)}/who?key=1`,
        body: "",
        maxBytes: 99,
        signal
      }
      const answer = { status: 200, text: presented }
      expect([await postKept(asked), await postJson({ ...asked, fetch })]).toEqual([answer, answer])
    }
  })

  it("follows nobody elsewhere", async () => {
    await expect(post("/elsewhere")).rejects.toThrow("redirects")
  })

  it("fails where the answer is cut off, where nobody listens, and where the address is none", async () => {
    await expect(post("/cut")).rejects.toThrow()
    const { signal } = new AbortController()
    await expect(postKept({ url: "http://127.0.0.1:1", body: "", maxBytes: 1, signal })).rejects.toThrow()
    await expect(postKept({ url: "nowhere", body: "", maxBytes: 1, signal })).rejects.toThrow()
  })

  it("ends with whoever waits for it, before its answer or in the midst of it", async () => {
    await expect(post("/plain?key=1", { signal: AbortSignal.abort() })).rejects.toThrow()
    const ending = new AbortController()
    const left = once(server, "request").then(async ([request]: Array<IncomingMessage>) => {
      ending.abort()
      if (request !== undefined) await once(request.socket, "close")
      return "closed"
    })
    await expect(post("/silent", { signal: ending.signal })).rejects.toThrow()
    expect(await left).toBe("closed")
  })
})
