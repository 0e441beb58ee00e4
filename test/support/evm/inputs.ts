/** Arguments as an attacker chooses them. */
import type { Dice } from "../../simulation/dice.ts"
import { word } from "./meaning.ts"

/** One argument by its type's name: `address`, `uint256`, `int128`, `bool`, `bytes32`, `bytes`, `string`, or a list `…[]`. */
export type Input = string

const MOST_LEARNT = 48
const ALL = (1n << 256n) - 1n
const LENGTHS = [0, 1, 1, 2, 2, 3, 4, 5, 8, 17, 33, 51, 70] as const

const bitsOf = (type: Input): number => Number(/\d+$/.exec(type)?.[0] ?? "256")

export class Inputs {
  private readonly learnt: Array<bigint> = []
  private length = 1

  private readonly dice: Dice
  private readonly accounts: ReadonlyArray<bigint>
  private readonly constants: ReadonlyArray<bigint>

  constructor(dice: Dice, accounts: ReadonlyArray<bigint>, constants: ReadonlyArray<bigint>) {
    this.dice = dice
    this.accounts = accounts
    this.constants = constants
  }

  /** Numbers that the code compares may open what lies behind. */
  learn(a: bigint, b: bigint): void {
    if (this.learnt.length > MOST_LEARNT) this.learnt.splice(0, 16)
    if (a > 1n) this.learnt.push(a)
    if (b > 1n && b !== a) this.learnt.push(b)
  }

  private some(items: ReadonlyArray<bigint>): bigint {
    return items[this.dice.between(0, items.length - 1)] ?? 0n
  }

  amount(): bigint {
    const { dice } = this
    const kind = dice.next()
    if (kind < 0.2) return BigInt(dice.between(0, 3))
    if (kind < 0.3) return BigInt(dice.between(4, 80))
    if (kind < 0.4) return word((1n << BigInt(dice.between(7, 256))) + BigInt(dice.between(-1, 1)))
    if (kind < 0.45) return ALL - BigInt(dice.between(0, 3))
    if (kind < 0.7) return word(this.some(this.learnt) + BigInt(dice.between(-1, 1)))
    if (kind < 0.8) return word(this.some(this.constants) + BigInt(dice.between(-1, 1)))
    if (kind < 0.85) return word(this.some(this.learnt) - this.some(this.learnt))
    if (kind < 0.9) return this.some(this.learnt) / BigInt(dice.between(2, 10))
    return BigInt(dice.between(81, 100_000))
  }

  private account(): bigint {
    return this.dice.hits(0.95) ? this.some(this.accounts) : this.amount() & ((1n << 160n) - 1n)
  }

  private word(type: Input): bigint {
    const { dice } = this
    if (type === "address") return this.account()
    if (type === "bool") return dice.hits(0.5) ? 1n : 0n
    if (type.startsWith("bytes")) return dice.hits(0.5) ? this.account() : this.amount()
    const bits = bitsOf(type)
    const value = dice.hits(0.03) ? this.account() : this.amount()
    if (bits === 256 || dice.hits(0.02)) return value
    return type.startsWith("int") ? word(BigInt.asIntN(bits, value)) : BigInt.asUintN(bits, value)
  }

  /** What a list or a text holds, behind its length. */
  private tail(type: Input): ReadonlyArray<bigint> {
    const { dice } = this
    if (dice.hits(0.2)) this.length = LENGTHS[dice.between(0, LENGTHS.length - 1)] ?? 1
    const length = this.length
    const told = dice.hits(0.03) ? this.amount() : BigInt(length)
    if (!type.endsWith("[]"))
      return [told, ...Array.from({ length: Math.ceil(length / 32) }, () => this.amount())]
    const same = this.word(type.slice(0, -2))
    const isSame = dice.hits(0.4)
    return [told, ...Array.from({ length }, () => (isSame ? same : this.word(type.slice(0, -2))))]
  }

  /** The words behind the selector. */
  encoded(inputs: ReadonlyArray<Input>): ReadonlyArray<bigint> {
    const { dice } = this
    this.length = LENGTHS[dice.between(0, LENGTHS.length - 1)] ?? 1
    const heads: Array<bigint> = []
    const tails: Array<bigint> = []
    let last: bigint | undefined
    for (const type of inputs) {
      if (!type.endsWith("[]") && type !== "bytes" && type !== "string") {
        heads.push(this.word(type))
        continue
      }
      const isShared = last !== undefined && dice.hits(0.1)
      const at = isShared && last !== undefined ? last : 32n * BigInt(inputs.length + tails.length)
      heads.push(at)
      last = at
      if (!isShared) tails.push(...this.tail(type))
    }
    return [...heads, ...tails]
  }
}
