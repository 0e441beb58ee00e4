import type { Program } from "../evm/code.ts"
import { answerOf } from "../evm/data.ts"
import type { Budget } from "../evm/explore.ts"
import { Arena, type Expr, isEnv } from "../evm/expression.ts"
import { type Memory, addressOf } from "../evm/memory.ts"
import { type CallRecord, type State, listed } from "../evm/path.ts"
import type { Step } from "../evm/step.ts"
import { type Sliced } from "../evm/slices.ts"
import { emptyState } from "../dispatch.ts"
import { gasOf } from "./gas.ts"
import { ExactMachine } from "./machine.ts"
import { type Leaf, leavesOf } from "./tree.ts"
import { type Decides, ExactWalker } from "./walk.ts"

const CALLDATACOPY = 0x37
const RETURNDATACOPY = 0x3e
const RETURN = 0xf3
const REVERT = 0xfd
const DELEGATECALL = 0xf4
/** What may be used up before and behind: with more, gas is a way to refuse. Proxies need a tenth. */
const MOST_GAS = 50_000
const CALLER = 0x33n
const CALLVALUE = 0x34n
const CALLDATASIZE = 0x36n
const GAS = 0x5an

/** TSTORE and logs: like a write to storage they end a call that only looks, as pools' at a balance. */
const ACTS: ReadonlySet<number> = new Set([0x5d, 0xa0, 0xa1, 0xa2, 0xa3, 0xa4])

/** What a proxy's code is asked to be. */
export interface Passed {
  /** The slot that names the code it runs. */
  readonly slot: bigint
  /** The slot of an administrator, whose own calls are another matter. */
  readonly adminSlot: bigint
  /** Who that is. */
  readonly admin: bigint | undefined
}

/** Watches what a proxy hands on whole: all of its input to other code, and all that this answers back. */
class PassingMachine extends ExactMachine {
  /** Copies from the beginning and to the end. */
  private readonly copies = new WeakMap<Memory, { readonly op: number; readonly size: Expr }>()
  readonly handedOn = new Set<CallRecord>()
  readonly handedBack = new WeakSet<State>()
  /** Memory was used otherwise without a bound: it may be a way to refuse. */
  isSpoiled = false

  override step(state: State): Step {
    const { op } = this.program.at[state.pc] ?? {}
    const { memory, stack } = state
    const [top, second, third, fourth] = [stack.at(-1), stack.at(-2), stack.at(-3), stack.at(-4)]
    const isCopy = op === CALLDATACOPY || op === RETURNDATACOPY
    const isWhole =
      (isCopy && second === this.arena.zero && third === this.sizeFor(state, op)) ||
      (op === DELEGATECALL && this.holds(memory, CALLDATACOPY, third, fourth)) ||
      ((op === RETURN || op === REVERT) && this.holds(memory, RETURNDATACOPY, top, second))
    if (!isWhole && op !== DELEGATECALL && gasOf(op, stack) === Number.POSITIVE_INFINITY)
      this.isSpoiled = true
    const hasAllGas = top !== undefined && top.op === "env" && top.value === GAS
    if (op !== undefined && ACTS.has(op)) this.write(state, this.arena.unknown(), this.arena.zero, state.pc)
    const { gas } = state
    const step = super.step(state)
    // What is handed on is as long as its sender wants it.
    if (isWhole || op === DELEGATECALL) state.gas = gas
    if (isCopy && isWhole && third !== undefined && state.memory !== undefined)
      this.copies.set(state.memory, { op, size: third })
    if (op === DELEGATECALL && isWhole && hasAllGas && state.calls !== undefined)
      this.handedOn.add(state.calls)
    if ((op === RETURN || op === REVERT) && isWhole) this.handedBack.add(state)
    return step
  }

  private sizeFor(state: State, op: number): Expr {
    return op === CALLDATACOPY ? this.arena.env(Number(CALLDATASIZE)) : this.returnedSize(state)
  }

  /** The last thing written to memory is such a copy, and stands just where it is taken from. */
  private holds(
    memory: Memory | undefined,
    op: number,
    at: Expr | undefined,
    length: Expr | undefined
  ): boolean {
    const copy = memory === undefined ? undefined : this.copies.get(memory)
    if (memory === undefined || at === undefined || copy?.op !== op || copy.size !== length) return false
    const { base, offset } = addressOf(at)
    return memory.at.base === base && memory.at.offset === offset
  }
}

const ADDRESS = (1n << 160n) - 1n

/** The word of which an address is taken whole: a part of it may be anybody else's. */
const unmasked = (word: Expr): Expr => {
  const [mask, inner] = word.args
  const isWhole = word.op === "and" && mask?.op === "const" && (mask.value & ADDRESS) === ADDRESS
  return isWhole && inner !== undefined ? unmasked(inner) : word
}

const readsSlot = (word: Expr, slot: bigint): boolean => {
  const read = unmasked(word)
  return (
    read.op === "sload" && read.value === 0n && read.args[0]?.op === "const" && read.args[0].value === slot
  )
}

/** Only the administrator takes this path. */
const isAdmins = ({ state }: Leaf, { admin, adminSlot }: Passed): boolean =>
  [...listed(state.conditions)].some(({ expr, holds }) => {
    if (!holds || expr.op !== "eq" || !expr.args.some((side) => isEnv(unmasked(side), CALLER))) return false
    return expr.args.some(
      (side) => readsSlot(side, adminSlot) || (side.op === "const" && side.value === admin)
    )
  })

/** It was paid, which functions that are not payable refuse. */
const isPaid = ({ state }: Leaf): boolean =>
  [...listed(state.conditions)].some(({ expr, holds }) => holds && isEnv(expr, CALLVALUE))

const isPassedOn = (machine: PassingMachine, passed: Passed, leaf: Leaf): boolean => {
  const { arena } = machine
  const { calls: last, conditions, writes } = leaf.state
  if (leaf.ending === "revert" && isPaid(leaf)) return true
  if (isAdmins(leaf, passed)) return leaf.ending !== "lost"
  if (leaf.ending !== "success" && leaf.ending !== "revert") return false
  if (leaf.state.gas > MOST_GAS) return false
  if (last === undefined || !machine.handedOn.has(last) || !machine.handedBack.has(leaf.state)) return false
  if (last.before !== undefined || !readsSlot(last.target, passed.slot)) return false
  if ([...listed(writes)].some(({ havoc }) => havoc !== true)) return false
  const answer = answerOf(arena, last)
  // The word asked is whether the call failed.
  return [...listed(conditions)].some(
    ({ expr, holds }) => expr.op === "env" && expr.args[0] === answer && holds === (leaf.ending === "revert")
  )
}

/**
 * Whether the code, whoever calls it with whatever, runs the code that one slot names with all of its input, and answers
 * what that answers: it has no function, condition or answer of its own, but for its administrator.
 */
export function* passesOn(
  program: Program,
  passed: Passed,
  budget: Budget,
  decides: Decides
): Sliced<boolean> {
  const machine = new PassingMachine(program, new Arena(true))
  const tree = yield* new ExactWalker(machine, budget, undefined, decides).walk(emptyState())
  return !machine.isSpoiled && leavesOf(tree).every((leaf) => isPassedOn(machine, passed, leaf))
}
