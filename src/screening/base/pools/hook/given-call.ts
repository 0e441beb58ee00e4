import { toFunctionSelector } from "viem"
import type { Program } from "../../../../bytecode/evm/code.ts"
import { type Request, answerOf } from "../../../../bytecode/evm/data.ts"
import { OPCODE } from "../../../../bytecode/evm/opcode.ts"
import { ADDRESS_MASK, type Arena, type Expr } from "../../../../bytecode/evm/expression.ts"
import { addressOf, readWord } from "../../../../bytecode/evm/memory.ts"
import type { CallRecord, State } from "../../../../bytecode/evm/path.ts"
import { NEXT, type Step } from "../../../../bytecode/evm/step.ts"
import { add, and, binary, or } from "../../../../bytecode/evm/simplify.ts"
import { ExactMachine } from "../../../../bytecode/exact/machine.ts"
import { BASE_CHAIN_ID } from "../../../../domain/chain-constants.ts"
import { V4 } from "../factories.ts"

const numberOf = (signature: string): bigint => BigInt(toFunctionSelector(signature))
const KEY = "(address,address,uint24,int24,address)"
const PARAMS = "(bool,int256,uint160)"

/** The PoolManager's functions that a hook has use for. Source: Uniswap v4-core IPoolManager, IExtsload, IExttload. */
export const MANAGER = {
  take: numberOf("take(address,address,uint256)"),
  mint: numberOf("mint(address,uint256,uint256)"),
  updateDynamicLPFee: numberOf(`updateDynamicLPFee(${KEY},uint24)`)
} as const

/** Answered with one word, whoever asks and whatever for. */
const LOOKS: ReadonlySet<bigint> = new Set([numberOf("extsload(bytes32)"), numberOf("exttload(bytes32)")])

const dataOf = (words: bigint): bigint => 4n + 32n * words
/** How many bytes each of them reads: of fewer it refuses to make anything. */
const DATA: ReadonlyMap<bigint, bigint> = new Map([
  ...[...LOOKS].map((look) => [look, dataOf(1n)] as const),
  [MANAGER.take, dataOf(3n)],
  [MANAGER.mint, dataOf(3n)],
  [MANAGER.updateDynamicLPFee, dataOf(6n)]
])

const CALLBACKS = {
  before: numberOf(`beforeSwap(address,${KEY},${PARAMS},bytes)`),
  after: numberOf(`afterSwap(address,${KEY},${PARAMS},int256,bytes)`)
} as const

/** One kind of swap, as the PoolManager tells a hook of it: any pool, trader, price limit and amount, without data. */
export interface SwapCall {
  readonly callback: keyof typeof CALLBACKS
  readonly zeroForOne: boolean
  readonly exactInput: boolean
}

/** What a call hands over. `words`: by their place in its data, as far as something is known of them. */
export interface GivenCall {
  readonly words: ReadonlyMap<bigint, Expr>
  readonly size: bigint
  readonly value: Expr
}

/** The words of a swap that bounds are counted by. */
export interface SwapWords {
  readonly selector: bigint
  /** The pool's key. */
  readonly key: ReadonlyArray<Expr>
  readonly currencies: readonly [Expr, Expr]
  readonly tickSpacing: Expr
  readonly amountSpecified: Expr
  readonly delta: Expr
}

const SPACING_BITS = 0x7fffn
const FEE_BITS = 0xffffffn

/** Data of a swap's callback: its words at 4, 36, … */
export const swapCall = (
  arena: Arena,
  { callback, zeroForOne }: SwapCall
): { readonly call: GivenCall; readonly words: SwapWords } => {
  const place = (index: number): bigint => 4n + 32n * BigInt(index)
  const raw = (index: number): Expr => arena.node("calldata", [arena.constant(place(index))])
  const cut = (index: number, mask: bigint): Expr => and(arena, arena.constant(mask), raw(index))
  const selector = CALLBACKS[callback]
  const sender = cut(0, ADDRESS_MASK)
  const currencies = [cut(1, ADDRESS_MASK), cut(2, ADDRESS_MASK)] as const
  const tickSpacing = cut(4, SPACING_BITS)
  const head = callback === "before" ? 10 : 11
  const key = [...currencies, cut(3, FEE_BITS), tickSpacing, arena.env(0x30)]
  const given: ReadonlyArray<Expr> = [
    sender,
    ...key,
    zeroForOne ? arena.one : arena.zero,
    raw(7),
    cut(8, ADDRESS_MASK),
    ...(callback === "after" ? [raw(9)] : []),
    arena.constant(BigInt(head) * 32n),
    arena.zero
  ]
  const first = or(arena, arena.constant(selector << 224n), binary(arena, 0x1c, arena.constant(32n), sender))
  return {
    call: {
      words: new Map([[0n, first], ...given.map((word, index) => [place(index), word] as const)]),
      size: place(given.length),
      value: arena.zero
    },
    words: { selector, key, currencies, tickSpacing, amountSpecified: raw(7), delta: raw(9) }
  }
}

const { CALLDATALOAD, CALLDATASIZE, CALLER, CALLVALUE, RETURN } = OPCODE
const MANAGER_ADDRESS = BigInt(V4.poolManager)
const MOST_WORDS = 3n
const GAS = 0x5an

export const isManager = ({ op, value }: Expr): boolean => op === "const" && value === MANAGER_ADDRESS

/** Asks the PoolManager for something it has, with all of its words, all the gas there is and no ether: it takes none. */
const isWhole = ({ gas, length, target, value }: Request, selector: Expr | undefined): boolean => {
  const least = selector?.op === "const" ? DATA.get(selector.value) : undefined
  return (
    isManager(target) &&
    least !== undefined &&
    length.op === "const" &&
    length.value >= least &&
    gas.op === "env" &&
    gas.value === GAS &&
    value.op === "const" &&
    value.value === 0n
  )
}

/** Runs one call that the PoolManager makes, of which something is known; keeps what every path answers. */
export class GivenMachine extends ExactMachine {
  private readonly answers = new WeakMap<State, ReadonlyArray<Expr>>()
  /** Answers of the PoolManager to what was asked as a whole. */
  private readonly served = new WeakSet<Expr>()
  private readonly given: GivenCall

  constructor(program: Program, arena: Arena, given: GivenCall) {
    super(program, arena)
    this.given = given
    this.chainId = BigInt(BASE_CHAIN_ID)
  }

  /** The words of an answer; none where they are more than a callback's, or no whole words. */
  answerOf(state: State): ReadonlyArray<Expr> {
    return this.answers.get(state) ?? []
  }

  override step(state: State): Step {
    const instruction = this.program.at[state.pc]
    const { stack } = state
    if (instruction?.op === RETURN) this.keepAnswer(state)
    const word = instruction === undefined ? undefined : this.handedOver(instruction.op, stack.at(-1))
    if (instruction === undefined || word === undefined || !this.hasStack(state)) return super.step(state)
    if (instruction.op === CALLDATALOAD) stack.pop()
    stack.push(word)
    state.pc = instruction.next
    return NEXT
  }

  private handedOver(op: number, top: Expr | undefined): Expr | undefined {
    switch (op) {
      case CALLER:
        return this.arena.constant(MANAGER_ADDRESS)
      case CALLVALUE:
        return this.given.value
      case CALLDATASIZE:
        return this.arena.constant(this.given.size)
      case CALLDATALOAD:
        return top?.op === "const" ? this.loaded(top.value) : undefined
      default:
        return undefined
    }
  }

  private loaded(at: bigint): Expr | undefined {
    return at >= this.given.size ? this.arena.zero : this.given.words.get(at)
  }

  private keepAnswer(state: State): void {
    const [at, size] = [state.stack.at(-1), state.stack.at(-2)]
    if (at === undefined || size?.op !== "const") return
    if (size.value % 32n !== 0n || size.value > 32n * MOST_WORDS) return
    const words = Array.from({ length: Number(size.value / 32n) }, (_, index) =>
      readWord(
        this.arena,
        state.memory,
        addressOf(add(this.arena, at, this.arena.constant(32n * BigInt(index))))
      )
    )
    this.answers.set(state, words)
  }

  /** What a hook asks of the PoolManager as a whole it gets; whether it asks for the right thing is looked at afterwards. */
  protected override succeeded(request: Request, answer: Expr, pc: number): Expr {
    if (!isWhole(request, answer.args[1])) return super.succeeded(request, answer, pc)
    this.served.add(answer)
    return this.arena.one
  }

  /** Whether the PoolManager serves a call: nothing can be done in one that may change nothing. */
  serves(call: CallRecord): boolean {
    const isAllowed = call.kind === "call" || (call.kind === "staticcall" && isLook(call.selector))
    return isAllowed && this.served.has(answerOf(this.arena, call))
  }

  protected override returnedSize(state: State): Expr {
    const { calls } = state
    if (calls === undefined || !this.serves(calls)) return super.returnedSize(state)
    return isLook(calls.selector) ? this.arena.constant(32n) : this.arena.zero
  }
}

/** Whether a call to the PoolManager only looks at its storage. */
export const isLook = (selector: Expr | undefined): boolean =>
  selector?.op === "const" && LOOKS.has(selector.value)
