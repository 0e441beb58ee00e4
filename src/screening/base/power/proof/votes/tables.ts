import { startOfList } from "../../../../../bytecode/exact/named.ts"
import { type Template, entryOf } from "../../../../../bytecode/exact/entry.ts"
import { constantValue } from "../../../../../bytecode/exact/hash.ts"
import { type Sum, minus, sumOf } from "../../../../../bytecode/exact/linear.ts"
import { ADDRESS_MASK, type Expr } from "../../../../../bytecode/evm/expression.ts"
import type { StorageWrite } from "../../../../../bytecode/evm/path.ts"
import { type Roles, accountOf } from "../roles.ts"
import { isWideEnough } from "../width.ts"

/**
 * Voting power that follows balances (ERC-5805): each account may name a delegate, and per delegate a list of
 * checkpoints, date and votes in one word, ends with what those who named it hold together. Found only where every path
 * of the contract keeps that sum, so that no checkpoint can stand in a transfer's way.
 */
export interface Votes {
  /** The entry that `delegate` writes for its caller: whom an account has named. */
  readonly delegates: Template
  /** Slots of the tables in which each delegate's list stands. */
  readonly lists: ReadonlySet<bigint>
  /** Plain slots whose own lists only ever grow by one: votes of the whole supply. */
  readonly own: ReadonlySet<bigint>
  /** A place of each kind that holds votes, for an account that is not known. */
  readonly places: ReadonlyArray<Expr>
  /** Width of a checkpoint's date, which stands below its votes. */
  readonly dateBits: bigint
  /** The opcode that tells the date: of the block's time, or of its number. */
  readonly clock: bigint
}

/** A place within a delegate's list: its length, or a checkpoint so far behind its beginning. */
export interface ListPlace {
  readonly list: bigint
  readonly delegate: Expr
  /** Where the list's length stands. */
  readonly entry: Expr
  /** Undefined for the length itself. */
  readonly index: Sum | undefined
}

const ADDRESS_BITS = 160
export const WORD_BYTES = 32n
export const PAIR_BYTES = 64n

const listAt = (entry: Expr): { readonly list: bigint; readonly delegate: Expr } | undefined => {
  const [delegate, slot] = entry.args
  return entry.op === "keccak" && entry.value === PAIR_BYTES && slot?.op === "const" && delegate !== undefined
    ? { list: slot.value, delegate }
    : undefined
}

/** Keys are looked at again and again, on every path and in every case: what was found of one is remembered with it. */
const remembered = <A>(find: (key: Expr) => A): ((key: Expr) => A) => {
  const known = new WeakMap<Expr, { readonly found: A }>()
  return (key) => {
    const { found } = known.get(key) ?? { found: find(key) }
    known.set(key, { found })
    return found
  }
}

/** The place that a key has in a list of a table, if any. */
export const listPlace = remembered((key: Expr): ListPlace | undefined => {
  const own = listAt(key)
  if (own !== undefined) return { ...own, entry: key, index: undefined }
  const sum = sumOf(key)
  for (const [word, count] of sum.terms) {
    const [entry] = word.args
    if (
      word.op !== "keccak" ||
      word.value !== WORD_BYTES ||
      word.args.length !== 1 ||
      count !== 1n ||
      entry === undefined
    )
      continue
    const found = listAt(entry)
    if (found !== undefined)
      return { ...found, entry, index: minus(sum, { terms: new Map([[word, 1n]]), constant: 0n }) }
  }
  return undefined
})

/**
 * The plain slot whose list a key lies in, at its end or one before: what a contract keeps of its own, as dates and
 * amounts of the whole supply.
 */
export const ownList = remembered((key: Expr): bigint | undefined => {
  if (key.op !== "add") return undefined
  const sum = sumOf(key)
  const lengths = [...sum.terms].flatMap(([word, count]) => {
    const [slot] = word.args
    return word.op === "sload" && count === 1n && slot?.op === "const" ? [slot.value] : []
  })
  const [slot] = lengths
  if (slot === undefined || lengths.length !== 1) return undefined
  const [root, ...others] = [...sum.terms].filter(([{ op }]) => op !== "sload")
  const start = startOfList(slot)
  if (root === undefined)
    return [0n, -1n].some((by) => BigInt.asUintN(256, sum.constant) === start + by) ? slot : undefined
  const [word, count] = root
  const isRoot = count === 1n && others.length === 0 && word.op === "keccak" && constantValue(word) === start
  return isRoot && (sum.constant === 0n || sum.constant === -1n) ? slot : undefined
})

/** The place in one of the lists of votes. */
export const votePlace = ({ lists }: Pick<Votes, "lists">, key: Expr | undefined): ListPlace | undefined => {
  const place = key === undefined ? undefined : listPlace(key)
  return place !== undefined && lists.has(place.list) ? place : undefined
}

/** A place in a list that grows by one at a time: short, if the contract was not born with a long one. */
export const isInShortList = ({ votes }: Pick<Roles, "votes">, key: Expr): boolean =>
  votes !== undefined && (votePlace(votes, key) !== undefined || votes.own.has(ownList(key) ?? -1n))

/** The same, but for a list's length, which is an entry of a table as others are. */
export const isCheckpoint = (votes: Votes | undefined, key: Expr): boolean =>
  votes !== undefined && (votePlace(votes, key)?.index !== undefined || votes.own.has(ownList(key) ?? -1n))

/** The account whose delegate a word is, as it was read. */
export const namedBy = (
  arena: Roles["arena"],
  { delegates: table }: Pick<Votes, "delegates">,
  word: Expr
): Expr | undefined => {
  const [mask, inner] = word.args
  const read = word.op === "and" && mask?.op === "const" && mask.value === ADDRESS_MASK ? inner : word
  const key = read?.op === "sload" ? read.args[0] : undefined
  const [account] = key === undefined ? [] : (entryOf(arena, table, key) ?? [])
  return account === undefined ? undefined : accountOf(account)
}

/** A word as a sum, masks that no amount exceeds left out. */
export const unmaskedSum = (word: Expr, replace: (e: Expr) => Sum | undefined = () => undefined): Sum =>
  sumOf(word, (e) => {
    const known = replace(e)
    if (known !== undefined) return known
    const [mask, inner] = e.args
    const cut = e.op === "and" && mask?.op === "const" && isWideEnough(mask.value)
    return cut && inner !== undefined ? unmaskedSum(inner, replace) : undefined
  })

/** The read of a list's length, in whatever version. */
export const isLength = (word: Expr, { entry }: Pick<ListPlace, "entry">): boolean =>
  word.op === "sload" && word.args[0] === entry

/** How far behind the read length an index lies; undefined where it is none of that list. */
export const behindLength = (
  place: ListPlace
): { readonly length: Expr; readonly by: bigint } | undefined => {
  const [only, ...others] = place.index?.terms ?? []
  const [length, count] = only ?? []
  if (length === undefined || count !== 1n || others.length > 0 || !isLength(length, place)) return undefined
  return { length, by: place.index?.constant ?? 0n }
}

const NOT_ADDRESS = ((1n << 256n) - 1n) ^ ADDRESS_MASK

/** Whom a write to an account's entry names; undefined where other bits of the word change too. */
export const nameIn = ({ key, value }: StorageWrite): Expr | undefined => {
  const parts = value.op === "or" ? value.args : [value]
  const isKept = ({ op, args: [mask, old] }: Expr): boolean =>
    op === "and" && mask?.value === NOT_ADDRESS && old?.op === "sload" && old.args[0] === key
  const [named, ...others] = parts.filter((part) => !isKept(part))
  return named !== undefined && others.length === 0 && named.bits <= ADDRESS_BITS ? named : undefined
}

/** Widths of dates in OpenZeppelin's versions. */
export const DATE_BITS: ReadonlyArray<bigint> = [32n, 48n]

/** The votes of a checkpoint written with a date of so many bits. */
export const votesIn = (dateBits: bigint, value: Expr): Expr | undefined => {
  const parts = value.op === "or" ? value.args : [value]
  const votes = parts.find(
    ({ op, args: [by] }) => op === "shl" && by?.op === "const" && by.value === dateBits
  )
  return parts.every((part) => part === votes || part.bits <= Number(dateBits)) ? votes?.args[1] : undefined
}

/** A date of fewer bits runs out within a lifetime. */
const LEAST_CLOCK = (1n << 32n) - 1n
/** `block.timestamp` and `block.number`. */
const CLOCKS: ReadonlySet<bigint> = new Set([0x42n, 0x43n])

const clockOf = ({ op, value, args: [mask, inner] }: Expr): bigint | undefined => {
  if (op === "env") return CLOCKS.has(value) ? value : undefined
  const isCut = op === "and" && mask?.op === "const" && mask.value >= LEAST_CLOCK
  return isCut && inner !== undefined ? clockOf(inner) : undefined
}

/** The present date by the clock of the lists, cut to its type or not. */
export const isClock = ({ clock }: Votes, word: Expr): boolean => clockOf(word) === clock

const dateIn = (dateBits: bigint, value: Expr): Expr | undefined =>
  (value.op === "or" ? value.args : [value]).find(({ bits, op }) => op !== "shl" && bits <= Number(dateBits))

/** The clock that a checkpoint's date is read from. */
export const clockIn = (dateBits: bigint, value: Expr): bigint | undefined => {
  const date = dateIn(dateBits, value)
  return date === undefined ? undefined : clockOf(date)
}

/** A checkpoint is rewritten with the date that stood there. */
export const keepsDate = (dateBits: bigint, { key, value }: StorageWrite): boolean => {
  const date = dateIn(dateBits, value)
  const [mask, old] = date?.args ?? []
  const isCut = date?.op === "and" && mask?.value === (1n << dateBits) - 1n
  return isCut && old?.op === "sload" && old.args[0] === key
}

/** The date of a checkpoint is the present one, or the one that stood there. */
export const isDated = ({ clock, dateBits }: Votes, write: StorageWrite): boolean =>
  keepsDate(dateBits, write) || clockIn(dateBits, write.value) === clock
