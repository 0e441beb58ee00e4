import { HttpServerResponse } from "@effect/platform"
import type { Deployment } from "../web/site/deployment.ts"
import { answer } from "../web/site/docs/answer.ts"
import { attestation } from "../web/site/docs/attestation.ts"
import { checkout } from "../web/site/docs/checkout.ts"
import { errors } from "../web/site/docs/errors.ts"
import { operations } from "../web/site/docs/operations.ts"
import { overview } from "../web/site/docs/overview.ts"
import { quickstart } from "../web/site/docs/quickstart/page.ts"
import { signals } from "../web/site/docs/signals.ts"
import { speed } from "../web/site/docs/speed.ts"
import { homePage } from "../web/site/home/page.ts"
import type { SitePath } from "../web/site/layout.ts"
import { nameOf, sitePage } from "../web/site/layout.ts"
import { missing } from "../web/site/missing.ts"
import { membersOf } from "../web/site/members.ts"
import type { Markup, Page } from "../web/page.ts"
import { pageResponse } from "./visitors.ts"
import { makeTestVector } from "../web/test-vector.ts"
import type { Signal } from "../domain/signal.ts"
import { baseSignals } from "../screening/base/signals/table.ts"
import { solanaSignals } from "../screening/solana/signals/index.ts"

/** Pages change with a release or a restart only. */
const CACHED = "public, max-age=300"

const respond = (page: Page) => pageResponse(page, 200, { "cache-control": CACHED })

/** What a browser is shown where nothing lives. */
export const NO_SUCH_PAGE = pageResponse(missing, 404, { "cache-control": "no-store", vary: "accept" })

const rowOf = <E>({ critical, hard, id, points, reads, source, unknownPoints }: Signal<E>) => ({
  id,
  reads,
  source,
  hard,
  critical: typeof critical === "function" ? "depends" : critical ? "yes" : "",
  points,
  unknownPoints
})

/** What the pages show of this deployment and of the API's description. */
export interface SiteMaterial {
  readonly deployment: Deployment
  readonly openapi: unknown
}

type SitePage = readonly [
  path: `/${string}`,
  make: (material: SiteMaterial) => HttpServerResponse.HttpServerResponse
]

const documentation = (path: SitePath, body: (material: SiteMaterial) => Markup): SitePage => [
  path,
  (material) =>
    respond(
      sitePage({
        place: { path, publicUrl: material.deployment.publicUrl },
        title: `${nameOf(path)} · token-risk`,
        body: body(material)
      })
    )
]

/** The home page, the documentation and the test vector, by path: made once and without any outside request. */
export const SITE_PAGES: ReadonlyArray<SitePage> = [
  ["/", ({ deployment }) => respond(homePage(deployment))],
  documentation("/docs", ({ deployment }) => overview(deployment)),
  documentation("/docs/quickstart", ({ deployment }) => quickstart(deployment)),
  documentation("/docs/answer", ({ openapi }) =>
    answer(membersOf(openapi, "PingResult"), membersOf(openapi, "DeepReport"))
  ),
  documentation("/docs/signals", () =>
    signals([
      ["Base", baseSignals.map(rowOf)],
      ["Solana", solanaSignals.map(rowOf)]
    ])
  ),
  documentation("/docs/errors", errors),
  documentation("/docs/attestation", attestation),
  documentation("/docs/checkout", ({ deployment }) => checkout(deployment)),
  documentation("/docs/operations", operations),
  documentation("/docs/speed", speed),
  [
    "/docs/test-vector.json",
    () => HttpServerResponse.unsafeJson(makeTestVector(), { headers: { "cache-control": CACHED } })
  ]
]
