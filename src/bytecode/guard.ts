import { type Expr, FROM_CALL, FROM_CALLER, FROM_ORIGIN, FROM_STORAGE, FROM_TIME } from "./evm/expression.ts"
import { foldBinary } from "./evm/fold.ts"
import { type Condition, listed } from "./evm/path.ts"
import { type Field, readsOf } from "./location.ts"
import { SELECTOR } from "./selector.ts"
import { OPCODES } from "./substitute.ts"

/** Why a path is open to some callers only. */
export type Guard =
  /** The caller equals an address in storage; `field` names it. */
  | { readonly kind: "stored"; readonly field: Field }
  /** The caller equals an address in the code. */
  | { readonly kind: "constant"; readonly address: bigint }
  /** A table entry of the caller is set: role, whitelist. `field` names the bits of it that are asked for. */
  | { readonly kind: "role"; readonly field: Field }
  /** Another contract is asked whether the caller may, or the contract governs itself; `field` names where the other is stored. */
  | { readonly kind: "authority"; readonly field: Field | undefined }
  /** A signature by a stored key, or a hash of the caller: no plain gate. */
  | { readonly kind: "other" }

const CALLER = 0x33n
const ORIGIN = 0x32n
const THIS = 0x30n
const SIGNER_RECOVERY = 1n
const MAX_SEARCHED_SIZE = 512

/** The word without the masks and shifts that only cut a field out of it. */
export const stripped = (word: Expr): Expr => {
  let e = word
  for (;;) {
    const [a, b] = e.args
    if ((e.op === "and" || e.op === "shr" || e.op === "shl") && a?.op === "const" && b !== undefined) e = b
    else if (e.op === "iszero" && a?.op === "iszero" && a.args[0] !== undefined) e = a.args[0]
    else return e
  }
}

/** Operators that make nothing of nothing on the right, whatever the left side is. */
const VANISHING: ReadonlySet<Expr["op"]> = new Set<Expr["op"]>(["and", "shl", "shr"])

const isCaller = (e: Expr): boolean => e.op === "env" && (e.value === CALLER || e.value === ORIGIN)

/** The caller's entry in a table, with the bits of it that the word uses. */
const keyedByCaller = (word: Expr): Field | undefined => {
  const e = stripped(word)
  const [key] = e.args
  if (e.op !== "sload" || key === undefined || (key.from & (FROM_CALLER | FROM_ORIGIN)) === 0)
    return undefined
  return readsOf(word)[0]
}

/** What is compared with more than this is an amount or a date, and no level. */
const MOST_LEVEL = 0xffffn

/** What the word is for a caller who has no entry anywhere; undefined where it hangs on more than such entries. */
const whereEmpty = (e: Expr): bigint | undefined => {
  if (e.op === "const") return e.value
  if (e.op === "sload") return keyedByCaller(e) === undefined ? undefined : 0n
  const [a, b] = e.args.map(whereEmpty)
  if (e.op === "iszero") return a === undefined ? undefined : BigInt(a === 0n)
  const opcode = OPCODES[e.op]
  if (opcode === undefined || e.args.length !== 2) return undefined
  if ((VANISHING.has(e.op) && b === 0n) || (e.op === "and" && a === 0n)) return 0n
  if (a === undefined || b === undefined || (e.op === "lt" && (a > MOST_LEVEL || b > MOST_LEVEL)))
    return undefined
  return foldBinary(opcode, a, b)
}

/**
 * The caller's entry without which the condition is not as it has to be: a flag, a bit of it, a level that is high enough.
 * One that everybody passes who has none is no permission, and the length of a text, which takes two looks, is none either.
 */
const askedOfEntry = (expr: Expr, holds: boolean): Field | undefined => {
  if ((expr.from & FROM_STORAGE) === 0 || expr.size > MAX_SEARCHED_SIZE) return undefined
  const value = whereEmpty(expr)
  if (value === undefined || (value !== 0n) === holds) return undefined
  const [entry, ...others] = readsOf(expr)
  return others.length === 0 ? entry : undefined
}

/** Tells bits of tables that hold amounts, not permissions. */
export type IsAmount = (field: Field) => boolean

/** The word is what `ecrecover` answered. */
export const isRecoveredSigner = (e: Expr): boolean =>
  (e.from & FROM_CALL) !== 0 &&
  e.size <= MAX_SEARCHED_SIZE &&
  ((e.op === "call" && e.args[0]?.op === "const" && e.args[0].value === SIGNER_RECOVERY) ||
    e.args.some(isRecoveredSigner))

/** What the caller is compared with. */
const comparedWith = (other: Expr): Guard | undefined => {
  if (other.op === "env" && other.value === THIS) return { kind: "authority", field: undefined }
  if (other.op === "const") return { kind: "constant", address: other.value }
  const [field] = readsOf(other)
  if ((other.from & FROM_CALL) !== 0) return { kind: "authority", field }
  if (other.op === "sload" && field !== undefined) return { kind: "stored", field }
  return undefined
}

const fromEquality = (a: Expr, b: Expr, isAmount: IsAmount): Guard | undefined => {
  const [x, y] = [stripped(a), stripped(b)]
  if (isCaller(x)) return comparedWith(y)
  if (isCaller(y)) return comparedWith(x)
  const role = keyedByCaller(a) ?? keyedByCaller(b)
  if (role !== undefined && !isAmount(role)) return { kind: "role", field: role }
  const recovered = isRecoveredSigner(x) || isRecoveredSigner(y)
  const isNamed = ((x.from | y.from) & FROM_STORAGE) !== 0 || x.op === "const" || y.op === "const"
  if (recovered && isNamed) return { kind: "other" }
  if (
    (x.op === "keccak" && (x.from & FROM_CALLER) !== 0 && y.op === "const") ||
    (y.op === "keccak" && (y.from & FROM_CALLER) !== 0 && x.op === "const")
  )
    return { kind: "other" }
  return undefined
}

/** What another token answers to these says what the caller has, or has paid, not what the caller may. */
const OF_AMOUNTS: ReadonlySet<bigint> = new Set(
  [SELECTOR.balanceOf, SELECTOR.allowance, SELECTOR.transfer, SELECTOR.transferFrom].map(BigInt)
)

const asksForAmount = (answer: Expr): boolean => {
  const selector = answer.args[0]?.args[1]
  return selector?.op === "const" && OF_AMOUNTS.has(selector.value)
}

const plainGuardOf = (expr: Expr, holds: boolean, isAmount: IsAmount): Guard | undefined => {
  const [a, b] = expr.args
  if (expr.op === "iszero" && a !== undefined) return guardOf(a, !holds, isAmount)
  if (expr.op === "or" && holds && a !== undefined && b !== undefined)
    return guardOf(a, true, isAmount) ?? guardOf(b, true, isAmount)
  if (expr.op === "and" && holds && a !== undefined && b !== undefined && a.op !== "const")
    return guardOf(a, true, isAmount) ?? guardOf(b, true, isAmount)
  const role = askedOfEntry(expr, holds)
  if (role !== undefined) return isAmount(role) ? undefined : { kind: "role", field: role }
  if (!holds) return undefined
  if (expr.op === "eq" && a !== undefined && b !== undefined) return fromEquality(a, b, isAmount)
  const word = stripped(expr)
  if (word.op === "ret" && !asksForAmount(word) && (word.from & (FROM_CALLER | FROM_ORIGIN)) !== 0) {
    const [field] = readsOf(word)
    return { kind: "authority", field }
  }
  return undefined
}

/** Whether the word is computed from the caller's address itself, not from what is stored or answered about the caller. */
const computesWithCaller = (e: Expr): boolean => {
  if ((e.from & (FROM_CALLER | FROM_ORIGIN)) === 0 || e.size > MAX_SEARCHED_SIZE) return e.op === "unknown"
  if (e.op === "sload" || e.op === "ret" || e.op === "call" || (e.op === "env" && e.args.length > 0))
    return false
  return isCaller(e) || e.op === "unknown" || e.args.some(computesWithCaller)
}

/** Tests that tell accounts apart without admitting anybody: nonzero, equal to an argument or to the origin. */
const isOrdinaryTest = (expr: Expr): boolean => {
  if (isCaller(expr)) return true
  const [a, b] = expr.args.map(stripped)
  if (expr.op !== "eq" || a === undefined || b === undefined) return false
  return isCaller(a) || isCaller(b)
}

/**
 * The guard a condition is. Whatever else is computed from the caller's address counts as one: honest code has no
 * reason to, and a hidden test need not look like a comparison.
 */
const guardOf = (expr: Expr, holds: boolean, isAmount: IsAmount): Guard | undefined => {
  const plain = plainGuardOf(expr, holds, isAmount)
  if (plain !== undefined || isOrdinaryTest(expr)) return plain
  // Mixed with the time it is a lot being drawn, not a permission.
  return (expr.from & FROM_TIME) === 0 && computesWithCaller(expr) ? { kind: "other" } : undefined
}

/** Whether passing this condition could be a privilege; which tables hold amounts is not known yet. */
export const mayBeGuard = (expr: Expr, holds: boolean): boolean =>
  (expr.from & (FROM_CALLER | FROM_ORIGIN | FROM_CALL)) !== 0 &&
  guardOf(expr, holds, () => false) !== undefined

/** The guards a path has passed. `isAmount` tells tables whose entries are amounts, not permissions. */
export const guardsOf = (conditions: Condition | undefined, isAmount: IsAmount): ReadonlyArray<Guard> => {
  const guards: Array<Guard> = []
  for (const { expr, holds } of listed(conditions)) {
    if ((expr.from & (FROM_CALLER | FROM_ORIGIN | FROM_CALL)) === 0) continue
    const guard = guardOf(expr, holds, isAmount)
    if (guard !== undefined) guards.push(guard)
  }
  return guards
}
