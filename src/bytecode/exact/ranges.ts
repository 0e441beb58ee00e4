import { type Expr, WORD_MASK } from "../evm/expression.ts"
import { type Condition, listed } from "../evm/path.ts"
import { max, min } from "../../domain/bigint.ts"

/** What a word can be, read as a signed number. */
export interface Range {
  readonly least: bigint
  readonly most: bigint
}

const HALF = 1n << 255n
const ANY: Range = { least: -HALF, most: HALF - 1n }
const TRUTH: Range = { least: 0n, most: 1n }

const upTo = (most: bigint): Range => ({ least: 0n, most })
/** A word that is at most a number without a sign: beyond half of a word it may as well be a number below zero. */
export const atMost = (most: bigint): Range => (most < HALF ? upTo(most) : ANY)
const exactly = (value: bigint): Range => ({ least: value, most: value })
/** What wraps around may be anything. */
const unwrapped = (least: bigint, most: bigint): Range =>
  least < -HALF || most >= HALF ? ANY : { least, most }
const isWithin = ({ least, most }: Range, low: bigint, high: bigint): boolean => least >= low && most <= high
const byWidth = (bits: number): Range => (bits >= 256 ? ANY : upTo((1n << BigInt(bits)) - 1n))

const across = (a: Range, b: Range, of: (x: bigint, y: bigint) => bigint): Range => {
  const all = [of(a.least, b.least), of(a.least, b.most), of(a.most, b.least), of(a.most, b.most)]
  return unwrapped(all.reduce(min), all.reduce(max))
}

const isMask = (value: bigint): boolean => (value & (value + 1n)) === 0n

/** Bits of the number that a sign extension keeps, its sign among them; undefined where that is not known. */
const keptBits = ({ op, value }: Expr): bigint | undefined =>
  op !== "const" ? undefined : value < 31n ? 8n * value + 8n : 256n

/** Ranges of words from those of a call's inputs, of storage, and of what the branches of a path say. */
export class Ranges {
  private readonly seen = new Map<Expr, Range>()
  private readonly given: (word: Expr) => Range | undefined
  private readonly said: ReadonlyMap<Expr, Range>

  constructor(given: (word: Expr) => Range | undefined, conditions?: Condition) {
    this.given = given
    this.said = conditions === undefined ? new Map() : saidBy(new Ranges(given), conditions)
  }

  of(word: Expr): Range {
    const known = this.seen.get(word)
    if (known !== undefined) return known
    const found = this.given(word) ?? this.work(word)
    const said = this.said.get(word)
    const range =
      said === undefined
        ? found
        : {
            least: max(found.least, said.least),
            most: min(found.most, said.most)
          }
    this.seen.set(word, range)
    return range
  }

  /** Without masks and sign extensions that change nothing here. */
  plain(word: Expr): Expr {
    const [a, b] = word.args
    if (a === undefined || b === undefined) return word
    if (word.op === "signextend" && this.isKept(a, b)) return this.plain(b)
    const isCut = word.op === "and" && a.op === "const" && isMask(a.value)
    return isCut && isWithin(this.of(b), 0n, a.value) ? this.plain(b) : word
  }

  private isKept(index: Expr, word: Expr): boolean {
    const bits = keptBits(index)
    if (bits === undefined) return false
    const top = 1n << (bits - 1n)
    return isWithin(this.of(word), -top, top - 1n)
  }

  /** Whether the word is not zero, where that is certain. */
  truth(word: Expr): boolean | undefined {
    const { least, most } = this.of(word)
    return least > 0n || most < 0n ? true : least === 0n && most === 0n ? false : undefined
  }

  private work(word: Expr): Range {
    const [a, b] = word.args
    if (word.op === "const") return exactly(BigInt.asIntN(256, word.value))
    if (a === undefined) return byWidth(word.bits)
    const isTest = ["iszero", "eq", "lt", "slt", "or"].includes(word.op)
    const truth = isTest ? this.test(word, a, b) : undefined
    if (truth !== undefined) return exactly(truth ? 1n : 0n)
    if (isTest && word.op !== "or") return TRUTH
    if (word.op === "not") return { least: -this.of(a).most - 1n, most: -this.of(a).least - 1n }
    return b === undefined ? byWidth(word.bits) : (this.sum(word, a, b) ?? this.cut(word, a, b))
  }

  private test(word: Expr, a: Expr, b: Expr | undefined): boolean | undefined {
    if (word.op === "iszero") {
      const truth = this.truth(a)
      return truth === undefined ? undefined : !truth
    }
    if (b === undefined) return undefined
    if (word.op === "or") return this.isProductTest(a, b) || this.isProductTest(b, a) ? true : undefined
    const [x, y] = [this.of(a), this.of(b)]
    if (word.op === "eq") {
      if (this.plain(a) === this.plain(b)) return true
      return x.most < y.least || y.most < x.least ? false : undefined
    }
    if (word.op === "lt" && (x.least < 0n || y.least < 0n)) return undefined
    const step = word.op === "lt" && b.op === "add" ? b.args.find((part) => part !== a) : undefined
    if (step !== undefined && b.args.includes(a)) {
      // What was added without a carry says which is larger, whatever the numbers are.
      const { least, most } = this.of(step)
      return least > 0n ? true : most <= 0n ? false : undefined
    }
    return x.most < y.least ? true : x.least >= y.most ? false : undefined
  }

  /** `x == 0 || (x * y) / x == y`, where the product does not wrap. */
  private isProductTest(none: Expr, test: Expr): boolean {
    const [x] = none.args
    const [quotient, other] = test.op === "eq" ? test.args : []
    if (none.op !== "iszero" || x === undefined || quotient === undefined || other === undefined) return false
    return this.isProductOf(quotient, x, other) || this.isProductOf(other, x, quotient)
  }

  private isProductOf(quotient: Expr, x: Expr, y: Expr): boolean {
    const [product, divisor] = quotient.args
    if (product?.op !== "mul" || divisor !== x) return false
    const [m, n] = [this.of(x), this.of(y)]
    // Without a sign a debt is a number near the end of a word, and twice as much is too much for one.
    const isCounted = quotient.op === "sdiv" || (quotient.op === "div" && m.least >= 0n && n.least >= 0n)
    const isWhole = across(m, n, (a, b) => a * b) !== ANY
    return isCounted && isWhole && product.args.includes(x) && product.args.includes(y)
  }

  /** Arithmetic. */
  private sum({ op }: Expr, a: Expr, b: Expr): Range | undefined {
    const [x, y] = [this.of(a), this.of(b)]
    switch (op) {
      case "add":
        return unwrapped(x.least + y.least, x.most + y.most)
      case "sub":
        return unwrapped(x.least - y.most, x.most - y.least)
      case "mul":
        return across(x, y, (m, n) => m * n)
      case "shl":
        return x.least === x.most && x.least >= 0n && x.least < 256n
          ? unwrapped(y.least << x.least, y.most << x.least)
          : ANY
      case "sdiv":
        return y.least > 0n ? across(x, y, (m, n) => m / n) : ANY
      case "div":
        if (x.least >= 0n && y.least > 0n) return across(x, y, (m, n) => m / n)
        return y.least > 1n ? upTo(WORD_MASK / y.least) : undefined
      case "mod":
        return y.least > 0n ? upTo(y.most - 1n) : undefined
      default:
        return undefined
    }
  }

  /** Shifts to the right, masks, sign extensions. */
  private cut(word: Expr, a: Expr, b: Expr): Range {
    const [x, y] = [this.of(a), this.of(b)]
    if (word.op === "signextend") {
      if (this.isKept(a, b)) return y
      const bits = keptBits(a)
      if (bits === undefined) return ANY
      return { least: -(1n << (bits - 1n)), most: (1n << (bits - 1n)) - 1n }
    }
    if (word.op === "and") {
      const ends = [x, y].filter(({ least }) => least >= 0n).map(({ most }) => most)
      const most = ends.length === 0 ? undefined : ends.reduce(min)
      if (a.op === "const" && isMask(a.value) && isWithin(y, 0n, a.value)) return y
      return most === undefined ? byWidth(word.bits) : upTo(most)
    }
    if ((word.op === "shr" || word.op === "sar") && x.least === x.most && x.least >= 0n && x.least < 256n) {
      if (word.op === "sar" || y.least >= 0n) return { least: y.least >> x.least, most: y.most >> x.least }
      return byWidth(word.bits)
    }
    if (word.op === "or" && x.least >= 0n && y.least >= 0n) {
      const least = max(x.least, y.least)
      return { least, most: (1n << BigInt((x.most | y.most).toString(2).length)) - 1n }
    }
    return byWidth(word.bits)
  }
}

/** Comparisons with numbers that the branches taken decided. */
const saidBy = (ranges: Ranges, conditions: Condition): ReadonlyMap<Expr, Range> => {
  const said = new Map<Expr, Range>()
  const narrow = (word: Expr, least: bigint, most: bigint): void => {
    const before = said.get(word) ?? ANY
    said.set(word, {
      least: max(least, before.least),
      most: min(most, before.most)
    })
  }
  for (const { expr, holds } of listed(conditions)) {
    const [a, b] = expr.args
    if (a === undefined || b === undefined || (expr.op !== "lt" && expr.op !== "slt")) continue
    const [x, y] = [ranges.of(a), ranges.of(b)]
    const isSigned = expr.op === "slt"
    // What lies below a number without a sign has none itself; what lies above it may have.
    const floor = isSigned ? -HALF : 0n
    if (holds && (isSigned || y.least >= 0n) && y !== ANY) narrow(a, floor, y.most - 1n)
    if (!holds && (isSigned || x.least >= 0n) && x !== ANY) narrow(b, floor, x.most)
    if (holds && isSigned && x !== ANY) narrow(b, x.least + 1n, HALF - 1n)
    if (!holds && isSigned && y !== ANY) narrow(a, y.least, HALF - 1n)
  }
  return said
}
