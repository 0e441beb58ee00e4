/** What people see who come with a browser. */
import { afterAll, describe, expect, it } from "@effect/vitest"
import { openHttp } from "../support/channels.ts"

const { dispose, handler } = openHttp()
afterAll(() => dispose())

const BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8"

const get = (path: string, accept = BROWSER, method = "GET") =>
  handler(new Request(`https://risk.test${path}`, { method, headers: { accept } }))

describe("a wrong path", () => {
  it.each(["/nope", "/docs/nope", "/docs//nope/x", "/favicon.png", "/%3Cscript%3Ealert(1)%3C/script%3E"])(
    "is a page with ways on for a browser, which repeats nothing of it: %s",
    async (path) => {
      const response = await get(path)
      expect(response.status).toBe(404)
      expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8")
      expect(response.headers.get("content-security-policy")).toContain("default-src 'none'")
      expect(response.headers.get("cache-control")).toBe("no-store")
      expect(response.headers.get("vary")).toBe("accept")
      const html = await response.text()
      for (const way of ["/", "/docs", "/docs/quickstart", "/openapi.json"])
        expect(html).toContain(`href="${way}"`)
      expect(html).toContain('name="robots" content="noindex"')
      expect(html).not.toMatch(/nope|alert/)
    }
  )

  it("is JSON for machines, and below the paths of machines for everybody", async () => {
    const machines = [
      "/nope",
      "/api/nope",
      "/API/token-risk/v1/pin",
      "//api/x",
      "/%61pi/x",
      "/.well-known/nope"
    ]
    for (const path of machines)
      for (const accept of path === "/nope" ? ["*/*", "application/json", ""] : ["*/*", BROWSER]) {
        const response = await get(path, accept)
        expect([path, response.status, await response.json()]).toEqual([
          path,
          404,
          { error: "no such path: /openapi.json lists the operations, /docs explains them" }
        ])
      }
  })
})

describe("a parameter that is given twice", () => {
  const WETH = "0x4200000000000000000000000000000000000006"
  it.each([
    [`chain=base&chain=base&address=${WETH}`, "chain"],
    [`chain=base&chain=solana&address=${WETH}`, "chain"],
    [`chain=base&address=${WETH}&address=${WETH}`, "address"]
  ])("is named: ?%s", async (query, name) => {
    const response = await get(`/api/token-risk/v1/ping?${query}`, "*/*")
    expect([response.status, await response.json()]).toEqual([
      400,
      { error: `${name}: is given more than once in the query` }
    ])
  })
})
