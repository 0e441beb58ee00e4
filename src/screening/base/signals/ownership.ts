import type { Judgement, Signal } from "../../../domain/signal.ts"
import { critical, fail, minor, pass, signalFrom, unknown } from "../../../domain/signal.ts"
import { describeHolder } from "../reads/accounts.ts"
import type { B20Evidence } from "../b20/evidence.ts"
import type { BaseEvidence } from "../evidence.ts"
import { ESTABLISHED_POINTS, PRIVILEGE, capitalized, notEstablished, round } from "./proof.ts"
import { holderWeight, isFakeRenounced, isProven, isReplaceable, worst } from "../power/power.ts"

const judgeUpgrade = (evidence: BaseEvidence): Judgement => {
  const { proxy, upgrader } = evidence.code
  if (proxy.kind === "none") return pass("The token is no proxy.")
  if (proxy.kind === "minimal") return pass("A minimal proxy: its code can never change.")
  if (!isReplaceable(evidence)) return pass("A proxy that nobody can upgrade.")
  const points = evidence.established ? ESTABLISHED_POINTS : round(40 * holderWeight(upgrader))
  return fail(`${capitalized(describeHolder(upgrader))} can replace the code after this report.`, { points })
}

/** An owner in whose code we found no power still may have one we cannot see: just enough for `caution`. */
const OWNER_POINTS = 22
const SIDE_POINTS = 16
/** An owner of whom it is proven that holders need not care is only named. */
const HARMLESS_POINTS = 2

const ownerPoints = (evidence: BaseEvidence, points: number): number =>
  evidence.established || isProven(evidence) ? HARMLESS_POINTS : points

/** A native token's administrator grants every role and changes every policy. */
const judgeAdministrator = ({ everybody, holders }: B20Evidence, established: boolean): Judgement => {
  const admins = holders.get("admin") ?? []
  if (admins.length > 0) {
    const holder = worst(admins)
    const points = established ? 2 : round(OWNER_POINTS * holderWeight(holder))
    return fail(`The administrator is ${describeHolder(holder)}.`, { points })
  }
  return everybody.known
    ? pass("The token has no administrator, and can never have one again.")
    : unknown(`Whether the token has an administrator is not known: ${everybody.why}.`)
}

const signal = signalFrom<BaseEvidence>("base-rpc")

/** Who owns the token and what that leaves possible. */
export const ownershipSignals: ReadonlyArray<Signal<BaseEvidence>> = [
  signal("UPGRADEABLE", minor(40, 5, PRIVILEGE), {
    reads: "EIP-1967, beacon, zos and diamond slots; the admin's code",
    critical: notEstablished,
    judge: judgeUpgrade
  }),
  signal("FAKE_RENOUNCE", critical(45, 0, "control"), {
    reads: "owner(), pendingOwner(), the unlock time of a SafeMoon-style lock",
    judge: (evidence) =>
      isFakeRenounced(evidence)
        ? fail("Ownership reads as given up but can be taken back.")
        : pass("Ownership cannot come back by a lock or a pending transfer.")
  }),
  signal("OWNER_ACTIVE", minor(OWNER_POINTS, 4, PRIVILEGE), {
    reads: "owner(), getOwner(), _owner(); the owner's code",
    judge: (evidence) => {
      const { owner, established, native } = evidence
      if (native !== null) return judgeAdministrator(native, established)
      if (owner.status === "held") {
        const points = ownerPoints(evidence, round(OWNER_POINTS * holderWeight(owner.holder)))
        return fail(`The owner is ${describeHolder(owner.holder)}.`, { points })
      }
      return owner.status === "renounced"
        ? pass("The owner is nobody.")
        : pass("The contract names no owner.")
    }
  }),
  signal("SIDE_ADMIN", minor(SIDE_POINTS, 4, PRIVILEGE), {
    reads:
      "admin(), governance(), authority(), minter(); AccessControl's default admin; storage, where it was read whole",
    judge: (evidence) => {
      const { code, owner } = evidence
      const named = owner.sideHolder !== null
      if (!named && code.findings.known && code.findings.value.proof.hasNoRoles)
        return pass("Nobody has a role, and nobody can be given one.")
      if (!named && owner.roles === null) return pass("No further administrator is named.")
      if (owner.roles?.admins === 0n && !named) return pass("Nobody holds the administrator role.")
      return fail(
        named ? "A further administrator beside the owner is named." : "Roles decide who may administrate.",
        { points: ownerPoints(evidence, SIDE_POINTS) }
      )
    }
  }),
  signal("OWNER_SUPPLY", minor(8, 2, "holders"), {
    reads: "the owner's balance and the supply",
    judge: ({ owner }) => {
      if (owner.owner === null) return pass("There is no owner to hold supply.")
      if (owner.supplyShare === null) return unknown("The owner's balance could not be read.")
      const percent = Math.round(owner.supplyShare * 100)
      if (owner.supplyShare >= 0.5) return fail(`The owner holds ${percent} % of the supply.`)
      if (owner.supplyShare >= 0.1) return fail(`The owner holds ${percent} % of the supply.`, { points: 4 })
      return pass(`The owner holds ${percent} % of the supply.`)
    }
  })
]
