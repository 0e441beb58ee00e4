import type { Judgement } from "../../../domain/signal.ts"
import { fail, pass, unknown } from "../../../domain/signal.ts"
import type { RugCheckReport } from "../../../market/market-data.ts"
import type { SolanaEvidence } from "../evidence.ts"
import type { SolanaSignal } from "./shared.ts"

const ofReport =
  (judge: (report: RugCheckReport, evidence: SolanaEvidence) => Judgement) =>
  (evidence: SolanaEvidence): Judgement => {
    // Known false alarms: RugCheck gives JitoSOL 71 and counts issuers' powers as dangers (A2, E2).
    if (evidence.trusted !== null)
      return pass("The mint of an established issuer; RugCheck's alarms on its powers do not apply.")
    if (!evidence.rugCheck.known) return unknown("RugCheck did not answer.")
    if (evidence.rugCheck.value === null) return unknown("RugCheck has no report on this token.")
    return judge(evidence.rugCheck.value, evidence)
  }

/**
 * RugCheck's risks that repeat what we read on chain ourselves, by its names (A2, F1). They are left out, so that one
 * weakness is not counted twice.
 */
const OWN_READINGS =
  /mint authority|freeze authority|lp unlocked|liquidity|lp providers|holder|ownership|metadata|transfer fee|permanent/i

const foreignRisks = ({ risks }: RugCheckReport, level: string): number =>
  risks.filter((risk) => risk.level === level && !OWN_READINGS.test(risk.name)).length

const saysAuthority = (value: string | null | undefined): boolean | null =>
  value === undefined ? null : value !== null

/** The third-party opinion: one source among others (A2). */
export const rugCheckSignals: ReadonlyArray<SolanaSignal> = [
  {
    id: "RUGGED",
    source: "rugcheck",
    reads: "rugged in RugCheck's report",
    hard: true,
    // Where RugCheck answered that it has no report, it has said all it can: that alone must not bar a new token.
    critical: ({ rugCheck, trusted }) => trusted === null && !(rugCheck.known && rugCheck.value === null),
    points: 80,
    unknownPoints: 10,
    judge: ofReport(({ rugged }) => {
      if (rugged === null) return unknown("RugCheck did not say whether the token was rugged.")
      return rugged
        ? fail("RugCheck has seen this token rugged.")
        : pass("RugCheck has not seen this token rugged.")
    })
  },
  {
    id: "RUGCHECK_RISKS",
    source: "rugcheck",
    reads: "RugCheck's risks other than those read on chain: copies, creators with rugs, correlated holders",
    hard: false,
    critical: false,
    points: 30,
    unknownPoints: 5,
    judge: ofReport((report) => {
      const dangers = foreignRisks(report, "danger")
      const warnings = foreignRisks(report, "warn")
      const points = Math.min(30, dangers * 20 + warnings * 5)
      if (points > 0)
        return fail(`RugCheck names ${dangers} further dangers and ${warnings} further warnings.`, { points })
      return report.risksAreWhole
        ? pass("RugCheck warns of nothing beyond what the chain shows.")
        : unknown("RugCheck's list of risks could not be read.")
    })
  },
  {
    id: "RUGCHECK_DISAGREES",
    source: "rugcheck",
    reads: "authorities, transfer fee and LP lock of RugCheck's report against the chain",
    hard: false,
    critical: false,
    points: 5,
    unknownPoints: 2,
    judge: ofReport((report, { lockDisputed, reading }) => {
      if (reading.kind !== "mint") return unknown("There is no readable mint to compare with.")
      const differs = (said: boolean | null, isLive: boolean) => said !== null && said !== isLive
      const disputes = [
        differs(saysAuthority(report.mintAuthority), reading.mint.mintAuthority !== null)
          ? "mint authority"
          : null,
        differs(saysAuthority(report.freezeAuthority), reading.mint.freezeAuthority !== null)
          ? "freeze authority"
          : null,
        lockDisputed ? "LP lock" : null
      ].filter((name) => name !== null)
      return disputes.length === 0
        ? pass("RugCheck and the chain agree.")
        : fail(`RugCheck contradicts the chain on: ${disputes.join(", ")}.`)
    })
  }
]
