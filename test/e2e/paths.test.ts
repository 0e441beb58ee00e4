import { describe, expect, it } from "@effect/vitest"
import { askRaw } from "../support/calls.ts"
import { useSharedService } from "../support/stage.ts"

const { service, stage } = useSharedService()

describe("a path", () => {
  it("that does not exist is 404 in JSON", async () => {
    for (const path of [
      "/nowhere",
      "/api",
      "/api/token-risk",
      "/api/token-risk/v2/ping",
      "/api/token-risk/v1/pin"
    ]) {
      for (const method of ["GET", "POST", "HEAD", "DELETE"]) {
        const answer = await askRaw(`${service().url}${path}`, { method })
        expect([path, method, answer.status]).toEqual([path, method, 404])
        if (method !== "HEAD") expect(answer.body).toEqual({ error: expect.any(String) })
      }
    }
  })

  it("never opens a free way to the paid handlers, however it is spelled", async () => {
    const { address } = stage().sandbox.base.tokens.clean
    const query = `?chain=base&address=${address}`
    for (const path of [
      "/API/TOKEN-RISK/V1/PING",
      "/api/token-risk/v1/ping/",
      "//api/token-risk/v1/ping",
      "/api//token-risk/v1//ping",
      "/api/token-risk/v1/%70ing",
      "/api/token-risk%2Fv1%2Fping",
      "/api/token-risk/v1/../v1/ping",
      "/./api/token-risk/v1/ping",
      "/api/token-risk/v1/ping%00",
      "/api/token-risk/v1/ping;a=b",
      "/api/token-risk/v1/ping%20",
      "/api/token-risk/v1/%",
      "/api/token-risk/v1/ping\\"
    ]) {
      for (const method of ["GET", "HEAD", "POST"]) {
        const answer = await askRaw(service().url, { method, path: `${path}${query}` })
        expect([path, method, answer.status]).toEqual([
          path,
          method,
          expect.toSatisfy((status: number) => [400, 402, 404].includes(status))
        ])
      }
    }
  })

  it("of health is answered anew each time: a cache that kept it would say that all is well", async () => {
    for (const path of ["/healthz", "/readyz"]) {
      for (const method of ["GET", "HEAD"]) {
        const { headers } = await askRaw(service().url, { method, path })
        expect([path, method, headers.get("cache-control")]).toEqual([path, method, "no-store"])
      }
    }
  })

  it("of a document is served, and other methods on it are 405", async () => {
    for (const path of ["/healthz", "/readyz", "/openapi.json", "/.well-known/jwks.json", "/llms.txt"]) {
      expect((await askRaw(`${service().url}${path}`)).status).toBe(200)
      const posted = await askRaw(`${service().url}${path}`, { method: "POST" })
      expect(posted.status).toBe(405)
      expect(posted.headers.get("allow")).toContain("GET")
    }
  })
})
