import { afterEach, describe, expect, it } from "@effect/vitest"
import { once } from "node:events"
import {
  createSecureServer,
  type Http2SecureServer,
  type Http2ServerRequest,
  type Http2ServerResponse
} from "node:http2"
import { createServer, type Server } from "node:https"
import type { Socket } from "node:net"
import { AnswerTooLarge } from "../../src/chain/http-exchange.ts"
import { makePost } from "../../src/chain/http-post.ts"
import { certificate } from "../support/chain/certificate.ts"

interface Node {
  readonly url: string
  /** Connections that were accepted, newest last. */
  readonly sockets: ReadonlyArray<Socket>
  /** The protocols of the requests so far. */
  readonly versions: ReadonlyArray<string>
  readonly close: () => Promise<void>
}

const opened: Array<Node> = []
afterEach(async () => {
  for (const node of opened.splice(0)) await node.close()
})

const listening = async (
  server: Server | Http2SecureServer,
  port: number,
  node: Omit<Node, "url" | "close">
) => {
  await once(server.listen(port, "127.0.0.1"), "listening")
  const address = server.address()
  const made: Node = {
    ...node,
    url: `https://127.0.0.1:${typeof address === "object" ? address?.port : ""}`,
    close: async () => {
      for (const socket of node.sockets) socket.destroy()
      await new Promise((closed) => server.close(closed))
    }
  }
  opened.push(made)
  return made
}

type Answer = (request: Http2ServerRequest, response: Http2ServerResponse) => void
const echo: Answer = (request, response) => void request.pipe(response)

/** A node that offers HTTP/2 beside HTTP/1.1. */
const modernNode = (answer: Answer = echo, port = 0) => {
  const sockets: Array<Socket> = []
  const versions: Array<string> = []
  const server = createSecureServer({ ...certificate, allowHTTP1: true }, (request, response) => {
    versions.push(request.httpVersion)
    answer(request, response)
  })
  server.on("secureConnection", (socket) => sockets.push(socket))
  return listening(server, port, { sockets, versions })
}

/** A node that knows HTTP/1.1 only. */
const plainNode = (port = 0) => {
  const sockets: Array<Socket> = []
  const versions: Array<string> = []
  const server = createServer(certificate, (request, response) => {
    versions.push(request.httpVersion)
    request.pipe(response)
  })
  server.on("secureConnection", (socket) => sockets.push(socket))
  return listening(server, port, { sockets, versions })
}

const client = () => {
  const post = makePost({ ca: certificate.cert })
  return (url: string, body = "{}", { maxBytes = 4_000_000, signal = new AbortController().signal } = {}) =>
    post({ url, body, maxBytes, signal })
}

/** Asks until the node was asked in its newest protocol: what it offers is learned beside the first exchange. */
const learned = async (post: ReturnType<typeof client>, { url, versions }: Node) => {
  while (versions.at(-1) !== "2.0") await post(url)
}

describe("connections to a node that offers HTTP/2", () => {
  it("are one for all exchanges, however many come at once", async () => {
    const [node, post] = [await modernNode(), client()]
    await learned(post, node)
    const before = node.sockets.length
    const bodies = Array.from({ length: 300 }, (_, at) => `{"at":${at},"text":"${"é".repeat(5_000)}"}`)
    const answers = await Promise.all(bodies.map((body) => post(node.url, body)))
    expect(answers.map(({ text }) => text)).toEqual(bodies)
    expect(node.sockets.length - before).toBeLessThanOrEqual(1)
    expect(new Set(node.versions.slice(-300))).toEqual(new Set(["2.0"]))
  })

  it("carry large answers both ways, and end those that are too large alone", async () => {
    const [node, post] = [await modernNode(), client()]
    await learned(post, node)
    const body = JSON.stringify("x".repeat(3_000_000))
    const beside = post(node.url, body)
    await expect(post(node.url, body, { maxBytes: 1_000_000 })).rejects.toBeInstanceOf(AnswerTooLarge)
    expect((await beside).text).toBe(body)
  })

  it("are made anew where one was silent while somebody waited, and the rest is not cut off", async () => {
    const held: Array<Http2ServerResponse> = []
    const node = await modernNode((request, response) => {
      if (request.url === "/silent") held.push(response)
      else request.pipe(response)
    })
    const holding = async (count: number) => {
      while (held.length < count) await new Promise((next) => setImmediate(next))
    }
    const post = client()
    await learned(post, node)
    const patient = post(`${node.url}/silent`)
    await holding(1)
    const before = node.sockets.length
    const ending = new AbortController()
    const impatient = post(`${node.url}/silent`, "{}", { signal: ending.signal })
    await holding(2)
    ending.abort()
    await expect(impatient).rejects.toThrow()
    expect((await post(node.url, "again")).text).toBe("again")
    expect(node.sockets.length - before).toBe(1)
    held[0]?.end("late")
    expect((await patient).text).toBe("late")
  })

  it("finish what is under way when the node says goodbye, and the next exchange has a new one", async () => {
    const held: Array<Http2ServerResponse> = []
    const node = await modernNode((request, response) => {
      if (request.url !== "/last") return request.pipe(response)
      held.push(response)
      response.stream.session?.close()
    })
    const post = client()
    await learned(post, node)
    const before = node.sockets.length
    const last = post(`${node.url}/last`)
    while (held.length === 0) await new Promise((next) => setImmediate(next))
    while (node.sockets.length === before) await post(`${node.url}/next`)
    held[0]?.end("goodbye")
    expect((await last).text).toBe("goodbye")
    expect(node.versions.at(-1)).toBe("2.0")
  })

  it("go on after the node closed them, and where it no longer takes HTTP/2", async () => {
    const [node, post] = [await modernNode(), client()]
    await learned(post, node)
    for (const socket of node.sockets) socket.destroy()
    await Promise.allSettled([post(node.url)])
    expect((await post(node.url, "again")).text).toBe("again")
    opened.splice(0)
    await node.close()
    const older = await plainNode(Number(new URL(node.url).port))
    await Promise.allSettled([post(older.url)])
    expect((await post(older.url, "older")).text).toBe("older")
    expect(new Set(older.versions)).toEqual(new Set(["1.1"]))
  })
})

it("a node that offers HTTP/1.1 alone is asked so, over kept connections", async () => {
  const [node, post] = [await plainNode(), client()]
  for (let at = 0; at < 5; at++) expect((await post(node.url, `${at}`)).text).toBe(`${at}`)
  expect(new Set(node.versions)).toEqual(new Set(["1.1"]))
  expect(node.sockets.length).toBeLessThanOrEqual(2)
})
