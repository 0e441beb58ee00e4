import { keccak256, stringToHex, toHex } from "viem"
import { BASE_CHAIN_ID } from "../../../../domain/chain-constants.ts"
import { constantValue } from "../../../../bytecode/exact/hash.ts"
import { type Facts, type Sum, minus, sumOf } from "../../../../bytecode/exact/linear.ts"
import type { Leaf } from "../../../../bytecode/exact/tree.ts"
import { KnownBits, NOTHING_STORED } from "../../../../bytecode/exact/bits.ts"
import { isSignerOrOther } from "../../../../bytecode/exact/answers.ts"
import {
  type Expr,
  FROM_CALL,
  FROM_CALLDATA,
  FROM_CALLER,
  FROM_ORIGIN,
  FROM_STORAGE,
  FROM_UNKNOWN,
  FROM_VALUE,
  isEnv
} from "../../../../bytecode/evm/expression.ts"
import { listed } from "../../../../bytecode/evm/path.ts"
import type { Frame } from "./frame.ts"
import { isMarked, isUsedUp } from "./once.ts"
import { type Roles, accountOf, THIS } from "./roles.ts"
import { saidFixed, saidOneWord } from "./said.ts"

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
const LOW = (1n << DOMAIN_END_BITS) - 1n
const CHAIN = BigInt(BASE_CHAIN_ID)

/** A domain that somebody may choose is that of another contract, for which the holder has signed something. */
const FROM_OUTSIDE =
  FROM_CALLDATA | FROM_CALLER | FROM_ORIGIN | FROM_VALUE | FROM_CALL | FROM_UNKNOWN | FROM_STORAGE

const isShifted = ({ op, args: [by] }: Expr, way: "shl" | "shr", bits: bigint): boolean =>
  op === way && by?.op === "const" && by.value === bits

/** The end of the domain, in the upper bits of the message's second word, and nothing below it. */
const isDomainEnd = (word: Expr): boolean =>
  isShifted(word, "shl", DOMAIN_END_BITS) || (word.op === "const" && (word.value & LOW) === 0n)

const NOTHING = new KnownBits(NOTHING_STORED)

/** Whatever begins otherwise is signed as a text. */
const isTyped = (first: Expr): boolean => {
  const { mask, value } = NOTHING.of(first)
  return mask >> PREFIX_AT_BITS === 0xffffn && value >> PREFIX_AT_BITS === PREFIX
}

/** What a signature is over: the type and the fields of an EIP-712 struct, and whose domain they are in. */
interface Message {
  readonly fields: ReadonlyArray<Expr>
  readonly domain: Expr | bigint
}

/**
 * The message that a signature is over. Where its hash is mixed with anything, the holder may have signed something else.
 */
const signedMessage = (signer: Expr): Message | undefined => {
  const digest = signer.args[0]?.args[2]
  if (digest?.op !== "keccak" || digest.value !== TYPED_MESSAGE_BYTES) return undefined
  const [first, middle, last] = digest.args
  const [mask, struct] = last?.args ?? []
  if (last?.op !== "and" || mask?.value !== 0xffffn || struct?.op !== "keccak") return undefined
  const parts = middle?.op === "or" ? middle.args : middle === undefined ? [] : [middle]
  const isHash = (word: Expr): boolean => isShifted(word, "shr", STRUCT_AT_BITS) && word.args[1] === struct
  if (!parts.some(isHash) || !parts.every((part) => isHash(part) || isDomainEnd(part))) return undefined
  if (first === undefined || !isTyped(first)) return undefined
  const ends = parts.filter((part) => !isHash(part))
  const domain = domainOf(first, ends)
  if (domain === undefined || [first, ...ends].some(({ from }) => (from & FROM_OUTSIDE) !== 0))
    return undefined
  return struct.value === BigInt(struct.args.length * 32) ? { fields: struct.args, domain } : undefined
}

/** The domain between the prefix and the struct's hash: a word that the code fixes, or one that it works out. */
const domainOf = (first: Expr, [end, ...others]: ReadonlyArray<Expr>): Expr | bigint | undefined => {
  if (others.length > 0) return undefined
  if (first.op === "const" && (end === undefined || end.op === "const"))
    return ((first.value & LOW) << STRUCT_AT_BITS) | ((end?.value ?? 0n) >> DOMAIN_END_BITS)
  const begin = first.op === "or" ? first.args.find(({ op }) => op === "shr") : undefined
  const whole = end !== undefined && end.op === "shl" ? end.args[1] : undefined
  const isWhole = begin !== undefined && isShifted(begin, "shr", STRUCT_AT_BITS) && begin.args[1] === whole
  return isWhole ? whole : undefined
}

/** The domain names this very contract on this very chain: nothing signed for another serves here. */
const isOwnDomain = (domain: Expr): boolean =>
  domain.op === "keccak" &&
  domain.args.some((word) => isEnv(word, THIS)) &&
  domain.args.some((word) => constantValue(word) === CHAIN)

/** The fields of a message that was signed for this contract; for one that the code names by a hash, that remains to be seen. */
const signedFields = (
  { arena, domains }: Roles,
  { state }: Leaf,
  signer: Expr
): ReadonlyArray<Expr> | undefined => {
  const { domain, fields } = signedMessage(signer) ?? {}
  if (domain === undefined) return undefined
  if (typeof domain !== "bigint") return isOwnDomain(domain) ? fields : undefined
  const [at = null] = saidFixed(state.conditions, arena.env(Number(THIS)), true)
  const hash = toHex(domain, { size: 32 })
  domains.set(`${hash} ${at}`, { hash, at })
  return fields
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
const signedBy = (roles: Roles, leaf: Leaf, account: Expr): ReadonlyArray<Expr> | undefined => {
  const bare = accountOf(account)
  const conditions = [...listed(leaf.state.conditions)]
  for (const { expr, holds } of conditions) {
    const sides = holds && expr.op === "eq" ? expr.args.map(accountOf) : []
    const signer = sides.find(isSigner)
    const named = sides.find((side) => side !== signer)
    if (signer === undefined || named === undefined) continue
    if (bare !== named && !isSameAnswer(signer, bare)) continue
    const isSomebody =
      isNeverZero(signer) ||
      conditions.some((test) => test.holds && accountOf(test.expr) === signer) ||
      saidOneWord(leaf.state.conditions, named, roles.arena.zero) === false
    const fields = isSomebody ? signedFields(roles, leaf, signer) : undefined
    if (fields?.[1] !== undefined && accountOf(fields[1]) === named) return fields
  }
  return undefined
}

const namesSame = (a: Expr | undefined, b: Expr): boolean => a !== undefined && accountOf(a) === accountOf(b)

const TIMESTAMP = 0x42n

const isNow = (word: Expr): boolean => isEnv(word, TIMESTAMP)

/** The branches taken say that the one comes before the other, or with it. */
const isInOrder = (
  { state }: Leaf,
  isFirst: (word: Expr) => boolean,
  isLast: (word: Expr) => boolean
): boolean =>
  [...listed(state.conditions)].some(({ expr: { args, op }, holds }) => {
    const [a, b] = holds ? args : args.toReversed()
    return op === "lt" && a !== undefined && b !== undefined && isFirst(a) && isLast(b)
  })

/** The date until which a signature serves has not passed. */
const isBefore = (leaf: Leaf, end: Expr | undefined): boolean =>
  isInOrder(leaf, isNow, (word) => word === end)

/** The date from which on it serves has come. */
const isAfter = (leaf: Leaf, start: Expr | undefined): boolean =>
  isInOrder(leaf, (word) => word === start, isNow)

/** The owner signed an ERC-2612 permit for this spender and amount, and it serves once. */
export const permits = (roles: Roles, leaf: Leaf, owner: Expr, spender: Expr, amount: Expr): boolean => {
  const fields = signedBy(roles, leaf, owner)
  const [type, , allowed, value, nonce, deadline] = fields ?? []
  return (
    fields?.length === 6 &&
    type !== undefined &&
    constantValue(type) === PERMIT &&
    namesSame(allowed, spender) &&
    value === amount &&
    nonce !== undefined &&
    isBefore(leaf, deadline) &&
    isUsedUp(roles, leaf, { fields, nonce })
  )
}

/** The account signed an ERC-3009 authorization of no less than it loses, for whoever else takes part, and it serves once. */
export const authorizes = (
  roles: Roles,
  leaf: Leaf,
  { parties }: Frame,
  facts: Facts,
  account: Expr,
  lost: Sum
): boolean => {
  const fields = signedBy(roles, leaf, account)
  const [type, from, to, value, start, end, nonce] = fields ?? []
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
    isAfter(leaf, start) &&
    isBefore(leaf, end) &&
    nonce !== undefined &&
    isMarked(roles, leaf, { fields, nonce })
  )
}

/** The account is whoever signed an ERC-5805 delegation to this delegate; `ecrecover` names zero for a bad signature. */
export const delegates = (roles: Roles, leaf: Leaf, account: Expr, delegate: Expr): boolean => {
  const signer = accountOf(account)
  if (!isSigner(signer)) return false
  const isSomebody =
    isNeverZero(signer) ||
    [...listed(leaf.state.conditions)].some(({ expr, holds }) => holds && accountOf(expr) === signer)
  const fields = isSomebody ? signedFields(roles, leaf, signer) : undefined
  const [type, named] = fields ?? []
  return (
    fields?.length === 4 &&
    type !== undefined &&
    constantValue(type) === DELEGATION &&
    namesSame(named, delegate)
  )
}
