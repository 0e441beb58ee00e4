/** The HTTP channel twice, with its fast ways and without them, to ask both the same and compare. */
import { HttpServerResponse } from "@effect/platform"
import { expect } from "@effect/vitest"
import { ConfigProvider, Context, Effect, Layer, Logger, LogLevel } from "effect"
import fc from "fast-check"
import { Agent, request as send } from "node:http"
import type { FakeChannel } from "./channels.ts"
import { Served, served } from "./hostile/served.ts"
import type { Tries } from "./properties.ts"

export const WETH = "0x4200000000000000000000000000000000000006"
export const WSOL = "So11111111111111111111111111111111111111112"
/** How wallets and exchanges write the coins of both chains, which are no tokens. */
export const COINS = [
  ["base", "0x0000000000000000000000000000000000000000"],
  ["base", "0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE"],
  ["solana", "11111111111111111111111111111111"],
  ["solana", "So11111111111111111111111111111111111111111"]
] as const
export const PING = "/api/token-risk/v1/ping"
export const DEEP = "/api/token-risk/v1/deep"

export interface Asked {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
  /** The body comes in two pieces, the second one later. */
  readonly late: boolean
}

interface Told {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: string
}

export const ask = (port: number, agent: Agent, asked: Asked): Promise<Told> =>
  new Promise((resolve, reject) => {
    const { body, headers, late, method, path } = asked
    const call = send({ host: "127.0.0.1", port, agent, method, path, headers }, (response) => {
      const chunks: Array<Buffer> = []
      response.on("data", (chunk: Buffer) => chunks.push(chunk))
      response.on("end", () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: Buffer.concat(chunks).toString("utf8")
        })
      )
    })
    call.on("error", reject)
    if (body === undefined) call.end()
    else if (late) {
      const half = Math.floor(body.length / 2)
      call.write(body.slice(0, half))
      setImmediate(() => call.end(body.slice(half)))
    } else call.end(body)
  })

const UUID = /^[0-9a-f-]{36}$/

/** What both ways must agree on: everything but the time, and an id that was made up on the way. */
export const comparable = ({ body, headers, status }: Told, asked: Asked) => {
  const { date: _date, "x-request-id": id, ...others } = headers
  // A preflight has no id.
  const isMade = id !== undefined && asked.headers["x-request-id"] !== id
  if (isMade) expect(id).toMatch(UUID)
  return { status, body, headers: { ...others, id: isMade ? "made" : id } }
}

export const runs = { fast: 0, long: 0 }
const DOCUMENT = HttpServerResponse.text("# words", {
  contentType: "text/plain; charset=utf-8",
  headers: { "cache-control": "public, max-age=300" }
})

/** No logs, and no traces: with them every call goes the long way. */
export const quiet = Layer.merge(Logger.minimumLogLevel(LogLevel.None), Layer.setTracerEnabled(false))
/** With a line for every request there is no fast path. */
const configOf = (accessLog: boolean) => ConfigProvider.fromMap(new Map([["ACCESS_LOG", String(accessLog)]]))

export const openWith = (outcome: FakeChannel["outcome"], others: FakeChannel = {}) =>
  Effect.gen(function* () {
    const channel = (name: keyof typeof runs) =>
      served({
        freeFor: "me",
        onRun: () => (runs[name] += 1),
        documents: { "/llms.txt": DOCUMENT },
        ...others,
        ...(outcome === undefined ? {} : { outcome })
      })
    // Around each, and not as layers: what a layer sets stays set for those that are opened later in its scope.
    const open = (name: keyof typeof runs) =>
      Effect.withConfigProvider(Layer.build(Layer.fresh(channel(name))), configOf(name === "long"))
    const fast = yield* open("fast")
    const long = yield* open("long")
    const agent = yield* Effect.acquireRelease(
      Effect.sync(() => new Agent({ keepAlive: true, maxSockets: 4 })),
      (agent) => Effect.sync(() => agent.destroy())
    )
    return { fast: Context.get(fast, Served).port, long: Context.get(long, Served).port, agent }
  }).pipe(Effect.provide(quiet))

type Ways = Effect.Effect.Success<ReturnType<typeof openWith>>

/** Whatever is asked, both ways answer it alike: status, headers and body. */
export const answerAlike = ({ agent, fast, long }: Ways, asked: fc.Arbitrary<Asked>, tries: Tries) =>
  Effect.promise(() =>
    fc.assert(
      fc.asyncProperty(asked, async (one) => {
        const [quick, slow] = await Promise.all([ask(fast, agent, one), ask(long, agent, one)])
        expect(comparable(quick, one)).toEqual(comparable(slow, one))
      }),
      tries
    )
  )
