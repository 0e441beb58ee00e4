import { isSelector } from "./evm/buckets.ts"
import { type Budget, type Exploration, Explorer } from "./evm/explore.ts"
import type { Machine } from "./evm/machine.ts"
import type { Sliced } from "./evm/slices.ts"
import { type State, fork } from "./evm/path.ts"

/** An entry of the contract: where its function begins, in the state the dispatcher leaves. */
export interface Entry {
  /** 4 bytes, `0x…` */
  readonly selector: string
  readonly start: State
}

export interface Dispatch {
  readonly entries: ReadonlyMap<string, Entry>
  /** What happens where no selector matches: fallback and receive. */
  readonly fallback: Exploration
}

export const emptyState = (): State => ({
  pc: 0,
  stack: [],
  memory: undefined,
  conditions: undefined,
  writes: undefined,
  calls: undefined,
  gas: 0,
  acted: false,
  left: undefined,
  frame: undefined,
  returned: undefined
})

export const selectorOf = (value: bigint): string => `0x${value.toString(16).padStart(8, "0")}`

/** Finds the functions by walking the dispatcher: every comparison of the selector with a constant is an entry. */
export function* dispatch(machine: Machine, budget: Budget): Sliced<Dispatch> {
  const entries = new Map<string, Entry>()
  const explorer = new Explorer(machine, budget, (state, expr, onHold) => {
    const [a, b] = expr.args
    if (expr.op !== "eq" || a === undefined || b?.op !== "const" || !isSelector(a)) return false
    const selector = selectorOf(b.value)
    if (onHold !== undefined && !entries.has(selector))
      entries.set(selector, { selector, start: fork(state, onHold) })
    return true
  })
  const fallback = yield* explorer.walk(emptyState())
  return { entries, fallback }
}
