import type { Instruction, Program } from "../evm/code.ts"
import type { Budget } from "../evm/explore.ts"
import type { State } from "../evm/path.ts"
import { duplicateOrSwap, stackChange } from "../evm/stack.ts"

/** A word on the stack: where it leads to, if it is a jump destination that the code pushed. */
type Mark = number
const ANY: Mark = -1

const MAX_PLACES = 4_000
const MAX_STEPS = 60_000
const TIME_CHECK_INTERVAL = 256
/** Words of a stack whose recording is charged as one step. */
const WORDS_A_STEP = 16

/** SSTORE, TSTORE, logs, CREATE, calls but the one that only looks, SELFDESTRUCT. */
export const ACTS: ReadonlySet<number> = new Set([
  0x55, 0x5d, 0xa0, 0xa1, 0xa2, 0xa3, 0xa4, 0xf0, 0xf1, 0xf2, 0xf4, 0xf5, 0xff
])

/** STOP, RETURN, REVERT and INVALID. */
const ENDS: ReadonlySet<number> = new Set([0x00, 0xf3, 0xfd, 0xfe])
const JUMP = 0x56
const JUMPI = 0x57

/** The same, and the call that only looks: what code that answers alone never does. */
export const CALLS: ReadonlySet<number> = new Set([...ACTS, 0xfa])

/** Where a path goes on; `ended`: nowhere; `acts`: it may do something, or goes nobody knows where. */
type Next = ReadonlyArray<number> | "ended" | "acts"

const advance = (
  { jumpDests }: Program,
  { next, op, push }: Instruction,
  stack: Array<Mark>,
  acts: ReadonlySet<number>
): Next => {
  if (push !== undefined) {
    stack.push(push < 1n << 24n && jumpDests.has(Number(push)) ? Number(push) : ANY)
    return [next]
  }
  if (op >= 0x80 && op <= 0x9f) return duplicateOrSwap(stack, op) ? [next] : "ended"
  if (ENDS.has(op)) return "ended"
  if (op === JUMP || op === JUMPI) {
    const target = stack.pop()
    if (target === undefined || (op === JUMPI && stack.pop() === undefined)) return "ended"
    if (target === ANY) return "acts"
    return op === JUMP ? [target] : [next, target]
  }
  const change = stackChange(op)
  if (change === undefined || acts.has(op)) return "acts"
  if (stack.length < change.takes) return "ended"
  stack.length -= change.takes
  for (let left = change.leaves; left > 0; left--) stack.push(ANY)
  return [next]
}

/**
 * Whether nothing that can be reached from here writes storage, logs, creates, destroys, or calls but to look. Only jump
 * destinations are followed through the stack, and every branch is taken both ways, so that paths meet again and even
 * code with more paths than could be walked is soon looked through. False says nothing.
 * @param start where the function begins, with what was done before it was chosen
 * @param alone it does not even look at others
 */
export const isIdle = (program: Program, start: State, budget: Budget, alone = false): boolean => {
  if (start.acted || start.calls !== undefined) return false
  const first = start.stack.map(({ op, value }) =>
    op === "const" && value < 1n << 24n && program.jumpDests.has(Number(value)) ? Number(value) : ANY
  )
  const open: Array<readonly [number, Array<Mark>]> = [[start.pc, first]]
  const seen = new Set<string>()
  let [steps, looked] = [0, 0]
  const spend = (cost: number): void => {
    steps += cost
    budget.steps -= cost
    if (looked++ % TIME_CHECK_INTERVAL === 0 && budget.now() > budget.deadline) budget.steps = 0
  }
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    let [pc, stack] = at
    for (;;) {
      spend(1)
      if (steps > MAX_STEPS || budget.steps <= 0) return false
      const instruction = program.at[pc]
      if (instruction === undefined) break
      if (program.jumpDests.has(pc)) {
        spend(Math.ceil(stack.length / WORDS_A_STEP))
        const place = `${pc}:${stack.join()}`
        if (seen.has(place)) break
        if (seen.size >= MAX_PLACES) return false
        seen.add(place)
      }
      const next = advance(program, instruction, stack, alone ? CALLS : ACTS)
      if (next === "acts") return false
      const [here, there] = next === "ended" ? [] : next
      if (here === undefined) break
      if (there !== undefined && program.jumpDests.has(there)) open.push([there, stack.slice()])
      pc = here
    }
  }
  return true
}
