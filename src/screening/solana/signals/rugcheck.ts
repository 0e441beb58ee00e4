import type { Judgement } from "../../../domain/signal.ts"
import { fail, hard, minor, pass, signalFrom, unknown } from "../../../domain/signal.ts"
import type { RugCheckReport } from "../../../market/market-data.ts"
import type { SolanaEvidence } from "../evidence.ts"
import type { SolanaSignal } from "./shared.ts"

const ofReport =
  (judge: (report: RugCheckReport, evidence: SolanaEvidence) => Judgement) =>
  (evidence: SolanaEvidence): Judgement => {
    // Known false alarms: RugCheck gives JitoSOL 71 and counts issuers' powers as dangers.
    if (evidence.trusted !== null)
      return pass("The mint of an established issuer; RugCheck's alarms on its powers do not apply.")
    if (!evidence.rugCheck.known) return unknown("RugCheck did not answer.")
    if (evidence.rugCheck.value === null) return unknown("RugCheck has no report on this token.")
    return judge(evidence.rugCheck.value, evidence)
  }

/** What each risk of RugCheck's is worth here, by its name. The first rule that matches counts. */
interface RiskRule {
  readonly name: RegExp
  /** `chain`: we read the same thing ourselves, and one weakness is not counted twice. `holders`: unless we could not. */
  readonly weight: "chain" | "holders" | { readonly danger: number; readonly warn: number }
}

const RISK_RULES: ReadonlyArray<RiskRule> = [
  {
    name: /mint authority|freeze authority|permanent|transfer fee|non.?transferable|transfer hook/i,
    weight: "chain"
  },
  { name: /metadata|lp unlocked|lp providers|low liquidity|amount of liquidity/i, weight: "chain" },
  // Correlation and insiders are seen in transfers, which are not read here.
  { name: /correlat|insider|coordinat|network|cluster/i, weight: { danger: 38, warn: 15 } },
  { name: /holder|ownership|concentration/i, weight: "holders" },
  { name: /creator|deployer|rug/i, weight: { danger: 45, warn: 20 } },
  { name: /copycat|imperson|mismatch/i, weight: { danger: 45, warn: 20 } }
]
/** A risk of a name that is new to us is taken for what its level says. */
const OTHER_RISK = { danger: 36, warn: 8 } as const
/** Levels that say that nothing is wrong. One that is new to us is taken for the gravest. */
const HARMLESS_LEVELS: ReadonlySet<string> = new Set(["info", "good", "none"])

const weightOf = (risk: RugCheckReport["risks"][number], holdersRead: boolean): number => {
  const rule = RISK_RULES.find(({ name }) => name.test(risk.name))?.weight ?? OTHER_RISK
  if (rule === "chain" || (rule === "holders" && holdersRead)) return 0
  const { danger, warn } = rule === "holders" ? OTHER_RISK : rule
  const level = risk.level.toLowerCase()
  if (HARMLESS_LEVELS.has(level)) return 0
  // Of a risk without a level no more is known than that it was worth naming.
  return level === "warn" || level === "" ? warn : danger
}

/** The heaviest risk counts in full, each further one by a tenth of itself: they often see the same thing twice. */
const riskPoints = (report: RugCheckReport, { holders }: SolanaEvidence): number => {
  const [heaviest = 0, ...others] = report.risks
    .map((risk) => weightOf(risk, holders.known))
    .toSorted((a, b) => b - a)
  return Math.min(60, heaviest + others.reduce((sum, weight) => sum + weight / 10, 0))
}

/** From here on a risk forbids trust by itself. */
const GRAVE = 35

const saysAuthority = (value: string | null | undefined): boolean | null =>
  value === undefined ? null : value !== null

const signal = signalFrom<SolanaEvidence>("rugcheck")

/** The third-party opinion: one source among others, which can lower trust and never raise it. */
export const rugCheckSignals: ReadonlyArray<SolanaSignal> = [
  signal("RUGGED", hard(80, 4), {
    reads: "rugged in RugCheck's report",
    // Silence costs certainty: what the chain itself shows decides.
    critical: false,
    judge: ofReport(({ rugged }) => {
      if (rugged === null) return unknown("RugCheck did not say whether the token was rugged.")
      return rugged
        ? fail("RugCheck has seen this token rugged.")
        : pass("RugCheck has not seen this token rugged.")
    })
  }),
  signal("RUGCHECK_RISKS", minor(60, 3), {
    reads:
      "RugCheck's dangers and warnings other than those read on chain: copies, creators with rugs, correlated holders",
    critical: (evidence) =>
      evidence.trusted === null &&
      evidence.rugCheck.known &&
      evidence.rugCheck.value !== null &&
      riskPoints(evidence.rugCheck.value, evidence) >= GRAVE,
    judge: ofReport((report, evidence) => {
      const points = riskPoints(report, evidence)
      if (points > 0) return fail("RugCheck warns of more than the chain shows.", { points })
      return report.risksAreWhole
        ? pass("RugCheck warns of nothing beyond what the chain shows.")
        : unknown("RugCheck's list of risks could not be read.")
    })
  }),
  signal("RUGCHECK_DISAGREES", minor(5, 1), {
    reads: "authorities, transfer fee and LP lock of RugCheck's report against the chain",
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
  })
]
