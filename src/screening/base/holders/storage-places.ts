import type { Address, Hex } from "viem"
import { hexToBytes, keccak256, numberToHex, pad, stringToHex } from "viem"
import { keccakHex } from "../../../chain/keccak.ts"
import { SOLADY, entriesBy } from "../entries.ts"

/** The storage slots of a contract that may hold a value: those the storage reader reads. */
export interface Places {
  readonly scalars: ReadonlyArray<Hex>
  readonly bases: ReadonlyArray<Hex>
  readonly keys: ReadonlyArray<Hex>
  readonly pairs: ReadonlyArray<readonly [Hex, Hex]>
}

/** Every word of which an entry was looked at: whichever of the two that were hashed it was. */
export const wordsOf = (all: ReadonlyArray<Places>): ReadonlySet<Hex> =>
  new Set(all.flatMap(({ bases, keys, pairs }) => [...keys, ...bases, ...pairs.flat()]))

const word = (value: bigint): Hex => numberToHex(BigInt.asUintN(256, value), { size: 32 })
export const asWord = (value: Hex): Hex => pad(value, { size: 32 })

const PUSH1 = 0x60
const PUSH32 = 0x7f

export const { allowancePlace, balancePlace, soladyAllowance, soladyEntry } = entriesBy(keccakHex)

/** The constants that code pushes onto the stack, at least `min` bytes long. Data after the code adds meaningless ones, which do no harm. */
export const pushedConstants = (code: Hex, min: number): ReadonlyArray<Hex> => {
  const found = new Set<Hex>()
  const bytes = hexToBytes(code)
  for (let at = 0; at < bytes.length; at++) {
    const opcode = bytes[at] ?? 0
    if (opcode < PUSH1 || opcode > PUSH32) continue
    const length = opcode - PUSH1 + 1
    if (length >= min && at + length < bytes.length) {
      const value = code.slice((at + 1) * 2 + 2, (at + 1 + length) * 2 + 2)
      if (!/^(0*|f*)$/.test(value)) found.add(`0x${value}`)
    }
    at += length
  }
  return [...found]
}

/** The accounts among words: small numbers are none. */
export const accountsIn = (words: ReadonlyArray<Hex>): ReadonlyArray<Address> =>
  words
    .filter((word) => /^0x0{24}/.test(word) && !/^0x0{60}/.test(word))
    .map((word): Address => `0x${word.slice(-40).toLowerCase()}`)

/** Nibbles of a selector and of a word. */
const SELECTOR = 8
const WORD = 64

/** The compiler's mark behind a contract's code: "solc", three bytes of version, the mark's length. */
const END_OF_CODE = /64736f6c6343[0-9a-f]{6}0033/g

/** Words of a call's arguments behind their selector, or of a constructor's behind the code. */
const argumentWords = (text: string): ReadonlyArray<string> => {
  const code = [...text.matchAll(END_OF_CODE)].at(-1)
  const isCall = text.length % WORD === SELECTOR
  const behind = code === undefined ? "" : text.slice(code.index + code[0].length)
  const parts = [...(isCall ? [text.slice(SELECTOR)] : []), behind.slice(behind.length % WORD)]
  return parts.flatMap((part) => part.match(/[0-9a-f]{64}/g) ?? [])
}

/**
 * Words of a transaction's data that hold addresses: among arguments, and wherever else zeros stand before one. Who looked
 * for zeros alone would miss one behind a number that ends with zeros.
 */
export const addressWords = (data: Hex): ReadonlyArray<Hex> => {
  const text = data.slice(2).toLowerCase()
  const found = [...argumentWords(text), ...(text.match(/0{24}[0-9a-f]{40}/g) ?? [])]
  return [...new Set(found)].filter((word) => /^0{24}(?!0{16})/.test(word)).map((word): Hex => `0x${word}`)
}

/**
 * Constants that could be the hash of anything are looked at only where it is known of what. A code may name the place of
 * a balance or an allowance as if it were a slot or a mapping of its own: what is stored there would seem accounted for.
 * What is not looked at leaves the storage unproven.
 */
const erc7201 = (name: string): bigint =>
  BigInt(keccak256(numberToHex(BigInt(keccak256(stringToHex(name))) - 1n, { size: 32 }))) & ~0xffn

const OPENZEPPELIN: ReadonlyArray<string> = [
  "AccessControl",
  "AccessControlDefaultAdminRules",
  "AccessControlEnumerable",
  "AccessManaged",
  "EIP712",
  "ERC20",
  "ERC20Capped",
  "ERC20Wrapper",
  "ERC4626",
  "Initializable",
  "Nonces",
  "Ownable",
  "Ownable2Step",
  "Pausable",
  "ReentrancyGuard",
  "Votes"
]
/** Source: EIP-1967, and OpenZeppelin's older proxies. */
const PROXY_SLOTS: ReadonlyArray<bigint> = [
  ...["implementation", "admin", "beacon", "rollback"].map(
    (name) => BigInt(keccak256(stringToHex(`eip1967.proxy.${name}`))) - 1n
  ),
  ...["implementation", "admin"].map((name) =>
    BigInt(keccak256(stringToHex(`org.zeppelinos.proxy.${name}`)))
  ),
  BigInt(keccak256(stringToHex("diamond.standard.diamond.storage")))
]
const KNOWN_NAMESPACES = OPENZEPPELIN.map((name) => erc7201(`openzeppelin.storage.${name}`))
const KNOWN_HASHES: ReadonlySet<bigint> = new Set([...KNOWN_NAMESPACES, ...PROXY_SLOTS])

const HIGH_BITS = 160n
const HIGH_ONES = (1n << 96n) - 1n

/** Nobody can choose an input whose hash begins with 96 zero or one bits; every other constant must be a known one. */
const isNobodysPlace = (constant: Hex): boolean => {
  const high = BigInt(constant) >> HIGH_BITS
  return high === 0n || high === HIGH_ONES || KNOWN_HASHES.has(BigInt(constant))
}

/**
 * A whole word with zeros before it is what a constructor fixed, an account most often, and no table begins there: a table
 * that did would make every account's entry in it one of that account's in the table whose slot has the other's number.
 */
const isNamespace = (constant: Hex): boolean =>
  isNobodysPlace(constant) && BigInt(constant) >> HIGH_BITS !== 0n

/**
 * Known namespaces, by what all slots of one begin with: compilers add a member's number up beforehand, and lay a word that
 * is needed often among the code's data.
 */
const NAMESPACES: ReadonlyArray<{ readonly base: Hex; readonly beginning: string }> = KNOWN_NAMESPACES.map(
  (base) => ({ base: word(base), beginning: word(base).slice(2, -2) })
)

const namespacesIn = (code: Hex, hashes: ReadonlyArray<Hex>): ReadonlyArray<Hex> => {
  const known = NAMESPACES.filter(({ beginning }) => code.includes(beginning)).map(({ base }) => base)
  return [...new Set([...known, ...hashes.filter(isNamespace)])].slice(0, MAX_NAMESPACES)
}

/** Slots Solidity gives out in order. */
const FIRST_SLOTS = 64n
const FIRST_BASES = 40n
/** Namespaces (ERC-7201 and older) are constants in the code; their structs are a few slots long, ERC-20's five. */
const NAMESPACE_SLOTS = 6n
const MAX_NAMESPACES = 12

const range = (count: bigint): ReadonlyArray<Hex> =>
  Array.from({ length: Number(count) }, (_, index) => word(BigInt(index)))

/** Solady's fixed slots: of the supply and of the owner. */
const SOLADY_SLOTS: ReadonlyArray<Hex> = [word(0x05345cdf77eb68f44cn), word(~BigInt(SOLADY.roles))]
const SOLADY_SINGLE = [SOLADY.balances, SOLADY.nonces, SOLADY.roles, SOLADY.handovers]

/** What Solady's contracts may keep of these accounts, allowances first, as far as the code names its seeds. */
export const soladySlots = (
  code: Hex,
  keys: ReadonlyArray<Hex>,
  pairs: Places["pairs"]
): ReadonlyArray<Hex> => {
  const names = (seed: Hex): boolean => code.includes(seed.slice(2))
  const double = names(SOLADY.allowances) ? pairs : []
  const single = SOLADY_SINGLE.filter(names).flatMap((seed) => keys.map((key) => soladyEntry(seed, key)))
  return [...SOLADY_SLOTS, ...double.map(([owner, spender]) => soladyAllowance(owner, spender)), ...single]
}

/** Keys that mappings of numbers begin with. */
const SMALL_KEYS = range(3n)

/**
 * The places of a token: the first slots, the namespaces its code names, and mappings of everybody and everything its
 * events, its code and its birth name.
 * @param code runtime code of whatever runs; its constants are namespaces, roles and fixed accounts
 * @param accounts accounts that are known anyway: owner, pools, buyers
 */
export const placesOf = (
  code: Hex,
  words: ReadonlyArray<Hex>,
  pairs: Places["pairs"],
  accounts: ReadonlyArray<Address>
): Places => {
  const pushed = pushedConstants(code, 5)
  const constants = pushed.filter((constant) => constant.length >= 42).map(asWord)
  const hashes = pushed.filter((constant) => constant.length === 66)
  const namespaceSlots = namespacesIn(code, hashes).flatMap((base) =>
    Array.from({ length: Number(NAMESPACE_SLOTS) }, (_, index) => word(BigInt(base) + BigInt(index)))
  )
  const keys = [...new Set([...accounts.map(asWord), ...SMALL_KEYS, ...constants, ...words])]
  // Roles are granted without an event by some: every constant, and zero, with the first accounts.
  const roles = [word(0n), ...hashes.slice(0, MAX_NAMESPACES)].flatMap((role) =>
    accounts.slice(0, 4).map((account) => [role, asWord(account)] as const)
  )
  const all = [...pairs, ...roles]
  return {
    scalars: [
      ...new Set([
        ...range(FIRST_SLOTS),
        ...namespaceSlots,
        ...pushed.map(asWord).filter(isNobodysPlace),
        // A proxy's own code names them, and the code behind it need not.
        ...PROXY_SLOTS.map(word),
        ...soladySlots(code, keys, all)
      ])
    ],
    bases: [...new Set([...range(FIRST_BASES), ...namespaceSlots])],
    keys,
    pairs: all
  }
}

const without = <A>(wanted: ReadonlyArray<A>, known: ReadonlyArray<A>): ReadonlyArray<A> => {
  const names = new Set(known.map(String))
  return wanted.filter((one) => !names.has(String(one)))
}

/**
 * What of the places was not asked for yet; null where all of it was. `"other"` where something else was asked as well: what
 * is found there would be accounted for, and nobody would look whose it is.
 */
export const placesBeyond = (places: Places, asked: Places): Places | null | "other" => {
  const isWithin = [
    without(asked.scalars, places.scalars),
    without(asked.bases, places.bases),
    without(places.bases, asked.bases),
    without(asked.keys, places.keys),
    without(asked.pairs, places.pairs)
  ].every(({ length }) => length === 0)
  if (!isWithin) return "other"
  const rest = {
    scalars: without(places.scalars, asked.scalars),
    bases: places.bases,
    keys: without(places.keys, asked.keys),
    pairs: without(places.pairs, asked.pairs)
  }
  return rest.scalars.length + rest.keys.length + rest.pairs.length === 0 ? null : rest
}

/** Two accounts, and the slots that may hold what one of them allows the other. */
export interface Lending {
  readonly pair: readonly [Hex, Hex]
  readonly slots: ReadonlyArray<Hex>
}

/** Whether one of the two is such an owner: in which order they stand the event that names them does not tell. */
export const isLentBy = (pair: Lending["pair"], isOwner: (account: Hex) => boolean): boolean =>
  pair.some((key) => isOwner(`0x${key.slice(26)}`))

/**
 * The slots that may hold an allowance given by an account of `owners`: as mappings of mappings, in either order, and as
 * Solady keeps them. Only these pairs are read: a word in any other slot leaves the storage unproven.
 */
export const allowancePlaces = (
  { bases, pairs }: Places,
  isOwner: (account: Hex) => boolean
): ReadonlyArray<Lending> => {
  /** Where each account's own mapping begins, of every base: many pairs begin with the same account. */
  const inner = new Map<Hex, ReadonlyArray<Hex>>()
  const innerOf = (first: Hex): ReadonlyArray<Hex> => {
    const known = inner.get(first) ?? bases.map((base) => keccakHex(`${first}${base.slice(2)}`))
    inner.set(first, known)
    return known
  }
  return pairs
    .filter((pair) => isLentBy(pair, isOwner))
    .map(([first, second]) => ({
      pair: [first, second],
      slots: [
        ...innerOf(first).map((own) => keccakHex(`${second}${own.slice(2)}`)),
        soladyAllowance(first, second)
      ]
    }))
}
