import { entryOf } from "../../../../../bytecode/exact/entry.ts"
import { type Sum, isNothing, minus, negated, sumOf } from "../../../../../bytecode/exact/linear.ts"
import { mayBeSame } from "../../../../../bytecode/exact/same.ts"
import type { Leaf } from "../../../../../bytecode/exact/tree.ts"
import type { Expr } from "../../../../../bytecode/evm/expression.ts"
import { type Condition, type StorageWrite, listed } from "../../../../../bytecode/evm/path.ts"
import { type Frame, type Party, casesOf, factsIn, frameOf, gainOf, inOrder } from "../frame.ts"
import { type Roles, accountOf, balanceRead } from "../roles.ts"
import {
  type ListPlace,
  type Votes,
  behindLength,
  isDated,
  nameIn,
  namedBy,
  unmaskedSum,
  votePlace,
  votesIn
} from "./tables.ts"

/** Where a word is a checkpoint's votes: the checkpoint read. */
export const votesRead = (
  { lists, dateBits }: Votes,
  word: Expr
): { readonly place: ListPlace; readonly version: bigint } | undefined => {
  const [by, read] = word.args
  const isVotes = word.op === "shr" && by?.op === "const" && by.value === dateBits && read?.op === "sload"
  const place = isVotes ? votePlace({ lists }, read.args[0]) : undefined
  return place?.index === undefined || read === undefined ? undefined : { place, version: read.value }
}

/** Where a word is a checkpoint's date. */
export const isDateRead = ({ lists, dateBits }: Votes, { op, args: [mask, read] }: Expr): boolean =>
  op === "and" &&
  mask?.op === "const" &&
  mask.value === (1n << dateBits) - 1n &&
  read?.op === "sload" &&
  votePlace({ lists }, read.args[0])?.index !== undefined

const isEmpty = (conditions: Condition | undefined, length: Expr): boolean =>
  [...listed(conditions)].some(({ expr, holds }) => !holds && expr === length)

/** Whether no write since a word was read can have changed it. */
const isFresh = (
  writes: ReadonlyArray<StorageWrite>,
  votes: Votes,
  upTo: StorageWrite,
  version: bigint,
  key: Expr
): boolean =>
  writes.every((write) => {
    if (BigInt(write.id) <= version || write.id >= upTo.id || write.key === upTo.key) return true
    const [one, other] = [votePlace(votes, write.key), votePlace(votes, key)]
    if (one === undefined || other === undefined || (one.index === undefined) !== (other.index === undefined))
      return true
    return !mayBeSame(one.entry, other.entry)
  })

/** One delegate's votes on a path, as they change. */
interface Change {
  readonly delegate: Expr
  readonly by: Sum
}

/** What a checkpoint changes of its delegate's votes: it replaces the last one, or follows it. */
const changeOf = (
  votes: Votes,
  { state }: Leaf,
  write: StorageWrite,
  replace: Frame["replace"]
): Change | undefined => {
  const writes = inOrder(state.writes)
  const place = votePlace(votes, write.key)
  const at = place === undefined ? undefined : behindLength(place)
  const word = votesIn(votes.dateBits, write.value)
  if (place === undefined || at === undefined || word === undefined || !isDated(votes, write))
    return undefined
  if (at.by !== 0n && at.by !== -1n) return undefined
  const isPushed = writes.some(({ key }) => key === place.entry)
  if (isPushed !== (at.by === 0n)) return undefined
  const left = unmaskedSum(word, replace)
  for (const [term, count] of left.terms) {
    const read = votesRead(votes, term)
    if (read === undefined) continue
    const from = behindLength(read.place)
    const isLast = read.place.entry === place.entry && from?.length === at.length && from.by === -1n
    const key = term.args[1]?.args[0]
    if (!isLast || count !== 1n || key === undefined || !isFresh(writes, votes, write, read.version, key))
      return undefined
    return { delegate: place.delegate, by: minus(left, sumOf(term)) }
  }
  return at.by === 0n && isEmpty(state.conditions, at.length)
    ? { delegate: place.delegate, by: left }
    : undefined
}

/** Changes of all checkpoints a path writes; undefined where one of them is none of a list that keeps. */
const changesOf = (
  votes: Votes,
  leaf: Leaf,
  replace: Frame["replace"]
): ReadonlyArray<Change> | undefined => {
  const last = new Map<Expr, StorageWrite>()
  for (const write of inOrder(leaf.state.writes))
    if (votePlace(votes, write.key)?.index !== undefined) last.set(write.key, write)
  const changes = [...last.values()].map((write) => changeOf(votes, leaf, write, replace))
  return changes.every((change) => change !== undefined) ? changes : undefined
}

const isSame = (a: Sum, b: Sum): boolean => isNothing(minus(a, b))

const isNobody = ({ op, value }: Expr): boolean => op === "const" && value === 0n

/** The path asks zero to have a delegate, which it cannot name. */
const asksZero = ({ arena }: Roles, votes: Votes, conditions: Condition | undefined): boolean =>
  [...listed(conditions)].some(({ expr, holds }) => {
    const account = holds ? namedBy(arena, votes, expr) : undefined
    return account !== undefined && isNobody(account)
  })

/** Somebody's delegate is the same as that of zero, which is nobody. */
const isAsZeros = (
  { arena }: Roles,
  votes: Votes,
  { op, args: [a, b] }: Expr,
  isTheirs: (word: Expr) => boolean
): boolean => {
  const isZeros = (word: Expr): boolean => {
    const account = namedBy(arena, votes, word)
    return account !== undefined && isNobody(account)
  }
  if (op !== "eq" || a === undefined || b === undefined) return false
  return (isZeros(a) && isTheirs(b)) || (isZeros(b) && isTheirs(a))
}

/** The branches taken say that the accounts' delegates are one, or are not. */
const saidNamedSame = (
  roles: Roles,
  votes: Votes,
  conditions: Condition | undefined,
  a: Party,
  b: Party
): boolean | undefined => {
  const isOf = (party: Party, word: Expr): boolean => {
    const account = namedBy(roles.arena, votes, word)
    return account !== undefined && party.accounts.some((one) => accountOf(one) === account)
  }
  for (const { expr, holds } of listed(conditions)) {
    const [p, q] = expr.op === "eq" ? expr.args : []
    if (p !== undefined && q !== undefined && ((isOf(a, p) && isOf(b, q)) || (isOf(a, q) && isOf(b, p))))
      return holds
  }
  return undefined
}

/** Each gain and loss of a balance is one of its holder's delegate, and nothing else is. */
const followsBalances = (roles: Roles, votes: Votes, leaf: Leaf, parties: ReadonlyArray<Party>): boolean => {
  const { conditions } = leaf.state
  const frame = frameOf(roles, leaf.state, parties)
  if (typeof frame === "string") return false
  if (parties.some((party) => saidNamedSame(roles, votes, conditions, party, party) === false)) return true
  const changes = changesOf(votes, leaf, frame.replace)
  if (changes === undefined) return false
  const facts = factsIn(roles, conditions, frame)
  const gains = parties.map((party) => ({ party, gain: gainOf(frame, party) }))
  const isOf = (party: Party, word: Expr): boolean => {
    const account = namedBy(roles.arena, votes, word)
    return account !== undefined && party.accounts.some((one) => accountOf(one) === account)
  }
  const booked = new Set<Party>()
  for (const { delegate, by } of changes) {
    const found = gains.find(
      ({ gain, party }) =>
        !booked.has(party) && gain !== undefined && isOf(party, delegate) && isSame(gain, by)
    )
    if (found === undefined) return false
    booked.add(found.party)
  }
  const isIdle = (gain: Sum): boolean =>
    facts.atLeastZero(negated(gain)) ||
    [...listed(conditions)].some(
      ({ expr, holds }) => !holds && isSame(unmaskedSum(expr, frame.replace), gain)
    )
  return gains.every(({ gain, party }) => {
    if (gain === undefined) return false
    if (booked.has(party) || isIdle(gain)) return true
    const hasNone = [...listed(conditions)].some(({ expr, holds }) =>
      holds ? isAsZeros(roles, votes, expr, (word) => isOf(party, word)) : isOf(party, expr)
    )
    return (
      hasNone ||
      gains.some(
        (other) =>
          other.gain !== undefined &&
          other.party !== party &&
          !booked.has(other.party) &&
          saidNamedSame(roles, votes, conditions, party, other.party) === true &&
          isSame(negated(other.gain), gain)
      )
    )
  })
}

/** Whoever names another delegate takes the whole balance from the one and gives it to the other. */
const followsChoice = (roles: Roles, votes: Votes, leaf: Leaf, write: StorageWrite): boolean => {
  const { arena } = roles
  const { conditions } = leaf.state
  const [account] = entryOf(arena, votes.delegates, write.key) ?? []
  const named = nameIn(write)
  const changes = changesOf(votes, leaf, () => undefined)
  if (account === undefined || named === undefined || changes === undefined) return false
  const isBalance = (word: Expr): boolean => {
    const read = balanceRead(roles, word)
    return read !== undefined && read.version === 0n && accountOf(read.account) === accountOf(account)
  }
  const isOld = (word: Expr): boolean => namedBy(arena, votes, word) === accountOf(account)
  const isAll = (sum: Sum, sign: bigint): boolean => {
    const [[word, count] = []] = sum.terms
    return (
      sum.terms.size === 1 && sum.constant === 0n && word !== undefined && isBalance(word) && count === sign
    )
  }
  const taken = changes.filter(({ by, delegate }) => isOld(delegate) && isAll(by, -1n))
  const given = changes.filter(
    ({ by, delegate }) => accountOf(delegate) === accountOf(named) && isAll(by, 1n)
  )
  if (taken.length > 1 || given.length > 1 || taken.length + given.length !== changes.length) return false
  if (given.length === 1) return true
  return [...listed(conditions)].some(({ expr, holds }) => {
    if (!holds) return isBalance(expr) || accountOf(expr) === accountOf(named)
    const [p, q] = expr.op === "eq" ? expr.args : []
    if (p === undefined || q === undefined) return false
    const isNew = (word: Expr): boolean => accountOf(word) === accountOf(named)
    return (isNew(p) && isOld(q)) || (isNew(q) && isOld(p))
  })
}

/**
 * Whether a path leaves each delegate's votes what those who named it hold together: checkpoints change by what balances
 * do, and by the whole balance of whoever names another delegate.
 */
export const keepsVotes = (roles: Roles, votes: Votes, leaf: Leaf): boolean => {
  const { conditions, writes } = leaf.state
  if (asksZero(roles, votes, conditions)) return true
  const all = inOrder(writes)
  const choices = all.filter(({ key }) => entryOf(roles.arena, votes.delegates, key) !== undefined)
  const [choice, ...others] = choices
  if (choice !== undefined) {
    const moves = all.some(({ key }) => entryOf(roles.arena, roles.ledger, key) !== undefined)
    return others.length === 0 && !moves && followsChoice(roles, votes, leaf, choice)
  }
  const cases = casesOf(roles, writes, conditions)
  return cases !== undefined && cases.every((parties) => followsBalances(roles, votes, leaf, parties))
}
