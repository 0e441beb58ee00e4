import { keccak256, stringToHex, toHex } from "viem"
import { ADDRESS_MASK, type Expr } from "../../../../bytecode/evm/expression.ts"

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

/** How far fields lie from a namespace's root. */
const NAMESPACE_FIELDS = 16n

/** Data of an array or a long string in one of the first slots. */
const ARRAYS = Array.from({ length: 64 }, (_, slot) => BigInt(keccak256(toHex(slot, { size: 32 }))))
const MAX_ARRAY = 1n << 40n

const isWithin = (value: bigint, roots: ReadonlyArray<bigint>, size: bigint): boolean =>
  roots.some((root) => value >= root && value < root + size)

/** The constant part of a key and the bits its unknown part can have. */
const constantPart = (key: Expr): bigint | undefined => {
  if (key.op === "const") return key.value
  const [a, b] = key.args
  if (key.op !== "add" || a === undefined || b?.op !== "const") return undefined
  return a.bits <= 64 ? b.value : undefined
}

const SMALL = 16

/** Entries that tables in the first slots have for the first numbers: as accounts these are nobody. */
let entries: ReadonlySet<bigint> | undefined
const firstEntries = (): ReadonlySet<bigint> => {
  entries ??= new Set(
    Array.from({ length: SMALL * SMALL }, (_, index) => {
      const [key, slot] = [index % SMALL, Math.floor(index / SMALL)].map((n) => toHex(n, { size: 32 }))
      return BigInt(keccak256(`0x${key?.slice(2)}${slot?.slice(2)}`))
    })
  )
  return entries
}

/** A large constant slot that is known to be nobody's balance: of a standard, or where an array's data stands. */
export const isWellKnownSlot = (key: Expr): boolean => {
  const constant = constantPart(key)
  if (constant === undefined) return false
  return (
    isWithin(constant, ARRAYS, MAX_ARRAY) ||
    (key.op === "const" &&
      (ERC1967.has(constant) ||
        isWithin(constant, NAMESPACES, NAMESPACE_FIELDS) ||
        (constant > ADDRESS_MASK && firstEntries().has(constant))))
  )
}
