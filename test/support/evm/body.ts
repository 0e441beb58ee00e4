/** Function bodies by chance, of what proofs argue about: loops, lists, parts of words, sums, branches. */
import type { Dice } from "../../simulation/dice.ts"

export type Texts = readonly [string, ...ReadonlyArray<string>]

const ARGUMENTS = ["to", "from", "n", "m", "k", "l", "w", "h"] as const
const LOCALS: Texts = ["x", "y", "i", "j", "n"]
const WHO: Texts = ["to", "to", "msg.sender", "friend", "(i < w.length ? w[i] : msg.sender)", "address(this)"]
const SMALL: Texts = ["0", "1", "1", "2", "3", "4", "7", "32", "50", "64", "255"]
/** One function's body, statement by statement. */
export class Body {
  private readonly dice: Dice
  private readonly missing: ReadonlyArray<RegExp>

  /** @param head what says which arguments there are */
  constructor(dice: Dice, head: string) {
    this.dice = dice
    this.missing = ARGUMENTS.filter((name) => !new RegExp(`\\b${name}\\b`).test(head)).map(
      (name) => new RegExp(`\\b${name}\\b`)
    )
  }

  /** One of those that name no argument that is missing. */
  private some(texts: Texts): string {
    const [first, ...rest] = texts.filter((text) => !this.missing.some((name) => name.test(text)))
    return first === undefined ? "x" : this.dice.pick([first, ...rest])
  }

  private local(): string {
    return this.some(LOCALS)
  }

  /** A place that is assigned to in loops as well. */
  private target(): string {
    return this.dice.pick(["x", "y", "j"])
  }

  private atom(): string {
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

  private small(): string {
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

  /** Writes something that is no balance, or goes on counting. */
  private plain(): string {
    const { dice } = this
    const [at, value] = [this.expr(1), this.expr(1)]
    return this.some([
      `${this.target()} = ${value};`,
      `${this.target()} += ${dice.pick(SMALL)};`,
      `${this.target()}++;`,
      `${this.target()}--;`,
      `${this.target()} = ${this.local()} + ${dice.pick(SMALL)};`,
      `${this.target()} = mem[${dice.pick(["0", "1", "2", "3", "i & 3", "j & 3"])}];`,
      `mem[${dice.pick(["0", "1", "2", "3", "i & 3", "j & 3"])}] = ${value};`,
      `mem[${dice.pick(["i & 3", "j", "x"])}] += ${value};`,
      `a = ${value};`,
      `b += ${value};`,
      `notes[${this.some(WHO)}] = ${value};`,
      `cells[${at}] = ${value};`,
      `grid[${at}][${this.atom()}] = ${value};`,
      `pair.x = uint128(${value});`,
      `pair.y += uint64(${value});`,
      `pairs[to].z = uint64(${value});`,
      this.some([
        `if (list.length > ${at}) list[${at}] = ${value};`,
        `list.push(${value});`,
        `if (list.length > 0) list.pop();`,
        `people.push(to);`,
        `if (halves.length > ${at}) halves[${at}] = uint128(${value});`,
        `halves.push(uint128(${value}));`
      ]),
      `q = uint96(${value});`,
      `tiny = uint8(${value});`,
      `friend = ${this.some(WHO)};`,
      `emit Told(${value}, ${this.local()});`,
      `assembly { mstore(add(mem, ${dice.pick(["32", "64", "and(x, 96)", "mul(i, 32)"])}), ${this.local()}) }`,
      `assembly { ${this.some([
        "sstore(a.slot, y)",
        "sstore(add(q.slot, and(x, 1)), i)",
        "mstore(0, list.slot) sstore(add(keccak256(0, 32), and(i, 0xffff)), x)",
        "mstore(0, list.slot) sstore(add(keccak256(0, 32), i), x)",
        "mstore(0, x) mstore(32, cells.slot) sstore(keccak256(0, 64), n)"
      ])} }`
    ])
  }

  private amount(): string {
    return this.dice.hits(0.6) ? this.some(["n", "m", "x", "y", "mem[0]"]) : this.expr(1)
  }

  /** Moves balances or allowances, often rightly. */
  private booking(): string {
    const { dice } = this
    const v = this.amount()
    const v2 = dice.hits(0.75) ? v : this.amount()
    const who = this.some(WHO)
    return this.some([
      `pay(msg.sender, ${who}, ${v});`,
      `pay(msg.sender, ${who}, ${v});`,
      `pay(msg.sender, ${who}, ${this.some(["(i < l.length ? l[i] : 0)", "(i < h.length ? h[i] : 1)", v])});`,
      `may[from][msg.sender] -= ${v}; pay(from, ${who}, ${v2});`,
      `may[from][msg.sender] -= ${v}; put(from, got(from) - ${v2}); supply -= ${v2};`,
      `put(msg.sender, got(msg.sender) - ${v}); put(${who}, got(${who}) + ${v2});`,
      `put(msg.sender, got(msg.sender) - ${v}); supply -= ${v2};`,
      `put(msg.sender, got(msg.sender) - ${v});`,
      `if (got(msg.sender) >= ${v}) { pay(msg.sender, ${who}, ${v2}); }`,
      `uint256 t = got(msg.sender); require(t >= ${v}); put(msg.sender, t - ${v2}); put(to, got(to) + ${v2});`
    ])
  }

  /** What nobody may ever do. */
  private evil(): string {
    return this.some([
      "put(msg.sender, got(msg.sender) + 1000);",
      "put(to, got(to) + n);",
      "pay(from, msg.sender, got(from));",
      "put(from, 0);",
      "may[from][msg.sender] = n;",
      "put(from, 0);",
      "assembly { sstore(n, x) }"
    ])
  }

  private loop(level: number): string {
    const { dice } = this
    const counter = dice.pick(["i", "i", "j"])
    const end = this.some([
      "l.length",
      "l.length",
      "w.length",
      "h.length",
      "list.length",
      "n",
      "4",
      "3",
      "60",
      "x",
      "m"
    ])
    const step = this.some(["++", "++", "++", " += 2", " += 3", " += m"])
    const parts = Array.from({ length: dice.between(1, 3) }, () => this.statement(level - 1))
    if (dice.hits(0.25)) parts.push(`if ${this.condition(0)} ${dice.pick(["break;", "continue;"])}`)
    if (dice.hits(0.2)) parts.push(`${counter}${step};`)
    const first = dice.between(0, parts.length)
    const body = [...parts.slice(first), ...parts.slice(0, first)].join(" ")
    return dice.pick([
      `for (${counter} = ${dice.pick(["0", "0", "1", "x"])}; ${counter} < ${end}; ${counter}${step}) { ${body} }`,
      `for (${counter} = 0; ${counter} < ${end}; ${counter}${step}) { ${body} }`,
      `while (${counter} < ${end}) { ${body} ${counter}${step}; }`,
      `while (${this.target()} ${dice.pick(["!=", ">", "<"])} ${end}) { ${body} ${counter}${step}; }`,
      `do { ${body} ${counter}${step}; } while (${counter} < ${end});`,
      `for (${counter} = ${end}; ${counter} > 0; ${counter}--) { ${body} }`
    ])
  }

  statement(level = 2): string {
    const { dice } = this
    const kind = dice.next()
    if (level > 0 && kind < 0.22) return this.loop(level)
    if (level > 0 && kind < 0.32)
      return `if ${this.condition()} { ${this.statement(level - 1)} } else { ${this.plain()} }`
    if (kind < 0.42) return `if ${this.condition()} { ${dice.pick([this.plain(), "return;", "revert();"])} }`
    if (kind < 0.54) return `{ ${this.booking()} }`
    if (kind < 0.6) return `require(${this.condition()});`
    return this.plain()
  }

  private counting(): string {
    const { dice } = this
    const one = (): string =>
      this.some([
        "x++;",
        "y++;",
        "j++;",
        "x--;",
        "y += 2;",
        "x += 2;",
        "j += n;",
        "x = y;",
        "y = j;",
        "mem[0]++;",
        "mem[1]++;"
      ])
    return Array.from({ length: dice.between(1, 2) }, one).join(" ")
  }

  /** Numbers that go along with one another for a while, and what may be done where they no longer do. */
  parting(): string {
    const { dice } = this
    const when = this.some(["i", "i", "x", "y", "j"])
    const test = `${when} ${dice.pick([">", "==", "<", "!="])} ${dice.pick(["1", "3", "4", "5", "50", "64"])}`
    const [all, then, otherwise] = [this.counting(), this.counting(), this.counting()]
    const body = dice.pick([
      `if (${test}) { ${then} } else { ${otherwise} }`,
      `${all} if (${test}) { ${then} }`,
      `${all} if (${test}) { ${dice.pick(["break;", "continue;"])} } ${then}`
    ])
    const loop = dice.pick([
      `for (i = 0; i < ${this.some(["n", "m", "l.length", "w.length", "100"])}; i++) { ${body} }`,
      `while (x < ${this.some(["n", "m", "l.length", "100"])}) { x++; ${body} }`,
      `for (i = 0; i < ${this.some(["n", "l.length"])}; i++) { for (j = 0; j < 3; j++) { ${body} } }`
    ])
    const [a, b] = [this.some(["x", "y", "j", "mem[0]"]), this.some(["x", "y", "i", "j", "mem[1]"])]
    return `${loop} if (${a} ${dice.pick(["!=", "<", ">", "=="])} ${b}) { ${this.evil()} }`
  }

  /** What a local variable begins with. */
  start(): string {
    return this.some(["0", "0", "1", "n", "m", "uint256(k)", "l.length"])
  }

  /** Something that may never come about, where the code says so. */
  trap(): string {
    return `if ${this.condition()} { ${this.dice.hits(0.3) ? `if ${this.condition()} { ${this.evil()} }` : this.evil()} }`
  }
}
