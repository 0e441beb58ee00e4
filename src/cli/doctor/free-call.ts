import { randomUUID } from "node:crypto"
import { Effect, Either, Schema } from "effect"
import { Jwks, verifyReport } from "../../domain/attestation.ts"
import { parseStrictJson } from "../../domain/strict-json.ts"
import { EXAMPLE_TOKEN, OPERATIONS } from "../../domain/catalog.ts"
import type { CheckResult } from "./check-result.ts"
import { fail, ok, warn } from "./check-result.ts"
import type { SiteReply, Site } from "./site.ts"
import { postJson } from "./site.ts"

const NAME = "free deep call"

const resultIn = (answer: SiteReply, keys: unknown): CheckResult => {
  if (answer.status === 402)
    return warn(NAME, "no free call is left for this address, or there is no free tier")
  if (answer.status === 404)
    return warn(NAME, "the example token has no pools here: works, but nothing to verify")
  if (answer.status !== 200) return fail(NAME, `answers ${answer.status}`)
  const jwks = Schema.decodeUnknownEither(Jwks)(keys)
  if (Either.isLeft(jwks)) return fail(NAME, "delivered, but there are no keys to verify it with")
  return Either.match(verifyReport(parseStrictJson(answer.text), jwks.right), {
    onLeft: ({ message, reason }) => fail(NAME, `does not verify (${reason}): ${message}`),
    onRight: ({ free, verdict }) =>
      free
        ? ok(NAME, `verdict ${verdict}, attestation verified`)
        : fail(NAME, "was delivered but is not marked as free")
  })
}

/** One free deep report under a fresh client id, verified with the published keys. */
export const checkFreeCall = (site: Site): Effect.Effect<CheckResult> => {
  const headers = { "x-client-id": `doctor-${randomUUID()}` }
  return Effect.zipWith(
    site.ask(OPERATIONS.check_token_risk_deep.path, postJson(EXAMPLE_TOKEN, headers)),
    site.ask("/.well-known/jwks.json"),
    (answer, keys) => resultIn(answer, keys.json)
  ).pipe(Effect.catchAll(() => Effect.succeed(fail(NAME, "no answer"))))
}
