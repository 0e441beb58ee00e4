import { type Request, answerOf, isPrecompile } from "../evm/data.ts"
import type { Width } from "../evm/apart.ts"
import type { Expr } from "../evm/expression.ts"
import { Machine } from "../evm/machine.ts"
import { NEXT, REVERT, type Step } from "../evm/step.ts"
import { type Memory, addressOf, readWord } from "../evm/memory.ts"
import { type CallKind, type CallRecord, type State, fork, listed } from "../evm/path.ts"
import { WORD_MASK } from "../evm/expression.ts"
import { and, or } from "../evm/simplify.ts"
import { ECRECOVER, SIGNER_GAS, isAnswered, isSignerOrOther, isWhole, leftBy } from "./answers.ts"
import { KnownBits, NOTHING_STORED, type Stored } from "./bits.ts"
import { gasOf, leastGasOf, leftBehind } from "./gas.ts"
import { constantValue } from "./hash.ts"
import { ACTS } from "./idle.ts"
import { LeftAlone } from "./left-alone.ts"
import { widthWhere } from "./linear.ts"
import { mayBeSame } from "./same.ts"
import { Unfolder } from "./unfold.ts"

const CHAINID = 0x46
const CALL = 0xf1
const STATICCALL = 0xfa

/**
 * The machine for proofs. A read of storage carries the number of the latest write that may have changed the word
 * (zero: as before the call); a foreign call leaves any storage behind; two looks at something changing differ.
 */
export class ExactMachine extends Machine {
  private known = new KnownBits(NOTHING_STORED)
  private leftAlone = new LeftAlone(NOTHING_STORED, this.arena)
  private readonly unfolder = new Unfolder(this.program, this.arena)
  /** What `CHAINID` answers, where the code is looked at on one chain. */
  chainId: bigint | undefined

  /** Storage that is taken to hold what it holds whatever happens. */
  set settled(stored: Stored) {
    this.known = new KnownBits(stored)
    this.leftAlone = new LeftAlone(stored, this.arena)
  }

  protected override widthIn({ conditions }: State): Width {
    return widthWhere(conditions)
  }

  override load(state: State, place: Expr): Expr {
    const key = this.unfolder.unfolded(place)
    this.arena.looks += place.size
    for (const write of listed(state.writes)) {
      this.arena.looks++
      if (write.key === key) return write.value
      this.arena.looks += write.key.size + key.size
      if (write.havoc === true || mayBeSame(write.key, key))
        return this.leftAlone.upTo(state, write)
          ? this.read(key, BigInt(write.id))
          : this.arena.node("sload", [key], BigInt(write.id))
    }
    return this.read(key, 0n)
  }

  protected override write(state: State, place: Expr, value: Expr, pc: number): void {
    this.arena.looks += place.size
    super.write(state, this.unfolder.unfolded(place), value, pc)
  }

  private read(key: Expr, version: bigint): Expr {
    const { arena } = this
    const word = arena.node("sload", [key], version)
    const { mask, value } = this.known.at(key)
    if (mask === 0n) return word
    return or(arena, arena.constant(value & mask), and(arena, arena.constant(WORD_MASK ^ mask), word))
  }

  /** Any storage may differ from here on. */
  forgetStorage(state: State): void {
    this.write(state, this.arena.unknown(), this.arena.zero, state.pc)
    if (state.writes !== undefined) state.writes = { ...state.writes, havoc: true }
  }

  override step(state: State): Step {
    const found = this.programOf(state).at[state.pc]
    state.gas += gasOf(found?.op, state.stack)
    state.acted ||= found !== undefined && ACTS.has(found.op)
    if (state.left !== undefined) {
      state.left -= leastGasOf(found?.op)
      if (state.left < 0) return REVERT
    }
    const isRead =
      (found?.op === 0x51 && this.readSigner(state)) ||
      (found?.op === CHAINID && this.hasStack(state) && this.readChain(state))
    if (found !== undefined && isRead) {
      state.pc = found.next
      return NEXT
    }
    return super.step(state)
  }

  /** The state in which a signer was asked for with so little gas that nothing was answered; undefined at all other places. */
  unanswered(state: State): State | undefined {
    const takes = this.takenByCall(state)
    const target = state.stack.at(-2)
    return takes !== undefined && target?.op === "const" && target.value === ECRECOVER
      ? this.starved(state, takes, SIGNER_GAS)
      : undefined
  }

  /** The words that the call at this place takes off the stack; undefined at all other places. */
  protected takenByCall(state: State): number | undefined {
    const { op } = this.programOf(state).at[state.pc] ?? {}
    const takes = op === STATICCALL ? 6 : op === CALL ? 7 : undefined
    return takes === undefined || state.stack.length < takes ? undefined : takes
  }

  /** The path behind a call, without its success. */
  protected behind(state: State, takes: number): State {
    const { next } = this.programOf(state).at[state.pc] ?? { next: state.pc }
    const outer = fork(state, next)
    outer.stack.length -= takes
    return outer
  }

  /** The path behind a call that failed because it was given less gas than `cost`. */
  protected starved(state: State, takes: number, cost: number): State {
    const failed = this.behind(state, takes)
    failed.stack.push(this.arena.zero)
    failed.left = leftBehind(cost)
    return failed
  }

  /** The new contract's own code may call back. */
  protected override create(state: State, op: number, pc: number): Step {
    const step = super.create(state, op, pc)
    this.forgetStorage(state)
    return step
  }

  private readChain(state: State): boolean {
    if (this.chainId === undefined) return false
    state.stack.push(this.arena.constant(this.chainId))
    return true
  }

  /**
   * `mload(returndatasize())` after `ecrecover`: the signer at 0x20, or what stands at zero where there is none. Where
   * that is a hash, no account can equal it, and the word is as good as the signer, marked as never zero.
   */
  private readSigner(state: State): boolean {
    const { arena } = this
    const last = state.calls
    if (last?.target.value !== ECRECOVER || state.stack.at(-1) !== this.returnedSize(state)) return false
    const answer = answerOf(arena, last)
    const wordAt = (at: bigint): Expr =>
      readWord(arena, state.memory, addressOf(arena.constant(at)), this.widthIn(state))
    const answered = wordAt(0x20n)
    const isSigner = isSignerOrOther(answered, answer) || answered === arena.node("ret", [answer])
    if (!isSigner || wordAt(0n).op !== "keccak") return false
    state.stack.pop()
    state.stack.push(arena.node("ret", [answer, arena.one]))
    return true
  }

  /** A question of which some bytes were not looked at is like no other. */
  protected override asked(state: State, request: Request): ReturnType<Machine["asked"]> {
    const question = super.asked(state, request)
    if (!isPrecompile(request.target) || isWhole(request)) return question
    return { ...question, input: [...question.input, this.arena.unknown()] }
  }

  protected override answered(...[state, ...call]: Parameters<Machine["answered"]>): Memory | undefined {
    return leftBy(this.arena, state.memory, ...call, this.widthIn(state))
  }

  /** Asked the same with less gas even a precompiled contract may fail: how one call ends says nothing of another. */
  protected override succeeded(request: Request, answer: Expr, pc: number): Expr {
    const { arena } = this
    if (isAnswered(request)) return arena.one
    return arena.node("iszero", [this.observed(CALL, [answer, arena.constant(BigInt(pc))])])
  }

  protected override observed(op: number, args: ReadonlyArray<Expr>): Expr {
    return super.observed(op, [...args, this.arena.unknown()])
  }

  protected override loadTransient(): Expr {
    return this.arena.unknown()
  }

  /** A selector that is hashed from a constant text while the code runs is as fixed as any. */
  protected override record(
    ...[state, kind, target, value, selector, ...rest]: Parameters<Machine["record"]>
  ): CallRecord {
    const fixed = selector === undefined ? undefined : constantValue(selector)
    const word = fixed === undefined ? selector : this.arena.constant(fixed)
    return super.record(state, kind, target, value, word, ...rest)
  }

  protected override call(state: State, kind: CallKind, hasValue: boolean, pc: number): Step {
    const target = state.stack.at(-2)
    const step = super.call(state, kind, hasValue, pc)
    if (kind !== "staticcall" && (target === undefined || !isPrecompile(target))) this.forgetStorage(state)
    return step
  }
}
