import { Effect, Schema } from "effect"
import { Attestor } from "../attestation/attestor.ts"
import { OPERATIONS } from "../domain/catalog.ts"
import { DeepReport, PingResult } from "../domain/report.ts"
import type { TokenRef } from "../domain/token.ts"
import { toPing, toReport } from "../screening/reports.ts"
import { RiskScorer } from "../screening/risk-scorer.ts"
import type { ScreeningError } from "../screening/screener.ts"
import { Screener } from "../screening/screener.ts"
import { countScreening } from "./metrics.ts"
import type { ScreeningRequest } from "./operations.ts"
import { span } from "../domain/span.ts"

const encodePing = Schema.encode(Schema.parseJson(PingResult))
const encodeReport = Schema.encode(Schema.parseJson(DeepReport))

/** What is sold: screens a token and gives the exact bytes of the answer, attested where it is a report. */
export const makeScreeningWork = Effect.gen(function* () {
  const screener = yield* Screener
  const scorer = yield* RiskScorer
  const attestor = yield* Attestor

  const ping = Effect.fnUntraced(function* (token: TokenRef) {
    const { screening, cacheHit } = yield* screener.screen(token, "ping")
    const assessment = scorer.assess(screening)
    yield* countScreening("check_token_safety_ping", token, cacheHit, assessment)
    return yield* Effect.orDie(encodePing(toPing(screening, assessment, cacheHit)))
  }, span("Operations.ping"))

  const deep = Effect.fnUntraced(function* (token: TokenRef, free: boolean) {
    const { screening, cacheHit } = yield* screener.screen(token, "deep")
    const assessment = scorer.assess(screening)
    yield* countScreening("check_token_risk_deep", token, cacheHit, assessment)
    const report = toReport(screening, assessment, {
      cacheHit,
      free,
      methodology: scorer.methodology
    })
    return yield* Effect.orDie(Effect.flatMap(attestor.attest(report), encodeReport))
  }, span("Operations.deep"))

  return (request: ScreeningRequest, free: boolean): Effect.Effect<string, ScreeningError> =>
    OPERATIONS[request.operation].depth === "deep" ? deep(request.token, free) : ping(request.token)
})
