import { HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { describe, expect, it } from "@effect/vitest"
import { ConfigProvider, Effect, Layer, TestClock } from "effect"
import { makeMetricsApp } from "../../../src/server/metrics/route.ts"
import { MetricSource } from "../../../src/server/metrics/source.ts"

const source = Layer.succeed(MetricSource, {
  families: Effect.succeed([
    {
      name: "token_risk_x_total",
      type: "counter",
      help: "",
      samples: [{ suffix: "", labels: [], value: 1 }]
    } as const
  ])
})

const scrape = (
  peer: string,
  headers: Readonly<Record<string, string>> = {},
  environment: Readonly<Record<string, string>> = {}
) =>
  Effect.gen(function* () {
    const app = yield* makeMetricsApp
    const request = HttpServerRequest.fromWeb(new Request("http://x/metrics", { headers })).modify({
      remoteAddress: peer
    })
    const response = yield* Effect.provideService(app, HttpServerRequest.HttpServerRequest, request)
    return HttpServerResponse.toWeb(response)
  }).pipe(
    Effect.provide(source),
    Effect.withConfigProvider(ConfigProvider.fromMap(new Map(Object.entries(environment))))
  )

const token = { METRICS_TOKEN: "s3cret" }

describe("/metrics", () => {
  it.effect.each(["127.0.0.1", "::1", "::ffff:127.0.0.1"])("answers %s", (peer) =>
    Effect.gen(function* () {
      const response = yield* scrape(peer)
      expect(response.status).toBe(200)
      expect(response.headers.get("content-type")).toContain("version=0.0.4")
      expect(yield* Effect.promise(() => response.text())).toContain("token_risk_x_total 1\n")
    })
  )

  it.effect("answers no stranger", () =>
    Effect.gen(function* () {
      expect((yield* scrape("203.0.113.7")).status).toBe(403)
      expect((yield* scrape("203.0.113.7", {}, token)).status).toBe(401)
    })
  )

  it.effect.each(["x-forwarded-for", "forwarded", "via", "x-real-ip"])(
    "takes no stranger behind a proxy on this machine for a local caller (%s)",
    (name) =>
      Effect.map(scrape("127.0.0.1", { [name]: "203.0.113.7" }), ({ status }) => expect(status).toBe(403))
  )

  it.effect("takes no page that a browser on this machine shows for a local caller", () =>
    Effect.gen(function* () {
      const page = { origin: "https://evil.example" }
      expect((yield* scrape("127.0.0.1", page)).status).toBe(403)
      expect((yield* scrape("127.0.0.1", { ...page, authorization: "Bearer s3cret" }, token)).status).toBe(
        200
      )
    })
  )

  it.effect(
    "takes no page for a local caller whose name was made to lead here: of that one a browser sends no origin",
    () =>
      Effect.gen(function* () {
        for (const host of [
          "evil.example",
          "evil.example:3402",
          "127.0.0.1.evil.example",
          "evil.example.:3402"
        ])
          expect([host, (yield* scrape("127.0.0.1", { host })).status]).toEqual([host, 403])
        for (const host of [
          "127.0.0.1:3402",
          "[::1]:3402",
          "localhost:3402",
          "risk.localhost",
          "box:3402",
          ""
        ])
          expect([host, (yield* scrape("127.0.0.1", { host })).status]).toEqual([host, 200])
      })
  )

  it.effect("answers whoever bears the token, and nobody with another", () =>
    Effect.gen(function* () {
      const statusWith = (authorization: string) =>
        Effect.map(scrape("203.0.113.7", { authorization }, token), ({ status }) => status)
      expect(yield* statusWith("Bearer s3cret")).toBe(200)
      for (const wrong of ["Bearer s3cre", "Bearer s3cret2", "s3cret", "Basic s3cret", "Bearer "])
        expect(yield* statusWith(wrong)).toBe(401)
    })
  )

  it.effect("gathers once a second, however often and by however many at once it is scraped", () => {
    let gathered = 0
    const counting = Layer.succeed(MetricSource, {
      families: Effect.sync(() => {
        gathered += 1
        return []
      })
    })
    return Effect.gen(function* () {
      const app = yield* makeMetricsApp
      const request = HttpServerRequest.fromWeb(new Request("http://x/metrics")).modify({
        remoteAddress: "127.0.0.1"
      })
      const flood = Effect.replicateEffect(app, 50, { concurrency: "unbounded" }).pipe(
        Effect.provideService(HttpServerRequest.HttpServerRequest, request)
      )
      yield* flood
      yield* flood
      expect(gathered).toBe(1)
      yield* TestClock.adjust("1 second")
      yield* flood
      expect(gathered).toBe(2)
    }).pipe(Effect.provide(counting))
  })

  it.effect("takes an empty token for none, not for an open door", () =>
    Effect.map(scrape("203.0.113.7", { authorization: "Bearer " }, { METRICS_TOKEN: "" }), ({ status }) =>
      expect(status).toBe(403)
    )
  )
})
