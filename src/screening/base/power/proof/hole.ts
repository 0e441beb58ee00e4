import type { Address } from "viem"
import { type Condition, listed } from "../../../../bytecode/evm/path.ts"
import type { Growth } from "./growth.ts"
import type { Limit } from "./limit.ts"
import { accountOf } from "./roles.ts"
import { isCaller } from "./possible.ts"

/**
 * What is done to holders through a hole: balance out of nothing, balance taken, an allowance set for others, code
 * replaced, any call made, any storage word written, an account drawn on that was named when the contract was born, something
 * of the caller's own taken by a function whose name does not say so. `unknown`: what could not be followed.
 */
export type HoleKind =
  "creates" | "takes" | "allows" | "replaces" | "calls" | "stores" | "draws" | "gives" | "unknown"

/** One way the proof of a token fails. */
export interface Hole {
  /** The function, 4 bytes hex, or `fallback`. */
  readonly selector: string
  readonly kind: HoleKind
  /** Only some callers get through: named by an account in storage or in the code, or by a table. */
  readonly privileged: boolean
  /** Completes "It cannot be proven that …": our own words. */
  readonly why: string
  /** Only these accounts, fixed for good, can use it; empty where others can too. */
  readonly heldBy: ReadonlyArray<Address>
  /** The accounts drawn on, where they are fixed for good. */
  readonly from?: ReadonlyArray<Address>
  /** What balances can grow by through it at most, where that is bounded. */
  readonly growth?: Growth
  /** All it does is to limit what one transfer moves, or what its recipient holds, and this never gets tighter. */
  readonly limit?: Limit
}

/** Accounts fixed in the code, or settled in storage, one of which the branches taken ask the caller to be. */
export const heldBy = (conditions: Condition | undefined): ReadonlyArray<Address> => {
  const accounts: Array<Address> = []
  for (const { expr, holds } of listed(conditions)) {
    const sides = holds && expr.op === "eq" ? expr.args.map(accountOf) : []
    const fixed = sides.some(isCaller) ? sides.find(({ op }) => op === "const") : undefined
    if (fixed !== undefined && fixed.value < 1n << 160n)
      accounts.push(`0x${fixed.value.toString(16).padStart(40, "0")}`)
  }
  return accounts
}

/** Why nothing is known where the analysis was cut. */
export const USED_UP = "the time was used up"

/** Something of which nothing is known. */
export const unknownHole = (selector: string, why: string): Hole => ({
  selector,
  kind: "unknown",
  privileged: false,
  why,
  heldBy: []
})
