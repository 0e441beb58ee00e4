import { readFileSync } from "node:fs"
import { describe, expect, it } from "@effect/vitest"
import { describeApi } from "../../src/api/openapi.ts"

const golden = JSON.parse(readFileSync(new URL("../../src/api/openapi.json", import.meta.url), "utf8"))
const document = describeApi({
  serverUrl: "http://127.0.0.1:3402",
  checkoutService: "checkout",
  prices: { ping: "0.005", deep: "0.04" }
})
const text = JSON.stringify(document)

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
      ["ping", "0.005"],
      ["deep", "0.04"]
    ] as const
    for (const [name, amount] of paid) {
      for (const method of ["get", "post"]) {
        const operation = golden.paths[`/api/token-risk/v1/${name}`][method]
        expect(operation["x-payment-info"].price).toEqual({ mode: "fixed", currency: "USD", amount })
        expect(operation.responses["402"].headers["PAYMENT-REQUIRED"]).toBeDefined()
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
