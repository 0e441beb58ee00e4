/** Receivers that are no web servers: what they do to a delivery, and that nothing of it is left. */
import { expect, it } from "@effect/vitest"
import { Effect, Either } from "effect"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { createServer, type TLSSocket } from "node:tls"
import { makeWebhookTransport } from "../../../src/checkout/webhooks/transport.ts"

const pem = (name: string) =>
  readFileSync(join(import.meta.dirname, "../../support/checkout/tls", name), "utf8")

/** Milliseconds a delivery may take here. */
const TIMEOUT = 500

/** A server that does this to each connection on which something has come. */
const receiver = (answer: (socket: TLSSocket) => void) =>
  Effect.acquireRelease(
    Effect.async<{ readonly port: number; readonly sockets: Set<TLSSocket>; readonly close: () => void }>(
      (resume) => {
        const sockets = new Set<TLSSocket>()
        const server = createServer({ key: pem("key.pem"), cert: pem("certificate.pem") }, (socket) => {
          sockets.add(socket)
          socket.on("error", () => {})
          socket.once("close", () => sockets.delete(socket))
          socket.once("data", () => answer(socket))
        })
        server.listen(0, "127.0.0.1", () => {
          const address = server.address()
          const port = typeof address === "object" && address !== null ? address.port : 0
          const close = () => {
            for (const socket of sockets) socket.destroy()
            server.close()
          }
          resume(Effect.succeed({ port, sockets, close }))
        })
      }
    ),
    ({ close }) => Effect.sync(close)
  )

/** Writes a text a byte at a time, and begins again at its end. */
const dripping = (text: string) => (socket: TLSSocket) => {
  let at = 0
  const timer = setInterval(() => socket.write(text[at++ % text.length] ?? ""), 5)
  socket.once("close", () => clearInterval(timer))
}

const flooding = (head: string) => (socket: TLSSocket) => {
  const more = Buffer.alloc(1 << 16, "x")
  const write = () => {
    while (!socket.destroyed && socket.write(more));
  }
  socket.on("drain", write)
  socket.write(head)
  write()
}

const saying = (text: string) => (socket: TLSSocket) => socket.end(text)

it.scopedLive.each([
  ["never ends its headers, byte by byte", dripping("HTTP/1.1 200 OK\r\nx: "), "timeout"],
  ["sends headers without end", flooding("HTTP/1.1 200 OK\r\nx: "), "transport"],
  ["says again and again that it goes on", dripping("HTTP/1.1 100 Continue\r\n\r\n"), "timeout"],
  [
    "changes to another protocol",
    saying("HTTP/1.1 101 Switching\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n"),
    "transport"
  ],
  ["closes in the middle of its status", saying("HTTP/1.1 2"), "transport"],
  ["closes without a word", saying(""), "transport"],
  ["breaks the connection off", (socket: TLSSocket) => socket.destroy(), "transport"],
  ["speaks no HTTP", saying("220 mail.example ESMTP\r\n"), "transport"],
  ["takes it with a body without end", flooding("HTTP/1.1 200 OK\r\n\r\n"), 200],
  [
    "takes it with a body byte by byte",
    (socket: TLSSocket) => {
      socket.write("HTTP/1.1 202 Accepted\r\n\r\n")
      dripping("x")(socket)
    },
    202
  ],
  [
    "is overloaded for now",
    saying("HTTP/1.1 429 Later\r\nretry-after: 86400\r\ncontent-length: 0\r\n\r\n"),
    429
  ],
  ["sends elsewhere", saying("HTTP/1.1 307 There\r\nlocation: file:///etc/passwd\r\n\r\n"), 307]
] as const)("a receiver that %s leaves nothing behind", ([, answer, expected]) =>
  Effect.gen(function* () {
    const { port, sockets } = yield* receiver(answer)
    const { send } = makeWebhookTransport({
      resolve: async () => [{ address: "127.0.0.1", family: 4 }],
      isAllowed: () => true,
      tls: { ca: pem("certificate.pem"), port },
      timeoutMillis: TIMEOUT
    })
    const ended = yield* Effect.either(send("https://hooks.example/checkout", {}, "{}"))
    expect(Either.isRight(ended) ? ended.right.status : ended.left.kind).toBe(expected)
    while (sockets.size > 0) yield* Effect.sleep("5 millis")
  })
)
