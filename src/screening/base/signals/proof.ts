import type { Judgement, Signal } from "../../../domain/signal.ts"
import { pass, unknown } from "../../../domain/signal.ts"
import type { CodeProof, ProofPart } from "../power/findings.ts"
import type { B20Evidence } from "../b20/evidence.ts"
import type { BaseEvidence } from "../evidence.ts"
import { bearableLimits } from "../power/bounded.ts"
import { boundedMint, openHole } from "../power/power.ts"

/**
 * What the privileged account can do is one weakness seen from many sides: only its worst power counts. Weighed on the
 * development data: per-account blocking by one account is scam code there (every one of 8 rugs, no benign token), minting
 * and the like are held by honest issuers too and need a second finding beside them to make `avoid`.
 */
export const PRIVILEGE = "privilege"

/** What an issuer's power over its own product weighs: enough to be named, too little to change a verdict. */
export const ESTABLISHED_POINTS = 4

export const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
export const round = (points: number): number => Math.round(points)

/** The issuers' own products are judged by their address. */
export const notEstablished = ({ established }: BaseEvidence): boolean => !established

interface ProofRule {
  readonly id: string
  readonly claim: string
  readonly reads: string
  readonly pick: (proof: CodeProof) => ProofPart
}

const PROOFS: ReadonlyArray<ProofRule> = [
  {
    id: "TRANSFER_PROVEN",
    claim: "Transfers, sales through a router and approvals depend on nothing but the holder's own means.",
    reads:
      "runtime code: every condition on every path of transfer, transferFrom and approve; storage that no path changes any more",
    pick: ({ transferPath }) => transferPath
  },
  {
    id: "BALANCES_PROVEN",
    claim: "No function creates a balance, moves one without its holder's consent, or allows others to.",
    reads: "runtime code: every write on every path of every function; storage that no path changes any more",
    pick: ({ conservation }) => conservation
  }
]

/** The chain's own code keeps these promises as far as roles and policies let it; those are judged by themselves. */
const judgeNativeProof = (
  { everybody, policies, transfersPaused }: B20Evidence,
  claim: string
): Judgement => {
  const unread = [everybody, policies, transfersPaused].find(({ known }) => !known)
  return unread === undefined || unread.known
    ? pass(claim)
    : unknown(`Base runs the token, but ${unread.why}.`)
}

/** In tenths of a percent, rounded down. */
const percent = (share: number): string => `${Math.floor(share * 1000) / 10} %`

/** Bounded exceptions to a claim, named. */
const exceptions = (evidence: BaseEvidence, id: string): string => {
  const { findings } = evidence.code
  if (!findings.known) return ""
  if (id === "BALANCES_PROVEN")
    return boundedMint(evidence) === undefined ? "" : " New supply is bounded: see MINT_POWER."
  const [tightest] = bearableLimits(evidence, findings.value.proof)
  if (tightest === undefined) return ""
  const { of, share } = tightest
  return of === "amount"
    ? ` One transfer moves up to ${percent(share)} of the supply, and the limit cannot be set lower.`
    : ` Who buys may hold up to ${percent(share)} of the supply, and the limit cannot be set lower.`
}

/** What was not found may still be there: only a proof makes a token safe. */
const proofSignal = ({ id, claim, reads, pick }: ProofRule): Signal<BaseEvidence> => ({
  id,
  source: "bytecode",
  reads,
  group: PRIVILEGE,
  hard: false,
  critical: notEstablished,
  points: 6,
  unknownPoints: 6,
  judge: (evidence) => {
    if (evidence.code.account !== "contract") return unknown("There is no contract to read.")
    if (evidence.established) return pass("Not judged: an established issuer, admitted by exact address.")
    if (evidence.native !== null) return judgeNativeProof(evidence.native, claim)
    const hole = openHole(evidence, pick)
    if (hole !== undefined) return unknown(`It is not proven that ${hole}.`)
    return pass(`${claim}${exceptions(evidence, id)}`)
  }
})

export const proofSignals: ReadonlyArray<Signal<BaseEvidence>> = PROOFS.map(proofSignal)
