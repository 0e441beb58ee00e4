import type { Hex } from "viem"
import { concat } from "viem"

/** Solady hashes account and seed without padding: its seeds. Source: vectorized/solady, ERC20, Ownable and OwnableRoles. */
export const SOLADY = {
  balances: "0x87a211a2",
  nonces: "0x38377508",
  allowances: "0x7f5e9f20",
  roles: "0x8b78c6d8",
  handovers: "0x389a75e1"
} as const

const SOLADY_GAP: Hex = `0x${"0".repeat(16)}`
const bare = (key: Hex): Hex => `0x${key.slice(26)}`

/**
 * How the place of an account's entry is worked out. `key-first`: Solidity's mappings; `slot-first`: Vyper's; `solady`:
 * account and seed in one word. Source: Solidity, "Layout of State Variables in Storage"; vyperlang/vyper.
 */
export interface EntryForm {
  readonly order: "key-first" | "slot-first" | "solady"
  /** 0x, 32 bytes; zero where there is none. */
  readonly slot: Hex
  /** How many words behind the hash. */
  readonly field: number
}

const behind = (hash: Hex, field: number): bigint => BigInt.asUintN(256, BigInt(hash) + BigInt(field))

/**
 * Where a token keeps what is an account's. Keys are 32 bytes.
 * @param hash Keccak-256 of bytes: analysis threads load no fast one
 */
export const entriesBy = (hash: (bytes: Hex) => Hex) => {
  const pairHash = (first: Hex, second: Hex): Hex => hash(`${first}${second.slice(2)}`)
  const soladyEntry = (seed: Hex, key: Hex): Hex => hash(concat([bare(key), SOLADY_GAP, seed]))
  const soladyAllowance = (owner: Hex, spender: Hex): Hex =>
    hash(concat([bare(owner), SOLADY_GAP, SOLADY.allowances, bare(spender)]))
  return {
    soladyEntry,
    soladyAllowance,
    /** Where an account's balance stands. */
    balancePlace: ({ field, order, slot }: EntryForm, account: Hex): bigint => {
      if (order === "solady") return behind(soladyEntry(SOLADY.balances, account), field)
      return behind(order === "key-first" ? pairHash(account, slot) : pairHash(slot, account), field)
    },
    /** Where stands what an owner allows a spender. */
    allowancePlace: ({ field, order, slot }: EntryForm, owner: Hex, spender: Hex): bigint => {
      if (order === "solady") return behind(soladyAllowance(owner, spender), field)
      return behind(
        order === "key-first"
          ? pairHash(spender, pairHash(owner, slot))
          : pairHash(pairHash(slot, owner), spender),
        field
      )
    }
  }
}
