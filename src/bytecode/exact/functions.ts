import type { Program } from "../evm/code.ts"
import { Arena } from "../evm/expression.ts"
import { binary, or } from "../evm/simplify.ts"
import type { Budget } from "../evm/explore.ts"
import { type State, fork, listed } from "../evm/path.ts"
import type { Sliced } from "../evm/slices.ts"
import { isSelector } from "../evm/buckets.ts"
import { emptyState, selectorOf } from "../dispatch.ts"
import { substitute } from "../substitute.ts"
import { KnownBits, NOTHING_STORED, type Stored, isKnownZero } from "./bits.ts"
import { type Bounds, isIdle } from "./idle.ts"
import { AskingMachine, type Others } from "./asking.ts"
import type { Tree } from "./tree.ts"
import { type Decides, ExactWalker } from "./walk.ts"

/** The functions of a contract, each walked on demand. */
export interface ExactContract {
  readonly arena: Arena
  readonly selectors: ReadonlyArray<string>
  /** What happens where no selector matches. */
  readonly fallback: Tree
  /**
   * Whether a call of `length` bytes without ether reaches the function, whatever the storage, block or caller. Judged by
   * the conditions of the dispatcher in front of it.
   */
  readonly isReached: (selector: string, length: bigint) => boolean
  /** Whether the function is read-only for every input: it writes, logs and creates nothing, and makes static calls alone. */
  readonly isIdle: (selector: string) => boolean
  /** The same, and it calls nobody. */
  readonly answersAlone: (selector: string) => boolean
  /**
   * Whether all that the function does for any input is to run the contract's own code in its own storage (DELEGATECALL to
   * its own address), which keeps who called: what it comes to is a row of calls by its caller.
   */
  readonly runsItselfAlone: (selector: string) => boolean
  /**
   * One tree per place a selector leads to; none where the contract has no such function.
   * @param stored storage that holds what it holds whatever happens
   */
  readonly walk: (selector: string, stored?: Stored) => Sliced<ReadonlyArray<Tree>>
}

const SHR = 0x1c
const CALLVALUE = 0x34n
const CALLDATASIZE = 0x36n
const ARGUMENT_BITS = 224n

/** More instructions than any compiler puts between a selector that matches and its function's code. */
const MAX_STRAIGHT = 32

/** Follows the straight-line code at a function's entry, so that jump targets it looks up become constants. */
const straightOn = (machine: AskingMachine, found: State): State => {
  let at = found
  for (let steps = 0; steps < MAX_STRAIGHT; steps++) {
    const next = fork(at, at.pc)
    const step = machine.step(next)
    const target = step.kind === "jump" && step.target.op === "const" ? Number(step.target.value) : undefined
    if (target !== undefined && machine.program.jumpDests.has(target)) next.pc = target
    else if (step.kind !== "next") return at
    at = next
  }
  return at
}

/** Whether a call meets every condition on the way to a state; undefined where that is not known. */
const isMet = (
  arena: Arena,
  { conditions }: State,
  selector: string,
  length: bigint
): boolean | undefined => {
  const rest = binary(arena, SHR, arena.constant(256n - ARGUMENT_BITS), arena.unknown())
  const first = or(arena, arena.constant(BigInt(selector) << ARGUMENT_BITS), rest)
  const known = new KnownBits(NOTHING_STORED)
  let met: boolean | undefined = true
  for (const { expr, holds } of listed(conditions)) {
    const word = substitute(arena, expr, (part) => {
      if (part.op === "calldata" && part.args[0] === arena.zero) return first
      if (part.op !== "env" || part.args.length > 0) return undefined
      return part.value === CALLDATASIZE
        ? arena.constant(length)
        : part.value === CALLVALUE
          ? arena.zero
          : undefined
    })
    const zero = isKnownZero(known.of(word))
    if (zero === holds) return false
    if (zero === undefined) met = undefined
  }
  return met
}

/**
 * Reads the dispatcher exactly. A selector that is compared twice has two entries, so that neither hides the other.
 * @param decides tells conditions apart that can only come out one way
 * @param chainId of the chain the code stands on; on another one it might do other things
 * @param others contracts at fixed addresses whose code is known
 */
export function* readExactly(
  program: Program,
  budget: Budget,
  decides: Decides = () => undefined,
  chainId?: bigint,
  others: Others = new Map()
): Sliced<ExactContract> {
  const arena = new Arena(true)
  const machine = new AskingMachine(program, arena, others)
  machine.chainId = chainId
  const entries = new Map<string, ReadonlyArray<State>>()
  const walker = new ExactWalker(machine, budget, (state, expr, onHold) => {
    const [a, b] = expr.args
    if (expr.op !== "eq" || a === undefined || b?.op !== "const" || !isSelector(a)) return false
    // No known jump target: left to the walk, which reports it.
    if (onHold === undefined) return false
    const selector = selectorOf(b.value)
    entries.set(selector, [...(entries.get(selector) ?? []), fork(state, onHold)])
    return true
  })
  const fallback = yield* walker.walk(emptyState())
  /** A function that is not there is within no bounds: its call is the fallback's. */
  const isWithin = (selector: string, bounds: Bounds): boolean =>
    entries.get(selector)?.every((state) => isIdle(program, straightOn(machine, state), budget, bounds)) ??
    false
  return {
    arena,
    selectors: [...entries.keys()],
    fallback,
    isReached: (selector, length) => {
      const met = (entries.get(selector) ?? []).map((state) => isMet(arena, state, selector, length))
      return met.some((one) => one === true) && met.every((one) => one !== undefined)
    },
    isIdle: (selector) => !entries.has(selector) || isWithin(selector, "idle"),
    answersAlone: (selector) => isWithin(selector, "alone"),
    runsItselfAlone: (selector) => isWithin(selector, "itself"),
    *walk(selector, stored = NOTHING_STORED) {
      const trees: Array<Tree> = []
      machine.settled = stored
      for (const state of entries.get(selector) ?? [])
        trees.push(
          yield* new ExactWalker(machine, budget, undefined, decides).walk({
            ...state,
            stack: state.stack.slice(),
            conditions: undefined
          })
        )
      return trees
    }
  }
}
