import { type Address, toHex } from "viem"
import { constantValue } from "../../../../bytecode/exact/hash.ts"
import { entryOf } from "../../../../bytecode/exact/entry.ts"
import { minus } from "../../../../bytecode/exact/linear.ts"
import { mayBeSame } from "../../../../bytecode/exact/same.ts"
import type { Leaf } from "../../../../bytecode/exact/tree.ts"
import { ADDRESS_MASK, type Arena, type Expr, FROM_STORAGE } from "../../../../bytecode/evm/expression.ts"
import type { Budget } from "../../../../bytecode/evm/explore.ts"
import type { Sliced } from "../../../../bytecode/evm/slices.ts"
import { written } from "./frame.ts"
import { type Roles, accountOf } from "./roles.ts"
import { saidOneWord } from "./said.ts"
import { decidesCaller } from "./possible.ts"
import type { SlotValue } from "./slot-value.ts"
import { unchangeable } from "./settle.ts"
import { framesOf, isWild, writesOf } from "./supply.ts"

/** Where an address can stand in a word, in bits. */
const SHIFTS: ReadonlyArray<bigint> = Array.from({ length: 13 }, (_, index) => BigInt(index * 8))

const acting = (leaves: ReadonlyArray<Leaf>): ReadonlyArray<Leaf> =>
  leaves.filter(({ ending }) => ending !== "revert")

/** Accounts whose balance or allowance a path writes. */
const accountsOn = (roles: Roles, leaf: Leaf): ReadonlyArray<Expr> =>
  writesOf(leaf).flatMap(({ key }) => {
    const [account] =
      entryOf(roles.arena, roles.ledger, key) ?? entryOf(roles.arena, roles.allowances, key) ?? []
    return account === undefined ? [] : [account]
  })

/** Accounts in words that no path changes whatever storage holds: they stand there since the contract was born. */
function* accountsInUnchangeable(
  arena: Arena,
  leaves: ReadonlyArray<Leaf>,
  budget: Budget,
  state: ReadonlyArray<SlotValue>
): Sliced<ReadonlyArray<bigint>> {
  const words = yield* unchangeable(arena, leaves, budget, state)
  return [...words.values()].flatMap(({ mask, value }) =>
    SHIFTS.filter((shift) => ((mask >> shift) & ADDRESS_MASK) === ADDRESS_MASK).map(
      (shift) => (value >> shift) & ADDRESS_MASK
    )
  )
}

/**
 * Accounts that were named when the contract was born: by its code, or by words that none of its functions changes.
 * @param all every path, taking nothing for granted
 */
export function* accountsFromBirth(
  roles: Roles,
  all: ReadonlyArray<Leaf>,
  budget: Budget,
  state: ReadonlyArray<SlotValue>
): Sliced<ReadonlySet<bigint>> {
  const leaves = acting(all)
  const inCode = leaves.flatMap((leaf) =>
    accountsOn(roles, leaf).flatMap(({ op, value }) => (op === "const" ? [value] : []))
  )
  return new Set([...inCode, ...(yield* accountsInUnchangeable(roles.arena, leaves, budget, state))])
}

const filled = (arena: Arena, word: Expr, hole: Expr, account: Expr): Expr => {
  if (word === hole) return account
  if (word.args.length === 0) return word
  return arena.node(
    word.op,
    word.args.map((arg) => filled(arena, arg, hole, account)),
    word.value
  )
}

/** The place of nobody's balance. */
const nobodysKey = ({ arena, ledger }: Roles): Expr => {
  const [hole] = ledger.holes
  return hole === undefined ? ledger.key : filled(arena, ledger.key, hole, arena.zero)
}

/** The slot of nobody's balance, where paths draw on accounts named in storage, which may be nobody. */
export const nobodysSlot = (roles: Roles, leaves: ReadonlyArray<Leaf>): ReadonlyArray<bigint> => {
  const fromStorage = acting(leaves).some((leaf) =>
    accountsOn(roles, leaf).some((account) => {
      const { from, op } = accountOf(account)
      return op !== "const" && (from & FROM_STORAGE) !== 0
    })
  )
  const slot = fromStorage ? constantValue(nobodysKey(roles)) : undefined
  return slot === undefined ? [] : [slot]
}

/** The branches taken, or the account itself, say that it is somebody. */
const isSomebody = ({ arena }: Roles, { state }: Leaf, account: Expr): boolean =>
  account.op === "const"
    ? account.value !== 0n
    : decidesCaller(account) === true || saidOneWord(state.conditions, account, arena.zero) === false

/** Some case of who is whom in which nobody's balance may be larger after the path. */
const mayPayNobody = (roles: Roles, leaf: Leaf): boolean => {
  const key = nobodysKey(roles)
  const entries = written(roles, leaf.state.writes)
  if (writesOf(leaf).some((write) => !entries.has(write.key) && mayBeSame(write.key, key))) return true
  if ([...entries.values()].every((account) => isSomebody(roles, leaf, account))) return false
  return (
    framesOf(roles, leaf)?.every(([{ stretches }, facts]) =>
      stretches.every(({ end, start }) =>
        [...end].every(([party, after]) => {
          const before = start.get(party)
          return (
            party.accounts.some((account) => isSomebody(roles, leaf, account)) ||
            (before !== undefined && facts.atLeastZero(minus(before, after)))
          )
        })
      )
    ) !== true
  )
}

/**
 * The zero address holds nothing, and no path ever gives it anything: who draws on it draws nothing.
 * @param leaves every path that can still be taken
 */
export const isNobodyEmpty = (
  roles: Roles,
  leaves: ReadonlyArray<Leaf>,
  state: ReadonlyArray<SlotValue>
): boolean => {
  const slot = constantValue(nobodysKey(roles))
  const word = state.find((one) => BigInt(one.slot) === slot)?.value
  if (word === undefined || (word & roles.ledger.mask) !== 0n) return false
  return acting(leaves).every((leaf) => !isWild(leaf) && !mayPayNobody(roles, leaf))
}

/** As an address; a word with anything above it names none. */
export const addressOf = ({ op, value }: Expr): ReadonlyArray<Address> =>
  op === "const" && value <= ADDRESS_MASK ? [toHex(value, { size: 20 })] : []
