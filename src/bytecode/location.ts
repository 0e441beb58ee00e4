import { type Expr, FROM_STORAGE, WORD_MASK } from "./evm/expression.ts"
import { listAt } from "./exact/named.ts"

/**
 * Where a storage key points, read from how it was computed. `base` names the variable: `0x…` for a plain slot, a
 * hashing recipe with `?` for each key for mappings, in whatever order and packing the compiler hashes them.
 */
export interface Location {
  readonly base: string
  /** The same with `?` also for keys that are hashes themselves: whoever chooses a key chooses the hash. */
  readonly table: string
  readonly keys: ReadonlyArray<Expr>
  /** The constant slot, where the location is a plain one. */
  readonly slot: bigint | undefined
}

const hex = (value: bigint): string => `0x${value.toString(16)}`

/** Solidity puts the slot last; a constant before it is a key like any other. */
const SMALL_SLOT = 1n << 64n

interface Recipe {
  readonly text: string
  readonly table: string
  readonly keys: ReadonlyArray<Expr>
}

const named = (text: string, keys: ReadonlyArray<Expr> = []): Recipe => ({ text, table: text, keys })

const orParts = (e: Expr): ReadonlyArray<Expr> => (e.op === "or" ? e.args.flatMap(orParts) : [e])

/** Bits of a word before an address. */
const BEFORE_ADDRESS = 96n

/** A key without the shifts that only move it to the bytes that are hashed. A part of a key is none: others have the same. */
const unshifted = (word: Expr): Expr => {
  const [amount, inner] = word.args
  if ((word.op !== "shl" && word.op !== "shr") || amount?.op !== "const" || inner === undefined) return word
  return inner.op === "shl" || (word.op === "shl" && amount.value <= BEFORE_ADDRESS) ? unshifted(inner) : word
}

/** A word of what is hashed: a key, or several that were packed, or a seed beside them. */
const packedKey = (word: Expr): Recipe => {
  const parts = orParts(word)
  const keys = parts.filter(({ op }) => op !== "const").map(unshifted)
  const [seed, shifted] = word.args
  if (word.op !== "or" || seed?.op !== "const" || shifted === undefined) return named("?", keys)
  const [amount] = shifted.args
  const shift = shifted.op === "shl" && amount?.op === "const" ? `<<${amount.value}` : ""
  return named(`?${shift}|${hex(seed.value)}`, keys)
}

const recipeOf = (word: Expr, isLast: boolean, firstIsConst: boolean): Recipe => {
  if (word.op === "const") {
    const isSlot = isLast || firstIsConst
    return isSlot ? named(hex(word.value)) : named("?", [word])
  }
  if (word.op === "keccak" || (word.op === "add" && word.args.some((arg) => arg.op === "keccak")))
    return keyRecipe(word)
  return packedKey(word)
}

const hashRecipe = (key: Expr): Recipe => {
  const recipes = new Array<Recipe>()
  const last = key.args.length - 1
  const vyper =
    key.args.length === 2 &&
    key.args[0]?.op === "const" &&
    key.args[0].value < SMALL_SLOT &&
    key.args[1]?.op !== "const" &&
    key.args[1]?.op !== "keccak"
  key.args.forEach((word, i) => recipes.push(recipeOf(word, i === last, vyper)))
  const isHashedKey = key.args.length === 2 && key.args[0]?.op === "keccak" && key.args[1]?.op === "const"
  const tables = recipes.map(({ table }, i) => (isHashedKey && i === 0 ? "?" : table))
  const name = key.value === 32n ? "h" : "k"
  return {
    text: `${name}(${recipes.map(({ text }) => text).join(",")})`,
    table: `${name}(${tables.join(",")})`,
    keys: recipes.flatMap(({ keys }) => keys)
  }
}

const elementOf = (start: bigint): string => {
  const list = listAt(start)
  if (list === undefined) return `${hex(start)}[]`
  const element = `h(${hex(BigInt(list.slot))})[]`
  return list.field === 0n ? element : `${element}+${hex(list.field)}`
}

/** An element whose number stands in a table belongs to whom that entry belongs to. */
const indexKeys = (index: Expr): ReadonlyArray<Expr> => {
  const [key] = index.args
  return index.op === "sload" && key !== undefined ? keyRecipe(key).keys : []
}

const keyRecipe = (key: Expr): Recipe => {
  if (key.op === "const") return named(hex(key.value))
  if (key.op === "keccak") return hashRecipe(key)
  if (key.op === "add") {
    const [a, b] = key.args
    const hashed = a?.op === "keccak" || (a?.op === "add" && a.args.some((x) => x.op === "keccak")) ? a : b
    const other = hashed === a ? b : a
    if (hashed !== undefined && other !== undefined && (hashed.op === "keccak" || hashed.op === "add")) {
      const inner = keyRecipe(hashed)
      const behind = other.op === "const" ? `+${hex(other.value)}` : "[]"
      const places = other.op === "const" ? [] : [...indexKeys(other), other]
      return {
        text: `${inner.text}${behind}`,
        table: `${inner.table}${behind}`,
        keys: [...inner.keys, ...places]
      }
    }
    // An array whose data begins at a slot the compiler hashed beforehand: the same as one that it hashes on the way.
    if (b?.op === "const" && b.value > SMALL_SLOT && a !== undefined)
      return named(elementOf(b.value), [...indexKeys(a), a])
  }
  return named("?", [key])
}

const cache = new WeakMap<Expr, Location>()

export const locationOf = (key: Expr): Location => {
  const known = cache.get(key)
  if (known !== undefined) return known
  const { keys, table, text } = keyRecipe(key)
  const made: Location = { base: text, table, keys, slot: key.op === "const" ? key.value : undefined }
  cache.set(key, made)
  return made
}

/** The bits of a word that a read uses or a write changes. */
export interface Field {
  readonly location: Location
  readonly mask: bigint
}

const widthMask = (bits: number): bigint => (bits >= 256 ? WORD_MASK : (1n << BigInt(bits)) - 1n)

const NO_READS: ReadonlyArray<Field> = []
const reads = new WeakMap<Expr, ReadonlyArray<Field>>()

/** All storage reads inside a word, each with the bits of it that are used. Paths share their words, so they are kept. */
export const readsOf = (word: Expr): ReadonlyArray<Field> => {
  if ((word.from & FROM_STORAGE) === 0) return NO_READS
  const known = reads.get(word)
  if (known !== undefined) return known
  const made = findReads(word)
  reads.set(word, made)
  return made
}

const findReads = (word: Expr): ReadonlyArray<Field> => {
  const found: Array<Field> = []
  const seen = new Map<Expr, Array<bigint>>()
  const walk = (e: Expr, mask: bigint): void => {
    if ((e.from & FROM_STORAGE) === 0 || mask === 0n) return
    const masks = seen.get(e)
    if (masks?.includes(mask) === true) return
    if (masks === undefined) seen.set(e, [mask])
    else masks.push(mask)
    const [a, b] = e.args
    if (e.op === "sload") {
      if (a !== undefined) found.push({ location: locationOf(a), mask })
      return
    }
    if (e.op === "and" && a?.op === "const" && b !== undefined) return walk(b, mask & a.value)
    if (e.op === "shr" && a?.op === "const" && b !== undefined) return walk(b, (mask << a.value) & WORD_MASK)
    if (e.op === "shl" && a?.op === "const" && b !== undefined) return walk(b, mask >> a.value)
    if (e.op === "or" || e.op === "not") return e.args.forEach((arg) => walk(arg, mask))
    for (const arg of e.args) walk(arg, widthMask(arg.bits))
  }
  walk(word, widthMask(word.bits))
  return found
}

/** What one storage write changes: the bits, and the new value of those bits with the kept rest left out. */
export interface Change extends Field {
  readonly key: Expr
  readonly parts: ReadonlyArray<Expr>
}

const keptMask = (part: Expr, key: Expr): bigint => {
  const [a, b] = part.args
  if (part.op === "sload") return a === key ? WORD_MASK : 0n
  if (part.op === "and" && a?.op === "const" && b?.op === "sload" && b.args[0] === key) return a.value
  return 0n
}

/** Parts of a word that are or-ed together, with the bits of each that are left where a field was put beside it later. */
const partsOf = (e: Expr, left = WORD_MASK): ReadonlyArray<readonly [Expr, bigint]> => {
  const [a, b] = e.args
  if (e.op === "or") return e.args.flatMap((part) => partsOf(part, left))
  return e.op === "and" && a?.op === "const" && b?.op === "or" ? partsOf(b, left & a.value) : [[e, left]]
}

export const changeOf = (key: Expr, value: Expr): Change => {
  const parts = partsOf(value)
  let kept = 0n
  const rest: Array<Expr> = []
  for (const [part, left] of parts) {
    const mask = keptMask(part, key) & left
    // `x | flag` keeps every other bit of x but can only set bits.
    if (mask === WORD_MASK && parts.length === 1)
      return { location: locationOf(key), key, mask: 0n, parts: [] }
    if (mask !== 0n) kept |= mask
    else if (part.op !== "const" || (part.value & left) !== 0n) rest.push(part)
  }
  const mask = kept === WORD_MASK ? constantBits(rest) : WORD_MASK ^ kept
  return { location: locationOf(key), key, mask, parts: rest }
}

const constantBits = (parts: ReadonlyArray<Expr>): bigint =>
  parts.reduce((mask, part) => mask | (part.op === "const" ? part.value : WORD_MASK), 0n)

/** Entries of one table, of which one is found by a key of any kind where the other's is a hash. */
const mayMeet = (a: Location, b: Location): boolean =>
  a.base === b.base || (a.table === b.table && (a.base === a.table || b.base === b.table))

export const overlaps = (a: Field, b: Field): boolean =>
  mayMeet(a.location, b.location) && (a.mask & b.mask) !== 0n
