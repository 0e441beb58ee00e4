import type { Hex } from "viem"
import type { Sliced } from "../../../bytecode/evm/slices.ts"
import { HOOK_BUDGET, hookInSlices } from "../pools/hook/analyse.ts"
import { noWayOutInSlices, WAY_OUT_BUDGET } from "../pools/way-out.ts"
import { type Clock, type Around, DEFAULT_BUDGET, analyseInSlices } from "../power/analyse.ts"
import { isMemoryFull } from "./memory.ts"
import { FAITHFUL_BUDGET, faithfulInSlices } from "../power/faithful.ts"
import type { SlotValue } from "../power/proof/slot-value.ts"

/** What can be asked of runtime code. All of it costs what its author wants it to cost. */
const TASKS = {
  /** What privileged callers can do to holders: `CodeFindings`. */
  findings: {
    milliseconds: DEFAULT_BUDGET.milliseconds,
    start: (code: Hex, now: Clock, state: ReadonlyArray<SlotValue>, around: Around): Sliced<unknown> =>
      analyseInSlices(code, DEFAULT_BUDGET, now, state, around)
  },
  /** Whether a contract provably cannot take out liquidity that it owns: a boolean. */
  "no-way-out": {
    milliseconds: WAY_OUT_BUDGET.milliseconds,
    start: (code: Hex, now: Clock): Sliced<unknown> => noWayOutInSlices(code, now)
  },
  /** Whether a proxy's own code does nothing but run the code that its slot names: a boolean. */
  faithful: { milliseconds: FAITHFUL_BUDGET.milliseconds, start: faithfulInSlices },
  /** What a V4 pool's hook can do to swaps: `HookFindings`. */
  hook: { milliseconds: HOOK_BUDGET.milliseconds, start: hookInSlices }
} as const

export type Task = keyof typeof TASKS

/** What an analysis came to. */
export interface Answer {
  readonly result: unknown
  /** Its time or its memory ran out, so that another machine, or this one at another time, might find more. */
  readonly cut: boolean
}

/** Goes on for so many milliseconds; `undefined` where it is not finished then. */
export type Analysis = (milliseconds: number) => Answer | undefined

/**
 * Begins an analysis that only counts the time in which it runs. Everything but that time is the same everywhere, and
 * whoever has no memory left has no time left either.
 * @param now the clock by which it runs, in milliseconds
 */
export const begin = (
  task: Task,
  code: Hex,
  state: ReadonlyArray<SlotValue> = [],
  around: Around = {},
  isFull: () => boolean = isMemoryFull,
  now: Clock = () => performance.now()
): Analysis => {
  let ran = 0
  let turnStarted = now()
  let asked = 0
  let isSpent = false
  const { milliseconds: budget, start } = TASKS[task]
  const clock = (): number => {
    // Its deadline is reckoned from what it is told first.
    isSpent ||= asked > 0 && isFull()
    asked += 1
    return isSpent ? Infinity : ran + now() - turnStarted
  }
  const slices = start(code, clock, state, around)
  return (milliseconds) => {
    turnStarted = now()
    for (;;) {
      const { done, value } = slices.next()
      const elapsed = now() - turnStarted
      if (done === true) return { result: value, cut: isSpent || ran + elapsed >= budget }
      if (elapsed < milliseconds) continue
      ran += elapsed
      return undefined
    }
  }
}

/** A thread's first word, when everything is loaded. */
export const READY = "ready"

/** What a thread is told: analyses nobody waits for any more, and whose turn it is. It answers each turn once. */
export interface ThreadMessage {
  readonly drop: ReadonlyArray<number>
  readonly turn:
    | {
        readonly job: number
        readonly task: Task
        readonly code: Hex
        /** Words of the storage that the code runs over; empty where it is read for any. */
        readonly state: ReadonlyArray<SlotValue>
        readonly around: Around
        readonly milliseconds: number
      }
    | undefined
}
