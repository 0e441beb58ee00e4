import { Effect } from "effect"
import type { Address, Hex } from "viem"
import type { BaseRpc } from "../../../chain/chain-rpc.ts"
import { isDevelopment } from "../../../chain/development-node.ts"
import type { StoredTable } from "../power/findings.ts"
import { dataOf } from "./storage-lists.ts"
import { type Places, accountsIn, asWord, soladySlots } from "./storage-places.ts"
import { entry, readRoot } from "./storage-proof.ts"
import type { StorageWord } from "./storage-root.ts"

/** Slots asked one by one at most: what was emptied is a spent allowance, a moved balance, an owner who left. */
const MAX_EMPTIED = 256
const FIRST_SLOTS = Array.from({ length: 16 }, (_, slot) => BigInt(slot))
/** No compiler numbers slots so far; namespaces begin beyond. */
const FIRST_NAMESPACE = 1n << 160n
const MAX_PAIRS = 8
/** Accounts among which they are looked for: no development node has a crowd. */
const MAX_KEYS = 256
/** Accounts whose delegates are looked for among them. */
const MAX_ASKED = 32
/** Entries of tables at most: nodes prove no more than a thousand slots at once. */
const MAX_LOOKED_UP = 256

/** Mappings that hold something, with their neighbours: allowances stand beside balances. */
const usedBases = (
  words: ReadonlyArray<StorageWord>,
  bases: Places["bases"],
  keys: Places["keys"]
): ReadonlyArray<bigint> => {
  const slots = new Set(words.map(({ slot }) => slot))
  const used = bases.map(BigInt).filter((base) => keys.some((key) => slots.has(entry(key, base))))
  return [...new Set(used.flatMap((base) => [base, base + 1n, base > 0n ? base - 1n : base]))]
}

type Pair = Places["pairs"][number]

/** Members of roles that are looked for in their lists. */
const MAX_MEMBERS = 8
/** Members that one role may have had at once. */
const MAX_LISTED = 2

/** Roles are numbers that no account has. */
const isMember = ([role]: Pair): boolean => accountsIn([role]).length === 0

/** Where a role's members are listed beside the roles: how many they are, the list, and a member's place in it. */
const listingsAt = ([role, account]: Pair, base: bigint): ReadonlyArray<bigint> => {
  const members = entry(role, base)
  const list = dataOf(members)
  const listed = Array.from({ length: MAX_LISTED }, (_, index) => list + BigInt(index))
  return [members, ...listed, entry(account, members + 1n)]
}

/** Small numbers are asked for as well: nobody is one of them. */
const isAccount = (word: Hex): boolean => /^0x0{24}/.test(word)

/** What is known of a token beside its words. */
interface Known {
  readonly code: Hex
  /** Slots of its lists of votes. */
  readonly lists: ReadonlyArray<bigint>
  /** Tables that its code's analysis would like to be empty. */
  readonly tables: ReadonlyArray<StoredTable>
}

/** Entries of one key each, whose table need not hold anything: whoever sends or receives is looked up in it. */
const entriesIn = (tables: ReadonlyArray<StoredTable>, accounts: Places["keys"]): ReadonlyArray<bigint> =>
  tables
    .filter(({ keys }) => keys.length === 1)
    .flatMap(({ field, slot }) => accounts.map((key) => entry(key, BigInt(slot)) + BigInt(field)))
    .slice(0, MAX_LOOKED_UP)

/** Mappings of roles; lists of their members stand right behind. Source: OpenZeppelin, AccessControlEnumerable. */
const rolesIn = (tables: ReadonlyArray<StoredTable>): ReadonlyArray<bigint> => [
  ...new Set(tables.flatMap(({ keys, slot }) => (keys.length === 2 ? [BigInt(slot)] : [])))
]

/**
 * Slots that stand in the tree although their value is zero. The protocol removes such, so that a real node has none;
 * anvil keeps them, and what was only read, and without this a listing on it could never be proven.
 */
export const readEmptied = (
  rpc: Pick<BaseRpc, "client">,
  token: Address,
  blockNumber: bigint,
  words: ReadonlyArray<StorageWord>,
  places: Places,
  { code, lists, tables }: Known
): Effect.Effect<ReadonlyArray<bigint>> => {
  const known = new Set(words.map(({ slot }) => slot))
  const keys = places.keys.slice(0, MAX_KEYS)
  // The code's texts and hashes come before whom the events name, and nobody asks what delegate a text has.
  const accounts = keys.filter(isAccount).slice(0, MAX_ASKED)
  const bases = usedBases(words, places.bases, keys)
  const pairs = places.pairs.slice(0, MAX_PAIRS)
  const candidates = [
    ...FIRST_SLOTS,
    ...pairs.flatMap(([owner, spender]) => bases.map((base) => entry(spender, entry(owner, base)))),
    ...soladySlots(code, accounts, pairs).map(BigInt),
    ...[...new Set([...accounts, ...keys])].flatMap((key) => bases.map((base) => entry(key, base)))
  ].filter((slot) => !known.has(slot))
  // Whoever sends or receives is asked for a delegate, whose table stands before the lists.
  const delegates = lists
    .flatMap((list) => [list - 1n, list])
    .flatMap((base) => accounts.map((key) => entry(key, base)))
  const asked = [...delegates, ...entriesIn(tables, accounts)].filter((slot) => !known.has(slot))
  const named = places.scalars.map(BigInt).filter((slot) => slot >= FIRST_NAMESPACE && !known.has(slot))
  const members = places.pairs.filter(isMember).slice(0, MAX_MEMBERS)
  const listings = rolesIn(tables)
    .flatMap((base) => members.flatMap((pair) => listingsAt(pair, base + 1n)))
    .filter((slot) => !known.has(slot))
  const slots = [
    ...new Set([...[...new Set(candidates)].slice(0, MAX_EMPTIED), ...named, ...asked, ...listings])
  ]
  return Effect.map(readRoot(rpc, token, blockNumber, slots), (root) => (root.known ? root.value.inTree : []))
}

/** Mappings of ordinary tokens stand in these slots. */
const FIRST_BASES = FIRST_SLOTS.slice(0, 9)
const MAX_FORETOLD = 8

/**
 * Slots that may have been emptied, by what a token's events tell: entries of accounts that gave away all they got, and
 * allowances. A forecast: what of it stands in the tree is proven with the tree.
 */
export const foretellEmptied = (
  spent: ReadonlyArray<Address>,
  pairs: Places["pairs"]
): ReadonlyArray<bigint> => [
  ...new Set([
    ...FIRST_SLOTS,
    ...FIRST_BASES.flatMap((base) => [
      ...spent.slice(0, MAX_FORETOLD).map((account) => entry(asWord(account), base)),
      ...pairs.slice(0, MAX_FORETOLD).map(([owner, spender]) => entry(spender, entry(owner, base)))
    ])
  ])
]

const PATIENCE = "3 seconds"

/** Whether a node keeps what was emptied in its trees, by its own name; taken for no where it does not tell it. */
export const keepsEmptied = ({ client }: Pick<BaseRpc, "client">): Effect.Effect<boolean> =>
  Effect.tryPromise(() => isDevelopment(client)).pipe(
    Effect.timeout(PATIENCE),
    Effect.orElseSucceed(() => false)
  )
