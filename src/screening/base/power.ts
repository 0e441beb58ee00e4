import type { CodeFindings, Finding } from "../bytecode/findings.ts"
import { isNobody } from "./addresses.ts"
import type { Holder } from "./accounts.ts"
import { UNIDENTIFIED } from "./accounts.ts"
import type { BaseEvidence } from "./evidence.ts"

/** One privileged power over holders, and whether anybody can use it now. */
export type Power =
  | { readonly state: "absent" }
  /** In the code, and every gate to it is held by nobody. */
  | { readonly state: "gone" }
  | { readonly state: "live"; readonly holder: Holder; readonly functions: number }
  | { readonly state: "unknown"; readonly why: string }

const MASK_160 = (1n << 160n) - 1n

/** A gate's address, where the slot is a plain one or has flags packed below it. */
const gateAddresses = (value: bigint): ReadonlyArray<bigint> => [value & MASK_160, (value >> 8n) & MASK_160]

const isClosed = (value: bigint): boolean =>
  value === 0n || (value <= MASK_160 && isNobody(`0x${value.toString(16).padStart(40, "0")}`))

/**
 * Ownership that was given up and can come back: SafeMoon's `lock` leaves `unlock` to the previous owner, and a pending
 * owner may still accept.
 */
export const isFakeRenounced = ({ owner, code }: Pick<BaseEvidence, "owner" | "code">): boolean =>
  owner.status === "renounced" &&
  ((code.canUnlock && owner.unlockTime !== null) || owner.pendingOwner !== null)

/** Who can use powers behind the gates that were read; `undefined` when every gate is closed. */
const holderOfGates = ({ owner, code }: BaseEvidence): Holder | undefined => {
  const named = owner.owner === null ? undefined : BigInt(owner.owner)
  const byOwner = owner.owner === null ? UNIDENTIFIED : owner.holder
  if (!code.gates.known || code.gates.value.length === 0) return byOwner
  const open = code.gates.value.filter(({ value }) => !isClosed(value))
  if (open.length === 0) return undefined
  const allOwner = named !== undefined && open.every(({ value }) => gateAddresses(value).includes(named))
  return allOwner ? byOwner : UNIDENTIFIED
}

/** Whether one finding of the code is a power somebody can use now. */
export const powerOf = (evidence: BaseEvidence, pick: (findings: CodeFindings) => Finding): Power => {
  const { findings } = evidence.code
  if (!findings.known) return { state: "unknown", why: findings.why }
  const finding = pick(findings.value)
  if (finding.state === "not-found") return { state: "absent" }
  if (finding.state === "undecided") return { state: "unknown", why: finding.why }
  const functions = finding.selectors.length
  const holder = holderOfGates(evidence)
  if (holder === undefined) {
    return isFakeRenounced(evidence) ? { state: "live", holder: UNIDENTIFIED, functions } : { state: "gone" }
  }
  return { state: "live", holder, functions }
}

/** How much of a finding's weight remains with the holder: a delay or several signatures leave time to leave. */
export const holderWeight = (holder: Holder): number => {
  switch (holder.kind) {
    case "nobody":
      return 0
    case "multisig":
    case "timelock":
      return 0.6
    case "contract":
      return 0.9
    case "eoa":
    case "unidentified":
      return 1
  }
}

/** Somebody can replace the code the token runs. */
export const isReplaceable = ({ code }: BaseEvidence): boolean =>
  code.proxy.kind !== "none" && code.proxy.kind !== "minimal" && code.upgrader.kind !== "nobody"

/**
 * Nobody can create supply: true when the power is absent or every gate to it is closed, false when somebody holds it,
 * null when it is not decided, or when whoever replaces the code could add it.
 */
export const mintAuthorityOff = (evidence: BaseEvidence): boolean | null => {
  if (evidence.code.account !== "contract") return null
  const power = powerOf(evidence, ({ hiddenMint }) => hiddenMint)
  if (power.state === "live") return false
  return power.state === "unknown" || isReplaceable(evidence) ? null : true
}
