import { counted } from "../../../domain/counted.ts"
import type { Judgement, Signal } from "../../../domain/signal.ts"
import { fail, hard, minor, pass, signalFrom, unknown } from "../../../domain/signal.ts"
import type { CodeFindings, Finding } from "../power/findings.ts"
import { b20Power } from "../b20/powers.ts"
import { describeHolder } from "../reads/accounts.ts"
import type { BaseEvidence } from "../evidence.ts"
import { ownershipSignals } from "./ownership.ts"
import { ESTABLISHED_POINTS, PRIVILEGE, capitalized, notEstablished, proofSignals, round } from "./proof.ts"
import { boundedMint, harmlessBridge, holderWeight, leakOf, powerOf } from "../power/power.ts"

const signal = signalFrom<BaseEvidence>("bytecode")

interface PowerRule {
  readonly id: string
  readonly group: typeof PRIVILEGE
  readonly what: string
  readonly reads: string
  readonly points: number
  readonly unknownPoints: number
  readonly critical: boolean
  readonly pick: (findings: CodeFindings) => Finding
}

/** In tenths of a percent, rounded up. */
const percent = (share: number): string => `${Math.ceil(share * 1000) / 10} %`

/** The bridges take only from who sends something over; what they bring, the token on the other side created. */
const judgeBridge = (harmless: ReturnType<typeof harmlessBridge>, id: string, what: string): Judgement => {
  if (harmless === "shut") return pass(`Only a bridge of the chain that is not in operation could ${what}.`)
  return harmless === undefined && id === "MINT_POWER"
    ? unknown(
        `The chain's own bridge can ${what}, one for one: what the token on the other side can create is not known.`
      )
    : pass(`Only the chain's own bridge can ${what}: what crosses it, one for one.`)
}

/** A power read from the code: its weight follows who holds it, and it is gone when every gate to it is closed. */
const judgePower = (evidence: BaseEvidence, { id, what, points, pick }: PowerRule): Judgement => {
  if (evidence.code.account !== "contract") return unknown("There is no contract to read.")
  const power =
    evidence.native === null ? powerOf(evidence, pick) : b20Power(id, evidence.native, evidence.shape.supply)
  switch (power.state) {
    case "absent":
      return pass(`No function lets anybody ${what}.`)
    case "gone":
      return pass(`The code could ${what}, but every account allowed to is nobody.`)
    case "bridge":
      return judgeBridge(harmlessBridge(evidence, power.by), id, what)
    case "unknown":
      return evidence.established
        ? pass("Not judged: an established issuer, admitted by exact address.")
        : unknown(`Whether somebody can ${what} is undecided: ${power.why}.`)
    case "live": {
      const yearly = id === "MINT_POWER" ? boundedMint(evidence) : undefined
      if (yearly !== undefined)
        return pass(
          `${capitalized(describeHolder(power.holder))} can create at most ${percent(yearly)} of the supply a year.`
        )
      return fail(
        `${capitalized(describeHolder(power.holder))} can ${what} (${counted(power.functions, "function")}).`,
        { points: evidence.established ? ESTABLISHED_POINTS : round(points * holderWeight(power.holder)) }
      )
    }
  }
}

const powerSignal = (rule: PowerRule): Signal<BaseEvidence> => ({
  id: rule.id,
  source: "bytecode",
  reads: rule.reads,
  group: rule.group,
  hard: false,
  critical: rule.critical ? notEstablished : false,
  points: rule.points,
  unknownPoints: rule.unknownPoints,
  judge: (evidence) => judgePower(evidence, rule)
})

/** Limits beyond the pause switch, which is judged by itself. */
const withoutPause = ({ limitingSell, pause }: CodeFindings): Finding => {
  if (limitingSell.state !== "found" || pause.state !== "found") return limitingSell
  const selectors = limitingSell.selectors.filter((selector) => !pause.selectors.includes(selector))
  return selectors.length === 0 ? { state: "not-found" } : { ...limitingSell, selectors }
}

/** What leaves the contract beyond holders' own balances, which are judged by themselves. */
const withoutSeizure = (findings: CodeFindings): Finding => {
  const [leak, { balanceSeizure }] = [leakOf(findings), findings]
  if (leak.state !== "found" || balanceSeizure.state !== "found") return leak
  const selectors = leak.selectors.filter((selector) => !balanceSeizure.selectors.includes(selector))
  return selectors.length === 0 ? { state: "not-found" } : { ...leak, selectors }
}

/** Powers over holders, from the code and the chain's state of its gates. */
const POWERS: ReadonlyArray<PowerRule> = [
  {
    id: "MINT_POWER",
    group: PRIVILEGE,
    what: "create new supply",
    reads: "runtime code: balances that grow without another shrinking, and the gates' slots",
    points: 42,
    unknownPoints: 6,
    critical: true,
    pick: ({ hiddenMint }) => hiddenMint
  },
  {
    id: "BLACKLIST_POWER",
    group: PRIVILEGE,
    what: "stop chosen holders from selling",
    reads: "runtime code: per-account conditions on transfers, and who may set them",
    points: 61,
    unknownPoints: 6,
    critical: true,
    pick: ({ blacklist }) => blacklist
  },
  {
    id: "SELL_LIMIT_POWER",
    group: PRIVILEGE,
    what: "limit or stop selling",
    reads:
      "runtime code: conditions on transfers that a privileged function sets, a fee without a bound, a loop's turns",
    points: 30,
    unknownPoints: 6,
    critical: true,
    pick: withoutPause
  },
  {
    id: "PAUSE_POWER",
    group: PRIVILEGE,
    what: "pause every transfer",
    reads: "runtime code: one switch that transfers test",
    points: 26,
    unknownPoints: 4,
    critical: true,
    pick: ({ pause }) => pause
  },
  {
    id: "SEIZE_POWER",
    group: PRIVILEGE,
    what: "move or destroy other holders' balances",
    reads: "runtime code: balances of others that shrink without an allowance",
    points: 44,
    unknownPoints: 6,
    critical: true,
    pick: ({ balanceSeizure }) => balanceSeizure
  },
  {
    id: "LEAK_POWER",
    group: PRIVILEGE,
    what: "take out tokens or ether that the contract may hold for others",
    reads:
      "runtime code: tokens or ether sent by a privileged function, unless it is proven that nobody else is paid or called",
    points: 26,
    unknownPoints: 4,
    critical: true,
    pick: withoutSeizure
  },
  {
    id: "FEE_POWER",
    group: PRIVILEGE,
    what: "raise the transfer fee without a bound",
    reads:
      "runtime code: a factor of the transferred amount that a privileged function sets without a bound that leaves half of it",
    points: 30,
    unknownPoints: 3,
    critical: true,
    pick: ({ unboundedFee }) => unboundedFee
  },
  {
    id: "HIDDEN_OWNER",
    group: PRIVILEGE,
    what: "use a privileged gate beside owner()",
    reads: "runtime code: comparisons of the caller with a stored or fixed account that is not owner()",
    points: 20,
    unknownPoints: 3,
    critical: false,
    pick: ({ hiddenOwner }) => hiddenOwner
  },
  {
    id: "REPLACEABLE_CODE",
    group: PRIVILEGE,
    what: "destroy the code or run other code in its place",
    reads: "runtime code: DELEGATECALL to a stored address, reachable SELFDESTRUCT",
    points: 34,
    unknownPoints: 4,
    critical: true,
    pick: ({ replaceableCode }) => replaceableCode
  }
]

const ENVIRONMENT: Signal<BaseEvidence> = signal("ENVIRONMENT_GATE", minor(20, 1, "evasion"), {
  reads: "runtime code: ORIGIN, GASPRICE, COINBASE and the like on the transfer path",
  judge: ({ code, established, native }) => {
    if (native !== null) return pass("Base's own code does not look at how it is called.")
    if (!code.findings.known) return unknown("The code could not be analysed.")
    const gate = code.findings.value.environmentGate
    if (gate.state === "not-found") return pass("Transfers do not look at how they are called.")
    if (gate.state === "undecided")
      return unknown("Whether transfers look at how they are called is undecided.")
    return fail("Transfers depend on values that tell a simulation from a trade.", {
      points: established ? 2 : 20
    })
  }
})

/** Whether Base lets anybody transfer a native token now. */
const judgeNative = ({ native }: BaseEvidence): Judgement => {
  if (native === null) return pass("Not one of Base's native tokens.")
  const { policies, transfersPaused } = native
  if (transfersPaused.known && transfersPaused.value) return fail("Transfers are paused.")
  const gating = policies.known ? policies.value.filter(({ gates }) => gates === "transfer") : []
  if (gating.some(({ allowsTrade }) => allowsTrade.known && !allowsTrade.value)) {
    return fail("A policy of the token forbids strangers, a pool or a usual router to trade.")
  }
  if (!transfersPaused.known) return unknown(`Transfers: ${transfersPaused.why}.`)
  if (!policies.known) return unknown(`Transfers: ${policies.why}.`)
  const silent = gating.find(({ allowsTrade }) => !allowsTrade.known)
  return silent === undefined
    ? pass("Base's own code moves the token, and no policy forbids strangers, pools or routers to trade.")
    : unknown("Whether a policy of the token lets strangers trade could not be read.")
}

const NATIVE_TRANSFERS: Signal<BaseEvidence> = signal("NATIVE_TRANSFERS", hard(80, 4, "sell"), {
  source: "base-rpc",
  reads: "B20 tokens: isPaused, policyId of every scope, isAuthorized of strangers, pools and routers",
  critical: ({ native, established }) => native !== null && !established,
  judge: judgeNative
})

export const powerSignals: ReadonlyArray<Signal<BaseEvidence>> = [
  ...POWERS.map(powerSignal),
  ...proofSignals,
  ...ownershipSignals,
  ENVIRONMENT,
  NATIVE_TRANSFERS
]
