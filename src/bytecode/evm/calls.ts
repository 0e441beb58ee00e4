import type { Program } from "./code.ts"
import { type Request, afterCall, answerOf, inputOf } from "./data.ts"
import { type Width, ownWidth } from "./apart.ts"
import type { Arena, Expr } from "./expression.ts"
import type { Memory } from "./memory.ts"
import type { CallKind, CallRecord, State } from "./path.ts"
import { and } from "./simplify.ts"
import { NEXT, type Step } from "./step.ts"

/** What code asks other contracts, and what it does with their answers. */
export class Calls {
  /** The code that is looked at. */
  readonly program: Program
  readonly arena: Arena

  constructor(program: Program, arena: Arena) {
    this.program = program
    this.arena = arena
  }

  /** The code that a path is in. */
  programOf(_state: State): Program {
    return this.program
  }

  /** What a path says of the sizes of words. */
  protected widthIn(_state: State): Width {
    return ownWidth
  }

  protected pop(state: State): Expr {
    return state.stack.pop() ?? this.arena.zero
  }

  /** RETURNDATASIZE. Before any call there is nothing returned: minimal proxies push their zeros this way. */
  protected returnedSize({ calls: last }: State): Expr {
    const { arena } = this
    if (last === undefined) return arena.zero
    const which = (BigInt(last.pc) << 8n) + (arena.exact ? BigInt(last.count) << 40n : 0n)
    return arena.node("env", [], 0x3dn + which)
  }

  protected create(state: State, op: number, pc: number): Step {
    const value = this.pop(state)
    this.pop(state)
    this.pop(state)
    if (op === 0xf5) this.pop(state)
    const { arena } = this
    const made = arena.node("ret", [arena.constant(BigInt(pc)), ...(arena.exact ? [arena.unknown()] : [])])
    this.record(state, "create", made, value, undefined, [], pc)
    state.stack.push(made)
    return NEXT
  }

  protected record(
    state: State,
    kind: CallKind,
    target: Expr,
    value: Expr,
    selector: Expr | undefined,
    input: ReadonlyArray<Expr>,
    pc: number,
    length?: Expr
  ): CallRecord {
    const { calls: before } = state
    const count = (before?.count ?? 0) + 1
    return (state.calls = { kind, target, value, selector, input, length, pc, before, count })
  }

  protected call(state: State, kind: CallKind, hasValue: boolean, pc: number): Step {
    const { arena } = this
    const gas = this.pop(state)
    const target = and(arena, arena.constant((1n << 160n) - 1n), this.pop(state))
    const value = hasValue ? this.pop(state) : arena.zero
    const [at, length, outputAt, outputLength] = [
      this.pop(state),
      this.pop(state),
      this.pop(state),
      this.pop(state)
    ]
    const request: Request = { gas, target, value, at, length, outputAt, outputLength }
    const { selector, input } = this.asked(state, request)
    const answer = answerOf(arena, this.record(state, kind, target, value, selector, input, pc, length))
    state.memory = this.answered(state, request, input, answer)
    state.stack.push(this.succeeded(request, answer, pc))
    return NEXT
  }

  /** Whether the call succeeded, as a word. */
  protected succeeded(_request: Request, answer: Expr, pc: number): Expr {
    const { arena } = this
    return arena.node("iszero", [arena.node("env", [answer, arena.constant(BigInt(pc))], 0xf1n)])
  }

  protected asked(state: State, request: Request): ReturnType<typeof inputOf> {
    return inputOf(this.arena, state.memory, request, this.widthIn(state))
  }

  protected answered(
    { memory }: State,
    request: Request,
    input: ReadonlyArray<Expr>,
    answer: Expr
  ): Memory | undefined {
    return afterCall(memory, request, input, answer)
  }
}
