import type { Address, Hex } from "viem"
import { keccak256, toHex } from "viem"
import type { Signature } from "../../../chain/selectors.ts"
import type { Query, Word } from "../reads/query.ts"
import { account, callData, mapQuery, read, uint, wordAt } from "../reads/query.ts"

/**
 * B20: ERC-20 tokens that Base itself runs. Their powers are roles and policies of one fixed interface, so that a few
 * calls tell what the code of any other token must be searched for. Sources: docs.base.org specifications/b20,
 * base/base-std (IB20, IB20Factory, IPolicyRegistry, B20Constants).
 */
export const B20_FACTORY: Address = "0xb20f000000000000000000000000000000000000"
export const POLICY_REGISTRY: Address = "0x8453000000000000000000000000000000000002"

/** Only addresses that begin so can be the factory's; it alone says which of them are. */
export const mayBeB20 = (token: Address): boolean => token.toLowerCase().startsWith("0xb200")

/** Roles that let somebody harm holders, and the administrator of them all. */
export const B20_ROLES = {
  admin: `0x${"0".repeat(64)}`,
  mint: keccak256(toHex("MINT_ROLE")),
  pause: keccak256(toHex("PAUSE_ROLE")),
  /** Destroys balances of accounts that the transfer policy blocks. */
  burnBlocked: keccak256(toHex("BURN_BLOCKED_ROLE")),
  /** Two names of the power to move balances of accounts that the seizing policy does not exempt. */
  seize: keccak256(toHex("SEIZE_ROLE")),
  transferFromBlocked: keccak256(toHex("TRANSFER_FROM_BLOCKED_ROLE")),
  /** Moves anybody's balance without an allowance. */
  preauthorized: keccak256(toHex("PREAUTHORIZED_SPENDER_ROLE"))
} as const satisfies Readonly<Record<string, Hex>>
export type B20Role = keyof typeof B20_ROLES

export const roleNames: ReadonlyArray<B20Role> = [
  "admin",
  "mint",
  "pause",
  "burnBlocked",
  "seize",
  "transferFromBlocked",
  "preauthorized"
]

/** Policies by what they gate. Every native token has the first three; the seizing ones came later, under three names. */
export const TRANSFER_SCOPES = {
  sender: keccak256(toHex("TRANSFER_SENDER_POLICY")),
  receiver: keccak256(toHex("TRANSFER_RECEIVER_POLICY")),
  executor: keccak256(toHex("TRANSFER_EXECUTOR_POLICY"))
} as const satisfies Readonly<Record<string, Hex>>
export const SEIZE_SCOPES: ReadonlyArray<Hex> = [
  "SEIZE_EXEMPT_POLICY",
  "SEIZE_HOLDER_POLICY",
  "SEIZABLE_POLICY"
].map((name) => keccak256(toHex(name)))

const flag = (to: Address, signature: Signature, ...args: ReadonlyArray<Word>): Query<boolean | undefined> =>
  mapQuery(uint(to, signature, ...args), (word) => (word === 0n || word === 1n ? word === 1n : undefined))

/** What the factory says of an address. */
export const isB20 = (token: Address) => flag(B20_FACTORY, "isB20(address)", token)
export const isInitialized = (token: Address) => flag(B20_FACTORY, "isB20Initialized(address)", token)

/** Of the feature TRANSFER, whose number is 0. */
export const transfersPaused = (token: Address) => flag(token, "isPaused(uint8)", 0)
/** `type(uint128).max` stands for none. */
export const supplyCap = (token: Address) => uint(token, "supplyCap()")
/** An unset scope is 0, which allows everybody. */
export const policyId = (token: Address, scope: Hex) => uint(token, "policyId(bytes32)", scope)
export const hasRole = (token: Address, role: Hex, holder: Address) =>
  flag(token, "hasRole(bytes32,address)", role, holder)
export const roleAdmin = (token: Address, role: Hex): Query<Hex | undefined> =>
  read(token, callData("getRoleAdmin(bytes32)", role), (data) => (data.length === 66 ? data : undefined))

/** May this account act under the policy now? */
export const isAuthorized = (policy: bigint, who: Address) =>
  flag(POLICY_REGISTRY, "isAuthorized(uint64,address)", policy, who)
/** The account that can change a policy; the zero address where nobody can any more. */
export const policyAdmin = (policy: bigint) => account(POLICY_REGISTRY, "policyAdmin(uint64)", policy)
/** The account that may become the administrator by accepting it, in one transaction. */
export const pendingPolicyAdmin = (policy: bigint) =>
  account(POLICY_REGISTRY, "pendingPolicyAdmin(uint64)", policy)

/** The policies that a composite one combines. */
export const policyChildren = (policy: bigint): Query<ReadonlyArray<bigint> | undefined> =>
  read(POLICY_REGISTRY, callData("compositePolicyChildIds(uint64)", policy), (data) => {
    const length = wordAt(data, 1)
    if (wordAt(data, 0) !== 32n || length === undefined || length > 16n) return undefined
    const children = Array.from({ length: Number(length) }, (_, index) => wordAt(data, 2 + index) ?? [])
    return children.flat().length === children.length ? children.flat() : undefined
  })

/** Bit 63 asks for the opposite of a policy; the byte below it says of which kind it is. */
const INVERTED = 1n << 63n
const KIND_SHIFT = 56n
const COMPOSITE_KINDS: ReadonlySet<bigint> = new Set([2n, 3n])

/** The policy itself, without the mark that inverts it. */
export const basePolicy = (policy: bigint): bigint => policy & ~INVERTED
export const isComposite = (policy: bigint): boolean => COMPOSITE_KINDS.has(basePolicy(policy) >> KIND_SHIFT)
