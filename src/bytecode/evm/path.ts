import type { Program } from "./code.ts"
import type { Expr } from "./expression.ts"
import type { Memory } from "./memory.ts"

/** A branch decided on a path: `expr` is nonzero exactly when `holds`. Newest first. */
export interface Condition {
  readonly expr: Expr
  readonly holds: boolean
  readonly pc: number
  readonly context: number
  readonly before: Condition | undefined
  /**
   * Equal for equal lists of the conditions that paths keep where they meet: those that depend on the caller, and those
   * that say an argument is zero. Of other conditions an outcome lists what the first path to come there had passed.
   */
  readonly keptId: number
}

/** A storage write on a path, newest first. */
export interface StorageWrite {
  readonly id: number
  readonly key: Expr
  readonly value: Expr
  readonly pc: number
  /**
   * Not a write, but a point at which any storage may have changed: a foreign contract ran, or turns of a loop were
   * left out.
   */
  readonly havoc?: true
  readonly before: StorageWrite | undefined
}

export type CallKind = "call" | "callcode" | "delegatecall" | "staticcall" | "create" | "selfdestruct"

/** A call to another contract on a path, newest first. `input` holds the selector and the first argument words. */
export interface CallRecord {
  readonly kind: CallKind
  readonly target: Expr
  readonly value: Expr
  readonly selector: Expr | undefined
  readonly input: ReadonlyArray<Expr>
  /** How many bytes it hands over; undefined where it is no such call, or not known which. */
  readonly length: Expr | undefined
  readonly pc: number
  /** Not a call, but a point behind which any may have been the last: turns of a loop were left out. */
  readonly havoc?: true
  readonly before: CallRecord | undefined
  readonly count: number
}

/** One path under exploration. The stack is the path's own; the logs are shared with the paths it forked from. */
export interface State {
  pc: number
  stack: Array<Expr>
  memory: Memory | undefined
  conditions: Condition | undefined
  writes: StorageWrite | undefined
  calls: CallRecord | undefined
  /** What the path costs at most, without what it calls; infinite where nothing bounds it. Counted for proofs alone. */
  gas: number
  /**
   * The most gas that is left, where a call was given too little to be answered; undefined elsewhere. Kept for proofs
   * alone.
   */
  left: number | undefined
  /** The call of another contract, of known code, that the path is in; undefined in its own code. Kept for proofs alone. */
  frame: Frame | undefined
  /** Whether it did something that a static call may not do. Kept for proofs alone. */
  acted: boolean
  /** What such a call answered last; undefined where another call came after it. Kept for proofs alone. */
  returned: Returned | undefined
}

/** A range of bytes in a state of memory. */
export interface Returned {
  readonly memory: Memory | undefined
  readonly at: Expr
  readonly length: number
}

/** A call of another contract that is followed into its code. */
export interface Frame {
  readonly program: Program
  readonly address: Expr
  readonly input: Returned
  /** Where in the caller's memory its answer goes. */
  readonly outputAt: Expr
  readonly outputLength: number
  /** The caller's state behind the call. */
  readonly outer: State
}

export const fork = (state: State, pc: number): State => ({ ...state, pc, stack: state.stack.slice() })

/**
 * How a path ended. `cut`: a loop left after its bound; `budget`: steps used up; `unresolved`: a jump to nowhere known.
 */
export type End = "success" | "revert" | "cut" | "budget" | "unresolved"

/**
 * A point of the explored graph: a fork with both sides, a place where paths join again, or an end. `onHold` is the
 * side on which `expr` is nonzero.
 */
export interface Node {
  readonly fork: { readonly expr: Expr; readonly pc: number } | undefined
  readonly end: End | undefined
  readonly outcome: Outcome | undefined
  onHold: Node | undefined
  onFail: Node | undefined
}

export const endNode = (end: End, outcome?: Outcome): Node => ({
  fork: undefined,
  end,
  outcome,
  onHold: undefined,
  onFail: undefined
})

export const forkNode = (expr: Expr, pc: number): Node => ({
  fork: { expr, pc },
  end: undefined,
  outcome: undefined,
  onHold: undefined,
  onFail: undefined
})

/** A path that ended, with everything it did. `returned` is the first word of the returned data. */
export interface Outcome {
  readonly end: End
  readonly conditions: Condition | undefined
  readonly writes: StorageWrite | undefined
  readonly calls: CallRecord | undefined
  readonly returned: Expr | undefined
}

export function* listed<A extends { readonly before: A | undefined }>(head: A | undefined): Generator<A> {
  for (let item = head; item !== undefined; item = item.before) yield item
}

/** What was looked at of many paths, which have their beginnings in common. */
export type Seen = Set<object>

/** What is new of a path: each item is gone through once, on however many paths it is. */
export function* unseen<A extends { readonly before: A | undefined }>(
  head: A | undefined,
  seen: Seen
): Generator<A> {
  for (const item of listed(head)) {
    if (seen.has(item)) return
    seen.add(item)
    yield item
  }
}
