import type { HttpApiBuilder } from "@effect/platform"
import { HttpServerResponse } from "@effect/platform"
import { Effect } from "effect"
import type { Deployment } from "../web/site/home.ts"
import { homePage } from "../web/site/home.ts"
import type { SitePath } from "../web/site/layout.ts"
import { SITE, sitePage } from "../web/site/layout.ts"
import { membersOf } from "../web/site/members.ts"
import * as pages from "../web/site/pages.ts"
import type { Markup, Page } from "../web/page.ts"
import { makeTestVector } from "../web/test-vector.ts"
import type { Signal } from "../domain/signal.ts"
import { baseSignals } from "../screening/base/signals/table.ts"
import { solanaSignals } from "../screening/solana/signals/index.ts"

/** Pages change with a release or a restart only. */
const CACHED = "public, max-age=300"

const respond = ({ contentSecurityPolicy, html }: Page) =>
  HttpServerResponse.text(html, {
    contentType: "text/html; charset=utf-8",
    headers: {
      "cache-control": CACHED,
      "content-security-policy": contentSecurityPolicy,
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer"
    }
  })

const rowOf = <E>({ critical, hard, id, points, reads, source, unknownPoints }: Signal<E>) => ({
  id,
  reads,
  source,
  hard,
  critical: typeof critical === "function" ? "depends" : critical ? "yes" : "",
  points,
  unknownPoints
})

const contentOf = (
  deployment: Deployment,
  openapi: unknown
): Readonly<Partial<Record<SitePath, Markup>>> => ({
  "/docs": pages.overview(deployment),
  "/docs/quickstart": pages.quickstart(deployment),
  "/docs/answer": pages.answer(membersOf(openapi, "PingResult"), membersOf(openapi, "DeepReport")),
  "/docs/signals": pages.signals([
    ["Base", baseSignals.map(rowOf)],
    ["Solana", solanaSignals.map(rowOf)]
  ]),
  "/docs/errors": pages.errors(),
  "/docs/attestation": pages.attestation(),
  "/docs/checkout": pages.checkout(deployment),
  "/docs/operations": pages.operations()
})

/** The home page, the documentation and the test vector: made once, served from memory, without any outside request. */
export const addSite = (router: HttpApiBuilder.Router["Type"], deployment: Deployment, openapi: unknown) =>
  Effect.gen(function* () {
    const content = contentOf(deployment, openapi)
    yield* router.get("/", Effect.succeed(respond(homePage(deployment))))
    for (const [path, name] of SITE) {
      const body = content[path]
      if (body !== undefined)
        yield* router.get(path, Effect.succeed(respond(sitePage(path, `${name} · token-risk`, body))))
    }
    const vector = HttpServerResponse.unsafeJson(makeTestVector(), { headers: { "cache-control": CACHED } })
    yield* router.get("/docs/test-vector.json", Effect.succeed(vector))
  })
