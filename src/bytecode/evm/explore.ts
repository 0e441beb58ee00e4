import { decidedBy, normalised } from "./branch.ts"
import { bucketsIn } from "./buckets.ts"
import type { Expr } from "./expression.ts"
import type { Sliced } from "./slices.ts"
import { mayBeGuard } from "../guard.ts"
import { zeroArgument } from "../of-nothing.ts"
import { Joins } from "./joins.ts"
import { Meter } from "./meter.ts"
import type { Machine } from "./machine.ts"
import {
  type Condition,
  type End,
  type Node,
  type Outcome,
  type State,
  endNode,
  fork,
  forkNode,
  listed
} from "./path.ts"

/** Steps and time left for one contract, shared by all its functions. `now` and `deadline` are milliseconds of one clock. */
export interface Budget {
  steps: number
  readonly deadline: number
  readonly now: () => number
}

/** Whether steps or time are used up. */
export const isOver = (budget: Budget): boolean => {
  if (budget.now() > budget.deadline) budget.steps = 0
  return budget.steps <= 0
}

/** One function explored: its graph, the ends of its paths, and whether the exploration was whole. */
export interface Exploration {
  readonly root: Node
  readonly outcomes: ReadonlyArray<Outcome>
  readonly complete: boolean
  readonly unresolved: boolean
  readonly steps: number
}

/**
 * Called at a branch not yet decided, with the places it leads to when `expr` is nonzero and when it is zero. True:
 * the caller took the nonzero side (the dispatcher's exits to functions), and only the other side is walked here.
 */
export type Intercept = (
  state: State,
  expr: Expr,
  onHold: number | undefined,
  onFail: number | undefined
) => boolean

const MAX_LOOP_TURNS = 2
const MAX_STEPS_PER_FUNCTION = 60_000
const MAX_OUTCOMES = 600
/** Steps charged for each bucket: every one keeps a stack of its own, and many wait at once. */
const BUCKET_STEPS = 8

interface Pending {
  readonly state: State
  readonly link: (node: Node) => void
}

/** Walks every path of one function, joining paths that meet in the same state. */
export class Explorer {
  private readonly kept = new Map<string, number>()
  private readonly outcomes: Array<Outcome> = []
  private readonly pending: Array<Pending> = []
  private complete = true
  private unresolved = false

  private readonly joins: Joins
  private readonly meter: Meter
  private readonly machine: Machine
  private readonly budget: Budget
  private readonly intercept: Intercept | undefined

  /**
   * @param answers the returned word of each path matters: paths whose memory differs are not joined
   * @param apart nor are those that differ in what is asked of storage again
   */
  constructor(machine: Machine, budget: Budget, intercept?: Intercept, answers = false, apart = false) {
    this.machine = machine
    this.joins = new Joins(machine.program.jumpDests, machine.arena, answers, apart)
    this.meter = new Meter(machine.arena, budget)
    this.budget = budget
    this.intercept = intercept
  }

  /** Explores to the end, pausing after every slice of steps. */
  *walk(start: State): Sliced<Exploration> {
    let root: Node = endNode("budget")
    this.pending.push({
      state: start,
      link: (node) => {
        root = node
      }
    })
    for (let next = this.next(); next !== undefined; next = this.next()) {
      this.follow(next)
      if (!this.meter.isSliceOver()) continue
      this.meter.beginSlice()
      yield
    }
    return {
      root,
      outcomes: this.outcomes,
      complete: this.complete,
      unresolved: this.unresolved,
      steps: this.meter.steps
    }
  }

  /** Depth first finds whole paths soonest; the dispatcher is walked breadth first, so that no fallback hides functions. */
  private next(): Pending | undefined {
    return this.intercept === undefined ? this.pending.pop() : this.pending.shift()
  }

  private putBack(pending: Pending): void {
    this.pending[this.intercept === undefined ? "push" : "unshift"](pending)
  }

  private exhausted(): boolean {
    return this.meter.steps >= MAX_STEPS_PER_FUNCTION || this.budget.steps <= 0 || this.meter.isLate()
  }

  /** Goes on to the next fork, to the end, or as far as the slice goes. */
  private follow({ state, link: begun }: Pending): void {
    const { jumpDests } = this.machine.program
    let link = begun
    for (;;) {
      if (this.meter.isSliceOver()) return this.putBack({ state, link })
      if (jumpDests.has(state.pc)) {
        const met = this.joins.meet(state, link)
        if (met === undefined) return
        link = met
      }
      if (this.exhausted()) {
        this.complete = false
        if (this.budget.now() > this.budget.deadline) this.budget.steps = 0
        return link(endNode("budget"))
      }
      this.meter.spend(1)
      const step = this.machine.step(state)
      switch (step.kind) {
        case "next":
          continue
        case "success":
          return link(this.finish(state, "success", step.returned))
        case "revert":
          return link(endNode("revert"))
        case "unknown":
          this.unresolved = true
          return link(endNode("unresolved"))
        case "jump": {
          const target = this.destination(step.target)
          if (target === undefined) return link(this.lost(step.target))
          state.pc = target
          continue
        }
        case "buckets":
          return this.each(state, step, link)
        case "branch": {
          const met = this.branch(state, step.target, step.condition, link)
          if (met === undefined) return
          link = met
        }
      }
    }
  }

  private finish(state: State, end: End, returned: Expr | undefined): Node {
    const outcome: Outcome = {
      end,
      conditions: state.conditions,
      writes: state.writes,
      calls: state.calls,
      returned
    }
    if (this.outcomes.length < MAX_OUTCOMES) this.outcomes.push(outcome)
    else this.complete = false
    return endNode(end, outcome)
  }

  /** A jump to a known place without JUMPDEST is the chain's revert; a jump to a symbolic place is lost. */
  private lost(target: Expr): Node {
    if (target.op === "const") return endNode("revert")
    this.unresolved = true
    return endNode("unresolved")
  }

  private destination(target: Expr): number | undefined {
    if (target.op !== "const" || target.value > 0xffffffn) return undefined
    const pc = Number(target.value)
    return this.machine.program.jumpDests.has(pc) ? pc : undefined
  }

  private branch(
    state: State,
    target: Expr,
    condition: Expr,
    link: (node: Node) => void
  ): ((node: Node) => void) | undefined {
    const pc = state.pc - 1
    const { expr, positive } = normalised(this.machine.arena, condition)
    const known = decidedBy(state.conditions, expr, this.joins.askedAgain)
    const destination = this.destination(target)
    if (known !== undefined) {
      if (known !== positive) return link
      if (destination === undefined) {
        link(this.lost(target))
        return undefined
      }
      state.pc = destination
      return link
    }
    const [onHold, onFail] = positive ? [destination, state.pc] : [state.pc, destination]
    if (onFail !== undefined && this.intercept?.(state, expr, onHold, onFail) === true) {
      state.conditions = this.assume(state, expr, false, pc, 0)
      state.pc = onFail
      return link
    }
    const node = forkNode(expr, pc)
    link(node)
    const context = this.joins.context(state)
    const setTaken = (next: Node) => {
      if (positive) node.onHold = next
      else node.onFail = next
    }
    const setPassed = (next: Node) => {
      if (positive) node.onFail = next
      else node.onHold = next
    }
    const pass = (): void => this.enter(state, fork(state, state.pc), expr, !positive, pc, context, setPassed)
    const take = (): void =>
      destination === undefined
        ? setTaken(this.lost(target))
        : this.enter(state, fork(state, destination), expr, positive, pc, context, setTaken)
    // What is entered last is walked first, and represents whatever joins it later, regardless of what that wrote to
    // memory. So a loop's body goes before the way around it.
    const isTurnAhead = this.machine.program.loopTests.has(pc)
    for (const side of isTurnAhead ? [take, pass] : [pass, take]) side()
    return undefined
  }

  /** Follows every bucket, as if the code had compared with one after the other. */
  private each(
    state: State,
    { count, word }: { readonly count: number; readonly word: Expr },
    link: (node: Node) => void
  ): void {
    const [pc, context] = [state.pc - 1, this.joins.context(state)]
    this.meter.spend(BUCKET_STEPS * count)
    let rest = link
    for (const [index, { bucket, expr }] of bucketsIn(this.machine.arena, word, count).entries()) {
      const next = fork(state, state.pc)
      next.stack[next.stack.length - 1] = bucket
      next.conditions = this.assume(state, expr, true, pc, context)
      if (index === count - 1) {
        this.pending.push({ state: next, link: rest })
        return
      }
      const node = forkNode(expr, pc)
      rest(node)
      this.pending.push({ state: next, link: (other) => (node.onHold = other) })
      rest = (other) => (node.onFail = other)
    }
  }

  private enter(
    from: State,
    state: State,
    expr: Expr,
    holds: boolean,
    pc: number,
    context: number,
    link: (node: Node) => void
  ): void {
    let turns = 0
    for (const condition of listed(from.conditions))
      if (condition.pc === pc && condition.holds === holds && condition.context === context) turns++
    if (turns > MAX_LOOP_TURNS) return link(endNode("cut"))
    state.conditions = this.assume(from, expr, holds, pc, context)
    this.pending.push({ state, link })
  }

  private assume(state: State, expr: Expr, holds: boolean, pc: number, context: number): Condition {
    const before = state.conditions
    let keptId = before?.keptId ?? 0
    if (mayBeGuard(expr, holds) || zeroArgument(expr, holds) !== undefined) {
      const key = `${keptId},${expr.id},${holds ? 1 : 0}`
      keptId = this.kept.get(key) ?? this.kept.size + 1
      this.kept.set(key, keptId)
    }
    return { expr, holds, pc, context, before, keptId }
  }
}
