import type { Expr } from "./expression.ts"

/** What one instruction did to the path. */
export type Step =
  | { readonly kind: "next" }
  | { readonly kind: "jump"; readonly target: Expr }
  | { readonly kind: "branch"; readonly target: Expr; readonly condition: Expr }
  | { readonly kind: "success"; readonly returned: Expr | undefined }
  | { readonly kind: "revert" }
  /** No instruction that anybody knows, today: what the chain makes of it is not known either. */
  | { readonly kind: "unknown" }

export const NEXT: Step = { kind: "next" }
export const REVERT: Step = { kind: "revert" }
export const UNKNOWN: Step = { kind: "unknown" }

/** DUP and SWAP. */
export const duplicateOrSwap = (stack: Array<Expr>, op: number): Step => {
  const top = stack.length - 1
  const other = op <= 0x8f ? top - (op - 0x80) : top - (op - 0x8f)
  const [a, b] = [stack[top], stack[other]]
  if (a === undefined || b === undefined) return REVERT
  if (op <= 0x8f) stack.push(b)
  else {
    stack[top] = b
    stack[other] = a
  }
  return NEXT
}
