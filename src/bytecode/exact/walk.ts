import { decidedBy, normalised } from "../evm/branch.ts"
import { bucketsIn } from "../evm/buckets.ts"
import type { Expr } from "../evm/expression.ts"
import type { Budget } from "../evm/explore.ts"
import { Meter } from "../evm/meter.ts"
import { type Condition, type State, fork } from "../evm/path.ts"
import { type Sliced, withoutPause } from "../evm/slices.ts"
import { type Head, passHead } from "./loop.ts"
import type { ExactMachine } from "./machine.ts"
import { type Ending, type Fork, type Leaf, type Tree, leavesOf } from "./tree.ts"

/**
 * Called at a branch not yet decided, with the place it leads to when `expr` is nonzero. True: the caller took that
 * side, and only the other is walked here.
 */
export type TakeSide = (state: State, expr: Expr, onHold: number | undefined) => boolean

/** What a condition comes to, where it can only come out one way. */
export type Decides = (expr: Expr) => boolean | undefined

const MAX_STEPS = 50_000
const MAX_LEAVES = 400
const MAX_FORKS_ON_A_PATH = 400
const FORKS_TOO_OFTEN = "a path forks too often"

interface Pending {
  readonly state: State
  readonly heads: Head | undefined
  readonly forks: number
  readonly link: (tree: Tree) => void
}

const unwalkedAt = (state: State): Leaf => ({
  kind: "leaf",
  ending: "lost",
  why: "nothing was walked",
  state,
  turnedSince: undefined,
  returned: undefined
})

/** Walks every path of one function to its end, joining none; what cannot be walked ends as lost, with the reason. */
export class ExactWalker {
  private readonly pending: Array<Pending> = []
  private leaves = 0
  private readonly machine: ExactMachine
  private readonly budget: Budget
  private readonly meter: Meter
  private readonly takeSide: TakeSide | undefined
  private readonly decides: Decides | undefined

  constructor(machine: ExactMachine, budget: Budget, takeSide?: TakeSide, decides?: Decides) {
    this.machine = machine
    this.budget = budget
    this.meter = new Meter(machine.arena, budget)
    this.takeSide = takeSide
    this.decides = decides
  }

  *walk(start: State): Sliced<Tree> {
    let root: Tree = unwalkedAt(start)
    this.pending.push({
      state: fork(start, start.pc),
      heads: undefined,
      forks: 0,
      link: (tree) => {
        root = tree
      }
    })
    for (let next = this.pending.pop(); next !== undefined; next = this.pending.pop()) {
      this.follow(next)
      if (!this.meter.isSliceOver()) continue
      this.meter.beginSlice()
      yield
    }
    return root
  }

  private leaf(state: State, ending: Ending, why?: string, returned?: Expr): Leaf {
    this.leaves++
    return { kind: "leaf", ending, why, state, turnedSince: undefined, returned }
  }

  private exhausted(): string | undefined {
    if (this.meter.steps >= MAX_STEPS || this.budget.steps <= 0) return "the step budget was used up"
    if (this.leaves >= MAX_LEAVES) return "it has too many paths"
    const late = this.meter.isLate()
    if (late) this.budget.steps = 0
    return late ? "the time was used up" : undefined
  }

  /** Goes on to the next fork, to the end, or as far as the slice goes. */
  private follow({ state, heads: passed, forks, link }: Pending): void {
    let heads = passed
    for (;;) {
      if (this.meter.isSliceOver()) {
        this.pending.push({ state, heads, forks, link })
        return
      }
      const exhausted = this.exhausted()
      if (exhausted !== undefined) return link(this.leaf(state, "lost", exhausted))
      if (this.machine.programOf(state).jumpDests.has(state.pc)) {
        const met = passHead(this.machine, heads, state)
        if ("begin" in met)
          return link({ ...this.leaf(state, "looped"), turnedSince: met.begin.state.writes })
        heads = met
      }
      this.meter.spend(1)
      if (this.endsWellUnanswered(state))
        return link(this.leaf(state, "lost", "too little gas may be left to be told who signed"))
      const step = this.machine.step(state)
      switch (step.kind) {
        case "next":
          continue
        case "success":
          return link(this.leaf(state, "success", undefined, step.returned))
        case "revert":
          return link(this.leaf(state, "revert"))
        case "unknown":
          return link(this.leaf(state, "lost", "it has an instruction that is not known"))
        case "jump": {
          const target = this.destination(state, step.target)
          if (target === undefined) return link(this.astray(state, step.target))
          state.pc = target
          continue
        }
        case "buckets":
          return this.each(state, heads, forks, step, link)
        case "branch":
          if (!this.branch(state, heads, forks, step.target, step.condition, link)) return
      }
    }
  }

  /** Every bucket by itself, as if it had been asked for one after the other. */
  private each(
    state: State,
    heads: Head | undefined,
    forks: number,
    { count, word }: { readonly count: number; readonly word: Expr },
    link: (tree: Tree) => void
  ): void {
    const deep = forks + count
    if (deep > MAX_FORKS_ON_A_PATH) return link(this.leaf(state, "lost", FORKS_TOO_OFTEN))
    let rest = link
    for (const [index, { bucket, expr }] of bucketsIn(this.machine.arena, word, count).entries()) {
      const next = fork(state, state.pc)
      next.stack[next.stack.length - 1] = bucket
      next.conditions = assume(state.conditions, expr, true, state.pc)
      if (index === count - 1) {
        this.pending.push({ state: next, heads, forks: deep, link: rest })
        return
      }
      const node = this.forkAt(state, expr)
      rest(node)
      this.pending.push({ state: next, heads, forks: deep, link: (tree) => (node.hold = tree) })
      rest = (tree) => (node.fail = tree)
    }
  }

  private forkAt(state: State, expr: Expr): Fork {
    const unwalked = unwalkedAt(state)
    return {
      kind: "fork",
      expr,
      conditions: state.conditions,
      writes: state.writes,
      hold: unwalked,
      fail: unwalked
    }
  }

  /** Where too little gas is left to be told who signed, a path goes on for a few steps: it may do so only to revert. */
  private endsWellUnanswered(state: State): boolean {
    const failed = this.machine.unanswered(state)
    if (failed === undefined || state.left !== undefined) return false
    const rest = new ExactWalker(this.machine, this.budget, undefined, this.decides)
    return leavesOf(withoutPause(rest.walk(failed))).some(({ ending }) => ending !== "revert")
  }

  private destination(state: State, target: Expr): number | undefined {
    if (target.op !== "const" || target.value > 0xffffffn) return undefined
    const { jumpDests } = this.machine.programOf(state)
    return jumpDests.has(Number(target.value)) ? Number(target.value) : undefined
  }

  private astray(state: State, target: Expr): Leaf {
    return target.op === "const" && state.frame === undefined
      ? this.leaf(state, "revert")
      : this.leaf(state, "lost", "a jump target could not be resolved")
  }

  /** True: the path goes on by itself. */
  private branch(
    state: State,
    heads: Head | undefined,
    forks: number,
    target: Expr,
    condition: Expr,
    link: (tree: Tree) => void
  ): boolean {
    const { expr, positive } = normalised(this.machine.arena, condition)
    const known =
      expr.op === "const" ? expr.value !== 0n : (this.decides?.(expr) ?? decidedBy(state.conditions, expr))
    const destination = this.destination(state, target)
    const jumps = known === undefined ? undefined : known === positive
    if (jumps === false) return true
    if (jumps === true) {
      if (destination === undefined) link(this.astray(state, target))
      else state.pc = destination
      return destination !== undefined
    }
    if (
      state.frame === undefined &&
      this.takeSide?.(state, expr, positive ? destination : state.pc) === true
    ) {
      if (!positive && destination === undefined) {
        link(this.astray(state, target))
        return false
      }
      if (!positive && destination !== undefined) state.pc = destination
      return true
    }
    this.split(state, heads, forks, { expr, positive, target, destination }, link)
    return false
  }

  private split(
    state: State,
    heads: Head | undefined,
    forks: number,
    at: {
      readonly expr: Expr
      readonly positive: boolean
      readonly target: Expr
      readonly destination: number | undefined
    },
    link: (tree: Tree) => void
  ): void {
    if (forks >= MAX_FORKS_ON_A_PATH) return link(this.leaf(state, "lost", FORKS_TOO_OFTEN))
    const { expr, positive, target, destination } = at
    const node = this.forkAt(state, expr)
    link(node)
    const enter = (pc: number | undefined, holds: boolean): void => {
      const set = (tree: Tree): void => {
        if (holds) node.hold = tree
        else node.fail = tree
      }
      if (pc === undefined) return set(this.astray(state, target))
      const next = fork(state, pc)
      next.conditions = assume(state.conditions, expr, holds, state.pc)
      this.pending.push({ state: next, heads, forks: forks + 1, link: set })
    }
    enter(state.pc, !positive)
    enter(destination, positive)
  }
}

const assume = (before: Condition | undefined, expr: Expr, holds: boolean, pc: number): Condition => ({
  expr,
  holds,
  pc,
  context: 0,
  before,
  keptId: 0
})
