import { keccak256, stringToHex } from "viem"
import { constantValue } from "../../../../bytecode/exact/hash.ts"
import { type Facts, type Sum, minus, sumOf } from "../../../../bytecode/exact/linear.ts"
import type { Leaf } from "../../../../bytecode/exact/tree.ts"
import { KnownBits } from "../../../../bytecode/exact/bits.ts"
import { isSignerOrOther } from "../../../../bytecode/exact/answers.ts"
import {
  type Expr,
  FROM_CALL,
  FROM_CALLDATA,
  FROM_CALLER,
  FROM_ORIGIN,
  FROM_STORAGE,
  FROM_UNKNOWN,
  FROM_VALUE
} from "../../../../bytecode/evm/expression.ts"
import { listed } from "../../../../bytecode/evm/path.ts"
import type { Frame } from "./frame.ts"
import { isMarked, isUsedUp } from "./once.ts"
import { type Roles, accountOf } from "./roles.ts"

const typeHash = (text: string): bigint => BigInt(keccak256(stringToHex(text)))

/** ERC-2612. */
const PERMIT = typeHash("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)")
/** ERC-5805. */
const DELEGATION = typeHash("Delegation(address delegatee,uint256 nonce,uint256 expiry)")
/** ERC-3009. */
const AUTHORIZATIONS: ReadonlySet<bigint> = new Set(
  ["TransferWithAuthorization", "ReceiveWithAuthorization"].map((name) =>
    typeHash(
      `${name}(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)`
    )
  )
)

/** `0x1901`, the domain and the struct's hash, without gaps: three words in memory. */
const TYPED_MESSAGE_BYTES = 66n
const PREFIX = 0x1901n
const PREFIX_AT_BITS = 240n
const STRUCT_AT_BITS = 16n
const DOMAIN_END_BITS = 240n

/** A domain that somebody may choose is that of another contract, for which the holder has signed something. */
const FROM_OUTSIDE =
  FROM_CALLDATA | FROM_CALLER | FROM_ORIGIN | FROM_VALUE | FROM_CALL | FROM_UNKNOWN | FROM_STORAGE

const isShifted = ({ op, args: [by] }: Expr, way: "shl" | "shr", bits: bigint): boolean =>
  op === way && by?.op === "const" && by.value === bits

/** The end of the domain, in the upper bits of the message's second word, and nothing below it. */
const isDomainEnd = (word: Expr): boolean =>
  isShifted(word, "shl", DOMAIN_END_BITS) ||
  (word.op === "const" && (word.value & ((1n << DOMAIN_END_BITS) - 1n)) === 0n)

const NOTHING_STORED = new KnownBits(new Map())

/** Whatever begins otherwise is signed as a text. */
const isTyped = (first: Expr): boolean => {
  const { mask, value } = NOTHING_STORED.of(first)
  return mask >> PREFIX_AT_BITS === 0xffffn && value >> PREFIX_AT_BITS === PREFIX
}

/**
 * The type and the fields of the EIP-712 struct that a signature is over. Where its hash is mixed with anything, the
 * holder may have signed something else.
 */
const signedFields = (signer: Expr): ReadonlyArray<Expr> | undefined => {
  const digest = signer.args[0]?.args[2]
  if (digest?.op !== "keccak" || digest.value !== TYPED_MESSAGE_BYTES) return undefined
  const [first, middle, last] = digest.args
  const [mask, struct] = last?.args ?? []
  if (last?.op !== "and" || mask?.value !== 0xffffn || struct?.op !== "keccak") return undefined
  const parts = middle?.op === "or" ? middle.args : middle === undefined ? [] : [middle]
  const isHash = (word: Expr): boolean => isShifted(word, "shr", STRUCT_AT_BITS) && word.args[1] === struct
  if (!parts.some(isHash) || !parts.every((part) => isHash(part) || isDomainEnd(part))) return undefined
  if (first === undefined || !isTyped(first)) return undefined
  const domain = [first, ...parts.filter((part) => !isHash(part))]
  if (domain.some(({ from }) => (from & FROM_OUTSIDE) !== 0)) return undefined
  return struct.value === BigInt(struct.args.length * 32) ? struct.args : undefined
}

const isSigner = ({ op, value, args: [call] }: Expr): boolean =>
  op === "ret" &&
  value === 0n &&
  call?.op === "call" &&
  call.args[0]?.op === "const" &&
  call.args[0].value === 1n

/** The signer that one call answered, however it is read: where it is somebody, the word in its place is no other. */
const isSameAnswer = (signer: Expr, word: Expr): boolean => {
  const [answer] = signer.args
  if (answer === undefined || word.args[0] !== answer) return false
  return isSigner(word) || isSignerOrOther(word, answer)
}

const isNeverZero = (word: Expr): boolean => word.args.length > 1

/** What an account signed on this path; `ecrecover` names zero for every bad signature. */
const signedBy = ({ state }: Leaf, account: Expr): ReadonlyArray<Expr> | undefined => {
  const bare = accountOf(account)
  const conditions = [...listed(state.conditions)]
  for (const { expr, holds } of conditions) {
    const sides = holds && expr.op === "eq" ? expr.args.map(accountOf) : []
    const signer = sides.find(isSigner)
    const named = sides.find((side) => side !== signer)
    if (signer === undefined || named === undefined) continue
    if (bare !== named && !isSameAnswer(signer, bare)) continue
    const isSomebody =
      isNeverZero(signer) ||
      conditions.some((test) => test.holds && [named, signer].includes(accountOf(test.expr)))
    const fields = isSomebody ? signedFields(signer) : undefined
    if (fields?.[1] !== undefined && accountOf(fields[1]) === named) return fields
  }
  return undefined
}

const namesSame = (a: Expr | undefined, b: Expr): boolean => a !== undefined && accountOf(a) === accountOf(b)

/** The owner signed an ERC-2612 permit for this spender and amount, and it serves once. */
export const permits = ({ leaves }: Roles, leaf: Leaf, owner: Expr, spender: Expr, amount: Expr): boolean => {
  const fields = signedBy(leaf, owner)
  const [type, , allowed, value, nonce] = fields ?? []
  return (
    fields?.length === 6 &&
    type !== undefined &&
    constantValue(type) === PERMIT &&
    namesSame(allowed, spender) &&
    value === amount &&
    nonce !== undefined &&
    isUsedUp(leaves, leaf, { fields, nonce })
  )
}

/** The account signed an ERC-3009 authorization of no less than it loses, for whoever else takes part, and it serves once. */
export const authorizes = (
  { leaves }: Roles,
  leaf: Leaf,
  { parties }: Frame,
  facts: Facts,
  account: Expr,
  lost: Sum
): boolean => {
  const fields = signedBy(leaf, account)
  const [type, from, to, value, , , nonce] = fields ?? []
  const kind = type === undefined ? undefined : constantValue(type)
  return (
    fields?.length === 7 &&
    kind !== undefined &&
    AUTHORIZATIONS.has(kind) &&
    value !== undefined &&
    facts.atLeastZero(minus(sumOf(value), lost)) &&
    parties.every(({ accounts }) =>
      accounts.some((one) => namesSame(from, one) || namesSame(to, one) || one === account)
    ) &&
    nonce !== undefined &&
    isMarked(leaves, leaf, { fields, nonce })
  )
}

/** The account is whoever signed an ERC-5805 delegation to this delegate; `ecrecover` names zero for a bad signature. */
export const delegates = (leaf: Leaf, account: Expr, delegate: Expr): boolean => {
  const signer = accountOf(account)
  if (!isSigner(signer)) return false
  const isSomebody =
    isNeverZero(signer) ||
    [...listed(leaf.state.conditions)].some(({ expr, holds }) => holds && accountOf(expr) === signer)
  const fields = isSomebody ? signedFields(signer) : undefined
  const [type, named] = fields ?? []
  return (
    fields?.length === 4 &&
    type !== undefined &&
    constantValue(type) === DELEGATION &&
    namesSame(named, delegate)
  )
}
