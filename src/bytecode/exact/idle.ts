import type { Instruction, Program } from "../evm/code.ts"
import type { Budget } from "../evm/explore.ts"
import type { State } from "../evm/path.ts"
import { ADDRESS_MASK } from "../evm/expression.ts"
import { duplicateOrSwap, stackChange } from "../evm/stack.ts"

/**
 * A word on the stack: where it leads to, if it is a jump destination that the code pushed; a number that the code
 * shifts or subtracts to make a mask; or one of the words below zero.
 */
type Mark = number
const ANY: Mark = -1
/** The contract's own address. */
const OWN: Mark = -2
/** 2^160, and the mask that an address fits into. */
const BEYOND_ADDRESSES: Mark = -3
const ADDRESSES: Mark = -4

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

const ADDRESS = 0x30
const AND = 0x16
const SHL = 0x1b
const SUB = 0x03
const DELEGATECALL = 0xf4

/** What code may do: `idle` nothing; `alone` nor look at others; `itself` nothing but run the contract's own code. */
export type Bounds = "idle" | "alone" | "itself"

/** Where a path goes on; `ended`: nowhere; `acts`: it may do something, or goes nobody knows where. */
type Next = ReadonlyArray<number> | "ended" | "acts"

/** Numbers of which compilers make the mask of addresses: `(1 << 160) - 1`. */
const MASK_PARTS: ReadonlySet<bigint> = new Set([1n, 160n])

const pushed = ({ jumpDests }: Program, word: bigint, bounds: Bounds): Mark => {
  if (word < 1n << 24n && jumpDests.has(Number(word))) return Number(word)
  if (bounds !== "itself") return ANY
  if (MASK_PARTS.has(word)) return Number(word)
  return word === ADDRESS_MASK ? ADDRESSES : ANY
}

/** What an instruction makes of its topmost words, as far as that matters for whose code is run. */
const madeOf = (op: number, stack: ReadonlyArray<Mark>): Mark => {
  const [a, b] = [stack.at(-1), stack.at(-2)]
  if (op === ADDRESS) return OWN
  if (op === SHL) return a === 160 && b === 1 ? BEYOND_ADDRESSES : ANY
  if (op === SUB) return a === BEYOND_ADDRESSES && b === 1 ? ADDRESSES : ANY
  const isMasked = op === AND && ((a === OWN && b === ADDRESSES) || (a === ADDRESSES && b === OWN))
  return isMasked ? OWN : ANY
}

const mayDo = (op: number, stack: ReadonlyArray<Mark>, bounds: Bounds): boolean => {
  if (bounds === "itself" && op === DELEGATECALL) return stack.at(-2) === OWN
  return !(bounds === "alone" ? CALLS : ACTS).has(op)
}

const advance = (
  program: Program,
  { next, op, push }: Instruction,
  stack: Array<Mark>,
  bounds: Bounds
): Next => {
  if (push !== undefined) {
    stack.push(pushed(program, push, bounds))
    return [next]
  }
  if (op >= 0x80 && op <= 0x9f) return duplicateOrSwap(stack, op) ? [next] : "ended"
  if (ENDS.has(op)) return "ended"
  if (op === JUMP || op === JUMPI) {
    const target = stack.pop()
    if (target === undefined || (op === JUMPI && stack.pop() === undefined)) return "ended"
    if (!program.jumpDests.has(target)) return "acts"
    return op === JUMP ? [target] : [next, target]
  }
  const change = stackChange(op)
  if (change === undefined || !mayDo(op, stack, bounds)) return "acts"
  if (stack.length < change.takes) return "ended"
  const made = bounds === "itself" ? madeOf(op, stack) : ANY
  stack.length -= change.takes
  for (let left = change.leaves; left > 0; left--) stack.push(made)
  return [next]
}

/**
 * Whether nothing that can be reached from here writes storage, logs, creates, destroys, or calls but to look. Only jump
 * destinations are followed through the stack, and every branch is taken both ways, so that paths meet again and even
 * code with more paths than could be walked is soon looked through. False says nothing.
 * @param start where the function begins, with what was done before it was chosen
 * @param bounds what is asked: `alone`: that it does not even look at others; `itself`: that it does nothing, but for
 * DELEGATECALL to the contract's own address, so that all it comes to is what its caller could do by other calls in turn
 */
export const isIdle = (program: Program, start: State, budget: Budget, bounds: Bounds = "idle"): boolean => {
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
      const next = advance(program, instruction, stack, bounds)
      if (next === "acts") return false
      const [here, there] = next === "ended" ? [] : next
      if (here === undefined) break
      if (there !== undefined && program.jumpDests.has(there)) open.push([there, stack.slice()])
      pc = here
    }
  }
  return true
}
