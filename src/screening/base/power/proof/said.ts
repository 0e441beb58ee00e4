import type { Address } from "viem"
import type { Expr } from "../../../../bytecode/evm/expression.ts"
import { type Condition, listed } from "../../../../bytecode/evm/path.ts"
import { accountOf } from "./roles.ts"

const ADDRESS_BITS = 160

/**
 * How a word names an account: `cut` to an address, moved to the `top` of the word, or `whole`, when what stands above an
 * address counts as well. Two words that look alike are one exactly where their accounts are, two whole ones only where
 * they are the same throughout.
 */
interface Look {
  readonly account: Expr
  readonly as: "whole" | "cut" | "top"
}

/** What was compared: `other` is undefined for zero, which looks like anything. */
interface Test {
  readonly one: Look
  readonly other: Look | undefined
  readonly isEqual: boolean
}

/** Whether the word has no bits above the address. */
export const isClean = (clean: ReadonlySet<Expr>, account: Expr): boolean =>
  account.bits <= ADDRESS_BITS || clean.has(account)

const lookAt = (word: Expr, clean: ReadonlySet<Expr>): Look => {
  const account = accountOf(word)
  if (account === word) return { account, as: isClean(clean, account) ? "cut" : "whole" }
  return { account, as: word.op === "shl" ? "top" : "cut" }
}

const cleanIn = (conditions: Condition): ReadonlySet<Expr> => {
  const clean = new Set<Expr>()
  for (const { expr, holds } of listed(conditions)) {
    const [a, b] = expr.args
    if (a === undefined || b === undefined) continue
    if (expr.op === "eq" && holds && accountOf(a) === b) clean.add(b)
    if (expr.op === "eq" && holds && accountOf(b) === a) clean.add(a)
    if (expr.op === "shr" && !holds && a.op === "const" && a.value <= BigInt(ADDRESS_BITS)) clean.add(b)
  }
  return clean
}

const isZero = ({ op, value }: Expr): boolean => op === "const" && value === 0n

const testsIn = (conditions: Condition, clean: ReadonlySet<Expr>): ReadonlyArray<Test> =>
  [...listed(conditions)].map(({ expr, holds }) => {
    const [a, b] = expr.args
    return expr.op === "eq" && a !== undefined && b !== undefined
      ? { one: lookAt(a, clean), other: lookAt(b, clean), isEqual: holds }
      : { one: lookAt(expr, clean), other: undefined, isEqual: !holds }
  })

/** What the branches taken say, worked out once: a path is asked about every two of its accounts. */
interface Said {
  readonly clean: ReadonlySet<Expr>
  readonly tests: ReadonlyArray<Test>
}

const NOTHING_SAID: Said = { clean: new Set(), tests: [] }
const told = new WeakMap<Condition, Said>()

const saidBy = (conditions: Condition | undefined): Said => {
  if (conditions === undefined) return NOTHING_SAID
  const known = told.get(conditions)
  if (known !== undefined) return known
  const clean = cleanIn(conditions)
  const said = { clean, tests: testsIn(conditions, clean) }
  told.set(conditions, said)
  return said
}

/** `x == x & mask`, or nothing left of `x >> 160`: whatever is above an address is nothing. */
export const provenClean = (conditions: Condition | undefined): ReadonlySet<Expr> => saidBy(conditions).clean

const isAbout = ({ one, other }: Test, x: Expr, y: Expr): boolean => {
  if (other === undefined) return (one.account === x && isZero(y)) || (one.account === y && isZero(x))
  return (one.account === x && other.account === y) || (one.account === y && other.account === x)
}

const sayEqual = ({ one, other, isEqual }: Test): boolean =>
  isEqual && (other === undefined || (one.as === "top") === (other.as === "top"))

const sayUnequal = ({ one, other, isEqual }: Test): boolean =>
  !isEqual && one.as !== "whole" && (other === undefined || one.as === other.as)

const areWhole = ({ one, other }: Test): boolean => one.as === "whole" && other?.as === "whole"

const about = ({ tests }: Said, a: Expr, b: Expr): ReadonlyArray<Test> => {
  const [x, y] = [accountOf(a), accountOf(b)]
  return x === y ? [] : tests.filter((test) => isAbout(test, x, y))
}

/** The branches taken say that two words name one account. */
export const saidSame = (conditions: Condition | undefined, a: Expr, b: Expr): boolean =>
  about(saidBy(conditions), a, b).some(sayEqual)

/** Whether the branches taken say that two words are one, or are not: entries of a table stand at words. */
export const saidOneWord = (conditions: Condition | undefined, a: Expr, b: Expr): boolean | undefined => {
  const said = saidBy(conditions)
  const [p, q] = [lookAt(a, said.clean), lookAt(b, said.clean)]
  for (const test of about(said, a, b)) {
    if (sayUnequal(test)) return false
    if (areWhole(test) && p.as === "whole" && q.as === "whole") return test.isEqual
    if (sayEqual(test) && p.as === q.as && p.as !== "whole") return true
  }
  return undefined
}

/** Accounts fixed in the code that the branches taken say an account is, or is not. */
export const saidFixed = (
  conditions: Condition | undefined,
  account: Expr,
  equal: boolean
): ReadonlyArray<Address> => {
  const named = accountOf(account)
  return saidBy(conditions).tests.flatMap((test) => {
    const { one, other } = test
    if (other === undefined || !(equal ? sayEqual(test) : sayUnequal(test))) return []
    const fixed = one.account === named ? other : other.account === named ? one : undefined
    return fixed?.account.op === "const" && fixed.as === "cut"
      ? [`0x${fixed.account.value.toString(16).padStart(40, "0")}` as const]
      : []
  })
}
