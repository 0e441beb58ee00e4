import type { Instruction, Program } from "../evm/code.ts"
import { MAX_MOVED } from "../evm/data.ts"
import { type Arena, type Expr, WORD_MASK } from "../evm/expression.ts"
import { type Memory, addressOf, readWord, write } from "../evm/memory.ts"
import type { Frame, Returned, State } from "../evm/path.ts"
import { add, and, binary } from "../evm/simplify.ts"
import { NEXT, type Step, UNKNOWN } from "../evm/step.ts"
import { selectorOf } from "../dispatch.ts"
import { MEMORY_GAS, gasOf } from "./gas.ts"
import { constantValue } from "./hash.ts"
import { CALLS } from "./idle.ts"
import { ExactMachine } from "./machine.ts"

/** A contract at a fixed address whose code cannot change. */
export interface Other {
  readonly program: Program
  /** The function does nothing but answer, and asks nobody. */
  readonly answersAlone: (selector: string) => boolean
}

/** Contracts by their addresses. */
export type Others = ReadonlyMap<bigint, Other>

const OP = {
  stop: 0x00,
  address: 0x30,
  caller: 0x33,
  callValue: 0x34,
  callDataLoad: 0x35,
  callDataSize: 0x36,
  callDataCopy: 0x37,
  extCodeSize: 0x3b,
  returnDataSize: 0x3d,
  returnDataCopy: 0x3e,
  sload: 0x54,
  return: 0xf3,
  revert: 0xfd
} as const

const SHR = 0x1c
const ARGUMENT_BITS = 224n
const GAS = 0x5an
/** An answer that may cost more is none that is followed. */
const MOST_GAS = 30_000
const CALL_GAS = 2_600

const sizeOf = (word: Expr | undefined): number | undefined =>
  word?.op === "const" && word.value <= BigInt(MAX_MOVED) ? Number(word.value) : undefined

/** A question to a contract of known code, as it lies on the stack. */
interface Question {
  readonly other: Other
  readonly address: Expr
  readonly takes: number
  readonly input: Returned
  readonly outputAt: Expr
  readonly outputLength: number
}

/**
 * Follows questions to contracts of known code into that code, one step deep. Their storage may be anything, and may differ
 * each time; what they look at otherwise is as it is for the path that asks.
 */
export class AskingMachine extends ExactMachine {
  private readonly others: Others

  constructor(program: Program, arena: Arena, others: Others) {
    super(program, arena)
    this.others = others
  }

  override programOf(state: State): Program {
    return state.frame?.program ?? this.program
  }

  override unanswered(state: State): State | undefined {
    const question = this.others.size === 0 ? undefined : this.questionAt(state)
    if (question === undefined) return state.frame === undefined ? super.unanswered(state) : undefined
    const failed = this.starved(state, question.takes, MOST_GAS + MEMORY_GAS + CALL_GAS)
    failed.returned = { memory: undefined, at: this.arena.zero, length: 0 }
    return failed
  }

  override step(state: State): Step {
    if (this.others.size === 0) return super.step(state)
    const { frame } = state
    if (frame !== undefined) return this.stepIn(state, frame)
    const question = this.questionAt(state)
    if (question !== undefined) return this.enter(state, question)
    const found = this.program.at[state.pc]
    const isRead = found !== undefined && this.readKnown(state, found)
    if (found === undefined || !isRead) {
      const { calls } = state
      const step = super.step(state)
      if (state.calls !== calls) state.returned = undefined
      return step
    }
    state.pc = found.next
    return NEXT
  }

  /** The question that a call asks, where it is one to a contract of known code that does no more than answer it. */
  private questionAt(state: State): Question | undefined {
    const { frame, memory, stack } = state
    const takes = frame === undefined ? this.takenByCall(state) : undefined
    if (takes === undefined) return undefined
    const taken = stack.slice(-takes).toReversed()
    const [gas, address] = taken
    const [at, length, outputAt, outputLength] = taken.slice(-4)
    const [size, answered] = [sizeOf(length), sizeOf(outputLength)]
    const isFree = takes === 6 || taken[2] === this.arena.zero
    if (address?.op !== "const" || gas?.op !== "env" || gas.value !== GAS || !isFree) return undefined
    const other = this.others.get(address.value)
    if (other === undefined || at === undefined || outputAt === undefined) return undefined
    if (size === undefined || size < 4 || answered === undefined) return undefined
    const first = readWord(this.arena, memory, addressOf(at))
    const selector = constantValue(binary(this.arena, SHR, this.arena.constant(ARGUMENT_BITS), first))
    if (selector === undefined || !other.answersAlone(selectorOf(selector))) return undefined
    return {
      other,
      address,
      takes,
      input: { memory, at, length: size },
      outputAt,
      outputLength: answered
    }
  }

  private enter(state: State, question: Question): Step {
    const outer = this.behind(state, question.takes)
    const { address, input, other, outputAt, outputLength } = question
    state.frame = { program: other.program, address, input, outputAt, outputLength, outer }
    state.pc = 0
    state.stack = []
    state.memory = undefined
    state.gas = 0
    return NEXT
  }

  /** Back in the code that asked. */
  private comeBack(
    state: State,
    { outer, outputAt, outputLength }: Frame,
    answer: Returned,
    ok: boolean
  ): Step {
    if (state.gas > MOST_GAS) return UNKNOWN
    const { conditions, gas } = state
    const stack = [...outer.stack, ok ? this.arena.one : this.arena.zero]
    Object.assign(state, outer, { stack, conditions, gas: outer.gas + gas + CALL_GAS, returned: answer })
    state.memory = this.put(state.memory, answer, 0, outputAt, Math.min(outputLength, answer.length))
    return NEXT
  }

  /** Memory with some bytes of another put there. */
  private put(
    memory: Memory | undefined,
    from: Returned,
    start: number,
    to: Expr,
    length: number
  ): Memory | undefined {
    const place = addressOf(to)
    let after = memory
    for (let at = 0; at < length; at += 32)
      after = write(after, { base: place.base, offset: place.offset + at }, Math.min(32, length - at), {
        kind: "word",
        word: this.wordAt(from, start + at)
      })
    return after
  }

  /** A word of such bytes; zero beyond their end. */
  private wordAt({ at, length, memory }: Returned, offset: number): Expr {
    const { arena } = this
    if (offset >= length) return arena.zero
    const word = readWord(arena, memory, addressOf(add(arena, at, arena.constant(BigInt(offset)))))
    const missing = BigInt(8 * Math.max(0, offset + 32 - length))
    return missing === 0n ? word : and(arena, arena.constant((WORD_MASK >> missing) << missing), word)
  }

  /** What a path that asks sees of others: how long their code and their last answer are. */
  private readKnown(state: State, { op }: Instruction): boolean {
    const { returned, stack } = state
    if (!this.hasStack(state)) return false
    if (op === OP.extCodeSize) {
      const account = stack.at(-1)
      const other = account?.op === "const" ? this.others.get(account.value) : undefined
      if (other === undefined) return false
      stack.pop()
      stack.push(this.arena.constant(BigInt(other.program.bytes.length)))
      return true
    }
    if (returned === undefined) return false
    if (op === OP.returnDataSize) {
      stack.push(this.arena.constant(BigInt(returned.length)))
      return true
    }
    if (op !== OP.returnDataCopy) return false
    const [to, from, size] = [stack.at(-1), sizeOf(stack.at(-2)), sizeOf(stack.at(-3))]
    if (to === undefined || from === undefined || size === undefined || from + size > returned.length)
      return false
    stack.length -= 3
    state.memory = this.put(state.memory, returned, from, to, size)
    return true
  }

  private stepIn(state: State, frame: Frame): Step {
    const found = frame.program.at[state.pc]
    const { stack } = state
    const empty: Returned = { memory: undefined, at: this.arena.zero, length: 0 }
    if (found === undefined || found.op === OP.stop) return this.comeBack(state, frame, empty, true)
    const gas = state.gas + gasOf(found.op, stack)
    if (found.op === OP.return || found.op === OP.revert) {
      const [at, length] = [stack.at(-1), sizeOf(stack.at(-2))]
      if (at === undefined || length === undefined) return UNKNOWN
      state.gas = gas
      return this.comeBack(state, frame, { memory: state.memory, at, length }, found.op === OP.return)
    }
    // What answers alone by that function may do more before it chooses one, and die of it in a call that only looks.
    if (CALLS.has(found.op)) return UNKNOWN
    if (!this.readIn(state, frame, found)) {
      const step = super.step(state)
      return step.kind === "revert" || step.kind === "success" ? UNKNOWN : step
    }
    state.gas = gas
    state.pc = found.next
    return NEXT
  }

  /** What the other's code sees of its call; false for an instruction that asks for none of it. */
  private readIn(state: State, { address, input }: Frame, { op }: Instruction): boolean {
    const { arena } = this
    const { stack } = state
    if (!this.hasStack(state)) return false
    const seen = {
      [OP.address]: address,
      [OP.caller]: arena.env(OP.address),
      [OP.callValue]: arena.zero,
      [OP.callDataSize]: arena.constant(BigInt(input.length)),
      [OP.returnDataSize]: arena.zero
    }[op]
    if (seen !== undefined) stack.push(seen)
    else if (op === OP.sload && stack.pop() !== undefined) stack.push(arena.unknown())
    else if (op === OP.callDataLoad && stack.length > 0) stack.push(this.argument(input, stack.pop()))
    else if (op === OP.callDataCopy && stack.length > 2) {
      const [to, from, size] = [stack.pop() ?? arena.zero, sizeOf(stack.pop()), sizeOf(stack.pop())]
      state.memory =
        from === undefined || size === undefined
          ? write(state.memory, { base: arena.unknown(), offset: 0 }, Number.MAX_SAFE_INTEGER, {
              kind: "unknown",
              word: arena.unknown()
            })
          : this.put(state.memory, input, from, to, size)
    } else return false
    return true
  }

  private argument(input: Returned, at: Expr | undefined): Expr {
    if (at?.op !== "const") return this.arena.unknown()
    return at.value < BigInt(input.length) ? this.wordAt(input, Number(at.value)) : this.arena.zero
  }
}
