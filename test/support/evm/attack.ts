/** Tries to take from holders, by random calls, what the proof says nobody can take. */
import { type Hex, toHex } from "viem"
import { bytesOfHex, decode } from "../../../src/bytecode/evm/code.ts"
import { SELECTOR } from "../../../src/bytecode/selector.ts"
import { Dice } from "../../simulation/dice.ts"
import { toBytes, toWord } from "./bytes.ts"
import type { Message, Outcome } from "./frame.ts"
import { type Input, Inputs } from "./inputs.ts"
import { BUYER, FRIEND, HOLDERS, IDLE, KNOWN, OWNER, STRANGER, type Token, VICTIM, World } from "./world.ts"

/** A function to be called. */
export interface Method {
  /** 4 bytes. */
  readonly selector: Hex
  readonly inputs: ReadonlyArray<Input>
}

export interface Target extends Token {
  readonly methods: ReadonlyArray<Method>
}

const ORDINARY: ReadonlySet<string> = new Set([
  SELECTOR.transfer,
  SELECTOR.transferFrom,
  SELECTOR.approve,
  SELECTOR.balanceOf,
  SELECTOR.allowance,
  SELECTOR.totalSupply
])
const CALLERS = [STRANGER, STRANGER, FRIEND, OWNER] as const
const MOST_CALLS = 5
const LONG_WHILE = 40_000_000
/** `0x1901`, domain and struct. */
const MESSAGE_BYTES = 66
const NOTHING = { to: 0n, amount: 0n }
const WEALTH = [1_000n, 10n ** 24n, 1n << 108n] as const

/** One life of a token: random storage, random calls. Everything follows from the seed. */
class Life {
  readonly log: Array<string> = []
  private readonly dice: Dice
  private readonly inputs: Inputs
  private readonly world: World
  private readonly methods: ReadonlyArray<Method>
  private readonly unusual: ReadonlyArray<Method>
  /** The victim signs the first message that anybody presents, and no other. */
  private signs = false
  private signed: bigint | undefined
  private granted = NOTHING
  /** What the victim has approved. */
  private approved = 0n

  constructor(target: Target, seed: number, constants: ReadonlyArray<bigint>) {
    this.dice = new Dice(seed)
    this.methods = target.methods
    this.unusual = target.methods.filter(({ selector }) => !ORDINARY.has(selector))
    this.inputs = new Inputs(this.dice, KNOWN, constants)
    this.world = new World(target, this.dice, this.inputs, {
      called: (to, message) => this.called(to, message),
      signer: (hash, r) => this.signer(hash, r)
    })
  }

  /** What is broken at the end; undefined where nothing is. */
  play(): string | undefined {
    const { dice, world } = this
    this.endowAll()
    const approved = dice.hits(0.3) ? this.approve() : undefined
    if (approved !== undefined) return approved
    const [victim, idle] = [world.balance(VICTIM), world.balance(IDLE)]
    const [sum, may] = [world.sum(), world.allowances()]
    const early = this.sale()
    if (early !== undefined) return `before any call: ${early}`
    this.signs = dice.hits(0.25)
    for (let calls = dice.between(1, MOST_CALLS); calls > 0; calls--) this.act()
    const lost = victim - world.balance(VICTIM)
    const consented = this.approved + this.granted.amount
    if (lost > consented) return `the victim consented to ${consented} and lost ${lost} of ${victim}`
    if (world.balance(IDLE) < idle) return `an idle holder has ${world.balance(IDLE)} of ${idle} left`
    if (world.sum() > sum) return `all balances together grew by ${world.sum() - sum} from ${sum}`
    for (const { amount, owner, spender } of world.allowances()) {
      const before = may.find((one) => one.owner === owner && one.spender === spender)?.amount ?? 0n
      const signed = owner === VICTIM && spender === this.granted.to ? this.granted.amount : 0n
      if (amount > before + signed)
        return `${toHex(owner)} did nothing and allows ${toHex(spender)} ${amount} instead of ${before}`
    }
    const late = this.sale()
    return late === undefined ? undefined : `after the calls: ${late}`
  }

  private endowAll(): void {
    const { dice, inputs, world } = this
    const wealth = dice.pick(WEALTH)
    for (const who of HOLDERS)
      world.endow(
        who,
        (wealth * BigInt(dice.between(0, 1_000_000))) / 1_000_000n + BigInt(dice.between(0, 9))
      )
    if (dice.hits(0.5)) inputs.learn(world.balance(VICTIM), world.balance(STRANGER))
  }

  private approve(): string | undefined {
    const amount = this.world.balance(VICTIM) / BigInt(this.dice.between(1, 20))
    this.approved = amount
    const { ok } = this.call(VICTIM, SELECTOR.approve, [STRANGER, amount])
    return ok ? undefined : `the victim could not approve ${amount}`
  }

  private act(depth = 0): void {
    const { dice } = this
    const [first, ...rest] = dice.hits(0.75) && this.unusual.length > 0 ? this.unusual : this.methods
    if (first === undefined) return
    const { inputs, selector } = dice.pick([first, ...rest])
    if (dice.hits(0.1)) this.world.time += BigInt(dice.between(1, LONG_WHILE))
    const value = dice.hits(0.1) ? 1n : 0n
    this.call(dice.pick(CALLERS), selector, this.inputs.encoded(inputs), depth, value)
  }

  private call(
    caller: bigint,
    selector: string,
    words: ReadonlyArray<bigint>,
    depth = 0,
    value = 0n
  ): Outcome {
    const data = Buffer.concat([bytesOfHex(selector), ...words.map((one) => toBytes(one))])
    const line = this.log.push("") - 1
    const outcome = this.world.machine.run({ caller, value, data, isStatic: false, depth })
    const does = outcome.ok ? "done" : "failed"
    this.log[line] = `${"  ".repeat(depth)}${toHex(caller)} calls ${toHex(data)} with ${value}: ${does}`
    return outcome
  }

  /** An attacker's account that is called calls back, and answers whatever it likes. */
  private called(to: bigint, { depth, isStatic }: Message): Outcome {
    const { dice } = this
    if (!CALLERS.some((one) => one === to)) return { ok: true, output: new Uint8Array() }
    if (!isStatic && depth < 3 && dice.hits(0.5)) this.act(depth)
    const answer = dice.hits(0.5) ? 1n : this.inputs.amount()
    return { ok: dice.hits(0.8), output: dice.hits(0.8) ? toBytes(answer) : new Uint8Array() }
  }

  /** Everybody but those who do nothing signs whatever he likes. */
  private signer(hash: bigint, r: bigint): bigint {
    if (this.signs && (this.signed === undefined || this.signed === hash)) {
      this.signed = hash
      this.consent(hash)
      return VICTIM
    }
    return r === VICTIM || r === IDLE ? 0n : (KNOWN.find((who) => who === r) ?? 0n)
  }

  /** The message is over a struct whose third and fourth words are who gets something, and how much: ERC-2612, ERC-3009. */
  private consent(hash: bigint): void {
    const { hashed } = this.world.machine
    const message = hashed.get(hash)
    const struct =
      message?.length === MESSAGE_BYTES ? hashed.get(toWord(message, MESSAGE_BYTES - 32)) : undefined
    this.granted = struct === undefined ? NOTHING : { to: toWord(struct, 64), amount: toWord(struct, 96) }
  }

  /** A holder transfers what he holds, and sells it through somebody he allows it. Nothing of that remains. */
  private sale(): string | undefined {
    const { machine } = this.world
    const [storage, lines] = [new Map(machine.storage), this.log.length]
    const broken = this.trySale()
    machine.storage = storage
    if (broken === undefined) this.log.length = lines
    return broken
  }

  private trySale(): string | undefined {
    const { world } = this
    for (const who of [VICTIM, IDLE]) {
      const { ok, output } = this.call(STRANGER, SELECTOR.balanceOf, [who])
      if (!ok || toWord(output) !== world.balance(who))
        return `balanceOf says ${toWord(output)} of ${world.balance(who)}`
    }
    const held = world.balance(VICTIM)
    const part = held / 3n
    if (part === 0n) return undefined
    return (
      this.tryMove(part, () => this.call(VICTIM, SELECTOR.transfer, [BUYER, part])) ??
      this.tryMove(held - part, () => {
        this.call(VICTIM, SELECTOR.approve, [FRIEND, held - part])
        return this.call(FRIEND, SELECTOR.transferFrom, [VICTIM, BUYER, held - part])
      })
    )
  }

  /** Takes no more than the amount from the victim; the buyer gets all of it but the tenth that a fixed fee may be. */
  private tryMove(amount: bigint, move: () => Outcome): string | undefined {
    const { world } = this
    const [from, to] = [world.balance(VICTIM), world.balance(BUYER)]
    if (!move().ok) return `${amount} of ${from} could not be moved`
    const [lost, gained] = [from - world.balance(VICTIM), world.balance(BUYER) - to]
    // The fee may be the victim's own, or the buyer's.
    const isMoved = [lost, gained].every((part) => part <= amount && part * 10n >= amount * 9n)
    return isMoved ? undefined : `of ${amount} to be moved ${lost} was taken, and ${gained} given`
  }
}

/** How a promise was broken. */
export interface Counterexample {
  readonly broken: string
  /** What was called, by whom. */
  readonly log: ReadonlyArray<string>
}

/** Plays some lives; the first one in which a promise is broken. */
export const attack = (target: Target, seed: number, lives: number): Counterexample | undefined => {
  const pushed = decode(bytesOfHex(target.code)).at.map((found) => found?.push)
  const constants = [...new Set(pushed.filter((value) => value !== undefined))]
  for (let life = 0; life < lives; life++) {
    const one = new Life(target, seed + life, constants)
    const broken = one.play()
    if (broken !== undefined) return { broken, log: one.log }
  }
  return undefined
}
