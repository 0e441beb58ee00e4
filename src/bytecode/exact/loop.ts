import type { Arena, Expr } from "../evm/expression.ts"
import { write } from "../evm/memory.ts"
import type { CallRecord, State } from "../evm/path.ts"
import { add, binary, sub } from "../evm/simplify.ts"
import type { ExactMachine } from "./machine.ts"

/** How often a loop is walked as it stands before its turns are summed up. */
const TURNS = 3
const MAX_MEMORY = Number.MAX_SAFE_INTEGER

/** A place the path has passed, with what it held there. */
export interface Head {
  readonly state: Pick<State, "pc" | "stack" | "memory" | "writes" | "calls" | "frame" | "returned">
  readonly visits: number
  /** Where the state stands for any number of turns: how each item of the stack changes per turn, if at all. */
  readonly summed: ReadonlyArray<Change> | undefined
  /** The furthest place of all that were passed: beyond it there is none to look back at. */
  readonly furthest: number
  readonly before: Head | undefined
}

/** `undefined`: stays. A number of the arena: grows by it each turn. `any`: may be anything. */
type Change = undefined | Expr | "any"

const isSamePlace = (jumpDests: ReadonlySet<number>, a: Head["state"], b: State): boolean => {
  if (a.pc !== b.pc || a.frame !== b.frame || a.stack.length !== b.stack.length) return false
  return a.stack.every((item, i) => {
    const other = b.stack[i]
    if (item === other) return true
    const isReturn = (e: Expr | undefined): boolean =>
      e?.op === "const" && e.value < 0x10000n && jumpDests.has(Number(e.value))
    return !(isReturn(item) && isReturn(other))
  })
}

const findHead = (machine: ExactMachine, head: Head | undefined, state: State): Head | undefined => {
  if (head === undefined || state.pc > head.furthest) return undefined
  const { jumpDests } = machine.programOf(state)
  for (let item: Head | undefined = head; item !== undefined; item = item.before) {
    machine.arena.looks++
    if (item.state.pc !== state.pc) continue
    machine.arena.looks += state.stack.length
    if (isSamePlace(jumpDests, item.state, state)) return item
  }
  return undefined
}

const headOf = (state: State, visits: number, summed: Head["summed"], before: Head | undefined): Head => ({
  state: { ...state, stack: state.stack.slice() },
  visits,
  summed,
  furthest: Math.max(state.pc, before?.furthest ?? 0),
  before
})

/** One turn's change of an item: nothing, a constant step, or anything. */
const changeBetween = (arena: Arena, from: Expr | undefined, to: Expr, known: Change): Change => {
  if (from === undefined || known === "any") return "any"
  if (from === to) return known
  const step = sub(arena, to, from)
  if (step.op !== "const") return "any"
  return known === undefined || known === step ? step : "any"
}

const anyCall = (machine: ExactMachine, last: CallRecord | undefined): CallRecord => ({
  kind: "call",
  target: machine.arena.unknown(),
  value: machine.arena.zero,
  selector: undefined,
  input: [],
  length: undefined,
  pc: last?.pc ?? 0,
  havoc: true,
  before: last,
  count: (last?.count ?? 0) + 1
})

/**
 * Turns the state into one that stands for any number of turns since `from`. What grows grows by itself: one turn need not
 * move all that another moves.
 */
const sumUp = (machine: ExactMachine, from: Head, state: State): ReadonlyArray<Change> => {
  const { arena } = machine
  const changes = state.stack.map((item, i) =>
    changeBetween(arena, from.state.stack[i], item, from.summed?.[i])
  )
  state.stack = state.stack.map((item, i) => {
    const change = changes[i]
    if (change === undefined) return item
    if (change === "any") return arena.unknown()
    return add(
      arena,
      from.summed === undefined ? item : (from.state.stack[i] ?? item),
      binary(arena, 0x02, change, arena.turns())
    )
  })
  if (state.memory !== from.state.memory)
    state.memory = {
      ...write(state.memory, { base: arena.unknown(), offset: 0 }, MAX_MEMORY, {
        kind: "unknown",
        word: arena.unknown()
      }),
      havoc: true
    }
  if (state.writes !== from.state.writes) machine.forgetStorage(state)
  // What a turn was answered is not what the last one was.
  if (state.calls !== from.state.calls || state.returned !== from.state.returned) {
    state.calls = anyCall(machine, state.calls)
    state.returned = undefined
  }
  return changes
}

const isForgotten = (head: Head): boolean => head.state.writes?.havoc === true
const isMemoryForgotten = ({ state: { memory } }: Head): boolean => memory?.havoc === true
const areCallsForgotten = ({ state: { calls } }: Head): boolean => calls?.havoc === true
const isAnswerForgotten = (head: Head): boolean =>
  areCallsForgotten(head) && head.state.returned === undefined

/** Whether the summed-up state at the head stands for this one too. */
const covers = (arena: Arena, head: Head, state: State): boolean =>
  state.stack.every((item, i) => {
    const known = head.state.stack[i]
    const change = head.summed?.[i]
    if (item === known || change === "any") return true
    return change !== undefined && known !== undefined && sub(arena, item, known) === change
  }) &&
  (state.memory === head.state.memory || isMemoryForgotten(head)) &&
  (state.writes === head.state.writes || isForgotten(head)) &&
  (state.calls === head.state.calls || areCallsForgotten(head)) &&
  (state.returned === head.state.returned || isAnswerForgotten(head))

/** Some other loop was summed up since: what has changed here is its turns, and no more of this one's. */
const isSummedSince = (head: Head | undefined, found: Head): boolean => {
  for (let item = head; item !== undefined && item !== found; item = item.before)
    if (item.summed !== undefined) return true
  return false
}

/** A turn that brings nothing new: it stands for any number of turns that begin where this one did. */
export interface Turned {
  readonly begin: Head
}

/**
 * At a jump destination: notes the visit, and sums a loop up once it has turned often enough, so that one more turn
 * stands for all the others.
 */
export const passHead = (machine: ExactMachine, heads: Head | undefined, state: State): Head | Turned => {
  machine.arena.countKept(state.stack)
  const found = findHead(machine, heads, state)
  if (found === undefined || (found.summed === undefined && isSummedSince(heads, found)))
    return headOf(state, 1, undefined, heads)
  if (found.summed === undefined && found.visits < TURNS)
    return headOf(state, found.visits + 1, undefined, heads)
  if (found.summed !== undefined && covers(machine.arena, found, state)) return { begin: found }
  const changes = sumUp(machine, found, state)
  return headOf(state, found.visits, changes, heads)
}
