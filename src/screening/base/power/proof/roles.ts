import { entryOf, hasOwnEntries, type Template } from "../../../../bytecode/exact/entry.ts"
import type { ExactContract } from "../../../../bytecode/exact/functions.ts"
import type { Budget } from "../../../../bytecode/evm/explore.ts"
import type { Most } from "../../../../bytecode/fraction.ts"
import { type Leaf, type Tree, leavesOf } from "../../../../bytecode/exact/tree.ts"
import {
  ADDRESS_MASK,
  type Arena,
  type Expr,
  FROM_STORAGE,
  WORD_MASK,
  contains,
  isEnv
} from "../../../../bytecode/evm/expression.ts"
import { listed } from "../../../../bytecode/evm/path.ts"
import { mayBeSame } from "../../../../bytecode/exact/same.ts"
import type { FixedDomain } from "../findings.ts"
import type { Counted } from "./counted.ts"
import { type Field, fieldOf } from "./field.ts"
import { isWellKnownSlot } from "./slots.ts"
import type { Supply } from "./supply.ts"
import { isWideEnough } from "./width.ts"
import type { Votes } from "./votes/tables.ts"

const CALLER = 0x33

/** The n-th argument of a call, as it stands and cut to an address. */
export const argument = (arena: Arena, n: number): Expr =>
  arena.node("calldata", [arena.constant(BigInt(4 + 32 * n))])

const inside = (word: Expr, op: "and" | "shl" | "shr", by: bigint): Expr | undefined => {
  const [a, b] = word.args
  return word.op === op && a?.op === "const" && a.value === by ? b : undefined
}

const unmasked = (word: Expr): Expr => {
  const inner = inside(word, "and", ADDRESS_MASK)
  return inner === undefined ? word : unmasked(inner)
}

/**
 * The account a word names: an address without the mask that cuts it out, or the one shift that moves it to the top of
 * the word and back. What a shift cuts off an address is no account any more.
 */
export const accountOf = (word: Expr): Expr => {
  const top = inside(word, "shl", 96n)
  if (top !== undefined) return unmasked(top)
  const bare = unmasked(word)
  const moved = inside(bare, "shr", 96n)
  const back = moved === undefined ? undefined : inside(moved, "shl", 96n)
  return back === undefined ? bare : unmasked(back)
}

/** The address of the token's own contract. */
export const THIS = 0x30n

/** The account is the token's own contract. */
export const isContracts = (account: Expr): boolean => isEnv(accountOf(account), THIS)

/** Which storage holds what, by what the functions do with it. */
export interface Roles {
  readonly arena: Arena
  /** What looking at paths may still cost. */
  readonly effort: Budget
  readonly caller: Expr
  /** The entry `balanceOf(account)` answers. `mask`: its bits within the word. */
  readonly ledger: Template & { readonly mask: bigint }
  /** The entry `approve` writes: owner, then spender. */
  readonly allowances: Template
  /** Every path of the contract that can still be taken. */
  readonly leaves: ReadonlyArray<Leaf>
  /** `transferFrom` by Permit2 asks for no allowance, so that nobody misses the approval. */
  readonly trustsPermit2: boolean
  /** The largest number a field of a plain slot will ever hold; `undefined` where nothing bounds it. */
  readonly limitOf: (field: Field) => bigint | undefined
  /** The least number a field of a plain slot will ever hold; `undefined` where nothing bounds it from below. */
  readonly leastOf: (field: Field) => bigint | undefined
  /** What `totalSupply` answers; `undefined` where it is no plain word, was not read, or could be made to look small. */
  readonly supply: Supply | undefined
  /** Voting power that follows balances on every path; undefined where there is none, or it might not. */
  readonly votes: Votes | undefined
  /** Slots that hold the lengths of lists, which stay short. */
  readonly counted: Counted
  /** The account, fixed for good, was named when the contract was born: the project's own choice, and no later holder. */
  readonly isFromBirth: (account: Expr) => boolean
  /** The account is nobody's, holds nothing and is never given anything. */
  readonly isEmpty: (account: Expr) => boolean
  /** Domains that the code fixes and for which signatures were taken, as they are met: whose they are it does not show. */
  readonly domains: Map<string, FixedDomain>
}

/** An account's balance, where the word is a read of one. */
export const balanceRead = (
  roles: Roles,
  word: Expr
): { readonly account: Expr; readonly key: Expr; readonly version: bigint } | undefined => {
  const { mask } = roles.ledger
  const [a, b] = word.args
  const read =
    mask === WORD_MASK ? word : word.op === "and" && a?.op === "const" && a.value === mask ? b : undefined
  const key = read?.op === "sload" ? read.args[0] : undefined
  if (read === undefined || key === undefined) return undefined
  const [account] = entryOf(roles.arena, roles.ledger, key) ?? []
  return account === undefined ? undefined : { account, key, version: read.value }
}

/** What an owner allows a spender, where the word is a read of that. */
export const allowanceRead = (
  roles: Roles,
  word: Expr
): { readonly owner: Expr; readonly spender: Expr; readonly key: Expr } | undefined => {
  const key = word.op === "sload" ? word.args[0] : undefined
  const [owner, spender] = key === undefined ? [] : (entryOf(roles.arena, roles.allowances, key) ?? [])
  return key === undefined || owner === undefined || spender === undefined
    ? undefined
    : { owner, spender, key }
}

/** The largest number a word can be: a constant, a field that stays below a bound, or a sum of such. */
export const mostOf =
  (roles: Roles): Most =>
  (word) => {
    if (word.op === "const") return word.value
    const [a, b] = word.args
    if (word.op === "add" && a !== undefined && b !== undefined) {
      const [x, y] = [mostOf(roles)(a), mostOf(roles)(b)]
      return x !== undefined && y !== undefined && x + y <= WORD_MASK ? x + y : undefined
    }
    const field = word.from === FROM_STORAGE ? fieldOf(word) : undefined
    return field === undefined ? undefined : roles.limitOf(field)
  }

const addressArgument = (arena: Arena, key: Expr, n: number): Expr | undefined => {
  const raw = argument(arena, n)
  const masked = arena.node("and", [arena.constant(ADDRESS_MASK), raw])
  return contains(key, masked) ? masked : contains(key, raw) ? raw : undefined
}

/** The entry of its own that every success of `balanceOf` answers; `undefined` where it answers anything else. */
const ledgerOf = (arena: Arena, trees: ReadonlyArray<Tree>): Roles["ledger"] | undefined => {
  const answers = new Set(
    trees.flatMap(leavesOf).flatMap(({ ending, returned }) => (ending === "success" ? [returned] : []))
  )
  const [answer] = answers
  if (answer === undefined || answers.size !== 1) return undefined
  const [a, b] = answer.args
  const read = answer.op === "and" && a?.op === "const" && b !== undefined ? b : answer
  const mask = read === answer || a === undefined ? WORD_MASK : a.value
  const key = read.op === "sload" && read.value === 0n ? read.args[0] : undefined
  const hole = key === undefined ? undefined : addressArgument(arena, key, 0)
  if (key === undefined || hole === undefined) return undefined
  const ledger = { key, holes: [hole], mask }
  // Bits that are missing within a balance, or above it, would be lost with what it grows by.
  const isWhole = (mask & (mask + 1n)) === 0n && isWideEnough(mask)
  return isWhole && hasOwnEntries(ledger) ? ledger : undefined
}

const allowancesOf = (arena: Arena, caller: Expr, trees: ReadonlyArray<Tree>): Template | undefined => {
  for (const { ending, state } of trees.flatMap(leavesOf)) {
    if (ending !== "success") continue
    for (const { key, value } of listed(state.writes)) {
      const spender = addressArgument(arena, key, 0)
      if (spender === undefined || value !== argument(arena, 1)) continue
      const allowances = { key, holes: [caller, spender] }
      if (hasOwnEntries(allowances)) return allowances
    }
  }
  return undefined
}

/** How far the roots of one contract lie apart at most. */
const NEAR = 1n << 64n

const rootsIn = (key: Expr): ReadonlyArray<bigint> =>
  key.op === "const" ? [key.value] : key.op === "keccak" ? key.args.flatMap(rootsIn) : []

/**
 * A root that somebody chose may be the very hash the other table is counted from; but not one that a standard names, nor
 * one next to a root within that hash.
 */
const isNoHashOf = (root: Expr, hash: Expr): boolean =>
  isLarge(root) &&
  (isWellKnownSlot(root) ||
    rootsIn(hash).some((other) => root.value - other < NEAR && other - root.value < NEAR))

const isLarge = ({ op, value }: Expr): boolean => op === "const" && value > ADDRESS_MASK

/** Whatever accounts they are of, no entry of the one table is an entry of the other. */
const areApart = (a: Expr, b: Expr): boolean => {
  if (!mayBeSame(a, b)) return true
  if (a.op !== "keccak" || b.op !== "keccak") return isNoHashOf(a, b) || isNoHashOf(b, a)
  return a.args.some((word, i) => {
    const other = b.args[i]
    return other !== undefined && areApart(word, other)
  })
}

/** The roles of a token's storage, or why they could not be told. */
export const rolesOf = (
  { arena }: ExactContract,
  balanceOf: ReadonlyArray<Tree>,
  approve: ReadonlyArray<Tree>,
  effort: Budget
): Roles | string => {
  const caller = arena.env(CALLER)
  const ledger = ledgerOf(arena, balanceOf)
  if (ledger === undefined) return "balanceOf answers something other than one stored balance"
  const allowances = allowancesOf(arena, caller, approve)
  if (allowances === undefined) return "approve could not be followed to an allowance"
  if (!areApart(ledger.key, allowances.key)) return "balances and allowances have places of their own"
  return {
    arena,
    effort,
    caller,
    ledger,
    allowances,
    leaves: [],
    trustsPermit2: false,
    limitOf: () => undefined,
    leastOf: () => undefined,
    supply: undefined,
    votes: undefined,
    counted: new Set(),
    isFromBirth: ({ op }) => op === "const",
    isEmpty: () => false,
    domains: new Map()
  }
}
