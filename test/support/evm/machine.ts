/** An EVM as small as contracts of one token need it, which shares nothing with the engine but how code is cut up. */
import { createHash } from "node:crypto"
import type { Program } from "../../../src/bytecode/evm/code.ts"
import { Failed, hashOf, toBytes, toWord } from "./bytes.ts"
import { DELEGATECALL, Frame, type Message, type Outcome, RUNS, Unsupported } from "./frame.ts"

const MOST_STEPS = 150_000
/** What an instruction leaves of the gas, in the end: code asks whether any is left. */
const GAS_A_STEP = 30
const MOST_DEPTH = 6
/** Longer ones are texts, and no places in storage or messages. */
const MOST_HASHED = 1_024
const COMPARISONS: ReadonlySet<number> = new Set([0x10, 0x11, 0x12, 0x13, 0x14])

/** What the contract meets outside of itself. */
export interface Outside {
  /** The word at a slot that nobody has written. */
  readonly born: (slot: bigint) => bigint
  readonly time: () => bigint
  /** A call to another account. */
  readonly called: (to: bigint, message: Message) => Outcome
  /** Who signed a hash; zero: nobody. */
  readonly signer: (hash: bigint, r: bigint) => bigint
  /** Two words that the code compares. */
  readonly compared: (a: bigint, b: bigint) => void
}

const FAILED: Outcome = { ok: false, output: new Uint8Array() }

/** One token on a chain of its own. */
export class Machine {
  storage = new Map<bigint, bigint>()
  private transient = new Map<bigint, bigint>()
  /** What was hashed, by the hash. */
  readonly hashed = new Map<bigint, Uint8Array>()
  private steps = 0
  private readonly program: Program
  private readonly self: bigint
  private readonly outside: Outside

  constructor(program: Program, self: bigint, outside: Outside) {
    this.program = program
    this.self = self
    this.outside = outside
  }

  load(slot: bigint): bigint {
    return this.storage.get(slot) ?? this.outside.born(slot)
  }

  /** A transaction, or a call within one. What fails leaves storage as it was. */
  run(message: Message): Outcome {
    if (message.depth === 0) {
      this.steps = 0
      this.transient = new Map()
    }
    const [storage, transient] = [new Map(this.storage), new Map(this.transient)]
    const outcome = this.tryRun(message)
    if (!outcome.ok) {
      this.storage = storage
      this.transient = transient
    }
    return outcome
  }

  private tryRun(message: Message): Outcome {
    try {
      return this.execute(message)
    } catch (error) {
      if (error instanceof Failed) return FAILED
      throw error
    }
  }

  private execute(message: Message): Outcome {
    const { at } = this.program
    const frame = new Frame(this.program, message, {
      self: this.self,
      load: (slot) => this.load(slot),
      store: (slot, value) => this.storage.set(slot, value),
      loadTransient: (slot) => this.transient.get(slot) ?? 0n,
      storeTransient: (slot, value) => this.transient.set(slot, value),
      hash: (bytes) => this.hash(bytes),
      time: this.outside.time,
      gas: () => BigInt(GAS_A_STEP * (MOST_STEPS - this.steps)),
      call: (kind, to, inner) => this.call(kind, to, inner)
    })
    while (frame.outcome === undefined) {
      if (++this.steps > MOST_STEPS) throw new Failed("gas")
      const found = at[frame.pc]
      if (found === undefined) return { ok: true, output: new Uint8Array() }
      const { next, op, push } = found
      frame.pc = next
      if (push !== undefined) frame.push(push)
      else this.perform(frame, op)
    }
    return frame.outcome
  }

  private perform(frame: Frame, op: number): void {
    const run = RUNS.get(op)
    if (run === undefined) throw new Unsupported(`instruction ${op.toString(16)}`)
    if (COMPARISONS.has(op)) this.outside.compared(frame.pick(1), frame.pick(2))
    run(frame)
  }

  private call(kind: number, to: bigint, message: Message): Outcome {
    const isSelf = to === this.self
    if (kind === DELEGATECALL && !isSelf) throw new Unsupported("code from elsewhere")
    if (message.depth > MOST_DEPTH) return FAILED
    const precompiled = this.precompiled(to, message.data)
    return precompiled ?? (isSelf ? this.run(message) : this.outside.called(to, message))
  }

  private precompiled(address: bigint, data: Uint8Array): Outcome | undefined {
    const answer = (output: Uint8Array): Outcome => ({ ok: true, output })
    if (address === 2n) return answer(createHash("sha256").update(data).digest())
    if (address === 4n) return answer(data)
    if (address !== 1n) return undefined
    const signer = this.outside.signer(toWord(data), toWord(data, 64))
    return answer(signer === 0n ? new Uint8Array() : toBytes(signer))
  }

  private hash(bytes: Uint8Array): bigint {
    const hash = hashOf(bytes)
    if (bytes.length <= MOST_HASHED) this.hashed.set(hash, bytes)
    return hash
  }
}
