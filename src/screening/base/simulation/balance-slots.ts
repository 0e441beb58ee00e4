import type { Address, Hex } from "viem"
import { concatHex, maxUint256, numberToHex, pad } from "viem"
import { keccakHex } from "../../../chain/keccak.ts"
import { encodeWords } from "../reads/query.ts"

// ERC-7201 "openzeppelin.storage.ERC20"; its first word is the balances mapping.
const openZeppelinNamespace: Hex = "0x52c63247e1f47db19d5ce0460030c497f067ca4cebf71ba98eeadabe20bace00"
const openZeppelinAllowances: Hex = "0x52c63247e1f47db19d5ce0460030c497f067ca4cebf71ba98eeadabe20bace01"
// Solady's ERC20 hashes the owner's 20 bytes followed by 12 bytes that hold a seed (and the spender's 20 bytes).
const soladyBalanceSeed: Hex = "0x000000000000000087a211a2"
const soladyAllowanceSeed: Hex = "0x00000000000000007f5e9f20"
const ordinarySlots = 52
const vyperSlots = 12

const SLOTS: ReadonlyArray<Hex> = Array.from({ length: ordinarySlots }, (_, slot) => encodeWords(slot))
const VYPER_SLOTS = SLOTS.slice(0, vyperSlots)

const solidityKey = (account: Address, slot: Hex): Hex => keccakHex(encodeWords(account, slot))

const vyperKey = (account: Address, slot: Hex): Hex => keccakHex(encodeWords(slot, account))

/** One storage word to replace. */
export interface StorageEntry {
  readonly slot: Hex
  readonly value: Hex
}

/**
 * Storage entries that give `account` a balance in a token of unknown layout: every place where common compilers and
 * libraries keep it, at once. The places are hashes of the account, so those that are not the balance touch nothing.
 */
export const balanceOverride = (account: Address, amount: bigint): ReadonlyArray<StorageEntry> => {
  const keys = [
    ...SLOTS.map((slot) => solidityKey(account, slot)),
    ...VYPER_SLOTS.map((slot) => vyperKey(account, slot)),
    solidityKey(account, openZeppelinNamespace),
    keccakHex(concatHex([account, soladyBalanceSeed]))
  ]
  const value = pad(numberToHex(amount), { size: 32 })
  return keys.map((slot) => ({ slot, value }))
}

/** Storage entries that let `spender` take any amount of `owner`'s tokens, found in the same way. */
export const allowanceOverride = (owner: Address, spender: Address): ReadonlyArray<StorageEntry> => {
  const keys = [
    ...SLOTS.map((slot) => solidityKey(spender, solidityKey(owner, slot))),
    ...VYPER_SLOTS.map((slot) => vyperKey(spender, vyperKey(owner, slot))),
    solidityKey(spender, solidityKey(owner, openZeppelinAllowances)),
    keccakHex(concatHex([owner, soladyAllowanceSeed, spender]))
  ]
  return keys.map((slot) => ({ slot, value: numberToHex(maxUint256) }))
}
