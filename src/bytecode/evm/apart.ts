import { type Expr, WORD_MASK } from "./expression.ts"

/** Upper bound of a word's significant bits. */
export type Width = (word: Expr) => number

/** What a word says of its size itself. */
export const ownWidth: Width = ({ bits }) => bits

/** An address in memory: a symbolic base (undefined for zero) plus a known offset. */
export interface Address {
  readonly base: Expr | undefined
  readonly offset: number
}

/** Words of fewer bits can be added up and counted on from without wrapping around. */
const MAX_BASE_BITS = 200
/** Words that are larger when written out are one part of a sum: sharing could make their own parts exponentially many. */
const MAX_SIZE = 256

/** A part of a sum, by its name, with the number of low bits that are zero in it. */
interface Term {
  readonly count: number
  readonly zeros: number
}

/** What a base is as a number, where adding up does not wrap around. */
interface Total {
  readonly constant: bigint
  readonly terms: ReadonlyMap<string, Term>
}

const only = (name: string, zeros: number, constant = 0n): Total => ({
  constant,
  terms: new Map([[name, { count: 1, zeros }]])
})

const together = (a: Total, b: Total): Total => {
  const terms = new Map(a.terms)
  for (const [name, { count, zeros }] of b.terms)
    terms.set(name, { count: count + (terms.get(name)?.count ?? 0), zeros })
  return { constant: a.constant + b.constant, terms }
}

/** How many low bits a mask takes off, where it leaves all others. */
const cutBy = (mask: bigint): number | undefined => {
  const low = WORD_MASK ^ mask
  return low > 0n && (low & (low + 1n)) === 0n ? low.toString(2).length : undefined
}

/** Rounded down: of what is a multiple already the constant alone, which says how far it lies behind. */
const roundedDown = ({ constant, terms }: Total, cut: number): Total => {
  const rest = constant & ((1n << BigInt(cut)) - 1n)
  const whole = constant - rest
  if ([...terms.values()].every(({ zeros }) => zeros >= cut)) return { constant: whole, terms }
  const names = [...terms].map(([name, { count }]) => `${count}*${name}`).toSorted()
  return only(`(${names.join("+")}+${rest})>${cut}`, cut, whole)
}

/** What taking a base apart costs at most, in looks: each part may be put to all others. */
export const costOf = (base: Expr | undefined): number =>
  base === undefined || base.size > MAX_SIZE ? 1 : 1 + base.size ** 2 / 16

const totalOf = (word: Expr, width: Width): Total | undefined => {
  if (word.op === "const") return { constant: word.value, terms: new Map() }
  if (width(word) > MAX_BASE_BITS) return undefined
  const [a, b] = word.args
  if (word.size > MAX_SIZE || a === undefined || b === undefined) return only(`${word.id}`, 0)
  const part = (one: Expr): Total | undefined =>
    width(one) > MAX_BASE_BITS ? undefined : totalOf(one, width)
  if (word.op === "add") {
    const [x, y] = [part(a), part(b)]
    if (x !== undefined && y !== undefined) return together(x, y)
  }
  const cut = word.op === "and" && a.op === "const" ? cutBy(a.value) : undefined
  const whole = cut === undefined ? undefined : part(b)
  if (cut !== undefined && whole !== undefined) return roundedDown(whole, cut)
  return only(`${word.id}`, word.op === "shl" && a.op === "const" ? Number(a.value) : 0)
}

const NOTHING: Total = { constant: 0n, terms: new Map() }

/**
 * So many bytes from the one place on end before the other: that is the same place or one further on by words that are
 * small numbers, and the distances that are known suffice.
 */
export const isBelow = (low: Address, length: number, high: Address, width: Width): boolean => {
  if (low.base === high.base) return low.offset + length <= high.offset
  const from = low.base === undefined ? NOTHING : totalOf(low.base, width)
  const to = high.base === undefined ? NOTHING : totalOf(high.base, width)
  if (from === undefined || to === undefined) return false
  const end = from.constant + BigInt(low.offset) + BigInt(length)
  if (end > to.constant + BigInt(high.offset)) return false
  for (const [name, { count }] of from.terms) if ((to.terms.get(name)?.count ?? 0) < count) return false
  return true
}
