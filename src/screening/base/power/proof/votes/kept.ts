import { toHex } from "viem"
import { entryOf } from "../../../../../bytecode/exact/entry.ts"
import { type Sum, isNothing, minus, plus, sumOf, widthWhere } from "../../../../../bytecode/exact/linear.ts"
import { isOver } from "../../../../../bytecode/evm/explore.ts"
import type { Width } from "../../../../../bytecode/evm/apart.ts"
import { mayBeSame } from "../../../../../bytecode/exact/same.ts"
import { type Leaf, type Tree, leavesOf } from "../../../../../bytecode/exact/tree.ts"
import type { Expr } from "../../../../../bytecode/evm/expression.ts"
import type { State, StorageWrite } from "../../../../../bytecode/evm/path.ts"
import type { Sliced } from "../../../../../bytecode/evm/slices.ts"
import { SELECTOR } from "../../../../../bytecode/selector.ts"
import type { CodeProof } from "../../findings.ts"
import { isInCountedList } from "../counted.ts"
import { inOrder } from "../frame.ts"
import { type Roles, accountOf, argument } from "../roles.ts"
import { delegates as signsDelegate } from "../signature.ts"
import { isWellKnownSlot } from "../slots.ts"
import { tableForm } from "../stored-form.ts"
import { isWild } from "../supply.ts"
import { keepsVotes } from "./balance.ts"
import {
  DATE_BITS,
  PAIR_BYTES,
  type Votes,
  WORD_BYTES,
  behindLength,
  clockIn,
  isCheckpoint,
  isLength,
  keepsDate,
  listPlace,
  nameIn,
  namedBy,
  ownList,
  votePlace,
  votesIn
} from "./tables.ts"

const isSame = (a: Sum, b: Sum): boolean => isNothing(minus(a, b))

/** Each length grows by one, and only together with a checkpoint put at its end. */
const growsByOne = (
  writes: ReadonlyArray<StorageWrite>,
  votes: Votes,
  { key, value }: StorageWrite
): boolean => {
  const place = votePlace(votes, key)
  if (place === undefined) return false
  const [length] = [...sumOf(value).terms.keys()]
  if (length === undefined || !isLength(length, place)) return false
  const one: Sum = { terms: new Map(), constant: 1n }
  if (!isSame(sumOf(value), plus(sumOf(length), one))) return false
  return writes.some((write) => {
    const other = votePlace(votes, write.key)
    const at = other === undefined ? undefined : behindLength(other)
    return other?.entry === place.entry && at?.length === length && at.by === 0n
  })
}

/** The function's own caller or signer names whom it is asked to name. */
const isOwnChoice = (
  roles: Roles,
  selector: string,
  leaf: Leaf,
  account: Expr,
  write: StorageWrite
): boolean => {
  const { arena, caller } = roles
  const named = nameIn(write)
  if (named === undefined || accountOf(named) !== argument(arena, 0)) return false
  if (selector === SELECTOR.delegate) return accountOf(account) === caller
  return selector === SELECTOR.delegateBySig && signsDelegate(roles, leaf, account, named)
}

/** Where names and lists of votes stand, for any account. */
const placesOf = (
  { arena }: Roles,
  { delegates: table, lists }: Pick<Votes, "delegates" | "lists">
): ReadonlyArray<Expr> => {
  const entries = [...lists].map((list) =>
    arena.node("keccak", [arena.unknown(), arena.constant(list)], PAIR_BYTES)
  )
  return [table.key, ...entries, ...entries.map((entry) => arena.node("keccak", [entry], WORD_BYTES))]
}

/** A write elsewhere that might hit a delegate's name or list. */
const mayStray = ({ own, places }: Votes, key: Expr, width: Width): boolean =>
  !own.has(ownList(key) ?? NO_SLOT) &&
  !isWellKnownSlot(key, width) &&
  places.some((place) => mayBeSame(key, place, width))

/** A path writes names and lists of votes as their holders ask for, and as balances move. */
const isKept = (roles: Roles, votes: Votes, selector: string, leaf: Leaf): boolean => {
  const writes = inOrder(leaf.state.writes)
  if (writes.length === 0) return true
  const width = widthWhere(leaf.state.conditions)
  const { arena } = roles
  let touches = false
  for (const write of writes) {
    if (write.havoc === true) continue
    const [account] = entryOf(arena, votes.delegates, write.key) ?? []
    const place = votePlace(votes, write.key)
    if (account !== undefined) {
      if (!isOwnChoice(roles, selector, leaf, account, write)) return false
    } else if (place !== undefined) {
      if (place.index === undefined && !growsByOne(writes, votes, write)) return false
    } else if (
      !isInCountedList(roles.counted, leaf.state.conditions, write.key) &&
      mayStray(votes, write.key, width)
    )
      return false
    touches ||=
      account !== undefined || place !== undefined || entryOf(arena, roles.ledger, write.key) !== undefined
  }
  if (!touches) return true
  return writes.every(({ havoc }) => havoc !== true) && keepsVotes(roles, votes, leaf)
}

const NO_SLOT = -1n

/** The word in a slot, larger by one. */
const isNext = ({ key, value }: StorageWrite): boolean => {
  const { constant, terms } = sumOf(value)
  const [[word, count] = []] = terms
  return terms.size === 1 && constant === 1n && count === 1n && word?.op === "sload" && word.args[0] === key
}

/** Plain slots that are the length of a list, and that every path leaves alone or raises by one. */
const ownLists = (
  { arena, counted }: Roles,
  votes: Tables,
  leaves: ReadonlyArray<Leaf>
): ReadonlySet<bigint> => {
  const acting = leaves.flatMap(({ ending, state }) => (ending === "revert" ? [] : [state]))
  const slots = new Set(
    acting.flatMap(({ writes }) => inOrder(writes).flatMap(({ key }) => ownList(key) ?? []))
  )
  const isInList = (key: Expr, conditions: State["conditions"]): boolean =>
    slots.has(ownList(key) ?? NO_SLOT) ||
    votePlace(votes, key) !== undefined ||
    isInCountedList(counted, conditions, key)
  for (const { conditions, writes } of slots.size === 0 ? [] : acting)
    for (const write of inOrder(writes)) {
      const { havoc, key } = write
      if (havoc === true || (key.op === "const" && isNext(write)) || isInList(key, conditions)) continue
      for (const slot of slots)
        if (mayBeSame(key, arena.constant(slot), widthWhere(conditions))) slots.delete(slot)
    }
  return slots
}

type Tables = Omit<Votes, "own" | "places">

const tablesOf = ({ arena, caller }: Roles, trees: ReadonlyArray<Tree>): Tables | undefined => {
  const lists = new Set<bigint>()
  const widths = new Set<bigint>()
  const clocks = new Set<bigint | undefined>()
  let table: Votes["delegates"] | undefined
  for (const { ending, state } of trees.flatMap(leavesOf)) {
    if (ending !== "success") continue
    for (const write of inOrder(state.writes)) {
      const { key, value } = write
      const place = listPlace(key)
      const named = nameIn(write)
      if (place?.index !== undefined) {
        lists.add(place.list)
        for (const bits of DATE_BITS) {
          if (votesIn(bits, value) === undefined) continue
          widths.add(bits)
          if (!keepsDate(bits, write)) clocks.add(clockIn(bits, value))
        }
      } else if (place?.delegate === caller && named !== undefined && accountOf(named) === argument(arena, 0))
        table = { key, holes: [caller] }
    }
  }
  const [dateBits] = widths
  const [clock] = clocks
  if (table === undefined || dateBits === undefined || clock === undefined) return undefined
  return widths.size === 1 && clocks.size === 1 ? { delegates: table, lists, dateBits, clock } : undefined
}

/** The votes of a token whose every path keeps them; undefined where it has none, or might not keep them. */
export function* votesOf(
  roles: Roles,
  walked: ReadonlyMap<string, ReadonlyArray<Tree>>
): Sliced<Votes | undefined> {
  const tables = tablesOf(roles, walked.get(SELECTOR.delegate) ?? [])
  if (tables === undefined) return undefined
  const functions = [...walked].map(([selector, trees]) => [selector, trees.flatMap(leavesOf)] as const)
  const votes: Votes = {
    ...tables,
    places: placesOf(roles, tables),
    own: ownLists(
      roles,
      tables,
      functions.flatMap(([, leaves]) => leaves)
    )
  }
  for (const [selector, leaves] of functions)
    for (const leaf of leaves) {
      if (leaf.ending === "revert") continue
      roles.effort.steps -= leaf.state.writes === undefined ? 0 : votes.places.length
      if (isOver(roles.effort) || isWild(leaf) || !isKept(roles, votes, selector, leaf)) return undefined
      if (leaf.state.writes !== undefined) yield
    }
  return votes
}

/** Whatever the paths that can still be taken write to a list that was taken for one of votes is such a list on all of them. */
export const isKeptAs = ({ leaves, votes }: Roles, assumed: Votes | undefined): boolean =>
  votes !== undefined &&
  leaves.every(
    ({ ending, state }) =>
      ending === "revert" ||
      inOrder(state.writes).every(({ key }) => !isCheckpoint(assumed, key) || isCheckpoint(votes, key))
  )

/** `delegates(account)` answers whom the account has named, and nothing else. */
const tellsDelegates = ({ arena }: Roles, votes: Votes, trees: ReadonlyArray<Tree>): boolean => {
  const answers = trees.flatMap(leavesOf).filter(({ ending }) => ending !== "revert")
  return (
    answers.length > 0 &&
    answers.every(
      ({ ending, returned }) =>
        ending === "success" &&
        returned !== undefined &&
        namedBy(arena, votes, returned) === argument(arena, 0)
    )
  )
}

const TIMESTAMP = 0x42n

/**
 * What the proof of votes is built on and code alone does not show.
 * @param delegates every path of `delegates(account)`
 */
export const shownVotes = (roles: Roles, delegates: ReadonlyArray<Tree>): CodeProof["votes"] => {
  const { votes } = roles
  if (votes === undefined) return null
  const slots = (all: ReadonlySet<bigint>) => [...all].map((slot) => toHex(slot, { size: 32 }))
  return {
    lists: [...slots(votes.lists), ...slots(votes.own)],
    told: tellsDelegates(roles, votes, delegates),
    settles: false,
    delegates: tableForm(roles.arena, votes.delegates),
    tables: slots(votes.lists),
    dateBits: Number(votes.dateBits),
    clock: votes.clock === TIMESTAMP ? "time" : "block"
  }
}
