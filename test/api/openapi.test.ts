import { readFileSync } from "node:fs"
import { describe, expect, it } from "@effect/vitest"
import { createConfig, lintFromString } from "@redocly/openapi-core"
import { Validator } from "@seriousme/openapi-schema-validator"
import { Ajv2020 as Ajv } from "ajv/dist/2020.js"
import { paidMessage } from "../../src/checkout/webhooks/events.ts"
import type { CheckoutReceipt } from "../../src/domain/checkout.ts"
import { describeApi } from "../../src/api/openapi.ts"

const golden = JSON.parse(readFileSync(new URL("../../src/api/openapi.json", import.meta.url), "utf8"))
const document = describeApi({
  serverUrl: "http://127.0.0.1:3402",
  checkoutService: "checkout",
  prices: { ping: 5_000n, deep: 40_000n }
})
const text = JSON.stringify(document)

const operations = Object.entries<Record<string, Operation>>(golden.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ path, method, operation }))
)

interface Media {
  readonly schema: object
  readonly example: unknown
}
interface Operation {
  readonly operationId: string
  readonly parameters: ReadonlyArray<{
    readonly name: string
    readonly in: string
    readonly required?: boolean
  }>
  readonly requestBody?: { readonly content: Record<string, Media> }
  readonly responses: Record<string, { readonly content?: Record<string, Media> }>
}

describe("the OpenAPI document, for generators and validators", () => {
  it("is valid to two public validators", async () => {
    expect(await new Validator().validate(JSON.parse(text))).toMatchObject({ valid: true })
    const problems = await lintFromString({ source: text, config: await createConfig({ extends: ["spec"] }) })
    expect(problems.map(({ message }) => message)).toEqual([])
  })

  it("gives every GET that screens its two query parameters, required and with an example", () => {
    for (const path of ["ping", "deep"]) {
      const { parameters } = golden.paths[`/api/token-risk/v1/${path}`].get
      const query = parameters.filter((parameter: { readonly in: string }) => parameter.in === "query")
      expect(query).toMatchObject([
        { name: "chain", required: true, schema: { enum: ["solana", "base"] }, example: "base" },
        { name: "address", required: true, schema: { type: "string" }, example: expect.stringMatching(/^0x/) }
      ])
    }
  })

  it("has no id and no title of its generator, a license, and names for its schemas", () => {
    expect(text).not.toMatch(/"\$id"|\/schemas\/unknown|"title":"(?:int|positive|unknown|between|max)/)
    expect(golden.info.license).toEqual({ name: "MIT", identifier: "MIT" })
    expect(Object.keys(golden.components.schemas)).toEqual(
      expect.arrayContaining(["TokenReference", "PingResult", "DeepReport", "PaymentRequired"])
    )
    expect(golden.components.schemas.Int).toBeUndefined()
  })

  it("lists for each operation the statuses it can answer, and no others", () => {
    const listed = Object.fromEntries(
      operations.map(({ operation }) => [operation.operationId, Object.keys(operation.responses)])
    )
    expect(listed["check_token_safety_ping_get"]).not.toEqual(expect.arrayContaining(["413"]))
    expect(listed["check_token_safety_ping_get"]).not.toEqual(expect.arrayContaining(["410"]))
    expect(listed["check_token_safety_ping"]).toEqual(
      expect.arrayContaining(["400", "402", "404", "413", "415"])
    )
    expect(listed["simulate_checkout"]).not.toEqual(expect.arrayContaining(["402"]))
    for (const { method, operation } of operations) {
      const withBody = method === "post" || method === "patch"
      expect([operation.operationId, Object.keys(operation.responses).includes("408")]).toEqual([
        operation.operationId,
        withBody
      ])
    }
    // A method that is described is allowed: 405 and a foreign origin's 403 are answers of a path.
    for (const statuses of Object.values(listed)) expect(statuses).not.toContain("405")
    expect(golden.components.responses.MethodNotAllowed.headers).toHaveProperty("Allow")
  })

  it("speaks of a token's pools where a token is asked about, and nowhere else", () => {
    const speaking = operations.filter(({ operation: { responses } }) =>
      JSON.stringify(responses["404"] ?? "").includes("no pools found for this token")
    )
    const sold = operations.filter(({ operation }) => operation.operationId.startsWith("check_token_"))
    expect(speaking.map(({ path }) => path)).toEqual(sold.map(({ path }) => path))
  })

  it("has in every 402 of a paid operation, and of what it sold, that operation's own terms", () => {
    const termsAt = (path: string) =>
      operations
        .filter((one) => one.path === `/api/token-risk/v1/${path}`)
        .map(({ operation }) => operation.responses["402"]?.content?.["application/json"]?.example)
    for (const { amount, name } of [
      { name: "ping", amount: "5000" },
      { name: "deep", amount: "40000" }
    ]) {
      const terms = {
        resource: { url: `http://127.0.0.1:3402/api/token-risk/v1/${name}` },
        accepts: [{ amount }]
      }
      expect(termsAt(name)).toMatchObject([terms, terms])
      expect(termsAt(`purchases/${name}`)).toMatchObject([terms])
    }
  })

  it("says that a purchase fetched again comes with its receipt, and does not list it as for sale", () => {
    const fetched = golden.paths["/api/token-risk/v1/purchases/deep"].get
    expect(Object.keys(fetched.responses["200"].headers)).toEqual(["PAYMENT-RESPONSE"])
    expect(fetched).not.toHaveProperty("x-payment-info")
  })

  it("has an example of every body, and each fits its schema", () => {
    const ajv = new Ajv({ strict: false, validateFormats: false })
    ajv.addSchema({ $id: "doc", components: golden.components })
    const pointed = (schema: object): object => JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"doc#/'))
    const events = Object.entries<{ readonly post: Operation }>(golden.webhooks).map(([path, { post }]) => ({
      path,
      method: "webhook",
      operation: post
    }))
    for (const { method, operation, path } of [...operations, ...events]) {
      const bodies = [
        operation.requestBody?.content,
        ...Object.values(operation.responses).map(({ content }) => content)
      ]
      for (const { example, schema } of bodies.flatMap((content) => Object.values(content ?? {}))) {
        expect(example).toBeDefined()
        const validate = ajv.compile(pointed(schema))
        validate(example)
        expect([method, path, validate.errors]).toEqual([method, path, null])
      }
    }
  })
})

describe("the events that a merchant's server is sent", () => {
  const ajv = new Ajv({ strict: false, validateFormats: false })
  ajv.addSchema({ $id: "doc", components: golden.components })
  const schemaOf = (name: string) => {
    const { requestBody } = golden.webhooks[name].post
    return ajv.compile(
      JSON.parse(JSON.stringify(requestBody.content["application/json"].schema).replaceAll('"#/', '"doc#/'))
    )
  }
  const receipt: CheckoutReceipt = {
    status: "paid",
    transaction: "0x12",
    checkoutId: "chk_1",
    network: "eip155:8453",
    amount: "5000",
    asset: "0x8335",
    payTo: "0xe059",
    payer: null,
    memo: "order",
    binding: "server",
    paidAt: "2026-11-27T12:00:00.000Z"
  }

  it("stand in the description, each under its name, with the headers that prove whose they are", () => {
    expect(Object.keys(golden.webhooks)).toEqual(["checkout.paid", "checkout.expired", "checkout.transfer"])
    for (const { post } of Object.values<{ readonly post: Operation }>(golden.webhooks)) {
      expect(post.parameters.map(({ name }) => name)).toEqual([
        "webhook-id",
        "webhook-timestamp",
        "webhook-signature"
      ])
    }
  })

  it("are of the form that is described, and no event is taken for another", () => {
    const sent: unknown = JSON.parse(paidMessage(receipt, "").body)
    expect(schemaOf("checkout.paid")(sent)).toBe(true)
    expect(schemaOf("checkout.expired")(sent)).toBe(false)
    expect(schemaOf("checkout.transfer")(sent)).toBe(false)
  })
})

describe("the OpenAPI document", () => {
  it("equals the committed golden file", () => {
    expect(JSON.parse(text)).toEqual(golden)
  })

  it("has version 0.2.0 and the contract's operation ids", () => {
    expect(golden.openapi).toBe("3.1.0")
    expect(golden.info.version).toBe("0.2.0")
    const ids = ["ping", "deep"].map((name) => golden.paths[`/api/token-risk/v1/${name}`])
    expect(ids.map((item) => item.post.operationId)).toEqual([
      "check_token_safety_ping",
      "check_token_risk_deep"
    ])
    expect(ids.map((item) => item.get.operationId)).toEqual([
      "check_token_safety_ping_get",
      "check_token_risk_deep_get"
    ])
  })

  it("gives every paid operation its price, its 402 with the challenge header and explicit empty security", () => {
    const paid = [
      ["ping", "0.005", "5000"],
      ["deep", "0.04", "40000"]
    ] as const
    for (const [name, amount, units] of paid) {
      for (const method of ["get", "post"]) {
        const path = `/api/token-risk/v1/${name}`
        const operation = golden.paths[path][method]
        expect(operation["x-payment-info"].price).toEqual({ mode: "fixed", currency: "USD", amount })
        expect(operation.responses["402"].headers["PAYMENT-REQUIRED"]).toBeDefined()
        expect(operation.responses["402"].content["application/json"].example).toMatchObject({
          resource: { url: expect.stringMatching(`${path}$`) },
          accepts: [{ amount: units }]
        })
        expect(operation.security).toEqual([])
      }
    }
  })

  it("documents one error shape only", () => {
    expect(text).not.toContain("HttpApiDecodeError")
    for (const name of ["BadRequest", "NotFound", "Unavailable", "InternalError"]) {
      expect(golden.components.schemas[name].required).toEqual(["error"])
    }
  })
})
