import { Facts, type Sum, ZERO, minus, plus, sumOf, widthWhere } from "../../../../bytecode/exact/linear.ts"
import { mayBeSame } from "../../../../bytecode/exact/same.ts"
import type { Width } from "../../../../bytecode/evm/apart.ts"
import { type Expr, WORD_MASK } from "../../../../bytecode/evm/expression.ts"
import { type Condition, type State, type StorageWrite, listed } from "../../../../bytecode/evm/path.ts"
import { and } from "../../../../bytecode/evm/simplify.ts"
import { type Roles, balanceRead, mostOf } from "./roles.ts"
import { saidOneWord } from "./said.ts"
import { entryOf } from "../../../../bytecode/exact/entry.ts"

/** Entries of the ledger that are the same account in the case looked at. */
export interface Party {
  readonly accounts: ReadonlyArray<Expr>
  readonly keys: ReadonlyArray<Expr>
}

/** One balance written, with its amounts before and after. */
export interface Booking {
  readonly party: Party
  readonly before: Sum
  readonly after: Sum
}

/** Writes between two points at which any storage may have changed. */
export interface Stretch {
  /** The number of the point where it begins; zero at the beginning of the path. */
  readonly since: bigint
  readonly bookings: ReadonlyArray<Booking>
  readonly start: ReadonlyMap<Party, Sum>
  readonly end: ReadonlyMap<Party, Sum>
}

/** A path's bookings in one case of who is whom. */
export interface Frame {
  readonly parties: ReadonlyArray<Party>
  readonly stretches: ReadonlyArray<Stretch>
  /** A word as a sum over balances as they were. */
  readonly worth: (word: Expr) => Sum
  readonly replace: (word: Expr) => Sum | undefined
}

export const inOrder = (writes: StorageWrite | undefined): ReadonlyArray<StorageWrite> =>
  [...listed(writes)].toReversed()

/**
 * The number of the last point before a write at which any storage may have changed; zero where there is none. What was
 * read earlier may no longer stand there.
 */
export const forgottenBefore = ({ before }: StorageWrite): bigint => {
  for (const { havoc, id } of listed(before)) if (havoc === true) return BigInt(id)
  return 0n
}

/** The accounts whose balances a path writes, with the keys. */
export const written = (roles: Roles, writes: StorageWrite | undefined): ReadonlyMap<Expr, Expr> => {
  const found = new Map<Expr, Expr>()
  for (const { key } of inOrder(writes)) {
    const [account] = entryOf(roles.arena, roles.ledger, key) ?? []
    if (account !== undefined) found.set(key, account)
  }
  return found
}

const MAX_KEYS = 5

/** Every way in which the written entries can coincide; `undefined` where there are too many. */
export const casesOf = (
  roles: Roles,
  writes: StorageWrite | undefined,
  conditions: Condition | undefined
): ReadonlyArray<ReadonlyArray<Party>> | undefined => {
  const entries = [...written(roles, writes)]
  if (entries.length > MAX_KEYS) return undefined
  let cases: ReadonlyArray<ReadonlyArray<Party>> = [[]]
  for (const [key, account] of entries)
    cases = cases.flatMap((parties) => {
      const alone = { accounts: [account], keys: [key] }
      const joined = parties.flatMap((party, i) => {
        const possible = party.keys.every((other) => mayBeSame(key, other))
        const denied = party.accounts.some((other) => saidOneWord(conditions, account, other) === false)
        const together = { accounts: [...party.accounts, account], keys: [...party.keys, key] }
        return possible && !denied ? [parties.map((one, j) => (i === j ? together : one))] : []
      })
      const required = parties.some(({ accounts }) =>
        accounts.some((other) => saidOneWord(conditions, account, other) === true)
      )
      return required ? joined : [[...parties, alone], ...joined]
    })
  return cases
}

/** The written word's part that is the balance; `undefined` where other bits of the word change too. */
const balancePart = ({ arena, ledger: { mask } }: Roles, { key, value }: StorageWrite): Expr | undefined => {
  if (mask === WORD_MASK) return value
  const rest = and(arena, arena.constant(WORD_MASK ^ mask), value)
  const [kept, old] = rest.args
  const keeps =
    rest.op === "and" && kept?.value === (WORD_MASK ^ mask) && old?.op === "sload" && old.args[0] === key
  return keeps ? and(arena, arena.constant(mask), value) : undefined
}

/** An entry's balance as it was at a point of the path. */
const balanceAt = ({ arena, ledger }: Roles, key: Expr | undefined, version: bigint): Sum => {
  const read = arena.node("sload", [key ?? arena.zero], version)
  const word = ledger.mask === WORD_MASK ? read : and(arena, arena.constant(ledger.mask), read)
  return { terms: new Map([[word, 1n]]), constant: 0n }
}

/** What a path does, and what its branches say. */
export type Path = Pick<State, "conditions" | "writes">

type Amounts = ReadonlyMap<Party, Sum>

/** All that the parties have. */
const together = (amounts: Amounts): Sum =>
  [...amounts.values()].reduce((sum, amount) => plus(sum, amount), ZERO)

/** The parties' amounts, one of them changed, or no more known. */
const withAmount = (amounts: Amounts, party: Party, amount: Sum | undefined): Amounts => {
  const changed = new Map(amounts)
  if (amount === undefined) changed.delete(party)
  else changed.set(party, amount)
  return changed
}

/** What a mask cuts nothing off, since the branches taken say that it is no longer. */
const uncut = ({ op, args: [mask, inner] }: Expr, width: Width): Expr | undefined =>
  op === "and" &&
  mask?.op === "const" &&
  (mask.value & (mask.value + 1n)) === 0n &&
  inner !== undefined &&
  width(inner) <= mask.bits
    ? inner
    : undefined

/** The parties' balances wherever any storage may have changed, and what reads of balances come to. */
const readingOf = (roles: Roles, { conditions, writes }: Path, parties: ReadonlyArray<Party>) => {
  const { arena, ledger } = roles
  const width = widthWhere(conditions)
  const partyOf = new Map(parties.flatMap((party) => party.keys.map((key) => [key, party] as const)))
  const freshAt = (version: bigint): Amounts =>
    new Map(parties.map((party) => [party, balanceAt(roles, party.keys[0], version)]))
  const ordered = inOrder(writes)
  const isUntouched = (version: bigint): boolean =>
    ordered.every(
      ({ havoc, id, key }) =>
        BigInt(id) > version || (havoc !== true && entryOf(arena, ledger, key) === undefined)
    )
  const forgotten = ordered.flatMap(({ havoc, id }) => (havoc === true ? [BigInt(id)] : []))
  const states = new Map([0n, ...forgotten].map((version) => [version, freshAt(version)] as const))
  const replace = (word: Expr): Sum | undefined => {
    const read = balanceRead(roles, word)
    if (read === undefined) {
      const whole = uncut(word, width)
      return whole === undefined ? undefined : sumOf(whole, replace)
    }
    const party = partyOf.get(read.key)
    if (party !== undefined) return states.get(read.version)?.get(party)
    return read.version > 0n && isUntouched(read.version) ? balanceAt(roles, read.key, 0n) : undefined
  }
  return { ordered, partyOf, freshAt, states, replace }
}

/** Works a path's bookings out, one case at a time. A string says why they could not be. */
export const frameOf = (roles: Roles, path: Path, parties: ReadonlyArray<Party>): Frame | string => {
  const { mask } = roles.ledger
  const { freshAt, ordered, partyOf, replace, states } = readingOf(roles, path, parties)
  const ofWrite = (word: Expr): Sum | undefined => {
    const [a, b] = word.args
    const cut = word.op === "and" && a?.op === "const" && a.value === mask && mask !== WORD_MASK
    return replace(word) ?? (cut && b !== undefined ? sumOf(b, replace) : undefined)
  }
  const facts = mask === WORD_MASK ? undefined : factsIn(roles, path.conditions, { replace })
  const stretches: Array<Stretch> = []
  let start = freshAt(0n)
  let [now, readable] = [start, start]
  let since = 0n
  let bookings: Array<Booking> = []
  // What does not fit into a balance loses bits: what is read again is another number, and says nothing of this one.
  const fits = (after: Sum): boolean =>
    facts === undefined || (facts.atLeastZero(after) && facts.atLeastZero(minus(together(start), after)))
  const close = (): void => {
    stretches.push({ since, bookings, start, end: now })
    bookings = []
  }
  for (const write of ordered) {
    const party = partyOf.get(write.key)
    if (write.havoc === true) {
      close()
      since = BigInt(write.id)
      now = readable = start = freshAt(since)
    } else if (party !== undefined) {
      const value = balancePart(roles, write)
      if (value === undefined) return "nothing else is written beside a balance"
      const after = sumOf(value, ofWrite)
      bookings.push({ party, before: now.get(party) ?? ZERO, after })
      now = withAmount(now, party, after)
      readable = withAmount(readable, party, fits(after) ? after : undefined)
    }
    states.set(BigInt(write.id), readable)
  }
  close()
  return { parties, stretches, replace, worth: (word) => sumOf(word, replace) }
}

/** What the branches taken say of a path's sums. */
export const factsIn = (
  roles: Roles,
  conditions: Condition | undefined,
  { replace }: Pick<Frame, "replace">
): Facts => new Facts(conditions, replace, mostOf(roles), roles.effort)

/** What a party gained over a path, where nothing else could change storage meanwhile. */
export const gainOf = ({ stretches }: Frame, party: Party): Sum | undefined => {
  const [only] = stretches
  if (only === undefined || stretches.length !== 1) return undefined
  return minus(only.end.get(party) ?? ZERO, only.start.get(party) ?? ZERO)
}

/** What all balances together gained. */
export const netOf = (stretch: Stretch): Sum =>
  [...stretch.end].reduce(
    (sum, [party, end]) => plus(sum, minus(end, stretch.start.get(party) ?? ZERO)),
    ZERO
  )
