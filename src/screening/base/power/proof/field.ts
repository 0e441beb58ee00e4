import type { Expr } from "../../../../bytecode/evm/expression.ts"
import { readsOf } from "../../../../bytecode/location.ts"

/** Bits of a plain slot. */
export interface Field {
  readonly slot: bigint
  readonly mask: bigint
  /** Where the mask begins. */
  readonly shift: bigint
}

/** The field of a plain slot that a word is, cut out and brought down by masks and shifts alone. */
export const fieldOf = (word: Expr): Field | undefined => {
  let e = word
  let shifted = 0n
  for (let [a, b] = e.args; e.op === "and" || e.op === "shr"; [a, b] = e.args) {
    if (a?.op !== "const" || b === undefined) return undefined
    if (e.op === "shr") shifted += a.value
    e = b
  }
  const [key] = e.args
  if (e.op !== "sload" || key?.op !== "const") return undefined
  const [read] = readsOf(word)
  if (read === undefined || read.mask === 0n) return undefined
  let shift = 0n
  while (((read.mask >> shift) & 1n) === 0n) shift++
  return shift === shifted ? { slot: key.value, mask: read.mask, shift } : undefined
}
