import { constantValue } from "../../../../bytecode/exact/hash.ts"
import { widthWhere } from "../../../../bytecode/exact/linear.ts"
import { mayBeSame } from "../../../../bytecode/exact/same.ts"
import {
  type Table,
  type Tables,
  isSameTable,
  somePlaceIn,
  tablesAt
} from "../../../../bytecode/exact/table.ts"
import type { Leaf } from "../../../../bytecode/exact/tree.ts"
import type { Expr } from "../../../../bytecode/evm/expression.ts"
import { isOver } from "../../../../bytecode/evm/explore.ts"
import { type Seen, unseen } from "../../../../bytecode/evm/path.ts"
import type { Sliced } from "../../../../bytecode/evm/slices.ts"
import { readsOf } from "../../../../bytecode/location.ts"
import type { CodeProof } from "../findings.ts"
import { changesOf } from "./kept.ts"
import type { Roles } from "./roles.ts"

const MAX_SLOTS = 32
const MAX_TABLES = 16
const WRITERS_A_SLICE = 64

const slotsIn = (words: Iterable<Expr>): ReadonlyArray<bigint> =>
  [...words].flatMap((word) => readsOf(word).flatMap(({ location }) => location.slot ?? []))

const conditionsOf = ({ state }: Leaf, seen: Seen): ReadonlyArray<Expr> =>
  [...unseen(state.conditions, seen)].map(({ expr }) => expr)

/** Plain slots that decide which way a path goes and what it writes. */
const slotsRead = (leaf: Leaf, seen: Seen): ReadonlyArray<bigint> =>
  slotsIn([...conditionsOf(leaf, seen), ...[...unseen(leaf.state.writes, seen)].map(({ value }) => value)])

const slotText = (slot: bigint): string => `0x${slot.toString(16).padStart(64, "0")}`

/**
 * Slots whose values could settle what paths depend on: those that the paths' conditions and effects read, those that
 * name whom they concern, and those on which it depends whether these are written. Nearest first, and no more than may be read for one token.
 * @param first slots that are wanted in any case
 */
export const slotsThatSettle = (
  paths: Iterable<Leaf>,
  leaves: ReadonlyArray<Leaf>,
  first: ReadonlyArray<bigint> = []
): ReadonlyArray<string> => {
  const [seen, keys]: [Seen, Seen] = [new Set(), new Set()]
  const named = ({ state }: Leaf): ReadonlyArray<bigint> =>
    slotsIn([...unseen(state.writes, keys)].map(({ key }) => key))
  const all = [...paths]
  const found = new Set([...first, ...all.flatMap((leaf) => slotsRead(leaf, seen)), ...all.flatMap(named)])
  const writers = changesOf(leaves).map(({ leaf, writes }) => ({
    leaf,
    slots: new Set(writes.flatMap(({ key }) => (key.op === "const" ? [key.value] : [])))
  }))
  for (const slot of found) {
    if (found.size >= MAX_SLOTS) break
    for (const { leaf, slots } of writers)
      if (slots.has(slot)) slotsRead(leaf, seen).forEach((one) => found.add(one))
  }
  return [...found].slice(0, MAX_SLOTS).map(slotText)
}

/**
 * The places read in words, and in the places themselves.
 * @param seen words whose places were given already, which paths have in common; these are added
 */
const placesIn = (words: ReadonlyArray<Expr>, seen: Set<Expr>): ReadonlyArray<Expr> => {
  const places: Array<Expr> = []
  const left: Array<Expr> = []
  const add = (word: Expr): void => {
    if (seen.has(word)) return
    seen.add(word)
    left.push(word)
  }
  words.forEach(add)
  for (const word of left) {
    if (word.op === "sload") places.push(...word.args)
    word.args.forEach(add)
  }
  return places
}

/** Who administrates roles is nobody's role by default, which has the number zero. Source: OpenZeppelin, AccessControl. */
const DEFAULT_ADMIN = 0n

/** The tables that a place may stand in. Where the first key is not known, it may be the default administrator's. */
const tablesOf = (place: Expr): Tables => {
  const found = tablesAt(place, constantValue)
  const [only] = found
  return found.length === 1 && only?.keys.length === 2
    ? [only, { ...only, keys: [DEFAULT_ADMIN, undefined] }]
    : found
}

/**
 * Tables that, empty, could settle what paths depend on: those their conditions read, and those on which it depends
 * whether these are written; with the slots on which that depends.
 * @param without tables that hold amounts
 */
function* tablesThatSettle(
  { arena, effort }: Pick<Roles, "arena" | "effort">,
  paths: Iterable<Leaf>,
  leaves: ReadonlyArray<Leaf>,
  without: Tables
): Sliced<{ readonly tables: Tables; readonly slots: ReadonlyArray<bigint> }> {
  const passed: Seen = new Set()
  const found: Array<Table> = []
  const slots = new Set<bigint>()
  const seen = new Set<Expr>()
  const isIn = (tables: Tables, table: Table): boolean => tables.some((one) => isSameTable(one, table))
  const addAll = (words: ReadonlyArray<Expr>): void => {
    for (const table of placesIn(words, seen).flatMap(tablesOf))
      if (found.length < MAX_TABLES && !isIn(found, table) && !isIn(without, table)) found.push(table)
  }
  for (const path of paths) addAll(conditionsOf(path, passed))
  yield
  const writers = changesOf(leaves).map(({ leaf, writes }) => ({
    leaf,
    width: widthWhere(leaf.state.conditions),
    keys: writes.map(({ key }) => key)
  }))
  const read: Seen = new Set()
  for (const table of found)
    for (const [index, { keys, leaf, width }] of writers.entries()) {
      if (index % WRITERS_A_SLICE === 0) {
        yield
        effort.steps--
        if (isOver(effort)) return { tables: found, slots: [...slots] }
      }
      if (!keys.some((key) => mayBeSame(key, somePlaceIn(arena, table), width))) continue
      addAll(conditionsOf(leaf, passed))
      slotsRead(leaf, read).forEach((slot) => slots.add(slot))
    }
  return { tables: found, slots: [...slots] }
}

/**
 * What of storage could settle what paths depend on.
 * @param first slots that are wanted in any case
 * @param amounts places of balances and allowances, in tables that hold something
 */
export function* wantedBy(
  roles: Pick<Roles, "arena" | "effort">,
  paths: ReadonlyArray<Leaf>,
  leaves: ReadonlyArray<Leaf>,
  first: ReadonlyArray<bigint>,
  amounts: ReadonlyArray<Expr>
): Sliced<Pick<CodeProof, "settledBy" | "tables">> {
  const { slots, tables } = yield* tablesThatSettle(
    roles,
    paths,
    leaves,
    amounts.flatMap((place) => tablesAt(place, constantValue))
  )
  const near = slotsThatSettle(paths, leaves, first)
  const settledBy = [...new Set([...near, ...slots.map(slotText)])].slice(0, MAX_SLOTS)
  return {
    settledBy,
    tables: tables.map(({ field, keys, slot }) => ({
      slot: slotText(slot),
      keys: keys.length === 1 ? [null] : [keys[0] === undefined ? null : slotText(keys[0]), null],
      field: Number(field)
    }))
  }
}
