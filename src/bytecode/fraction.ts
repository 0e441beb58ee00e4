import type { Expr } from "./evm/expression.ts"

/** The largest number a word can be, where that is known. */
export type Most = (word: Expr) => bigint | undefined

export const constantOnly: Most = ({ op, value }) => (op === "const" ? value : undefined)

/** No more than so many parts of a whole of a word. */
interface Fraction {
  readonly of: Expr
  readonly part: bigint
  readonly whole: bigint
}

/** `x * c / d` with a constant `d` and a `c` that is bounded: the largest fraction of `x` it can be. */
export const fractionOf = (word: Expr, most: Most = constantOnly): Fraction | undefined => {
  const [product, whole] = word.args
  if (word.op !== "div" && word.op !== "shr") return undefined
  const [numerator, divisor] =
    word.op === "div"
      ? [product, whole?.op === "const" ? whole.value : undefined]
      : [whole, product?.op === "const" && product.value < 256n ? 1n << product.value : undefined]
  if (numerator === undefined || divisor === undefined || divisor === 0n) return undefined
  const [x, y] = numerator.args
  if (numerator.op === "mul" && x !== undefined && y !== undefined) {
    const [first, second] = [most(x), most(y)]
    if (first !== undefined) return { of: y, part: first, whole: divisor }
    if (second !== undefined) return { of: x, part: second, whole: divisor }
  }
  if (numerator.op === "shl" && x?.op === "const" && y !== undefined && x.value < 256n)
    return { of: y, part: 1n << x.value, whole: divisor }
  return { of: numerator, part: 1n, whole: divisor }
}

/** Fractions of fractions that are followed. */
const MAX_DEPTH = 4

/** All that a word is a fraction of: a third of three percent is one percent, too. */
const fractionsOf = (word: Expr, most: Most): ReadonlyArray<Fraction> => {
  const found: Array<Fraction> = []
  let [part, whole, of] = [1n, 1n, word]
  while (found.length < MAX_DEPTH) {
    const next = fractionOf(of, most)
    if (next === undefined) break
    part *= next.part
    whole *= next.whole
    of = next.of
    found.push({ of, part, whole })
  }
  return found
}

/** Words, each so many times. */
type Terms = ReadonlyMap<Expr, bigint>

/** What is subtracted that is a fraction of a word. */
interface Debt {
  readonly word: Expr
  readonly part: bigint
  readonly whole: bigint
}

/** What is subtracted in fractions, by the words that they are fractions of and that there are some of. */
const debtsIn = (terms: Terms, most: Most): ReadonlyMap<Expr, ReadonlyArray<Debt>> => {
  const debts = new Map<Expr, ReadonlyArray<Debt>>()
  for (const [word, count] of terms) {
    if (count >= 0n) continue
    for (const { of, part, whole } of fractionsOf(word, most))
      if ((terms.get(of) ?? 0n) > 0n)
        debts.set(of, [...(debts.get(of) ?? []), { word, part: -count * part, whole }])
  }
  return debts
}

/** The debts that so many of their word are enough for together, and how many of it they take at most. */
const paidWith = (held: bigint, debts: ReadonlyArray<Debt>) => {
  const paid: Array<Expr> = []
  let [part, whole] = [0n, 1n]
  for (const debt of debts) {
    const together = part * debt.whole + debt.part * whole
    if (together > held * whole * debt.whole) continue
    part = together
    whole *= debt.whole
    paid.push(debt.word)
  }
  return { paid, taken: (part + whole - 1n) / whole }
}

/**
 * Terms of a sum that is no larger: subtracted fractions of a word, as many as there is enough of it for together, are
 * replaced by the most that they can be. A product that wraps only makes its fraction smaller.
 */
export const withoutFractions = (terms: Terms, most: Most): Terms | undefined => {
  for (const [of, debts] of debtsIn(terms, most)) {
    const held = terms.get(of) ?? 0n
    const { paid, taken } = paidWith(held, debts)
    if (paid.length === 0) continue
    const rest = new Map(terms)
    for (const word of [...paid, of]) rest.delete(word)
    if (held > taken) rest.set(of, held - taken)
    return rest
  }
  return undefined
}
