import { HttpApiBuilder, HttpServerResponse } from "@effect/platform"
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { describeApi } from "../api/openapi.ts"
import { Attestor } from "../attestation/attestor.ts"
import { Offers } from "../operations/offers.ts"
import { unavailable } from "./responses.ts"

/** Documents change with a release or a key rotation, so five minutes in a cache do no harm. */
const CACHED = { "cache-control": "public, max-age=300" }

const document = (body: string, contentType: string) =>
  HttpServerResponse.text(body, { contentType, headers: CACHED })

/** Keys, the machine-readable description, and health. */
export const DocumentsLive = HttpApiBuilder.Router.use((router) =>
  Effect.gen(function* () {
    const attestor = yield* Attestor
    const offers = yield* Offers
    const sql = yield* SqlClient.SqlClient

    const openApi = JSON.stringify(
      describeApi({
        serverUrl: offers.publicUrl,
        prices: {
          ping: offers.priceUsd("check_token_safety_ping"),
          deep: offers.priceUsd("check_token_risk_deep")
        }
      })
    )
    const jwks = JSON.stringify(attestor.jwks)

    yield* router.get("/openapi.json", Effect.succeed(document(openApi, "application/json")))
    yield* router.get("/.well-known/jwks.json", Effect.succeed(document(jwks, "application/jwk-set+json")))
    yield* router.get("/healthz", Effect.succeed(HttpServerResponse.unsafeJson({ status: "ok" })))
    yield* router.get(
      "/readyz",
      sql`SELECT 1 AS ok`.pipe(
        Effect.as(HttpServerResponse.unsafeJson({ status: "ready" })),
        Effect.catchAll(() => Effect.succeed(unavailable("database is not reachable")))
      )
    )
  })
)
