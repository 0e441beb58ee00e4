import { KnownBits, NOTHING_STORED } from "../../../../bytecode/exact/bits.ts"
import { sumOf, widthWhere } from "../../../../bytecode/exact/linear.ts"
import { mayBeSame } from "../../../../bytecode/exact/same.ts"
import type { Leaf } from "../../../../bytecode/exact/tree.ts"
import { type Expr, WORD_MASK, contains } from "../../../../bytecode/evm/expression.ts"
import { type Condition, type StorageWrite, listed } from "../../../../bytecode/evm/path.ts"
import { isInCountedList } from "./counted.ts"
import { inOrder } from "./frame.ts"
import { type Roles, accountOf } from "./roles.ts"
import { isClean, provenClean } from "./said.ts"
import { leftIn, writesOf } from "./supply.ts"
import { isInShortList } from "./votes/tables.ts"

/** A message that holders sign: the words of its struct, its nonce among them. */
export interface Signed {
  readonly fields: ReadonlyArray<Expr>
  readonly nonce: Expr
}

interface Read {
  readonly read: Expr
  readonly key: Expr
  readonly mask: bigint
}

const readIn = (word: Expr): Read | undefined => {
  const [first, inner] = word.args
  const isCut = word.op === "and" && first?.op === "const" && inner !== undefined
  const read = isCut ? inner : word
  const [key] = read.args
  if (read.op !== "sload" || read.value !== 0n || key === undefined) return undefined
  return { read, key, mask: isCut ? first.value : WORD_MASK }
}

/** A nonce of at least 40 bits never wraps around: nobody signs that often. */
const LEAST_COUNT = (1n << 40n) - 1n
/** Largest step of a nonce that fills a word: smaller ones never make it wrap around. */
const MOST_STEP = 1n << 64n

const COUNTING: ReadonlySet<Expr["op"]> = new Set(["keccak", "add", "and", "or", "shl", "shr"])

/** The word is the field, or what of it names an account: what stands above an account that was signed was not signed. */
const isField = (clean: ReadonlySet<Expr>, field: Expr, word: Expr): boolean =>
  field === word ||
  (accountOf(field) === accountOf(word) && (accountOf(word) !== word || isClean(clean, word)))

/** Made of what was signed and of constants alone: whoever presents the signature cannot choose another, nor wait for one. */
const isOfSigned = (fields: ReadonlyArray<Expr>, clean: ReadonlySet<Expr>, key: Expr): boolean =>
  key.op === "const" ||
  fields.some((field) => isField(clean, field, key)) ||
  (COUNTING.has(key.op) && key.args.every((word) => isOfSigned(fields, clean, word)))

/** Before the write nobody else was asked anything, who could have presented the signature again. */
const isInTime = (leaf: Leaf, key: Expr): boolean => {
  const writes = inOrder(leaf.state.writes)
  const at = writes.findIndex((write) => write.havoc !== true && write.key === key)
  return writes.slice(0, at).every(({ havoc }) => havoc !== true)
}

type Listed = Pick<Roles, "counted" | "leaves" | "votes">

/** Every write that may hit the key, on every path, with what stands in the word's place since storage was last forgotten. */
const everyWrite = (
  roles: Listed,
  key: Expr,
  test: (write: StorageWrite, since: bigint) => boolean
): boolean => {
  const isInList = (conditions: Condition | undefined, place: Expr): boolean =>
    isInShortList(roles, place) || isInCountedList(roles.counted, conditions, place)
  const isListed = roles.leaves.some(({ state }) => isInList(state.conditions, key))
  const isElsewhere = ({ state }: Leaf, write: StorageWrite): boolean =>
    write.havoc === true ||
    !mayBeSame(write.key, key, widthWhere(state.conditions)) ||
    (!isListed && write.key !== key && isInList(state.conditions, write.key))
  return roles.leaves.every((leaf) => {
    if (leaf.ending === "revert") return true
    let since = 0n
    return inOrder(leaf.state.writes).every((write) => {
      if (write.havoc === true) since = BigInt(write.id)
      return isElsewhere(leaf, write) || test(write, since)
    })
  })
}

const isRaised = ({ key, value }: StorageWrite, since: bigint): boolean => {
  const { constant, terms } = sumOf(value)
  const [[read, count] = []] = terms
  return (
    terms.size === 1 &&
    count === 1n &&
    read?.op === "sload" &&
    read.args[0] === key &&
    read.value >= since &&
    constant > 0n &&
    constant < MOST_STEP
  )
}

/**
 * The path leaves the very word that the message took its nonce from larger by one, and none ever makes it smaller, so
 * that the message serves once.
 */
export const isUsedUp = (roles: Listed, leaf: Leaf, { fields, nonce }: Signed): boolean => {
  const { key, mask, read } = readIn(nonce) ?? {}
  if (key === undefined || mask === undefined || (mask & LEAST_COUNT) !== LEAST_COUNT) return false
  const clean = provenClean(leaf.state.conditions)
  const left = isOfSigned(fields, clean, key) && isInTime(leaf, key) ? leftIn(leaf, key) : undefined
  if (left === undefined) return false
  const { constant, terms } = sumOf(left)
  const [[word, count] = []] = terms
  const isNext = constant === 1n && terms.size === 1 && count === 1n && word === read
  return isNext && everyWrite(roles, key, isRaised)
}

const NOTHING = new KnownBits(NOTHING_STORED)

/** The path asks that a word which the nonce leads to is unset, and leaves it set; and none unsets such a word. */
export const isMarked = (roles: Listed, leaf: Leaf, { fields, nonce }: Signed): boolean => {
  const clean = provenClean(leaf.state.conditions)
  return [...listed(leaf.state.conditions)].some(({ expr, holds }) => {
    const { key, mask } = (holds ? undefined : readIn(expr)) ?? {}
    if (key === undefined || mask === undefined || !contains(key, nonce) || !isOfSigned(fields, clean, key))
      return false
    const isSet = ({ value }: StorageWrite): boolean => (NOTHING.of(value).value & mask) !== 0n
    return (
      writesOf(leaf).some((write) => write.key === key) &&
      leftIn(leaf, key) !== undefined &&
      isInTime(leaf, key) &&
      everyWrite(roles, key, isSet)
    )
  })
}
