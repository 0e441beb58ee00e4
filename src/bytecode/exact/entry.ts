import { ADDRESS_MASK, type Arena, type Expr } from "../evm/expression.ts"
import { constantValue } from "./hash.ts"

const PAIR_BYTES = 64n

/** A key of a table with the words in it that differ from entry to entry. */
export interface Template {
  readonly key: Expr
  readonly holes: ReadonlyArray<Expr>
}

/** What stands in the holes of a template, as far as it was compared with a key. */
interface Binding {
  readonly arena: Arena
  readonly holes: ReadonlySet<Expr>
  readonly bound: Map<Expr, Expr>
}

const bind = (binding: Binding, template: Expr, key: Expr): boolean => {
  const { bound, holes } = binding
  if (holes.has(template)) {
    const known = bound.get(template)
    if (known !== undefined) return known === key
    bound.set(template, key)
    return true
  }
  if (template === key && template.args.length === 0) return true
  if (key.op === "const") return bindConstant(binding, template, key)
  if (template.op !== key.op || template.value !== key.value || template.args.length !== key.args.length)
    return false
  return template.args.every((word, i) => {
    const other = key.args[i]
    return other !== undefined && bind(binding, word, other)
  })
}

/** Nobody's account, and the one that tokens are burned to. */
const WRITTEN_OUT: ReadonlyArray<bigint> = [0n, 0xdeadn]

/**
 * The entry of an account that code writes out, in a mapping: compilers that know account and slot hash them beforehand. Only
 * the account itself leads to the place that its hash is.
 */
const entryWrittenOut = (binding: Binding, { args: [account, slot], value }: Expr, key: Expr): boolean => {
  const { arena } = binding
  if (account === undefined || slot?.op !== "const" || value !== PAIR_BYTES) return false
  return WRITTEN_OUT.some((number) => {
    const written = arena.constant(number)
    const entry = arena.node("keccak", [written, slot], PAIR_BYTES)
    return constantValue(entry) === key.value && bind(binding, account, written)
  })
}

/** `(hole << n) | seed`, or a hash, where the hole is a constant and the word was worked out. */
const bindConstant = (binding: Binding, template: Expr, key: Expr): boolean => {
  const { arena } = binding
  if (template.op === "keccak") return key.value > ADDRESS_MASK && entryWrittenOut(binding, template, key)
  const [a, b] = template.args
  if (a === undefined || b === undefined || a.op !== "const") return false
  if (template.op === "or")
    return (key.value & a.value) === a.value && bind(binding, b, arena.constant(key.value ^ a.value))
  if (template.op !== "shl") return false
  const shifted = key.value >> a.value
  return shifted << a.value === key.value && bind(binding, b, arena.constant(shifted))
}

/** An account moved to the top of a word is another word: its entry is not the account's. */
const isMoved = ({ op }: Expr): boolean => op === "shl"

/** What stands in the template's holes where the key is an entry of its table. */
export const entryOf = (
  arena: Arena,
  { key: template, holes }: Template,
  key: Expr
): ReadonlyArray<Expr> | undefined => {
  const bound = new Map<Expr, Expr>()
  if (!bind({ arena, holes: new Set(holes), bound }, template, key)) return undefined
  const words = holes.map((hole) => bound.get(hole))
  return words.every((word) => word !== undefined) && !words.some(isMoved) ? words : undefined
}

/** The account in a word, and by how many bits it is moved, where it stands there whole. */
const carried = (
  word: Expr,
  holes: ReadonlySet<Expr>
): { readonly hole: Expr; readonly shift: bigint } | undefined => {
  if (holes.has(word)) return { hole: word, shift: 0n }
  const [by, rest] = word.args
  const inner = by?.op === "const" && rest !== undefined ? carried(rest, holes) : undefined
  if (by === undefined || inner === undefined) return undefined
  const place = ADDRESS_MASK << inner.shift
  if (word.op === "shl" && inner.shift + by.value <= 96n) return { ...inner, shift: inner.shift + by.value }
  if (word.op === "and" && (by.value & place) === place) return inner
  return word.op === "or" && (by.value & place) === 0n ? inner : undefined
}

/**
 * Adds the holes of a hash over whole accounts, constants and such hashes alone; false where anything else is in it, or a
 * hash of a hash without an account: no key of a mapping is the hash of an account.
 */
const isHashOfAccounts = (key: Expr, holes: ReadonlySet<Expr>, found: Set<Expr>): boolean => {
  if (key.op !== "keccak" || key.value === 0n) return false
  let own = false
  for (const word of key.args) {
    const hole = carried(word, holes)?.hole
    own ||= hole !== undefined
    if (hole !== undefined) found.add(hole)
    else if (constantValue(word) === undefined && !isHashOfAccounts(word, holes, found)) return false
  }
  return own
}

/**
 * Every account, or pair of accounts, has an entry of its own, and has always the same: no two share one, and neither time
 * nor storage nor who asks leads to another.
 */
export const hasOwnEntries = ({ key, holes }: Template): boolean => {
  const [base, offset] = key.args
  const isMember = key.op === "add" && base !== undefined && offset?.op === "const"
  const found = new Set<Expr>()
  return (
    isHashOfAccounts(isMember ? base : key, new Set(holes), found) && holes.every((hole) => found.has(hole))
  )
}
