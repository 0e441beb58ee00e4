import { keccak256, stringToHex, toHex } from "viem"

/** Slots of ERC-1967: implementation, admin, beacon, rollback. Source: the standard, `keccak256(name) - 1`. */
const ERC1967: ReadonlySet<bigint> = new Set(
  ["implementation", "admin", "beacon", "rollback"].map(
    (name) => BigInt(keccak256(stringToHex(`eip1967.proxy.${name}`))) - 1n
  )
)

/** Roots of OpenZeppelin's namespaces. Source: ERC-7201. */
const NAMESPACES = [
  "Ownable",
  "Ownable2Step",
  "Initializable",
  "Pausable",
  "ReentrancyGuard",
  "AccessControl",
  "AccessControlDefaultAdminRules",
  "ERC20",
  "ERC20Capped",
  "EIP712",
  "Nonces",
  "Votes"
].map((name) => {
  const inner = BigInt(keccak256(stringToHex(`openzeppelin.storage.${name}`))) - 1n
  return BigInt(keccak256(toHex(inner, { size: 32 }))) & ~0xffn
})

export const namespaceRoots = (): ReadonlyArray<bigint> => NAMESPACES

/** How far fields lie from a namespace's root. */
const NAMESPACE_FIELDS = 16n

const hashOfSlot = (slot: bigint): bigint => BigInt(keccak256(toHex(slot, { size: 32 })))

/** Data of an array or a long string in one of the first slots. */
const ARRAYS = Array.from({ length: 64 }, (_, slot) => hashOfSlot(BigInt(slot)))

/** Where the data of an array or a long string begins whose length stands in a slot. Source: Solidity, "Layout of State Variables in Storage". */
export const startOfList = (slot: bigint): bigint => ARRAYS[Number(slot)] ?? hashOfSlot(slot)
const MAX_ARRAY = 1n << 40n

/** Which of the first slots a list's data begins behind the hash of, and how many words behind its beginning the place is. */
export const listAt = (place: bigint): { readonly slot: number; readonly field: bigint } | undefined => {
  const slot = ARRAYS.findIndex((start) => place >= start && place < start + NAMESPACE_FIELDS)
  const start = ARRAYS[slot]
  return start === undefined ? undefined : { slot, field: place - start }
}

const isWithin = (value: bigint, roots: ReadonlyArray<bigint>, size: bigint): boolean =>
  roots.some((root) => value >= root && value < root + size)

/** The slot is named by a standard: made of the hash of a name. */
export const isNamedSlot = (slot: bigint): boolean =>
  ERC1967.has(slot) || isWithin(slot, NAMESPACES, NAMESPACE_FIELDS)

/** The slot holds data of an array or a long string in one of the first slots: behind the hash of its number. */
export const isInFirstList = (slot: bigint): boolean => isWithin(slot, ARRAYS, MAX_ARRAY)
