import { Effect, Schema } from "effect"
import { Attestor } from "../attestation/attestor.ts"
import { DeepReport, PingResult } from "../domain/report.ts"
import type { Screening } from "../domain/screening.ts"
import type { TokenRef } from "../domain/token.ts"
import { toPing, toReport } from "../screening/reports.ts"
import { type Assessment, RiskScorer } from "../screening/risk-scorer.ts"
import type { ScreeningError } from "../screening/screener.ts"
import { Screener } from "../screening/screener.ts"
import { countScreening } from "./metrics.ts"
import type { KnownReport, ScreeningRequest } from "./operations.ts"
import { span } from "../domain/span.ts"

const encodePing = Schema.encode(Schema.parseJson(PingResult))
const encodeReport = Schema.encode(Schema.parseJson(DeepReport))

interface Delivery {
  readonly cacheHit: boolean
  readonly free: boolean
}

/**
 * Texts about screenings, each made once and for as long as its screening is kept: a report and its attestation say
 * nothing of a call beside how it was delivered, and the signature of the same bytes is the same.
 */
const makeTexts = () => {
  const known = new WeakMap<Screening, string>()
  return {
    known: (screening: Screening): string | undefined => known.get(screening),
    find: (screening: Screening, fresh: Effect.Effect<string>): Effect.Effect<string> => {
      const text = known.get(screening)
      if (text !== undefined) return Effect.succeed(text)
      return Effect.map(fresh, (made) => {
        known.set(screening, made)
        return made
      })
    }
  }
}

/** What is sold: screens a token and gives the exact bytes of the answer, attested where it is a report. */
export const makeScreeningWork = Effect.gen(function* () {
  const screener = yield* Screener
  const scorer = yield* RiskScorer
  const attestor = yield* Attestor
  const assessments = new WeakMap<Screening, Assessment>()
  const reports = { free: makeTexts(), sold: makeTexts() }

  const assessmentOf = (screening: Screening): Assessment => {
    const known = assessments.get(screening)
    if (known !== undefined) return known
    const made = scorer.assess(screening)
    assessments.set(screening, made)
    return made
  }

  const ping = Effect.fnUntraced(function* (token: TokenRef) {
    const { screening, cacheHit } = yield* screener.screen(token)
    const assessment = assessmentOf(screening)
    yield* countScreening("check_token_safety_ping", token, cacheHit, assessment)
    return yield* Effect.orDie(encodePing(toPing(screening, assessment, cacheHit)))
  }, span("Operations.ping"))

  const attested = (screening: Screening, assessment: Assessment, delivery: Delivery) =>
    Effect.orDie(
      Effect.flatMap(
        attestor.attest(toReport(screening, assessment, { ...delivery, methodology: scorer.methodology })),
        encodeReport
      )
    )

  const deep = Effect.fnUntraced(function* (token: TokenRef, free: boolean) {
    const { screening, cacheHit } = yield* screener.screen(token)
    const assessment = assessmentOf(screening)
    yield* countScreening("check_token_risk_deep", token, cacheHit, assessment)
    const fresh = attested(screening, assessment, { cacheHit, free })
    return yield* cacheHit ? reports[free ? "free" : "sold"].find(screening, fresh) : fresh
  }, span("Operations.deep"))

  const free = new WeakMap<Screening, KnownReport>()

  /** The free report of a token, where it was made before and is still good at this moment. */
  const knownFree = (token: TokenRef, now: number): KnownReport | undefined => {
    const screening = screener.known(token, now)
    if (screening === undefined) return undefined
    const before = free.get(screening)
    if (before !== undefined) return before
    const text = reports.free.known(screening)
    if (text === undefined) return undefined
    const { verdict } = assessmentOf(screening)
    const { chain } = screening.token
    const made = { operation: "check_token_risk_deep", chain, cacheHit: true, verdict, text } as const
    free.set(screening, made)
    return made
  }

  const run = (request: ScreeningRequest, free: boolean): Effect.Effect<string, ScreeningError> =>
    request.operation === "check_token_risk_deep" ? deep(request.token, free) : ping(request.token)

  return { run, knownFree }
})

export type ScreeningWork = Effect.Effect.Success<typeof makeScreeningWork>
