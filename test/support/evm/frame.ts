/** One call: what its instructions do to stack and memory. Source: Yellow Paper, appendix H; EIP-5656, EIP-7939. */
import type { Program } from "../../../src/bytecode/evm/code.ts"
import { Failed, Memory, cut, toBytes, toWord } from "./bytes.ts"
import { MEANING, word } from "./meaning.ts"

const MOST_WORDS = 1_024
const ADDRESS = (1n << 160n) - 1n

/** A call of the contract. */
export interface Message {
  readonly caller: bigint
  readonly value: bigint
  readonly data: Uint8Array
  readonly isStatic: boolean
  /** Zero: a transaction. */
  readonly depth: number
}

/** What came of a call. */
export interface Outcome {
  readonly ok: boolean
  readonly output: Uint8Array
}

/** What the code meets outside of its own call. */
export interface Surroundings {
  readonly self: bigint
  readonly load: (slot: bigint) => bigint
  readonly store: (slot: bigint, value: bigint) => void
  readonly loadTransient: (slot: bigint) => bigint
  readonly storeTransient: (slot: bigint, value: bigint) => void
  readonly hash: (bytes: Uint8Array) => bigint
  readonly time: () => bigint
  readonly gas: () => bigint
  readonly call: (kind: number, to: bigint, message: Message) => Outcome
}

/** Why a transaction is no evidence of anything. */
export class Unsupported extends Error {}

export const CALL = 0xf1
export const DELEGATECALL = 0xf4
export const STATICCALL = 0xfa
const CHAIN = 8_453n
/** What block, balances and prices are: not what is tried here. */
const SOME = 1_000_000n

export class Frame {
  pc = 0
  outcome: Outcome | undefined
  readonly stack: Array<bigint> = []
  readonly memory = new Memory()
  answered: Uint8Array = new Uint8Array()
  readonly program: Program
  readonly message: Message
  readonly around: Surroundings

  constructor(program: Program, message: Message, around: Surroundings) {
    this.program = program
    this.message = message
    this.around = around
  }

  pop(): bigint {
    const top = this.stack.pop()
    if (top === undefined) throw new Failed("stack")
    return top
  }

  push(top: bigint): void {
    if (this.stack.length >= MOST_WORDS) throw new Failed("stack")
    this.stack.push(top)
  }

  /** The word so many places below the top, which is 1. */
  pick(depth: number): bigint {
    const found = this.stack[this.stack.length - depth]
    if (found === undefined) throw new Failed("stack")
    return found
  }

  swap(depth: number): void {
    const [top, other] = [this.pick(1), this.pick(depth)]
    this.stack[this.stack.length - 1] = other
    this.stack[this.stack.length - depth] = top
  }

  jump(to: bigint): void {
    const { bytes, jumpDests } = this.program
    if (to >= BigInt(bytes.length) || !jumpDests.has(Number(to))) throw new Failed("jump")
    this.pc = Number(to)
  }

  mayChange(): void {
    if (this.message.isStatic) throw new Failed("static")
  }

  /** Copies from elsewhere into memory. */
  copy(from: Uint8Array): void {
    const to = this.pop()
    this.memory.write(to, cut(from, this.pop(), this.pop()))
  }

  end(ok: boolean): void {
    this.outcome = { ok, output: this.memory.read(this.pop(), this.pop()) }
  }

  log(topics: number): void {
    this.mayChange()
    this.memory.read(this.pop(), this.pop())
    for (let left = topics; left > 0; left--) this.pop()
  }

  call(kind: number): void {
    const { caller, depth, isStatic, value } = this.message
    this.pop()
    const to = this.pop() & ADDRESS
    const sent = kind === CALL ? this.pop() : kind === DELEGATECALL ? value : 0n
    const data = this.memory.read(this.pop(), this.pop())
    const [at, length] = [this.pop(), this.pop()]
    this.memory.read(at, length)
    if (kind === CALL && sent > 0n) this.mayChange()
    const { ok, output } = this.around.call(kind, to, {
      caller: kind === DELEGATECALL ? caller : this.around.self,
      value: sent,
      data,
      isStatic: isStatic || kind === STATICCALL,
      depth: depth + 1
    })
    this.answered = output
    this.memory.write(at, output.subarray(0, Number(length)))
    this.push(ok ? 1n : 0n)
  }
}

type Run = (frame: Frame) => void

/** Takes what is asked about, and says as much of everybody. */
const someOf = (frame: Frame): bigint => {
  frame.pop()
  return SOME
}

const says =
  (what: (frame: Frame) => bigint): Run =>
  (frame) =>
    frame.push(what(frame))

/** Three words: two taken together, and what they are divided by. */
const modulo =
  (together: (a: bigint, b: bigint) => bigint): Run =>
  (frame) => {
    const [a, b, n] = [frame.pop(), frame.pop(), frame.pop()]
    frame.push(n === 0n ? 0n : together(a, b) % n)
  }

const leadingZeros = (of: bigint): bigint => (of === 0n ? 256n : BigInt(256 - of.toString(2).length))

const SINGLE: Readonly<Record<number, Run>> = {
  0x00: (frame) => {
    frame.outcome = { ok: true, output: new Uint8Array() }
  },
  0x08: modulo((a, b) => a + b),
  0x09: modulo((a, b) => a * b),
  0x15: says((frame) => (frame.pop() === 0n ? 1n : 0n)),
  0x19: says((frame) => word(~frame.pop())),
  0x1e: says((frame) => leadingZeros(frame.pop())),
  0x20: says((frame) => frame.around.hash(frame.memory.read(frame.pop(), frame.pop()))),
  0x30: says(({ around }) => around.self),
  0x31: says(someOf),
  0x32: says(({ message }) => message.caller),
  0x33: says(({ message }) => message.caller),
  0x34: says(({ message }) => message.value),
  0x35: says((frame) => toWord(cut(frame.message.data, frame.pop(), 32n))),
  0x36: says(({ message }) => BigInt(message.data.length)),
  0x37: (frame) => frame.copy(frame.message.data),
  0x38: says(({ program }) => BigInt(program.bytes.length)),
  0x39: (frame) => frame.copy(frame.program.bytes),
  0x3a: says(() => SOME),
  0x3b: says((frame) => (frame.pop() === frame.around.self ? BigInt(frame.program.bytes.length) : 1n)),
  0x3d: says(({ answered }) => BigInt(answered.length)),
  0x3e: (frame) => {
    const [from, length] = [frame.pick(2), frame.pick(3)]
    if (from + length > BigInt(frame.answered.length)) throw new Failed("answer")
    frame.copy(frame.answered)
  },
  0x40: says(someOf),
  0x41: says(() => SOME),
  0x42: says(({ around }) => around.time()),
  0x43: says(({ around }) => around.time() / 2n),
  0x44: says(() => SOME),
  0x45: says(() => SOME),
  0x46: says(() => CHAIN),
  0x47: says(() => SOME),
  0x48: says(() => SOME),
  0x50: (frame) => {
    frame.pop()
  },
  0x51: says((frame) => toWord(frame.memory.read(frame.pop(), 32n))),
  0x52: (frame) => frame.memory.write(frame.pop(), toBytes(frame.pop())),
  0x53: (frame) => frame.memory.write(frame.pop(), toBytes(frame.pop()).subarray(31)),
  0x54: says((frame) => frame.around.load(frame.pop())),
  0x55: (frame) => {
    frame.mayChange()
    frame.around.store(frame.pop(), frame.pop())
  },
  0x56: (frame) => frame.jump(frame.pop()),
  0x57: (frame) => {
    const to = frame.pop()
    if (frame.pop() !== 0n) frame.jump(to)
  },
  0x59: says(({ memory }) => BigInt(memory.size)),
  0x5a: says(({ around }) => around.gas()),
  0x5b: () => undefined,
  0x5c: says((frame) => frame.around.loadTransient(frame.pop())),
  0x5d: (frame) => {
    frame.mayChange()
    frame.around.storeTransient(frame.pop(), frame.pop())
  },
  0x5e: (frame) => frame.memory.write(frame.pop(), frame.memory.read(frame.pop(), frame.pop())),
  [CALL]: (frame) => frame.call(CALL),
  [DELEGATECALL]: (frame) => frame.call(DELEGATECALL),
  [STATICCALL]: (frame) => frame.call(STATICCALL),
  0xf3: (frame) => frame.end(true),
  0xfd: (frame) => frame.end(false),
  0xfe: () => {
    throw new Failed("invalid")
  }
}

const several = (count: number, first: number, run: (index: number) => Run): ReadonlyArray<[number, Run]> =>
  Array.from({ length: count }, (_, index) => [first + index, run(index)])

/** What each instruction does; those that nobody needs here are missing. */
export const RUNS: ReadonlyMap<number, Run> = new Map([
  ...Object.values(MEANING).map(([op, mean]): [number, Run] => [
    op,
    (frame) => frame.push(mean(frame.pop(), frame.pop()))
  ]),
  ...several(16, 0x80, (index) => (frame) => frame.push(frame.pick(index + 1))),
  ...several(16, 0x90, (index) => (frame) => frame.swap(index + 2)),
  ...several(5, 0xa0, (index) => (frame) => frame.log(index)),
  ...Object.entries(SINGLE).map(([op, run]): [number, Run] => [Number(op), run])
])
