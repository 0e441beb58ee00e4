import type { Address, Hex } from "viem"
import type { Signature } from "../../../chain/selectors.ts"
import { isNobody } from "../addresses.ts"
import type { Query } from "../reads/query.ts"
import { account, both, list, mapQuery, uint } from "../reads/query.ts"

/** Three names of one thing. */
const OWNER_GETTERS: ReadonlyArray<Signature> = ["owner()", "getOwner()", "_owner()"]
/** Powers that renouncing `owner` does not touch. */
const SIDE_GETTERS: ReadonlyArray<Signature> = ["admin()", "governance()", "authority()", "minter()"]
/** `DEFAULT_ADMIN_ROLE` of AccessControl. */
const DEFAULT_ADMIN_ROLE: Hex = `0x${"0".repeat(64)}`
/** A token whose times are absurd answers every call with noise. */
const MAX_TIME = 10n ** 11n

/** What the token says about who controls it. A getter that reverts says nothing: not "renounced". */
export interface OwnerClaims {
  /** `none`: no ownership getter answers. `renounced`: all that answer name nobody. */
  readonly status: "none" | "renounced" | "held"
  /** The first owner that is somebody. */
  readonly owner: Address | null
  /** Somebody named by `admin`, `governance`, `authority` or `minter`. */
  readonly sideHolder: Address | null
  /** Ownable2Step: who may take ownership now. */
  readonly pendingOwner: Address | null
  /** SafeMoon-style `lock(time)`: Unix seconds at which `unlock()` gives ownership back; null where there is no lock. */
  readonly unlockTime: bigint | null
  /** AccessControl: `DEFAULT_ADMIN_ROLE` answers, and how many hold it where the token counts them. */
  readonly roles: { readonly admins: bigint | null } | null
}

const somebody = (addresses: ReadonlyArray<Address | undefined>): Address | null =>
  addresses.find((address) => address !== undefined && !isNobody(address)) ?? null

/** First wave: every way a token names its owner. */
export const readOwner = (token: Address): Query<OwnerClaims> => {
  const owners = list(OWNER_GETTERS.map((getter) => account(token, getter)))
  const sides = list(SIDE_GETTERS.map((getter) => account(token, getter)))
  const pending = account(token, "pendingOwner()")
  const unlock = list([uint(token, "geUnlockTime()"), uint(token, "getUnlockTime()")])
  const roles = both(
    uint(token, "DEFAULT_ADMIN_ROLE()"),
    uint(token, "getRoleMemberCount(bytes32)", DEFAULT_ADMIN_ROLE)
  )
  return mapQuery(
    both(both(owners, sides), both(both(pending, unlock), roles)),
    ([[ownerAnswers, sideAnswers], [[pendingOwner, unlockTimes], [adminRole, admins]]]) => {
      const owner = somebody(ownerAnswers)
      const answered = ownerAnswers.some((answer) => answer !== undefined)
      const unlockTime = unlockTimes.find((time) => time !== undefined && time > 0n && time < MAX_TIME)
      return {
        status: owner !== null ? "held" : answered ? "renounced" : "none",
        owner,
        sideHolder: somebody(sideAnswers),
        pendingOwner: somebody([pendingOwner]),
        unlockTime: unlockTime ?? null,
        roles: adminRole === 0n ? { admins: admins ?? null } : null
      }
    }
  )
}
