import type { Address } from "viem"
import type { CodeFindings, CodeProof, Finding, ProofPart } from "./findings.ts"
import { BRIDGES, isNobody, lower } from "../addresses.ts"
import type { Holder } from "../reads/accounts.ts"
import { HIDDEN, UNIDENTIFIED } from "../reads/accounts.ts"
import type { BaseEvidence } from "../evidence.ts"
import { isYoung } from "../holders/age.ts"
import { nameNobody } from "../reads/delegates.ts"
import { MOST_SUPPLY } from "./proof/width.ts"
import { hasOwnDomains } from "./domain.ts"
import { bearableGrowth, isBearable } from "./bounded.ts"

/** One privileged power over holders, and whether anybody can use it now. */
export type Power =
  | { readonly state: "absent" }
  /** In the code; ownership was given up and no gate to it holds an account. */
  | { readonly state: "gone" }
  /** Only these predeployed bridges of the chain can use it. */
  | { readonly state: "bridge"; readonly by: ReadonlyArray<Address> }
  | { readonly state: "live"; readonly holder: Holder; readonly functions: number }
  | { readonly state: "unknown"; readonly why: string }

const MASK_160 = (1n << 160n) - 1n
/** Shifts at which a packed slot can hold an address: flags may lie below or above it. */
const SHIFTS: ReadonlyArray<bigint> = Array.from({ length: 13 }, (_, index) => BigInt(index * 8))
/** An address with fewer bytes than this that are not zero cannot be mined (2^96 tries): it is a number or flags. */
const MIN_ACCOUNT_BYTES = 8

/** Whether a gate's slot can hold somebody's account. A caller never equals a flag or a small number. */
const holdsAccount = (value: bigint): boolean => {
  if (value <= MASK_160 && isNobody(`0x${value.toString(16).padStart(40, "0")}`)) return false
  const bytes = value.toString(16).padStart(64, "0").match(/../g) ?? []
  return bytes.filter((byte) => byte !== "00").length >= MIN_ACCOUNT_BYTES
}

const isAccount = (value: bigint, account: Address): boolean =>
  SHIFTS.some((shift) => ((value >> shift) & MASK_160) === BigInt(account))

/**
 * Ownership that was given up and can come back: SafeMoon's `lock` leaves `unlock` to the previous owner, and a pending
 * owner may still accept.
 */
export const isFakeRenounced = ({ owner, code }: Pick<BaseEvidence, "owner" | "code">): boolean =>
  owner.status === "renounced" &&
  ((code.canUnlock && owner.unlockTime !== null) || owner.pendingOwner !== null)

/** Accounts the token names, with who they are. */
const namedHolders = ({ owner }: BaseEvidence): ReadonlyArray<readonly [Address, Holder]> => [
  ...(owner.owner === null ? [] : [[owner.owner, owner.holder] as const]),
  ...(owner.sideHolder === null ? [] : [[owner.sideHolder, owner.sideHolderKind] as const])
]

/** The most dangerous holder: one is enough. */
export const worst = (holders: ReadonlyArray<Holder>): Holder =>
  holders.toSorted((a, b) => holderWeight(b) - holderWeight(a))[0] ?? UNIDENTIFIED

/** The gates of the powers that were found, with what the chain holds there. */
const powerGates = ({ findings, gates }: BaseEvidence["code"]): ReadonlyArray<{ readonly value: bigint }> => {
  if (!findings.known || !gates.known) return []
  const named = new Set(findings.value.gateSlots.map(BigInt))
  return gates.value.filter(({ slot }) => named.has(BigInt(slot)))
}

/**
 * Whether a power that is in the code can be used. Gates were read where they are plain slots; where they are not
 * (roles, fixed accounts), whoever the token names is taken for the holder. An empty gate counts as closed only where
 * the token also says that nobody owns it: an unset slot alone may be one that is filled later.
 */
const usable = (evidence: BaseEvidence, functions: number): Power => {
  const { owner, code } = evidence
  const named = namedHolders(evidence)
  const live = (holder: Holder): Power => ({ state: "live", holder, functions })
  if (isFakeRenounced(evidence)) return live(UNIDENTIFIED)
  const gates = powerGates(code)
  if (gates.length > 0) {
    const open = gates.filter(({ value }) => holdsAccount(value))
    if (open.length > 0) {
      return live(
        worst(open.map(({ value }) => named.find(([address]) => isAccount(value, address))?.[1] ?? HIDDEN))
      )
    }
    if (owner.status === "held") return live(owner.holder)
    if (owner.status === "renounced") return { state: "gone" }
    return { state: "unknown", why: "its gate reads empty, and the token does not say that nobody owns it" }
  }
  if (named.length > 0) return live(worst(named.map(([, holder]) => holder)))
  if (owner.status === "renounced")
    return { state: "unknown", why: "the owner is nobody, but the gate is no plain slot" }
  const gated = code.findings.known && code.findings.value.hiddenOwner.state === "found"
  return gated ? live(UNIDENTIFIED) : { state: "unknown", why: "neither an owner nor a gate could be named" }
}

/** Whether one finding of the code is a power somebody can use now. */
export const powerOf = (evidence: BaseEvidence, pick: (findings: CodeFindings) => Finding): Power => {
  const { findings } = evidence.code
  if (!findings.known) return { state: "unknown", why: findings.why }
  if (!findings.value.isToken) return { state: "unknown", why: "the code is no token" }
  const finding = pick(findings.value)
  if (finding.state === "not-found") {
    const open = finding.proven === undefined ? undefined : lostProof(evidence, finding.proven)
    return open === undefined
      ? { state: "absent" }
      : { state: "unknown", why: `it is not proven that ${open}` }
  }
  if (finding.state === "undecided") return { state: "unknown", why: finding.why }
  const { held } = findings.value.proof
  const open = finding.selectors.flatMap((selector) => {
    const by = held.find((one) => one.selector === selector)?.by
    return by?.length === 0 ? [] : [(by ?? []).filter(isBridge)]
  })
  if (open.length === 0) return { state: "gone" }
  return open.every((bridges) => bridges.length > 0)
    ? { state: "bridge", by: [...new Set(open.flat())] }
    : usable(evidence, open.length)
}

const isBridge = (address: Address): boolean => BRIDGES.has(lower(address))

/**
 * Launchpads whose tokens take what crosses a bridge from the token of the same address on another chain, which only
 * the same code can have there: it is born with supply on one chain alone.
 * Source: clanker-devco/DOCS, `ClankerToken` (ERC-7802) with its `initialSupplyChainId`.
 */
const SAME_ON_ALL_CHAINS: ReadonlySet<string> = new Set(["clanker-v3", "clanker-v4"])

/** Why a bridge that may create supply creates none that was not taken from holders elsewhere; undefined where it may. */
export const harmlessBridge = (
  { bridges, established, launchpad }: Pick<BaseEvidence, "bridges" | "established" | "launchpad">,
  by: ReadonlyArray<Address>
): "shut" | "one-for-one" | undefined => {
  if (!by.some((bridge) => bridges.has(lower(bridge)))) return "shut"
  return established || (launchpad !== null && SAME_ON_ALL_CHAINS.has(launchpad)) ? "one-for-one" : undefined
}

const FOREIGN_DOMAIN = "what holders sign for other contracts does not serve here"

/**
 * What remains of one part of the proof: nothing, or the first hole that others than the chain's bridges can use and
 * that is no bounded growth and no bearable limit.
 */
export const openHole = (
  evidence: BaseEvidence,
  pick: (proof: CodeProof) => ProofPart
): string | undefined => {
  const { code } = evidence
  if (!code.findings.known) return `the code is known: ${code.findings.why}`
  const { proof } = code.findings.value
  const borne = bearableGrowth(evidence, proof) !== undefined
  const open = pick(proof).holes.find(
    ({ growth, heldBy, limit, privileged }) =>
      !heldBy.some(isBridge) &&
      !(borne && privileged && growth !== undefined) &&
      !(limit !== undefined && isBearable(evidence, limit))
  )
  return open === undefined ? openGround(evidence, proof) : open.why
}

/** What the proof takes for granted of the token, where the chain does not say so. */
const openGround = (evidence: BaseEvidence, proof: CodeProof): string | undefined => {
  const { supply } = evidence.shape
  if (supply !== null && supply >= MOST_SUPPLY) return "no amount that exists is too large for the code"
  return hasOwnDomains(evidence, proof) ? openVotes(evidence, proof) : FOREIGN_DOMAIN
}

/** Why a part of the proof does not exclude a power in this token, though it does so in the code. Limits are no powers. */
const lostProof = (evidence: BaseEvidence, part: "conservation" | "transferPath"): string | undefined => {
  const { findings } = evidence.code
  if (!findings.known) return findings.why
  const { proof } = findings.value
  return proof[part].holes.find(({ limit }) => limit === undefined)?.why ?? openGround(evidence, proof)
}

/**
 * What the proof of votes takes for granted and the chain does not say: no place of trade was born with a delegate, whose
 * votes nobody gave, nor anybody else; and no list was born so long that its end lies among balances.
 */
const openVotes = (evidence: BaseEvidence, { votes }: CodeProof): string | undefined => {
  if (votes === null) return undefined
  const places = evidence.pools.flatMap(({ address, quoteUsd }) => (quoteUsd > 0 ? [address] : []))
  if (!votes.told || !nameNobody(evidence.delegates, places))
    return "no pool or router has a delegate's votes to lose"
  const { complete } = evidence.holders
  // Age shows nothing of a list whose end lies at an owner who left: nobody sold what that may bring.
  return complete.known || (!isYoung(evidence) && !votes.settles)
    ? undefined
    : `votes began with those who hold what they stand for: ${complete.why}`
}

const looksAround = ({ code: { findings } }: BaseEvidence): boolean =>
  !findings.known || findings.value.environmentGate.state !== "not-found"

/** What is taken out of the contract where others may have a claim to it. What it holds of its own coin is counted as somebody's. */
export const leakOf = ({ leakingToken, proof }: CodeFindings): Finding =>
  leakingToken.state === "found" && proof.owesNobody
    ? { state: "not-found", proven: "conservation" }
    : leakingToken

const mintOf = ({ hiddenMint }: CodeFindings): Finding => hiddenMint

const MATTERING: ReadonlyArray<(findings: CodeFindings) => Finding> = [
  mintOf,
  ({ limitingSell }) => limitingSell,
  leakOf,
  ({ balanceSeizure }) => balanceSeizure,
  ({ replaceableCode }) => replaceableCode
]

/** Whether a power that matters is found in code by itself and not any more with the storage it stands in. */
export const endsPower = (alone: CodeFindings, settled: CodeFindings): boolean =>
  MATTERING.some((pick) => pick(alone).state === "found" && pick(settled).state !== "found")

/**
 * The power to create supply where every function that does is bounded: the share of the supply that can be created in
 * a year, 0 to 1.
 */
export const boundedMint = (evidence: BaseEvidence): number | undefined => {
  const { findings } = evidence.code
  if (!findings.known || findings.value.hiddenMint.state !== "found") return undefined
  const { hiddenMint, proof } = findings.value
  const grows = new Set(
    proof.conservation.holes.flatMap(({ growth, selector }) => (growth === undefined ? [] : [selector]))
  )
  return hiddenMint.selectors.every((selector) => grows.has(selector))
    ? bearableGrowth(evidence, proof)
    : undefined
}

/**
 * Whatever the owner and others may do, no transfer is stopped and no balance created or taken: proven, and of code in
 * which there is no such power. One that storage has ended leaves an owner who once held it.
 */
export const isProven = (evidence: BaseEvidence): boolean =>
  !looksAround(evidence) &&
  !evidence.code.hasEndedPower &&
  MATTERING.every(
    (pick) =>
      ["absent", "bridge"].includes(powerOf(evidence, pick).state) ||
      (pick === mintOf && boundedMint(evidence) !== undefined)
  ) &&
  openHole(evidence, ({ transferPath }) => transferPath) === undefined &&
  openHole(evidence, ({ conservation }) => conservation) === undefined &&
  !isReplaceable(evidence)

/** How much of a finding's weight remains with the holder: a delay or several signatures leave time to leave. */
export const holderWeight = (holder: Holder): number => {
  switch (holder.kind) {
    case "nobody":
      return 0
    case "multisig":
    case "timelock":
      return 0.5
    case "contract":
    case "unidentified":
      return 0.9
    case "eoa":
    case "hidden":
      return 1
  }
}

/** Somebody can replace the code the token runs. */
export const isReplaceable = ({ code }: BaseEvidence): boolean =>
  code.proxy.kind !== "none" && code.proxy.kind !== "minimal" && code.upgrader.kind !== "nobody"

/**
 * Nobody can create supply: true when it is proven that no balance can be created, false when somebody holds the
 * power, null when it is not decided, when what a bridge brings is created elsewhere, or when whoever replaces the code
 * could add it.
 */
export const mintAuthorityOff = (evidence: BaseEvidence): boolean | null => {
  if (evidence.code.account !== "contract") return null
  const power = powerOf(evidence, ({ hiddenMint }) => hiddenMint)
  if (power.state === "live") return false
  if (power.state === "unknown" || isReplaceable(evidence)) return null
  // What the token on the other side of a bridge can create was not read.
  if (power.state === "bridge" && harmlessBridge(evidence, power.by) === undefined) return null
  return openHole(evidence, ({ conservation }) => conservation) === undefined ? true : null
}
