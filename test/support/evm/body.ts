/** Function bodies by chance: loops, branches, early ends, writes, bookings. */
import { SMALL, Terms, WHO } from "./terms.ts"

/** One function's body, statement by statement. */
export class Body extends Terms {
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

  /** Two numbers that go together for a while, and what may be done where they no longer do. */
  parting(): string {
    const { dice } = this
    const [a, b] = dice.pick<readonly [string, string]>([
      ["x", "y"],
      ["y", "x"],
      ["x", "j"],
      ["j", "y"]
    ])
    const step = dice.pick(["++", "++", " += 2"])
    const [one, both] = [`${a}${step};`, `${a}${step}; ${b}${step};`]
    const test = `${dice.pick([a, a, "i"])} ${dice.pick([">", ">", "==", "<"])} ${dice.pick(["2", "4", "5", "20", "50"])}`
    const body = dice.pick([
      `if (${test}) { ${one} } else { ${both} }`,
      `if (${test}) { ${both} } else { ${one} }`,
      `${both} if (${test}) { ${dice.pick([`${b}--;`, `${b}++;`, "break;", "continue;", `${b} = ${a};`])} }`
    ])
    const end = this.some(["n", "n", "m", "l.length", "w.length", "100"])
    const loop = dice.pick([`while (${a} < ${end}) { ${body} }`, `for (i = 0; i < ${end}; i++) { ${body} }`])
    const parted = `${a} ${dice.pick(["!=", "!=", ">", "<"])} ${b}`
    return `${a} = ${dice.pick(["0", "1"])}; ${b} = ${a}; ${loop} if (${parted}) { ${this.evil()} }`
  }

  /** Something that a transfer does besides. */
  aside(): string {
    const { dice } = this
    const test = dice.hits(0.4)
      ? this.condition(0)
      : `(${this.held()} ${dice.pick(["<", ">", "<=", "==", "!="])} ${this.held()})`
    return dice.pick([
      `require${test};`,
      `if ${test} { ${dice.pick(["revert();", "return true;", "return false;", "n--;", "n = n - n / 100;"])} }`,
      `if ${test} { pay(msg.sender, friend, n / ${dice.pick(["2", "10", "100"])}); n -= n / ${dice.pick(["2", "10", "100"])}; }`,
      `if ${test} { ${this.plain()} }`,
      this.plain()
    ])
  }

  /** What a transfer may ask of those who have a part in it. */
  private held(): string {
    const { dice } = this
    const word = dice.pick([
      "n",
      "n",
      "got(msg.sender)",
      "got(to)",
      "got(friend)",
      "uint256(uint160(to))",
      "uint256(uint160(friend))",
      "may[msg.sender][to]",
      "supply"
    ])
    return dice.pick([
      word,
      word,
      `(${word} + n)`,
      `(${word} - n)`,
      `(${word} * 2)`,
      `(${word} / 2)`,
      `uint256(uint128(${word}))`,
      this.small(),
      "type(uint256).max",
      "(1 << 130)"
    ])
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
