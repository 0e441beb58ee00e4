import type { Expr } from "./expression.ts"

/** What one instruction did to the path. */
export type Step =
  | { readonly kind: "next" }
  | { readonly kind: "jump"; readonly target: Expr }
  | { readonly kind: "branch"; readonly target: Expr; readonly condition: Expr }
  | { readonly kind: "success"; readonly returned: Expr | undefined }
  | { readonly kind: "revert" }
  /** The word on top of the stack is one of so many buckets' numbers: each is looked at by itself. */
  | { readonly kind: "buckets"; readonly word: Expr; readonly count: number }
  /** An opcode that is not assigned today: what a chain will make of it is not known either. */
  | { readonly kind: "unknown" }

export const NEXT: Step = { kind: "next" }
export const REVERT: Step = { kind: "revert" }
export const UNKNOWN: Step = { kind: "unknown" }
