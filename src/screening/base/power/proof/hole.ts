import type { Address, Hex } from "viem"
import { ADDRESS_MASK, type Expr, WORD_MASK } from "../../../../bytecode/evm/expression.ts"
import { type Condition, listed } from "../../../../bytecode/evm/path.ts"
import { readsOf } from "../../../../bytecode/location.ts"
import { accountOf } from "./roles.ts"

/** What a read of one slot must show: nobody's account (zero or a burn address) in these bits, or bits (not) all zero. */
export interface SlotTest {
  readonly slot: Hex
  /** 32 bytes, the bits that count. */
  readonly mask: Hex
  readonly is: "nobody" | "zero" | "nonzero"
}

/**
 * What is done to holders through a hole: balance out of nothing, balance taken, an allowance set for others, code
 * replaced, any call made, any storage word written, a power that returns. `unknown`: what could not be followed.
 */
export type HoleKind =
  "creates" | "takes" | "allows" | "replaces" | "calls" | "stores" | "returns" | "unknown"

/** One way the proof of a token fails. */
export interface Hole {
  /** The function, 4 bytes hex, or `fallback`. */
  readonly selector: string
  readonly kind: HoleKind
  /** Only some callers get through: named by an account in storage or in the code, or by a table. */
  readonly privileged: boolean
  /** Completes "It cannot be proven that …": our own words. */
  readonly why: string
  /** Any one of these, true on chain, shuts it. */
  readonly shutBy: ReadonlyArray<SlotTest>
  /** Only these accounts, fixed in the code, can use it; empty where others can too. */
  readonly heldBy: ReadonlyArray<Address>
}

const word = (value: bigint): Hex => `0x${value.toString(16).padStart(64, "0")}`

const CALLER = 0x33n

/** A field of a plain slot as it was before the call, cut out by masks and shifts alone. */
export const plainField = (read: Expr): { readonly slot: bigint; readonly mask: bigint } | undefined => {
  let e = read
  for (let [a, b] = e.args; e.op === "and" || e.op === "shr" || e.op === "shl"; [a, b] = e.args) {
    if (a?.op !== "const" || b === undefined) return undefined
    e = b
  }
  const [key] = e.args
  if (e.op !== "sload" || e.value !== 0n || key?.op !== "const") return undefined
  const [field] = readsOf(read)
  return field === undefined ? undefined : { slot: key.value, mask: field.mask }
}

export const slotTest = (slot: bigint, mask: bigint, is: SlotTest["is"]): SlotTest => ({
  slot: word(slot),
  mask: word(mask),
  is
})

const isWholeAddress = (mask: bigint): boolean => {
  if (mask === WORD_MASK) return true
  let low = mask
  while (low !== 0n && (low & 1n) === 0n) low >>= 1n
  return low === ADDRESS_MASK
}

/** What the branches taken ask of the caller: to equal an account in a plain slot, or one in the code. */
export const heldThrough = (conditions: Condition | undefined): Pick<Hole, "shutBy" | "heldBy"> => {
  const shutBy: Array<SlotTest> = []
  const heldBy: Array<Address> = []
  for (const { expr, holds } of listed(conditions)) {
    const [a, b] = expr.args
    if (!holds || expr.op !== "eq" || a === undefined || b === undefined) continue
    const caller = [a, b].find((side) => isCaller(accountOf(side)))
    const other = caller === a ? b : a
    if (caller === undefined) continue
    const account = accountOf(other)
    if (account.op === "const") heldBy.push(`0x${account.value.toString(16).padStart(40, "0")}`)
    const field = plainField(other)
    if (field !== undefined && isWholeAddress(field.mask))
      shutBy.push(slotTest(field.slot, field.mask, "nobody"))
  }
  return { shutBy, heldBy }
}

const isCaller = (e: Expr): boolean => e.op === "env" && e.value === CALLER && e.args.length === 0
