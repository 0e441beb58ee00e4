import { Effect, Either, Schema } from "effect"
import { Jwks, thumbprint } from "../../domain/attestation.ts"
import { counted } from "../../domain/counted.ts"
import { PaymentRequirements } from "../../domain/x402.ts"
import type { CheckResult } from "./check-result.ts"
import { fail, checkResult, ok, warn } from "./check-result.ts"
import type { NoAnswer, Site } from "./site.ts"
import { isRecord } from "../../domain/json.ts"

const noAnswer = (name: string) => (effect: Effect.Effect<CheckResult, NoAnswer>) =>
  Effect.catchAll(effect, () => Effect.succeed(fail(name, "no answer")))

const Manifest = Schema.Struct({
  x402Version: Schema.Literal(2),
  resources: Schema.Array(Schema.String),
  items: Schema.Array(
    Schema.Struct({ resource: Schema.String, accepts: Schema.NonEmptyArray(PaymentRequirements) })
  )
})

const manifest = (site: Site) =>
  Effect.zip(site.ask("/.well-known/x402"), site.ask("/.well-known/x402.json"), { concurrent: true }).pipe(
    Effect.map(([one, other]) => {
      const decoded = Schema.decodeUnknownEither(Manifest)(one.json)
      if (one.status !== 200 || Either.isLeft(decoded))
        return fail("manifest", "/.well-known/x402 is missing or incomplete")
      const foreign = decoded.right.resources.filter(
        (url) => !URL.canParse(url) || new URL(url).origin !== site.origin
      )
      return checkResult(
        "manifest",
        [
          ...(one.text === other.text ? [] : ["/.well-known/x402 and x402.json differ"]),
          ...(foreign.length === 0 ? [] : ["it lists addresses of another origin"])
        ],
        `${counted(decoded.right.resources.length, "resource")}, complete payment terms`
      )
    }),
    noAnswer("manifest")
  )

const isPublished = (key: Readonly<Record<string, string>>, members: ReadonlyArray<string>): boolean =>
  members.every((member) => key[member] !== undefined) &&
  thumbprint(Object.fromEntries(members.map((member) => [member, key[member] ?? ""]))) === key["kid"]

const keys = (site: Site) =>
  site.ask("/.well-known/jwks.json").pipe(
    Effect.map(({ json, status }) => {
      const decoded = Schema.decodeUnknownEither(Jwks)(json)
      if (status !== 200 || Either.isLeft(decoded))
        return fail("attestation keys", "no key set at /.well-known/jwks.json")
      const all = decoded.right.keys
      const signing = all.filter((key) => key["kty"] === "OKP" && isPublished(key, ["crv", "kty", "x"]))
      const hmac = all.filter((key) => key["kty"] === "oct" && isPublished(key, ["k", "kty"]))
      return checkResult(
        "attestation keys",
        [
          ...(signing.length === 0 ? ["no Ed25519 key under its own thumbprint"] : []),
          ...(hmac.length === 0 ? ["no HMAC key under its own thumbprint"] : []),
          ...(all.some((key) => key["d"] !== undefined) ? ["A PRIVATE KEY IS PUBLISHED"] : [])
        ],
        `${signing.length} Ed25519, ${hmac.length} HMAC`
      )
    }),
    noAnswer("attestation keys")
  )

const present = (site: Site, name: string, path: string, type: string) =>
  site.ask(path).pipe(
    Effect.map(({ headers, status, text }) =>
      status === 200 && (headers.get("content-type") ?? "").includes(type) && text.length > 0
        ? ok(name, `${Math.ceil(text.length / 1024)} KB`)
        : fail(name, `${path} answers ${status}`)
    ),
    noAnswer(name)
  )

const securityTxt = (site: Site) =>
  site.ask("/.well-known/security.txt").pipe(
    Effect.map(({ status, text }) =>
      status === 200 && text.includes("Contact:")
        ? ok("security.txt", "has a contact")
        : warn("security.txt", "nobody to write to: set CONTACT")
    ),
    noAnswer("security.txt")
  )

const serverCard = (site: Site) =>
  site.ask("/.well-known/mcp-server-card").pipe(
    Effect.map(({ json, status }) =>
      status === 200 && isRecord(json) && Array.isArray(json["remotes"])
        ? ok("MCP server card", "present")
        : fail("MCP server card", "missing")
    ),
    noAnswer("MCP server card")
  )

/** Why it cannot sell, in its own words. */
const reasonIn = (json: unknown): string =>
  isRecord(json) && typeof json["error"] === "string" ? ` (${json["error"]})` : ""

const health = (site: Site) =>
  Effect.zip(site.ask("/healthz"), site.ask("/readyz"), { concurrent: true }).pipe(
    Effect.map(([live, ready]) =>
      live.status === 200 && ready.status === 200
        ? ok("health", "live and ready")
        : fail("health", `/healthz ${live.status}, /readyz ${ready.status}${reasonIn(ready.json)}`)
    ),
    noAnswer("health")
  )

/** Everything served beside the API, for machines, crawlers and people. */
export const checkDocuments = (site: Site) =>
  Effect.all(
    [
      health(site),
      manifest(site),
      keys(site),
      present(site, "llms.txt", "/llms.txt", "text/plain"),
      present(site, "docs", "/docs", "text/html"),
      serverCard(site),
      securityTxt(site)
    ],
    { concurrency: 3 }
  )
