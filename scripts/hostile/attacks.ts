/** What one address can do to the service without paying. Each runs for ever; whoever starts it ends it. */
import { Effect, Schedule } from "effect"
import { randomBytes } from "node:crypto"
import type { Socket } from "node:net"
import type { Scope } from "effect"
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts"
import { ask, ATTACKER, openMany } from "../../test/support/hostile/clients.ts"
import { baseBuyer } from "../sandbox/buyer.ts"
import { pingToolCall } from "../sandbox/tool-call.ts"

const PING = "/api/token-risk/v1/ping"
const DEEP = "/api/token-risk/v1/deep"
const TOKEN = "0x4200000000000000000000000000000000000006"

/** Requests that may be sent ahead on a connection. */
const MAX_AHEAD = 16

const head = (headers: ReadonlyArray<string>): string =>
  [`POST ${PING} HTTP/1.1`, "host: x", "content-type: application/json", ...headers, "", ""].join("\r\n")

const asking = (
  port: number,
  path: string,
  body: string,
  headers: Readonly<Record<string, string>> = {},
  method = "POST"
) => ask(port, { method, path, body, headers, from: ATTACKER })

const together = (count: number, one: () => Effect.Effect<unknown>) =>
  Effect.all(Array.from({ length: count }, one), { concurrency: "unbounded", discard: true })

/** Opens connections, says something on each, holds them a while and hangs up. */
const connections = (port: number, count: number, hold: `${number} millis`, text: string) =>
  Effect.scoped(
    Effect.gen(function* () {
      const sockets = yield* openMany(count, port, ATTACKER)
      for (const socket of sockets) socket?.pause().write(text)
      yield* Effect.sleep(hold)
    })
  )

const unknownToken = (): string =>
  JSON.stringify({ chain: "base", address: `0x${randomBytes(20).toString("hex")}` })

const ANY_TOKEN = JSON.stringify({ chain: "base", address: TOKEN })

/** Eight kilobytes that are nearly a payment: nested, repeated, cut, or no base64 at all. */
const RUBBISH: ReadonlyArray<string> = [
  Buffer.from("[".repeat(6_000)).toString("base64"),
  Buffer.from(`{${'"x402Version":2,'.repeat(370)}"a":1}`).toString("base64"),
  Buffer.from(`{"x402Version":2,"payload":"${"\\u0000".repeat(900)}"}`).toString("base64"),
  `${"A".repeat(8_000)}=A`,
  "=".repeat(8_000)
]
const rubbish = () => ({ "payment-signature": RUBBISH[Math.floor(Math.random() * RUBBISH.length)] ?? "" })

/** A payment well made, by a wallet that has nothing. */
const emptyHanded = (port: number) =>
  Effect.gen(function* () {
    const { text } = yield* asking(port, PING, ANY_TOKEN)
    const { client } = baseBuyer(privateKeyToAccount(generatePrivateKey()))
    const payload = yield* Effect.promise(() => client.createPaymentPayload(JSON.parse(text)))
    const payment = Buffer.from(JSON.stringify(payload)).toString("base64")
    return yield* asking(port, PING, ANY_TOKEN, { "payment-signature": payment })
  }).pipe(Effect.catchAllDefect(() => Effect.void))

/** Opens connections and says a little more on each, time and again, until they are cut. */
const dripping = (port: number, count: number, first: string, drop: string) =>
  Effect.scoped(
    Effect.gen(function* () {
      const sockets = yield* openMany(count, port, ATTACKER)
      for (const socket of sockets) socket?.pause().write(first)
      const drip = Effect.sync(() => {
        for (const socket of sockets) if (socket?.writable === true) socket.write(drop)
      })
      yield* Effect.repeat(drip, Schedule.spaced("50 millis").pipe(Schedule.upTo("3 seconds")))
    })
  )

const get = (path: string, headers: ReadonlyArray<string> = []): string =>
  [`GET ${path} HTTP/1.1`, "host: x", ...headers, "", ""].join("\r\n")

const CHUNK = `${head(["transfer-encoding: chunked"])}11170\r\n${"x".repeat(70_000)}`
const TINY_CHUNKS = `${head(["transfer-encoding: chunked"])}${"1\r\nx\r\n".repeat(10_000)}`
const TRAILERS = `${head(["transfer-encoding: chunked"])}0\r\n${"x-trailer: y\r\n".repeat(4_000)}`
const UPGRADE = get(PING, ["connection: upgrade", "upgrade: websocket", "sec-websocket-key: eA=="])
const DEEP_JSON = `${"[".repeat(5_000)}${"]".repeat(5_000)}`

const UNFINISHED = head(["content-length: 500"]) + ANY_TOKEN

/** Sixteen requests sent ahead, each for another path that nobody has. */
const unknownPaths = (): string =>
  Array.from({ length: MAX_AHEAD }, () => get(`/${randomBytes(1_000).toString("hex")}`)).join("")

/** Opens connections, asks for something on each and ends all of them, the rude way or with no more than a goodbye. */
const leaving = (port: number, count: number, text: string, leave: (socket: Socket) => unknown) =>
  Effect.scoped(
    Effect.gen(function* () {
      const sockets = yield* openMany(count, port, ATTACKER)
      for (const socket of sockets) socket?.pause().write(text)
      yield* Effect.sleep("20 millis")
      for (const socket of sockets) if (socket !== undefined) leave(socket)
      yield* Effect.sleep("20 millis")
    })
  )

const WAVES: Readonly<Record<string, (port: number) => Effect.Effect<void, never, Scope.Scope>>> = {
  "512 chunked bodies broken off": (port) => connections(port, 512, "100 millis", CHUNK),
  "520 bodies that never end": (port) =>
    connections(port, 520, "3000 millis", `${head(["content-length: 500"])}{`),
  "4,096 idle connections": (port) => connections(port, 4_096, "2000 millis", ""),
  "64,000 pipelined requests nobody reads": (port) =>
    connections(port, 128, "1000 millis", `GET ${PING} HTTP/1.1\r\nhost: x\r\n\r\n`.repeat(500)),
  "1,024 connections that send all at once": (port) => connections(port, 1_024, "1000 millis", CHUNK),
  "headers that come byte by byte": (port) => dripping(port, 512, `GET ${PING} HTTP/1.1\r\nx: `, "y"),
  "bodies in chunks of one byte, and trailers": (port) =>
    Effect.zip(
      connections(port, 256, "500 millis", TINY_CHUNKS),
      connections(port, 256, "500 millis", TRAILERS),
      { concurrent: true }
    ),
  "bodies that wait to be asked for, and upgrades": (port) =>
    Effect.zip(
      connections(port, 256, "500 millis", head(["expect: 100-continue", "content-length: 500"])),
      connections(port, 256, "500 millis", UPGRADE.repeat(16)),
      { concurrent: true }
    ),
  "large answers that nobody reads": (port) =>
    connections(port, 512, "1000 millis", get("/openapi.json").repeat(8) + get("/docs/api").repeat(8)),
  "requests that are broken off at once": (port) =>
    leaving(port, 512, UNFINISHED, (socket) => socket.resetAndDestroy()),
  "requests for paths that nobody has, and a goodbye": (port) =>
    leaving(port, 256, unknownPaths(), (socket) => socket.end()),
  "one connection for each request": (port) =>
    together(128, () => asking(port, "/healthz", "x".repeat(2_000), {}, "GET")),
  "payment headers of rubbish": (port) => together(128, () => asking(port, PING, ANY_TOKEN, rubbish())),
  "free calls for tokens that do not exist": (port) =>
    together(64, () => asking(port, DEEP, unknownToken(), { "x-client-id": randomBytes(8).toString("hex") })),
  "payments of empty wallets": (port) => together(32, () => emptyHanded(port)),
  "JSON nested 5,000 deep, and bodies too large": (port) =>
    together(64, () =>
      Effect.zipRight(asking(port, PING, DEEP_JSON), asking(port, PING, `"${"x".repeat(200_000)}"`))
    ),
  "tool calls that pay with rubbish": (port) =>
    together(64, () =>
      asking(
        port,
        "/api/token-risk/mcp",
        pingToolCall(TOKEN, { "x402/payment": { x402Version: 2, payload: {} } }),
        { accept: "application/json, text/event-stream" }
      )
    )
}

export const ATTACKS: ReadonlyArray<string> = Object.keys(WAVES)

/** One attack, wave after wave. */
export const attack = (name: string, port: number): Effect.Effect<never> => {
  const wave = WAVES[name]
  if (wave === undefined) throw new Error(`no attack is called ${JSON.stringify(name)}`)
  return Effect.forever(Effect.scoped(wave(port)))
}
