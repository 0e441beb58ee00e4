import type { Arena } from "./expression.ts"
import type { Memory } from "./memory.ts"
import type { Node, State } from "./path.ts"

const MAX_VARIANTS = 8
/** What a function answers differs with everything that it was worked out from. */
const MAX_ANSWERS = 64

/** Where paths meet: those that come to a place in the same state go on as one, and of many that differ the first stands for the rest. */
export class Joins {
  private readonly visited = new Map<string, Node>()
  private readonly variants = new Map<string, number>()
  private readonly contexts = new Map<string, number>()
  private readonly memories = new Map<Memory | undefined, number>()
  private readonly jumpDests: ReadonlySet<number>
  private readonly arena: Arena
  private readonly answers: boolean

  /** @param answers what is answered matters, and lies in memory: paths that wrote there apart are not in the same state */
  constructor(jumpDests: ReadonlySet<number>, arena: Arena, answers: boolean) {
    this.jumpDests = jumpDests
    this.arena = arena
    this.answers = answers
  }

  /** Joins the path with an earlier one in the same state; otherwise opens a new join and goes on from it. */
  meet(state: State, link: (node: Node) => void): ((node: Node) => void) | undefined {
    this.arena.countKept(state.stack)
    let fine = `${state.pc}|${state.writes?.id ?? 0}|${state.conditions?.keptId ?? 0}|${state.calls?.pc ?? 0}`
    for (const item of state.stack) fine += `,${item.id}`
    if (this.answers) fine += `|${this.numberOf(state.memory)}`
    const known = this.visited.get(fine)
    if (known !== undefined) {
      link(known)
      return undefined
    }
    const coarse = `${this.context(state)}|${state.conditions?.keptId ?? 0}`
    const count = this.variants.get(coarse) ?? 0
    if (count >= (this.answers ? MAX_ANSWERS : MAX_VARIANTS)) {
      const first = this.visited.get(coarse)
      if (first !== undefined) {
        link(first)
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
    this.visited.set(fine, join)
    if (count === 0) this.visited.set(coarse, join)
    this.variants.set(coarse, count + 1)
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
