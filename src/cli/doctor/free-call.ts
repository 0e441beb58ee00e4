import { randomUUID } from "node:crypto"
import { Effect, Either, Schema } from "effect"
import { Jwks, verifyReport } from "../../domain/attestation.ts"
import { parseStrictJson } from "../../domain/strict-json.ts"
import { EXAMPLE_TOKEN, OPERATIONS } from "../../domain/catalog.ts"
import type { Finding } from "./finding.ts"
import { fail, ok, warn } from "./finding.ts"
import type { Answer, Site } from "./site.ts"
import { postJson } from "./site.ts"

const NAME = "free deep call"

const findingIn = (answer: Answer, keys: unknown): Finding => {
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
export const checkFreeCall = (site: Site): Effect.Effect<Finding> => {
  const headers = { "x-client-id": `doctor-${randomUUID()}` }
  return Effect.zipWith(
    site.ask(OPERATIONS.check_token_risk_deep.path, postJson(EXAMPLE_TOKEN, headers)),
    site.ask("/.well-known/jwks.json"),
    (answer, keys) => findingIn(answer, keys.json)
  ).pipe(Effect.catchAll(() => Effect.succeed(fail(NAME, "no answer"))))
}
