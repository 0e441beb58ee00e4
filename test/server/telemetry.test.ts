import { describe, expect, it } from "@effect/vitest"
import { Headers } from "@effect/platform"
import { ConfigProvider, Effect, FiberRef, Layer } from "effect"
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

  it.effect("of headers is what is known to be no secret, whatever else a client or a proxy sends", () =>
    Effect.gen(function* () {
      const harmless = { "content-type": "application/json", "user-agent": "agent/1", "x-request-id": "r-1" }
      const secret = {
        authorization: "Bearer a",
        "payment-signature": "b",
        "sign-in-with-x": "c",
        "x-client-id": "d",
        "x-forwarded-for": "203.0.113.7",
        "cf-connecting-ip": "203.0.113.7",
        "cf-access-jwt-assertion": "e",
        "x-content-type": "f"
      }
      const names = yield* FiberRef.get(Headers.currentRedactedNames)
      const shown = Headers.redact(Headers.fromInput({ ...harmless, ...secret }), names)
      expect(Object.entries(shown).filter(([, value]) => typeof value === "string")).toEqual(
        Object.entries(harmless)
      )
    }).pipe(Effect.provide(TelemetryLive))
  )
})
