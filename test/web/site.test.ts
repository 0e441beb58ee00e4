import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "@effect/vitest"
import { HttpApiSchema } from "@effect/platform"
import { CONTRACT_ERRORS } from "../../src/api/errors.ts"
import { DOCUMENT_PATHS } from "../../src/http/documents.ts"
import { errors } from "../../src/web/site/docs/errors.ts"
import { answer } from "../../src/web/site/docs/answer.ts"
import { operations } from "../../src/web/site/docs/operations.ts"
import { overview } from "../../src/web/site/docs/overview.ts"
import { quickstart } from "../../src/web/site/docs/quickstart/page.ts"
import { homePage } from "../../src/web/site/home/page.ts"
import { SITE, sitePage } from "../../src/web/site/layout.ts"
import { membersOf } from "../../src/web/site/members.ts"
import { REFUSAL_FAMILIES, REFUSALS } from "../../src/web/site/refusals.ts"

const deployment = {
  publicUrl: "https://risk.example",
  prices: { ping: "0.005", deep: "0.04" },
  freeTier: "3 calls per 24 hours",
  checkoutService: "checkout",
  examples: [
    { chain: "solana", address: "So11111111111111111111111111111111111111112", name: "SOL <wrapped>" },
    { chain: "base", address: "0x4200000000000000000000000000000000000006", name: "WETH" }
  ]
} as const
const openapi: unknown = JSON.parse(
  readFileSync(new URL("../../src/api/openapi.json", import.meta.url), "utf8")
)
const SRC = fileURLToPath(new URL("../../src", import.meta.url))

/** The reasons the sources name, in any file that decides about a payment. */
const codesInSources = (): ReadonlySet<string> => {
  const CODE =
    /["`](?:invalid_(?:exact|x402|network|payment)|payment_|unsupported_|duplicate_|unexpected_)[a-z0-9_]*["`]/g
  const texts = ["payment", "checkout", "operations"].flatMap((room) =>
    readdirSync(join(SRC, room), { recursive: true })
      .map(String)
      .filter((name) => name.endsWith(".ts"))
      .map((name) => readFileSync(join(SRC, room, name), "utf8"))
  )
  return new Set(texts.flatMap((text) => text.match(CODE) ?? []).map((quoted) => quoted.slice(1, -1)))
}

describe("the home page", () => {
  const { contentSecurityPolicy, html } = homePage(deployment)

  it("is small, asks nobody but this service, and runs nothing but its own script", () => {
    expect(Buffer.byteLength(html)).toBeLessThan(150_000)
    expect(html).not.toMatch(/(?:src|href)="https?:|url\(|@import/)
    expect(html).not.toMatch(/innerHTML|insertAdjacentHTML|document\.write|eval\(/)
    expect(contentSecurityPolicy).toMatch(/default-src 'none'.*connect-src 'self'/)
    expect(contentSecurityPolicy).not.toContain("unsafe")
  })

  it("has an icon where a browser looks for one of a page that names none", () => {
    expect(html).not.toContain('rel="icon"')
    expect(DOCUMENT_PATHS).toContain("/favicon.ico")
    // Browsers hold it against the page's policy.
    expect(contentSecurityPolicy).toContain("img-src 'self'")
  })

  it("lists its facts as terms and descriptions, whose parts have no other role", () => {
    expect(html).toMatch(/<dd>\s*<span id="status" role="status"/)
    expect(html).not.toMatch(/<d[tdl][^>]* role=/)
  })

  it("offers the tokens that its operator names, and none where none is named", () => {
    expect(html).toContain('data-chain="solana" data-address="So11111111111111111111111111111111111111112"')
    expect(html).toContain("SOL &lt;wrapped&gt;")
    expect(homePage({ ...deployment, examples: [] }).html).not.toContain("Or try")
  })

  it("promises no free call where nobody has any, and neither does the documentation", () => {
    const pages = (freeTier: string | undefined) => {
      const told = { ...deployment, freeTier }
      return [homePage(told).html, overview(told).markup, quickstart(told).markup]
    }
    const PROMISE = /try it\s+free|USD[,;] [^<]* free|makes the first deep calls free|undefined</
    for (const text of pages("3 calls per 24 hours")) expect(text).toMatch(PROMISE)
    for (const text of pages(undefined)) expect(text).not.toMatch(PROMISE)
  })

  it("says of free calls that they are used up only where there are some", () => {
    const told = (freeTier: string | undefined) => homePage({ ...deployment, freeTier }).html
    expect(told("3 calls per 24 hours")).toContain("free calls are used up")
    expect(told(undefined)).not.toContain("used up")
    expect(told(undefined)).toContain("Nobody has free calls here")
  })

  it("labels its fields, names its language and lets the keyboard skip the menu", () => {
    for (const id of ["chain", "address"]) expect(html).toContain(`<label for="${id}">`)
    expect(html).toContain('lang="en"')
    expect(html).toContain('href="#main"')
  })
})

describe("the documentation", () => {
  it("lists every member of both answers from the contract", () => {
    const names = membersOf(openapi, "DeepReport").map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(["verdict", "signals", "signals.state", "attestation.hmac"]))
    expect(membersOf(openapi, "PingResult").map(({ name }) => name)).toContain("safe")
  })

  it("says of every member of an answer what it means", () => {
    const all = [...membersOf(openapi, "PingResult"), ...membersOf(openapi, "DeepReport")]
    expect(all.filter(({ meaning }) => meaning === "").map(({ name }) => name)).toEqual([])
    expect(
      all.filter(({ meaning }) => /^an? (?:number|array) /.test(meaning)).map(({ name }) => name)
    ).toEqual([])
    expect(answer(membersOf(openapi, "PingResult"), []).markup).toContain("mintAuthorityOff")
  })

  it("explains every status that the service answers with", () => {
    // The last two are the server's own: such a request reaches no operation.
    const statuses = [...CONTRACT_ERRORS.map(HttpApiSchema.getStatusError), 417, 431]
    const explained = [...errors().markup.matchAll(/<td>((?:\d{3}(?:, )?)+)<\/td>/g)].flatMap(
      ([, cell = ""]) => cell.split(", ").map(Number)
    )
    expect(explained.toSorted()).toEqual(statuses.toSorted())
  })

  it("promises nowhere that a 503 costs nothing: a settlement may be open behind it", () => {
    const spec = JSON.stringify(openapi)
    for (const text of [overview(deployment).markup, spec])
      expect(text).not.toMatch(
        /503 costs? nothing|errors (?:are (?:not|never) charged|cost nothing)|charged on an error/i
      )
  })

  it("explains every reason for which a payment is refused", () => {
    const families = Object.keys(REFUSAL_FAMILIES)
    const missing = [...codesInSources()].filter(
      (code) => !Object.hasOwn(REFUSALS, code) && !families.some((family) => code.startsWith(family))
    )
    expect(missing).toEqual([])
    expect(errors().markup).toContain("payment_already_used")
  })

  it("has a menu on every page that marks where one is", () => {
    for (const [path, name] of SITE) {
      const { html } = sitePage({
        place: { path, publicUrl: "https://risk.example" },
        title: name,
        body: operations()
      })
      expect(html.match(/aria-current="page"/g)).toHaveLength(1)
      for (const [other] of SITE) expect(html).toContain(`href="${other}"`)
    }
  })

  it("says in one sentence what each page is, where a link to it is shown", () => {
    for (const [path, name, description] of SITE) {
      const place = { path, publicUrl: "https://risk.example" }
      const { html } = sitePage({ place, title: name, body: operations() })
      expect(description.length).toBeLessThan(160)
      for (const said of ['name="description"', 'property="og:description"'])
        expect(html).toContain(`<meta ${said} content="${description}"`)
      expect(html).toContain(`<meta property="og:title" content="${name}"`)
      expect(html).toContain(`<meta property="og:url" content="https://risk.example${path}"`)
    }
    expect(new Set(SITE.map(([, , description]) => description)).size).toBe(SITE.length)
  })

  it("says what a table is that the keyboard can scroll", () => {
    const stops = [...errors().markup.matchAll(/<div[^>]*tabindex="0"[^>]*>/g)].map(([tag]) => tag)
    expect(stops).toHaveLength(2)
    for (const tag of stops) expect(tag).toMatch(/role="group" aria-label="[^"]+"/)
    expect(stops[0]).toContain("Status, When, Charged, What to do")
  })

  it("names every document for machines", () => {
    const unnamed = DOCUMENT_PATHS.filter((path) => /llms|well-known|openapi/.test(path)).filter(
      (path) => !operations().markup.includes(path)
    )
    expect(unnamed).toEqual([])
  })

  it("has the heads of a wide table beside its cells, for phones", () => {
    const heads = [...errors().markup.matchAll(/<td data-head="([^"]+)">/g)].map(([, head]) => head)
    expect(new Set(heads)).toEqual(new Set(["When", "Charged", "What to do"]))
    expect(errors().markup.match(/<table class="wide">/g)).toHaveLength(1)
  })

  it("escapes what a deployment names", () => {
    const evil = { ...deployment, publicUrl: 'https://x/"><script>alert(1)</script>' }
    expect(quickstart(evil).markup).not.toContain("<script>alert")
  })
})
