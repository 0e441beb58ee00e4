import type { Hex } from "viem"
import { concat, fromRlp, keccak256, numberToHex, size, toRlp, trim } from "viem"

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
type Node = Hex | ReadonlyArray<Node>

interface Item {
  /** Nibbles of the hashed slot, one hexadecimal digit each. */
  readonly path: string
  readonly value: Hex
}

export const EMPTY_ROOT: Hex = keccak256("0x80")

const encode = (node: Node): Hex => toRlp(mutable(node))

type Mutable = Hex | Array<Mutable>
const mutable = (node: Node): Mutable => (typeof node === "string" ? node : node.map(mutable))

/** Nodes shorter than a hash stand in their parent themselves. */
const reference = (node: Node): Node => {
  const bytes = encode(node)
  return size(bytes) < 32 ? node : keccak256(bytes)
}

/** Hex-prefix encoding of a path's rest. */
const hexPrefix = (nibbles: string, leaf: boolean): Hex => {
  const odd = nibbles.length % 2 === 1
  return `0x${((leaf ? 2 : 0) + (odd ? 1 : 0)).toString(16)}${odd ? "" : "0"}${nibbles}`
}

const commonPrefix = (first: string, last: string, from: number): number => {
  let at = from
  while (at < first.length && first[at] === last[at]) at++
  return at - from
}

/** @param items sorted by path, at least one */
const build = (items: ReadonlyArray<Item>, depth: number): Node => {
  const [first] = items
  const last = items.at(-1)
  if (first === undefined || last === undefined) return "0x"
  if (items.length === 1) return [hexPrefix(first.path.slice(depth), true), first.value]
  const shared = commonPrefix(first.path, last.path, depth)
  if (shared > 0) {
    return [
      hexPrefix(first.path.slice(depth, depth + shared), false),
      reference(build(items, depth + shared))
    ]
  }
  const children = Array.from({ length: 16 }, (_, nibble): Node => {
    const own = items.filter(({ path }) => path[depth] === nibble.toString(16))
    return own.length === 0 ? "0x" : reference(build(own, depth + 1))
  })
  return [...children, "0x"]
}

const ZERO: Hex = "0x"

const hashedSlot = (slot: bigint): string => keccak256(numberToHex(slot, { size: 32 })).slice(2)

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

/**
 * The storage root of an account whose only words are these.
 * @param emptied slots that stand in the tree with zero: the protocol takes them out, some development nodes do not
 */
export const storageRoot = (words: ReadonlyArray<StorageWord>, emptied: ReadonlyArray<bigint> = []): Hex => {
  const bySlot = new Map(words.filter(({ value }) => value !== 0n).map(({ slot, value }) => [slot, value]))
  for (const slot of emptied) if (!bySlot.has(slot)) bySlot.set(slot, 0n)
  const items = [...bySlot]
    .map(([slot, value]): Item => ({
      path: hashedSlot(slot),
      value: toRlp(value === 0n ? ZERO : trim(numberToHex(value, { size: 32 })))
    }))
    .toSorted((a, b) => (a.path < b.path ? -1 : 1))
  return items.length === 0 ? EMPTY_ROOT : keccak256(concat([encode(build(items, 0))]))
}
