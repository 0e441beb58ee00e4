import type { Expr } from "../../../../bytecode/evm/expression.ts"
import type { Ranges } from "../../../../bytecode/exact/ranges.ts"

/** A share of an amount, at most. */
export interface Share {
  readonly part: bigint
  readonly whole: bigint
}

const NOTHING: Share = { part: 0n, whole: 1n }

const together = (a: Share | undefined, b: Share | undefined): Share | undefined =>
  a === undefined || b === undefined
    ? undefined
    : { part: a.part * b.whole + b.part * a.whole, whole: a.whole * b.whole }

const times = (share: Share | undefined, factor: bigint): Share | undefined =>
  share === undefined || factor < 0n ? undefined : { ...share, part: share.part * factor }

const over = (share: Share | undefined, divisor: bigint): Share | undefined =>
  share === undefined || divisor <= 0n ? undefined : { ...share, whole: share.whole * divisor }

const BPS = 10_000n

/** Basis points, rounded up: beyond what a number tells apart to the next power of two, which it is exactly. */
export const bpsOf = ({ part, whole }: Share): number => {
  const bps = (part * BPS + whole - 1n) / whole
  return Number(bps <= Number.MAX_SAFE_INTEGER ? bps : 1n << BigInt(bps.toString(2).length))
}

/**
 * How much of an amount a word is at most, whatever its sign: a fixed or bounded fraction of it, or a sum of such.
 * `undefined` where it is anything else, a fixed number too: of a small amount that is everything.
 */
export const shareOf = (word: Expr, isAmount: (word: Expr) => boolean, ranges: Ranges): Share | undefined => {
  const share = (part: Expr | undefined): Share | undefined =>
    part === undefined ? undefined : shareOf(part, isAmount, ranges)
  const bare = ranges.plain(word)
  if (isAmount(bare)) return { part: 1n, whole: 1n }
  const { least, most } = ranges.of(bare)
  if (least === 0n && most === 0n) return NOTHING
  const [a, b] = bare.args
  if (a === undefined || b === undefined) return undefined
  const [x, y] = [ranges.of(a), ranges.of(b)]
  switch (bare.op) {
    case "add":
    case "sub":
      return together(share(a), share(b))
    case "mul":
      // The product itself must not wrap.
      if ((most - least) >> 255n !== 0n) return undefined
      return x.least >= 0n ? (times(share(b), x.most) ?? byOther(share(a), y)) : byOther(share(a), y)
    case "shl":
      return a.op === "const" && a.value < 256n && (most - least) >> 255n === 0n
        ? times(share(b), 1n << a.value)
        : undefined
    case "div":
      return x.least >= 0n ? over(share(a), y.least) : undefined
    case "sdiv":
      return over(share(a), y.least)
    case "shr":
      return a.op === "const" && a.value < 256n && y.least >= 0n ? over(share(b), 1n << a.value) : undefined
    default:
      return undefined
  }
}

const byOther = (share: Share | undefined, other: { readonly least: bigint; readonly most: bigint }) =>
  other.least >= 0n ? times(share, other.most) : undefined
