/** Words by chance, of what proofs argue about: lists, parts of words, sums, signed numbers. */
import type { Dice } from "../../simulation/dice.ts"

export type Texts = readonly [string, ...ReadonlyArray<string>]

const ARGUMENTS = ["to", "from", "n", "m", "k", "l", "w", "h"] as const
const LOCALS: Texts = ["x", "y", "i", "j", "n"]
export const WHO: Texts = [
  "to",
  "to",
  "msg.sender",
  "friend",
  "(i < w.length ? w[i] : msg.sender)",
  "address(this)"
]
export const SMALL: Texts = ["0", "1", "1", "2", "3", "4", "7", "32", "50", "64", "255"]
/** Words and conditions over what a function has at hand. */
export class Terms {
  protected readonly dice: Dice
  private readonly missing: ReadonlyArray<RegExp>

  /** @param head what says which arguments there are */
  constructor(dice: Dice, head: string) {
    this.dice = dice
    this.missing = ARGUMENTS.filter((name) => !new RegExp(`\\b${name}\\b`).test(head)).map(
      (name) => new RegExp(`\\b${name}\\b`)
    )
  }

  /** One of those that name no argument that is missing. */
  protected some(texts: Texts): string {
    const [first, ...rest] = texts.filter((text) => !this.missing.some((name) => name.test(text)))
    return first === undefined ? "x" : this.dice.pick([first, ...rest])
  }

  protected local(): string {
    return this.some(LOCALS)
  }

  /** A place that is assigned to in loops as well. */
  protected target(): string {
    return this.dice.pick(["x", "y", "j"])
  }

  protected atom(): string {
    const { dice } = this
    if (dice.hits(0.5)) return this.local()
    return this.some([
      this.small(),
      this.small(),
      "m",
      "a",
      "b",
      "l.length",
      "w.length",
      "list.length",
      "h.length",
      "uint256(uint160(to))",
      "uint256(k)",
      "uint256(pair.x)",
      "uint256(pair.y)",
      "notes[msg.sender]",
      "cells[n]",
      "got(msg.sender)",
      "got(to)",
      "may[from][msg.sender]",
      "supply",
      "uint256(q)",
      "uint256(tiny)",
      "mem[0]",
      "mem[1]",
      "mem[i & 3]",
      "(i < l.length ? l[i] : 0)",
      "uint256(h.length > 0 ? h[0] : 1)",
      "block.timestamp",
      "msg.value"
    ])
  }

  protected small(): string {
    return `uint256(${this.dice.pick(SMALL)})`
  }

  expr(depth = 1): string {
    const { dice } = this
    if (depth === 0 || dice.hits(0.4)) return this.atom()
    const [a, b] = [this.expr(depth - 1), this.expr(depth - 1)]
    return dice.pick([
      `(${a} + ${b})`,
      `(${a} - ${b})`,
      `(${a} + ${b})`,
      `(${a} - ${b})`,
      `(${a} * ${b})`,
      `(${a} / 2)`,
      `(${a} % 10)`,
      `(${a} & ${b})`,
      `(${a} | ${b})`,
      `(${a} ^ ${b})`,
      `(${a} >> ${dice.pick(["1", "8", "128", "160"])})`,
      `(${a} << ${dice.pick(["1", "8", "128", "160"])})`,
      `uint256(uint128(${a}))`,
      `uint256(uint96(${a}))`,
      `uint256(uint64(${a}))`,
      `uint256(uint8(${a}))`,
      `uint256(int256(int128(int256(${a}))))`,
      `(${this.condition(0)} ? ${a} : ${b})`,
      `mix(${a}, ${b})`,
      `(~${a})`
    ])
  }

  condition(depth = 1): string {
    const { dice } = this
    const near = `(${this.local()} ${dice.pick(["+", "-"])} ${this.small()})`
    const [a, b] = dice.hits(0.4)
      ? [this.local(), dice.hits(0.5) ? this.local() : near]
      : [this.expr(depth), dice.hits(0.5) ? this.atom() : this.small()]
    const test = dice.pick([
      `${a} < ${b}`,
      `${a} > ${b}`,
      `${a} <= ${b}`,
      `${a} == ${b}`,
      `${a} != ${b}`,
      `int256(${a}) < int256(${b})`,
      `int256(${a}) > 0`,
      `${a} >= ${b}`
    ])
    return depth > 0 && dice.hits(0.15)
      ? `((${test}) ${dice.pick(["&&", "||"])} ${this.condition(0)})`
      : `(${test})`
  }
}
