import { expect } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { auditRegistry } from "../../src/cli/doctor/registry.ts"
import { isDiscoveryExtension, validate } from "../../src/cli/doctor/bazaar.ts"
import { examine } from "../../src/cli/doctor/doctor.ts"
import { PaymentRequired } from "../../src/domain/x402.ts"
import { OPERATIONS } from "../../src/domain/catalog.ts"
import { SITE } from "../../src/web/site/layout.ts"
import { againstService, RunningService } from "../support/service.ts"

const get = (url: string, init?: RequestInit) => Effect.promise(() => fetch(url, init))
const json = (response: Response) => Effect.promise((): Promise<unknown> => response.json())
const decodeChallenge = Schema.decodeUnknownSync(PaymentRequired)

const PATHS = Object.values(OPERATIONS).flatMap(({ path }) => [
  { method: "GET", path },
  { method: "POST", path }
])

const mcpChallenge = (url: string) =>
  get(`${url}/api/token-risk/mcp`, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: {
        name: "check_token_risk_deep",
        arguments: { chain: "base", address: "0x4200000000000000000000000000000000000006" }
      }
    })
  }).pipe(
    Effect.flatMap((response) => Effect.promise(() => response.text())),
    Effect.map((text) => {
      const message: unknown = JSON.parse(
        text.startsWith("{") ? text : (/^data: (.*)$/m.exec(text)?.[1] ?? "{}")
      )
      return Schema.decodeUnknownSync(
        Schema.Struct({ result: Schema.Struct({ structuredContent: PaymentRequired }) })
      )(message).result.structuredContent
    })
  )

againstService("discovery, against the running service", (it) => {
  it.effect("x402scan's validator finds no error, warning or note, and lists both operations as paid", () =>
    Effect.gen(function* () {
      const { service } = yield* RunningService
      const audit = yield* Effect.promise(() => auditRegistry(service.url))
      expect(audit).toEqual({ warnings: [], misread: [] })
    })
  )

  it.effect("the official bazaar validators accept the extension of every channel", () =>
    Effect.gen(function* () {
      const { service } = yield* RunningService
      for (const { method, path } of PATHS) {
        const { extensions } = decodeChallenge(yield* json(yield* get(service.url + path, { method })))
        const bazaar = extensions?.["bazaar"]
        if (typeof bazaar !== "object" || bazaar === null || !isDiscoveryExtension(bazaar))
          throw new Error(path)
        expect(validate(bazaar)).toEqual([])
      }
      const overMcp = (yield* mcpChallenge(service.url)).extensions?.["bazaar"]
      if (typeof overMcp !== "object" || overMcp === null || !isDiscoveryExtension(overMcp))
        throw new Error("mcp")
      expect(validate(overMcp)).toEqual([])
    })
  )

  it.effect(
    "PAYMENT-REQUIRED carries the body's JSON in less than 4 KB, with room for a long public URL",
    () =>
      Effect.gen(function* () {
        const { service } = yield* RunningService
        for (const { method, path } of PATHS) {
          const response = yield* get(service.url + path, { method })
          const header = response.headers.get("payment-required") ?? ""
          const body = yield* json(response)
          expect(JSON.parse(Buffer.from(header, "base64").toString("utf8"))).toEqual(body)
          expect(header.length).toBeLessThan(3_968)
        }
      })
  )

  it.effect("the description prices exactly the paid operations and asks for no login anywhere", () =>
    Effect.gen(function* () {
      const { service } = yield* RunningService
      const Operation = Schema.Struct({
        operationId: Schema.String,
        security: Schema.Array(Schema.Unknown),
        "x-payment-info": Schema.optional(Schema.Unknown)
      })
      const document = yield* get(`${service.url}/openapi.json`).pipe(
        Effect.flatMap(json),
        Effect.flatMap(
          Schema.decodeUnknown(
            Schema.Struct({
              info: Schema.Struct({
                contact: Schema.Struct({ email: Schema.String }),
                "x-guidance": Schema.NonEmptyString
              }),
              paths: Schema.Record({
                key: Schema.String,
                value: Schema.Record({ key: Schema.String, value: Operation })
              })
            })
          )
        )
      )
      const operations = Object.values(document.paths).flatMap((item) => Object.values(item))
      expect(operations.every(({ security }) => security.length === 0)).toBe(true)
      const paid = operations.filter((operation) => operation["x-payment-info"] !== undefined)
      expect(paid.map(({ operationId }) => operationId).toSorted()).toEqual([
        "check_token_risk_deep",
        "check_token_risk_deep_get",
        "check_token_safety_ping",
        "check_token_safety_ping_get"
      ])
      expect(document.info.contact.email).toBe("ops@example.com")
    })
  )

  it.effect(
    "every document gives the checkout's operations the same statuses, and verify needs no body",
    () =>
      Effect.gen(function* () {
        const { service } = yield* RunningService
        const Document = Schema.Struct({
          paths: Schema.Record({
            key: Schema.String,
            value: Schema.Record({
              key: Schema.String,
              value: Schema.Struct({
                operationId: Schema.String,
                requestBody: Schema.optional(Schema.Struct({ required: Schema.Boolean })),
                responses: Schema.Record({ key: Schema.String, value: Schema.Unknown })
              })
            })
          })
        })
        const Manifest = Schema.Struct({
          checkout: Schema.Struct({
            operations: Schema.Array(
              Schema.Struct({
                id: Schema.String,
                method: Schema.String,
                url: Schema.String,
                statuses: Schema.Array(Schema.Number)
              })
            )
          })
        })
        const read = (path: string) => Effect.flatMap(get(service.url + path), json)
        const { paths } = yield* Effect.flatMap(read("/openapi.json"), Schema.decodeUnknown(Document))
        const { checkout } = yield* Effect.flatMap(read("/.well-known/x402"), Schema.decodeUnknown(Manifest))
        const llms = yield* Effect.flatMap(get(`${service.url}/llms.txt`), (response) =>
          Effect.promise(() => response.text())
        )
        const described = Object.entries(paths)
          .filter(([path]) => path.startsWith("/api/checkout/"))
          .flatMap(([path, item]) =>
            Object.entries(item).map(([method, { operationId, responses }]) => ({
              id: operationId,
              method: method.toUpperCase(),
              url: service.url + path,
              statuses: Object.keys(responses).map(Number)
            }))
          )
        expect(described).toHaveLength(16)
        expect(checkout.operations).toEqual(described)
        for (const { method, statuses, url } of described)
          expect(llms).toContain(`- ${method} ${url.slice(service.url.length)}: ${statuses.join(", ")}\n`)
        const verify = paths["/api/checkout/v1/checkout/{id}/verify"]?.["post"]
        expect(verify?.requestBody).toEqual({ required: false })
      })
  )

  it.effect("the rendered description has the menu of the site and loads nothing from elsewhere", () =>
    Effect.gen(function* () {
      const { service } = yield* RunningService
      const response = yield* get(`${service.url}/docs/api`)
      const html = yield* Effect.promise(() => response.text())
      const policy = response.headers.get("content-security-policy") ?? ""
      expect(policy).toContain("default-src 'none'")
      expect(policy).toMatch(/script-src 'sha256-[^']+';/)
      expect(html).not.toMatch(/<(?:script|link|img)[^>]+(?:src|href)="(?:https?:)?\/\//)
      // The script that draws it and its style stand in a file of their own beside the built service.
      expect(html).toContain("webpackUniversalModuleDefinition")
      expect(html).toContain(".swagger-ui{")
      for (const [path] of SITE) expect(html).toContain(`<a href="${path}"`)
      const embedded =
        /<script id="swagger-spec" type="application\/json">([\s\S]*?)<\/script>/.exec(html)?.[1] ?? ""
      const document = yield* Effect.flatMap(get(`${service.url}/openapi.json`), json)
      expect(JSON.parse(embedded)).toEqual(document)
    })
  )

  it.effect("the site answers at every address of its menu, under a policy that allows nothing foreign", () =>
    Effect.gen(function* () {
      const { service } = yield* RunningService
      for (const [path] of SITE) {
        const response = yield* get(service.url + path)
        expect([path, response.status]).toEqual([path, 200])
        expect(response.headers.get("content-type")).toContain("text/html")
        expect(response.headers.get("content-security-policy")).toContain("default-src 'none'")
        // What UTF-8 becomes for whoever takes its bytes for characters.
        const text = yield* Effect.promise(() => response.text())
        expect([path, /.{0,20}[ÂÃâ][\u0080-\u00bf].{0,20}/.exec(text)?.[0]]).toEqual([path, undefined])
      }
      const vector = yield* Effect.flatMap(get(`${service.url}/docs/test-vector.json`), json)
      expect(vector).toHaveProperty("report.attestation.signature")
    })
  )

  it.effect("robots.txt keeps nobody out and names the map, which lists every page of the site", () =>
    Effect.gen(function* () {
      const { service } = yield* RunningService
      const text = (path: string, type: string) =>
        Effect.flatMap(get(service.url + path), (response) => {
          expect(response.headers.get("content-type")).toBe(`${type}; charset=utf-8`)
          return Effect.promise(() => response.text())
        })
      expect(yield* text("/robots.txt", "text/plain")).toBe(
        `User-agent: *\nDisallow:\n\nSitemap: ${service.url}/sitemap.xml\n`
      )
      const map = yield* text("/sitemap.xml", "application/xml")
      const pages = Array.from(map.matchAll(/<url><loc>([^<]+)<\/loc><\/url>/g), ([, url = ""]) => url)
      expect(pages).toEqual(SITE.map(([path]) => service.url + path))
    })
  )

  it.effect("doctor finds nothing to complain about, free call included", () =>
    Effect.gen(function* () {
      const { service } = yield* RunningService
      const findings = yield* examine(service.url, true)
      expect(findings.filter(({ state }) => state !== "ok")).toEqual([])
      expect(findings.length).toBeGreaterThan(15)
    })
  )

  it.effect("doctor finds the faults of a service that answers everything with 200", () =>
    Effect.gen(function* () {
      const { url } = yield* RunningService.pipe(Effect.map(({ sandbox }) => sandbox.base))
      const findings = yield* examine(url, true)
      expect(findings.filter(({ state }) => state === "fail").map(({ name }) => name)).toEqual(
        expect.arrayContaining([
          "CORS",
          "402 POST /v1/ping",
          "manifest",
          "attestation keys",
          "MCP 2025-11-25"
        ])
      )
    })
  )
})
