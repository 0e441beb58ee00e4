import type { Address, Hex } from "viem"
import { keccakHex } from "../../../chain/keccak.ts"
import { counted } from "../../../domain/counted.ts"
import { SAFE_PROXY_CODE_HASHES, SAFE_SINGLETONS, TIMELOCK_CODE_HASHES, isNobody } from "../addresses.ts"
import type { Query } from "./query.ts"
import { both, callData, mapQuery, read, uint, wordAt } from "./query.ts"

/** Who stands behind an address that holds a power. */
export type Holder =
  | { readonly kind: "nobody" }
  /** One private key; an EIP-7702 delegated account is one too. */
  | { readonly kind: "eoa" }
  /** A Safe whose singleton is one of the published ones, with at least two signatures needed. */
  | { readonly kind: "multisig"; readonly threshold: number; readonly owners: number }
  /** A published timelock, by its code, with a delay of at least a day. */
  | { readonly kind: "timelock"; readonly delaySeconds: number }
  /** Some other contract. */
  | { readonly kind: "contract" }
  /** An account found in a gate's slot that none of the token's functions names. */
  | { readonly kind: "hidden" }
  /** A gate that is no plain address we can look at. */
  | { readonly kind: "unidentified" }

export const NOBODY: Holder = { kind: "nobody" }
export const HIDDEN: Holder = { kind: "hidden" }
export const UNIDENTIFIED: Holder = { kind: "unidentified" }

/** What a holder's contract answers when asked whether it is a Safe or a timelock. */
export interface AccountClaims {
  readonly threshold: bigint | undefined
  readonly owners: bigint | undefined
  readonly minDelay: bigint | undefined
  readonly delay: bigint | undefined
}

/** `getThreshold`, the length of `getOwners`, `getMinDelay` (OpenZeppelin) and `delay` (Compound). */
export const askAccount = (address: Address): Query<AccountClaims> =>
  mapQuery(
    both(
      both(
        uint(address, "getThreshold()"),
        read(address, callData("getOwners()"), (data) => wordAt(data, 1))
      ),
      both(uint(address, "getMinDelay()"), uint(address, "delay()"))
    ),
    ([[threshold, owners], [minDelay, delay]]) => ({ threshold, owners, minDelay, delay })
  )

/** EIP-7702: the code of an account that is still one private key. */
export const isDelegatedEoa = (code: Hex): boolean => code.length === 48 && code.startsWith("0xef0100")

const MIN_DELAY_SECONDS = 86_400n
/** Compilers append metadata, its length in the last two bytes; builds of one source differ in it alone. */
const withoutMetadata = (code: Hex): Hex => {
  const length = Number.parseInt(code.slice(-4), 16)
  const end = code.length - 4 - length * 2
  return end > 2 ? `0x${code.slice(2, end)}` : code
}

const isTimelock = (code: Hex): boolean => TIMELOCK_CODE_HASHES.includes(keccakHex(withoutMetadata(code)))
/** A Safe keeps its singleton in slot 0. */
export const SINGLETON_SLOT: Hex = `0x${"0".repeat(64)}`

/** The factories' own proxy code in front of a published singleton. */
const isSafe = (code: Hex, slot0: Hex): boolean =>
  SAFE_PROXY_CODE_HASHES.includes(keccakHex(code)) &&
  SAFE_SINGLETONS.some((singleton) => BigInt(singleton) === BigInt(slot0))

/**
 * Classifies a holder from its code, its slot 0 and its own claims. Only published code is believed: a Safe's proxy in
 * front of a published singleton, a timelock whose own code says that its delay holds. A delay softens a finding and
 * never clears one.
 */
export const classify = (
  address: Address,
  code: Hex,
  slot0: Hex | undefined,
  { threshold, owners, minDelay, delay }: AccountClaims
): Holder => {
  if (isNobody(address)) return NOBODY
  if (code === "0x" || isDelegatedEoa(code)) return { kind: "eoa" }
  if (slot0 !== undefined && isSafe(code, slot0) && threshold !== undefined && owners !== undefined) {
    return threshold >= 2n && owners < 1000n
      ? { kind: "multisig", threshold: Number(threshold), owners: Number(owners) }
      : { kind: "eoa" }
  }
  const reported = minDelay ?? delay ?? 0n
  if (isTimelock(code) && reported >= MIN_DELAY_SECONDS && reported < 10n ** 10n) {
    return { kind: "timelock", delaySeconds: Number(reported) }
  }
  return { kind: "contract" }
}

/** The holder in our own words, for messages. */
export const describeHolder = (holder: Holder): string => {
  switch (holder.kind) {
    case "nobody":
      return "nobody"
    case "eoa":
      return "one private key"
    case "multisig":
      return `a Safe with ${holder.threshold} of ${counted(holder.owners, "signature")}`
    case "timelock":
      return `a contract that reports a delay of ${Math.floor(holder.delaySeconds / 3600)} h`
    case "contract":
      return "a contract we could not identify"
    case "hidden":
      return "an account that the token does not name"
    case "unidentified":
      return "an account we could not identify"
  }
}
