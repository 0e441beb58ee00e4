import { Effect } from "effect"
import type { Hex } from "viem"
import { bytesToHex, fromRlp, keccak256, toRlp } from "viem"
import { keccak } from "../../../chain/keccak.ts"

/**
 * The root of an account's storage trie, from all its words that are not zero (Ethereum's secure Merkle Patricia tree:
 * the key of a slot is its hash). Equal roots prove that the words are all there are.
 */

/** One word: a slot and its value, neither padded nor trimmed in any particular way. */
export interface StorageWord {
  readonly slot: bigint
  readonly value: bigint
}

/** RLP's input: bytes, or a list of inputs. */
type Node = Uint8Array | Array<Node>

interface Item {
  /** Nibbles of the hashed slot, one hexadecimal digit each. */
  readonly path: string
  readonly value: Uint8Array
}

const NOTHING = new Uint8Array()

/** The root of a tree without words: the hash of RLP's empty text. */
export const EMPTY_ROOT: Hex = keccak256("0x80")

const encode = (node: Node): Uint8Array => toRlp(node, "bytes")

/** Nodes shorter than a hash stand in their parent themselves. */
const reference = (node: Node): Node => {
  const bytes = encode(node)
  return bytes.length < 32 ? node : keccak(bytes)
}

/** Hex-prefix encoding of a path's rest. */
const hexPrefix = (nibbles: string, leaf: boolean): Uint8Array => {
  const odd = nibbles.length % 2 === 1
  const kind = ((leaf ? 2 : 0) + (odd ? 1 : 0)).toString(16)
  return Buffer.from(`${kind}${odd ? "" : "0"}${nibbles}`, "hex")
}

const commonPrefix = (first: string, last: string, from: number): number => {
  let at = from
  while (at < first.length && first[at] === last[at]) at++
  return at - from
}

const DIGITS = "0123456789abcdef"

/** The items below each digit at a depth. */
const below = (items: ReadonlyArray<Item>, depth: number): ReadonlyArray<ReadonlyArray<Item>> =>
  [...DIGITS].map((digit) => items.filter(({ path }) => path[depth] === digit))

/** @param items sorted by path */
const build = (items: ReadonlyArray<Item>, depth: number): Node => {
  const [first] = items
  const last = items.at(-1)
  if (first === undefined || last === undefined) return NOTHING
  if (items.length === 1) return [hexPrefix(first.path.slice(depth), true), first.value]
  const shared = commonPrefix(first.path, last.path, depth)
  if (shared > 0) {
    return [
      hexPrefix(first.path.slice(depth, depth + shared), false),
      reference(build(items, depth + shared))
    ]
  }
  return [...below(items, depth).map((own) => reference(build(own, depth + 1))), NOTHING]
}

const wordBytes = (value: bigint): Buffer => Buffer.from(value.toString(16).padStart(64, "0"), "hex")

/** A value as it stands in a leaf: without leading zeros, in RLP. */
const leafValue = (value: bigint): Uint8Array => {
  const bytes = wordBytes(value)
  const start = bytes.findIndex((byte) => byte !== 0)
  return encode(start < 0 ? NOTHING : bytes.subarray(start))
}

const hashedSlot = (slot: bigint): string => Buffer.from(keccak(wordBytes(slot))).toString("hex")

/** Whether a storage proof ends in the slot's own leaf: the slot stands in the tree, with whatever value. */
export const isInTree = (slot: bigint, proof: ReadonlyArray<Hex>): boolean => {
  const last = proof.at(-1)
  if (last === undefined) return false
  const node = fromRlp(last, "hex")
  const [path] = node
  if (typeof node === "string" || node.length !== 2 || typeof path !== "string") return false
  const flag = Number.parseInt(path.slice(2, 3), 16)
  return flag >= 2 && hashedSlot(slot).endsWith(path.slice(flag === 3 ? 3 : 4))
}

/** A tree of more words than these is built branch by branch, and others are served in between. */
const AT_ONCE = 256

const itemsOf = (words: ReadonlyArray<StorageWord>, emptied: ReadonlyArray<bigint>): ReadonlyArray<Item> => {
  const bySlot = new Map(words.filter(({ value }) => value !== 0n).map(({ slot, value }) => [slot, value]))
  for (const slot of emptied) if (!bySlot.has(slot)) bySlot.set(slot, 0n)
  return [...bySlot]
    .map(([slot, value]): Item => ({ path: hashedSlot(slot), value: leafValue(value) }))
    .toSorted((a, b) => (a.path < b.path ? -1 : 1))
}

/**
 * The storage root of an account whose only words are these.
 * @param emptied slots that stand in the tree with zero: the protocol takes them out, some development nodes do not
 */
export const storageRoot = Effect.fn("BaseHolders.storageRoot")(function* (
  words: ReadonlyArray<StorageWord>,
  emptied: ReadonlyArray<bigint> = []
) {
  const items = itemsOf(words, emptied)
  if (items.length === 0) return EMPTY_ROOT
  const parts = below(items, 0)
  const isSplit = parts.filter((own) => own.length > 0).length > 1
  if (!isSplit || items.length <= AT_ONCE) return bytesToHex(keccak(encode(build(items, 0))))
  const branches = yield* Effect.forEach(parts, (own) =>
    Effect.zipLeft(
      Effect.sync(() => reference(build(own, 1))),
      Effect.sleep(0)
    )
  )
  return bytesToHex(keccak(encode([...branches, NOTHING])))
})
