import type { Expr } from "../evm/expression.ts"
import type { Condition, State, StorageWrite } from "../evm/path.ts"

/**
 * How a path ended. `looped`: it came back to the head of a loop in a state already walked from there. `lost`: it was
 * not followed to its end.
 */
export type Ending = "success" | "revert" | "looped" | "lost"

export interface Leaf {
  readonly kind: "leaf"
  readonly ending: Ending
  /** Why a lost path was lost. */
  readonly why: string | undefined
  /** Everything the path did. */
  readonly state: State
  /**
   * Of a looped path the last write before the turn that stands for all others: what is written behind it is done any number
   * of times.
   */
  readonly turnedSince: StorageWrite | undefined
  /** First word of the answer, of a success that answers. */
  readonly returned: Expr | undefined
}

/** A branch nothing on the path decides. `hold` is the side on which `expr` is nonzero. */
export interface Fork {
  readonly kind: "fork"
  readonly expr: Expr
  /** What was decided before. */
  readonly conditions: Condition | undefined
  readonly writes: StorageWrite | undefined
  hold: Tree
  fail: Tree
}

/** Every path of one function, none joined with another. */
export type Tree = Leaf | Fork

export const leavesOf = (tree: Tree): ReadonlyArray<Leaf> => {
  const leaves: Array<Leaf> = []
  const open: Array<Tree> = [tree]
  for (let next = open.pop(); next !== undefined; next = open.pop())
    if (next.kind === "leaf") leaves.push(next)
    else open.push(next.fail, next.hold)
  return leaves
}
