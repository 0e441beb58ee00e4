import type { SolanaTokenBalance } from "../../../chain/chain-rpc.ts"
import type { SolanaAddress } from "../../../domain/address.ts"
import { BURN_ADDRESSES } from "../addresses.ts"
import type { AccountBook } from "../reads/account-book.ts"
import type { Listed, TokenAccount } from "../reads/token-account.ts"
import { accountAt, decodeTokenAccount, withAccounts } from "../reads/token-account.ts"
import { isConcealed, isUnfinished, LIST_LENGTH } from "./concealed.ts"
import type { Mint } from "./mint.ts"
import type { PartyName } from "./party-names.ts"
import { holdingOf, partyNames } from "./party-names.ts"
import type { Part, Places } from "./places.ts"
import { homeOf, partsOf } from "./places.ts"

export interface PartyInput extends Places {
  readonly token: Mint
  readonly largest: ReadonlyArray<SolanaTokenBalance>
}

/** Who could sell what. Amounts are in smallest units. */
export interface Parties {
  readonly byOwner: ReadonlyMap<string, number>
  /** The name under which an owner stands in `byOwner`. */
  readonly nameOf: PartyName
  /** Tokens whose owner is unknown, by the account they lie in: perhaps all of them one party's. */
  readonly untold: ReadonlyMap<string, number>
  /**
   * What the parties hold in pools nobody trades in, or under addresses of programs not known here: perhaps one party's,
   * however many names stand there.
   */
  readonly nameless: ReadonlyMap<string, number>
  /** Supply that is in nobody's hands: burned, locked, in curves and in the locked part of pools. */
  readonly outOfReach: number
  /** Held under addresses of programs not known here: each is counted as one party at least, and the report says so. */
  readonly underPrograms: number
  /** Listed accounts of people whose tokens cannot move: somebody froze them, or an earlier life of the mint's bound them. */
  readonly frozen: number
  /**
   * Accounts of which the node shows nothing, at least: whose they are is not known, nor whether they are frozen. Those that it
   * lists, and one where it has not listed all.
   */
  readonly unshown: number
  /** What a full list leaves of the supply: in smaller hands, each below the smallest listed. */
  readonly unlisted: number
}

interface Entry {
  readonly parts: ReadonlyArray<Part>
  readonly isFrozen: boolean
  readonly isUnshown: boolean
  /** The owner whom the list names with it. */
  readonly named: string
}

const isPersons = (part: Part): boolean => part.kind === "party" && part.under !== "junk"

/** Vaults of pools that the list does not name: they hold less than those that it names, or it is older than they are. */
const vaultsBeside = (input: PartyInput): ReadonlyArray<Listed> => {
  const named = new Set<string>(input.largest.map(({ address }) => address))
  return [...input.pools.values()].flatMap(({ pool: { tokenVault } }) => {
    if (tokenVault === null || named.has(tokenVault)) return []
    const account = accountAt(input.book, input.mint, tokenVault)
    return [{ listed: { address: tokenVault, amount: account?.amount ?? 0n }, account }]
  })
}

/** What a mint lets nobody transfer today is no matter of one account. */
const isStuck = ({ frozen, isBound }: TokenAccount, { walk }: Mint): boolean =>
  frozen || (isBound && walk.extensions.nonTransferable === undefined)

const entriesOf = (
  input: PartyInput,
  read: ReadonlyArray<Listed>
): { readonly nameOf: PartyName; readonly entries: ReadonlyArray<Entry> } => {
  const nameOf = partyNames(read.flatMap(({ account }) => (account === null ? [] : [holdingOf(account)])))
  const entries = read.map(({ account, listed }) => {
    const parts = partsOf(input, listed, account)
    const isVault = homeOf(input, listed.address) !== null
    const owner = account === null || isVault ? listed.address : nameOf(account.owner)
    return {
      parts,
      isFrozen: !isVault && account !== null && isStuck(account, input.token) && parts.some(isPersons),
      isUnshown: account === null && parts.some(({ amount, kind }) => kind === "untold" && amount > 0),
      named: BURN_ADDRESSES.has(owner) ? "burned" : owner
    }
  })
  return { nameOf, entries }
}

const sumOf = (parts: ReadonlyArray<Part>, counts: (part: Part) => boolean): number =>
  parts.reduce((sum, part) => (counts(part) ? sum + part.amount : sum), 0)

const byName = (entries: ReadonlyArray<readonly [name: string, amount: number]>): Map<string, number> => {
  const sums = new Map<string, number>()
  for (const [name, amount] of entries) if (amount > 0) sums.set(name, (sums.get(name) ?? 0) + amount)
  return sums
}

/** Fees that were withheld and gathered in the mint: their taker's, or nobody's. */
const withheldIn = ({ walk }: Mint): ReadonlyArray<Part> => {
  const fee = walk.extensions.transferFee
  if (fee === undefined || fee.withheld === 0n) return []
  const amount = Number(fee.withheld)
  return fee.withdrawAuthority === null
    ? [{ kind: "nobody", amount }]
    : [{ kind: "party", party: fee.withdrawAuthority, amount }]
}

/** Traces every listed account, and what the list leaves of the supply, to the party who can take the tokens out. */
export const tracePartiesOf = (input: PartyInput): Parties => {
  const read = withAccounts(input.largest, input.mint, input.book)
  const { entries, nameOf } = entriesOf(input, read)
  const balances = read.map(({ listed }) => Number(listed.amount))
  const listed = balances.reduce((sum, balance) => sum + balance, 0)
  const gathered = withheldIn(input.token)
  const vaults = vaultsBeside(input)
  const beside = vaults.reduce((sum, vault) => sum + Number(vault.listed.amount), 0)
  const rest = Number(input.token.supply) - listed - beside - sumOf(gathered, () => true)
  const unlisted = Math.max(0, rest)
  const told = [...entries.flatMap((entry) => entry.parts), ...gathered]
  const parts = [...told, ...vaults.flatMap((vault) => partsOf(input, vault.listed, vault.account))]
  const named = new Set(entries.map((entry) => entry.named)).size
  // A list that names no holder, while supply lies outside of it, has not told anything.
  const tellsNothing = !told.some(({ amount, kind }) => amount > 0 && kind !== "nobody")
  // A vault of which the node shows nothing may hold all that the list leaves.
  const isHidden = vaults.some(({ listed: { address } }) => input.book.get(address) == null)
  const isUntold = tellsNothing || isHidden || isConcealed(input.token, { balances, named }, unlisted)
  const held = parts.flatMap((part) => (part.kind === "party" ? [part] : []))
  return {
    nameOf,
    byOwner: byName(held.map(({ amount, party }) => [nameOf(party), amount])),
    untold: byName([
      ...parts.flatMap((part) => (part.kind === "untold" ? [[part.place, part.amount] as const] : [])),
      ...(isUntold ? [["unlisted", unlisted] as const] : [])
    ]),
    nameless: byName(
      held.flatMap(({ amount, party, under }) =>
        under === undefined ? [] : [[nameOf(party), amount] as const]
      )
    ),
    outOfReach: sumOf(parts, ({ kind }) => kind === "nobody"),
    underPrograms: sumOf(held, (part) => part.kind === "party" && part.under === "program"),
    frozen: entries.filter(({ isFrozen }) => isFrozen).length,
    unshown:
      entries.filter(({ isUnshown }) => isUnshown).length +
      Number(isUnfinished(input.token, { balances }, unlisted)),
    unlisted: balances.length >= LIST_LENGTH ? unlisted : 0
  }
}

/** Owners of the largest token accounts, to be read next: their owning program tells people from programs. */
export const ownersOf = (
  largest: ReadonlyArray<SolanaTokenBalance>,
  book: AccountBook
): ReadonlyArray<SolanaAddress> =>
  largest.flatMap(({ address }) => {
    const account = decodeTokenAccount(book.get(address) ?? null)
    return account === null ? [] : [account.owner]
  })
