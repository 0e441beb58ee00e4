import type { Arena } from "./expression.ts"
import type { Memory } from "./memory.ts"
import { type Expr, FROM_STORAGE } from "./expression.ts"
import { type Condition, type Node, type State, listed } from "./path.ts"

const MAX_VARIANTS = 8
/** What a function answers differs with everything that it was worked out from. */
const MAX_ANSWERS = 64

/** Conditions by whose sides paths are told apart: more are asked again in no honest function. */
const MAX_ASKED = 8
/** Ways that go on apart from one place in one state. */
const MAX_SIDES = 2

/** A place where paths go on as one, and what the first of them had passed, which decides what is asked again behind it. */
interface Met {
  readonly node: Node
  readonly conditions: Condition | undefined
}

/** Where paths meet: those that come to a place in the same state go on as one, and of many that differ the first stands for the rest. */
export class Joins {
  private readonly visited = new Map<string, Array<Met>>()
  private readonly asked = new Set<Expr>()
  private readonly variants = new Map<string, number>()
  private readonly contexts = new Map<string, number>()
  private readonly memories = new Map<Memory | undefined, number>()
  private readonly jumpDests: ReadonlySet<number>
  private readonly arena: Arena
  private readonly answers: boolean
  private readonly apart: boolean

  /**
   * @param answers what is answered matters, and lies in memory: paths that wrote there apart are not in the same state
   * @param apart paths are told apart by what is asked of storage again
   */
  constructor(jumpDests: ReadonlySet<number>, arena: Arena, answers: boolean, apart: boolean) {
    this.jumpDests = jumpDests
    this.arena = arena
    this.answers = answers
    this.apart = apart
  }

  /** The condition decided what was asked behind a place where paths may have met. */
  readonly askedAgain = (known: Expr): void => {
    if (this.apart && known.from === FROM_STORAGE && this.asked.size < MAX_ASKED) this.asked.add(known)
  }

  private sides(conditions: Condition | undefined): ReadonlyMap<Expr, boolean> {
    const sides = new Map<Expr, boolean>()
    if (this.asked.size > 0)
      for (const { expr, holds } of listed(conditions))
        if (this.asked.has(expr) && !sides.has(expr)) sides.set(expr, holds)
    return sides
  }

  /** The first path went on by its own side of a condition that is asked again: one of the other side goes its own way. */
  private goesWith(state: State): (met: Met) => boolean {
    const own = this.sides(state.conditions)
    return ({ conditions }) => [...this.sides(conditions)].every(([expr, holds]) => own.get(expr) === holds)
  }

  /** Joins the path with an earlier one in the same state; otherwise opens a new join and goes on from it. */
  meet(state: State, link: (node: Node) => void): ((node: Node) => void) | undefined {
    this.arena.countKept(state.stack)
    let fine = `${state.pc}|${state.writes?.id ?? 0}|${state.conditions?.keptId ?? 0}|${state.calls?.pc ?? 0}`
    for (const item of state.stack) fine += `,${item.id}`
    if (this.answers) fine += `|${this.numberOf(state.memory)}`
    const met = this.visited.get(fine) ?? []
    const [same] = met
    const known = same === undefined || met.length >= MAX_SIDES ? same : met.find(this.goesWith(state))
    if (known !== undefined) {
      link(known.node)
      return undefined
    }
    const coarse = `${this.context(state)}|${state.conditions?.keptId ?? 0}`
    const count = this.variants.get(coarse) ?? 0
    if (same === undefined && count >= (this.answers ? MAX_ANSWERS : MAX_VARIANTS)) {
      const [first] = this.visited.get(coarse) ?? []
      if (first !== undefined) {
        link(first.node)
        return undefined
      }
    }
    const join: Node = {
      fork: undefined,
      end: undefined,
      outcome: undefined,
      onHold: undefined,
      onFail: undefined
    }
    link(join)
    const own: Met = { node: join, conditions: state.conditions }
    this.visited.set(fine, [...met, own])
    if (count === 0) this.visited.set(coarse, [own])
    if (same === undefined) this.variants.set(coarse, count + 1)
    return (node) => {
      join.onHold = node
    }
  }

  private numberOf(memory: Memory | undefined): number {
    const known = this.memories.get(memory) ?? this.memories.size
    this.memories.set(memory, known)
    return known
  }

  /** Number of the place in the program: where, and through which return addresses. */
  context(state: State): number {
    let key = `${state.pc}|${state.stack.length}`
    const { jumpDests } = this
    for (const item of state.stack)
      if (item.op === "const" && item.value < 0x10000n && jumpDests.has(Number(item.value)))
        key += `,${item.value}`
    const found = this.contexts.get(key)
    if (found !== undefined) return found
    this.contexts.set(key, this.contexts.size + 1)
    return this.contexts.size
  }
}
