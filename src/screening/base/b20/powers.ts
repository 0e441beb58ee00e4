import type { Holder } from "../reads/accounts.ts"
import type { Power } from "../power/power.ts"
import { worst } from "../power/power.ts"
import type { B20Evidence } from "./evidence.ts"
import type { B20Role } from "./interface.ts"

const ABSENT: Power = { state: "absent" }

const live = (holders: ReadonlyArray<Holder>): Power => ({
  state: "live",
  holder: worst(holders),
  functions: 1
})

const holdersOf = ({ holders }: B20Evidence, role: B20Role): ReadonlyArray<Holder> => holders.get(role) ?? []

/** Whoever holds one of the roles, and whoever administrates and could grant it. */
const standing = (b20: B20Evidence, roles: ReadonlyArray<B20Role>): Power => {
  const grantable = roles.some((role) => !b20.sealed.has(role))
  const all = [
    ...roles.flatMap((role) => holdersOf(b20, role)),
    ...(grantable ? holdersOf(b20, "admin") : [])
  ]
  if (all.length > 0) return live(all)
  // With no administrator left, roles can be granted to nobody, whoever administrates them by name.
  return b20.everybody.known ? { state: "gone" } : { state: "unknown", why: b20.everybody.why }
}

const mint = (b20: B20Evidence, supply: bigint | null): Power => {
  const power = standing(b20, ["mint"])
  const full = b20.supplyCap !== null && supply !== null && b20.supplyCap <= supply
  const fixed = b20.everybody.known && holdersOf(b20, "admin").length === 0
  return power.state === "live" && full && fixed ? { state: "gone" } : power
}

/** Blocking is done through policies: by who changes one, and by who puts another in its place. */
const blacklist = (b20: B20Evidence): Power => {
  const { policies } = b20
  const admins = holdersOf(b20, "admin")
  const changers = policies.known
    ? policies.value
        .filter(({ gates }) => gates === "transfer")
        .flatMap((policy) => (policy.changers.known ? policy.changers.value : []))
    : []
  if (admins.length + changers.length > 0) return live([...admins, ...changers])
  if (!policies.known) return { state: "unknown", why: policies.why }
  const unread = policies.value.map(({ changers }) => changers).find((changer) => !changer.known)
  if (unread !== undefined && !unread.known) return { state: "unknown", why: unread.why }
  return b20.everybody.known ? ABSENT : { state: "unknown", why: b20.everybody.why }
}

/** Seizing needs a role and a policy that leaves somebody open to it; a preauthorized spender needs the role alone. */
const seize = (b20: B20Evidence): Power => {
  const spender = standing(b20, ["preauthorized"])
  if (spender.state !== "gone") return spender
  const power = standing(b20, ["seize", "transferFromBlocked", "burnBlocked"])
  const nobodyOpen = b20.policies.known && b20.policies.value.length === 0
  return power.state === "live" && nobodyOpen ? { state: "gone" } : power
}

/**
 * The powers of a native token by the ids of the signals that judge them in code; `undefined` for what the chain's own
 * code has not: fees, hidden owners, what a contract holds.
 */
export const b20Power = (id: string, b20: B20Evidence, supply: bigint | null): Power => {
  switch (id) {
    case "MINT_POWER":
      return mint(b20, supply)
    case "BLACKLIST_POWER":
      return blacklist(b20)
    case "PAUSE_POWER":
      return standing(b20, ["pause"])
    case "SEIZE_POWER":
      return seize(b20)
    default:
      return ABSENT
  }
}

/** True where nobody can create supply, null where that could not be read. */
export const b20MintOff = (b20: B20Evidence, supply: bigint | null): boolean | null => {
  const { state } = mint(b20, supply)
  return state === "unknown" ? null : state !== "live"
}
