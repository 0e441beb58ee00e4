import { describe, expect, it } from "@effect/vitest"
import { ConfigProvider, Effect, Layer } from "effect"
import { createServer } from "node:http"
import { TelemetryLive } from "../../src/server/telemetry.ts"

/** A collector that keeps who sent what: the path and the `Authorization` of each request. */
const collector = Effect.acquireRelease(
  Effect.async<{ readonly port: number; readonly seen: Set<string>; readonly close: () => void }>(
    (resume) => {
      const seen = new Set<string>()
      const server = createServer(({ headers, url }, response) => {
        seen.add(`${url} ${headers.authorization ?? "nobody"}`)
        response.writeHead(200, { "content-type": "application/json" }).end("{}")
      })
      server.listen(0, "127.0.0.1", () => {
        const address = server.address()
        const port = typeof address === "object" && address !== null ? address.port : 0
        resume(Effect.succeed({ port, seen, close: () => server.close() }))
      })
    }
  ),
  ({ close }) => Effect.sync(close)
)

describe("what is told to a collector", () => {
  it.scopedLive.each([
    ["", "nobody"],
    ["me:s%3Acret@", `Basic ${Buffer.from("me:s:cret").toString("base64")}`]
  ])("is told in the name that OTLP_URL holds (%s)", ([credentials, presented]) =>
    Effect.gen(function* () {
      const { port, seen } = yield* collector
      const url = `http://${credentials}127.0.0.1:${port}/otlp`
      const telemetry = TelemetryLive.pipe(
        Layer.provide(Layer.setConfigProvider(ConfigProvider.fromMap(new Map([["OTLP_URL", url]]))))
      )
      yield* Effect.void.pipe(Effect.withSpan("told"), Effect.provide(telemetry))
      expect([...seen]).toContain(`/otlp/v1/traces ${presented}`)
    })
  )
})
