import { bucketsOf } from "./buckets.ts"
import { copyTo, hashOf } from "./data.ts"
import type { Expr } from "./expression.ts"
import { and, binary, complement, isZero } from "./simplify.ts"
import { addressOf, readWord, write, writeWord } from "./memory.ts"
import { Calls } from "./calls.ts"
import { duplicateOrSwap, stackAt } from "./stack.ts"
import { NEXT, REVERT, type Step, UNKNOWN } from "./step.ts"
import { type State, listed } from "./path.ts"

const SELFBALANCE = 0x47

/** Executes single instructions symbolically. A stack too short or too long ends a path like a revert, as on the chain. */
export class Machine extends Calls {
  private readonly writeIds = new Map<string, number>()
  step(state: State): Step {
    const instruction = this.programOf(state).at[state.pc]
    if (instruction === undefined) return { kind: "success", returned: undefined }
    const { op } = instruction
    const { stack } = state
    const room = stackAt(op, stack.length)
    if (room !== "suffices") return room === "reverts" ? REVERT : UNKNOWN
    state.pc = instruction.next
    if (instruction.push !== undefined) {
      stack.push(this.arena.constant(instruction.push))
      return NEXT
    }
    if (op >= 0x80 && op <= 0x9f) return duplicateOrSwap(stack, op) ? NEXT : REVERT
    return this.perform(state, op, instruction.pc)
  }

  /** The stack holds what the instruction at this place takes, and has room for what it leaves; whoever runs one asks first. */
  protected hasStack(state: State): boolean {
    const { op } = this.programOf(state).at[state.pc] ?? {}
    return op === undefined || stackAt(op, state.stack.length) === "suffices"
  }

  private perform(state: State, op: number, pc: number): Step {
    if (op === 0x5b) return NEXT
    if (op >= 0x01 && op <= 0x20) return this.compute(state, op)
    if (op >= 0x50 && op <= 0x5e) return this.access(state, op, pc)
    if (op >= 0x30 && op <= 0x4a) return this.observe(state, op)
    if (op >= 0xa0 && op <= 0xa4) {
      state.stack.length = Math.max(0, state.stack.length - (op - 0xa0 + 2))
      return NEXT
    }
    return this.leave(state, op, pc)
  }

  /** Arithmetic, comparison, bits and hashes. */
  private compute(state: State, op: number): Step {
    const { arena } = this
    const { stack } = state
    const first = this.pop(state)
    switch (op) {
      case 0x08:
      case 0x09: {
        // The sum or product may be longer than a word, so it is not the same as that of `ADD` or `MUL`.
        const wide = [binary(arena, op === 8 ? 1 : 2, first, this.pop(state)), this.pop(state)]
        stack.push(arena.node("mod", arena.exact ? [...wide, arena.unknown()] : wide))
        return NEXT
      }
      case 0x15:
        stack.push(isZero(arena, first))
        return NEXT
      case 0x19:
        stack.push(complement(arena, first))
        return NEXT
      case 0x1e:
        stack.push(and(arena, arena.constant(0x1ffn), this.observed(op, [first])))
        return NEXT
      case 0x20:
        stack.push(hashOf(arena, state.memory, first, this.pop(state), this.widthIn(state)))
        return NEXT
      default: {
        const word = binary(arena, op, first, this.pop(state))
        stack.push(word)
        const count = bucketsOf(word)
        return count === undefined ? NEXT : { kind: "buckets", word, count }
      }
    }
  }

  /** The stack, memory, storage, and where to go on. */
  private access(state: State, op: number, pc: number): Step {
    const { arena } = this
    const { stack } = state
    switch (op) {
      case 0x50:
        this.pop(state)
        return NEXT
      case 0x51:
        stack.push(readWord(arena, state.memory, addressOf(this.pop(state)), this.widthIn(state)))
        return NEXT
      case 0x52:
      case 0x53:
        return this.store(state, op)
      case 0x54:
        stack.push(this.load(state, this.pop(state)))
        return NEXT
      case 0x55:
        return this.sstore(state, pc)
      case 0x56:
        return { kind: "jump", target: this.pop(state) }
      case 0x57: {
        const target = this.pop(state)
        return { kind: "branch", target, condition: this.pop(state) }
      }
      case 0x58:
        stack.push(arena.constant(BigInt(pc)))
        return NEXT
      case 0x5c:
        stack.push(this.loadTransient(this.pop(state)))
        return NEXT
      case 0x5d:
        this.pop(state)
        this.pop(state)
        return NEXT
      case 0x5e:
        return this.copied(state, op)
      default:
        stack.push(this.observed(op, []))
        return NEXT
    }
  }

  /** What the caller, the block and the chain say. */
  private observe(state: State, op: number): Step {
    const { arena } = this
    const { stack } = state
    switch (op) {
      case 0x35:
        stack.push(arena.node("calldata", [this.pop(state)]))
        return NEXT
      case 0x37:
      case 0x39:
      case 0x3e:
        return this.copied(state, op)
      case 0x3c:
        this.pop(state)
        return this.copied(state, op)
      case 0x31:
      case 0x3b:
      case 0x3f:
      case 0x40:
      case 0x49:
        stack.push(this.observed(op, [this.pop(state)]))
        return NEXT
      case 0x38:
        stack.push(arena.constant(BigInt(this.programOf(state).bytes.length)))
        return NEXT
      case 0x3d:
        stack.push(this.returnedSize(state))
        return NEXT
      default:
        stack.push(op === SELFBALANCE ? this.observed(op, []) : arena.env(op))
        return NEXT
    }
  }

  /** Calls, creations, and the ends of a path. */
  private leave(state: State, op: number, pc: number): Step {
    const { arena } = this
    switch (op) {
      case 0x00:
        return { kind: "success", returned: undefined }
      case 0xf0:
      case 0xf5:
        return this.create(state, op, pc)
      case 0xf1:
        return this.call(state, "call", true, pc)
      case 0xf2:
        return this.call(state, "callcode", true, pc)
      case 0xf3: {
        const at = addressOf(this.pop(state))
        const size = this.pop(state)
        if (size === arena.zero) return { kind: "success", returned: undefined }
        const isCut = size.op === "const" && size.value < 32n
        const word = (): Expr => readWord(arena, state.memory, at, this.widthIn(state))
        return { kind: "success", returned: isCut ? arena.unknown() : word() }
      }
      case 0xf4:
        return this.call(state, "delegatecall", false, pc)
      case 0xfa:
        return this.call(state, "staticcall", false, pc)
      case 0xff:
        this.record(state, "selfdestruct", this.pop(state), arena.zero, undefined, [], pc)
        return { kind: "success", returned: undefined }
      default:
        return REVERT
    }
  }

  /** What may differ from one reading to the next: balances, code, gas, memory size. */
  protected observed(op: number, args: ReadonlyArray<Expr>): Expr {
    return this.arena.node("env", args, BigInt(op))
  }

  protected loadTransient(key: Expr): Expr {
    return this.arena.node("sload", [this.arena.node("not", [key])])
  }

  private store(state: State, op: number): Step {
    const at = addressOf(this.pop(state))
    const word = this.pop(state)
    if (op === 0x52) state.memory = writeWord(state.memory, at, word)
    else {
      const { arena } = this
      const byte = binary(arena, 0x1b, arena.constant(248n), and(arena, arena.constant(255n), word))
      state.memory = write(state.memory, at, 1, { kind: "word", word: byte })
    }
    return NEXT
  }

  /** What a path reads at `key`: its own last write there, else the state before the call. Unequal keys are taken as unequal slots. */
  load(state: State, key: Expr): Expr {
    for (const item of listed(state.writes)) {
      this.arena.looks++
      if (item.key === key) return item.value
    }
    return this.arena.node("sload", [key])
  }

  private sstore(state: State, pc: number): Step {
    const key = this.pop(state)
    this.write(state, key, this.pop(state), pc)
    return NEXT
  }

  protected write(state: State, key: Expr, value: Expr, pc: number): void {
    const identity = `${state.writes?.id ?? 0},${key.id},${value.id}`
    const id = this.writeIds.get(identity) ?? this.writeIds.size + 1
    this.writeIds.set(identity, id)
    state.writes = { id, key, value, pc, before: state.writes }
  }

  private copied(state: State, op: number): Step {
    const to = this.pop(state)
    const from = this.pop(state)
    const copy = { op, to, from, size: this.pop(state) }
    state.memory = copyTo(this.programOf(state), this.arena, state, copy, this.widthIn(state))
    return NEXT
  }
}
