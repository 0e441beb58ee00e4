import type { Address, Hex } from "viem"
import { isNobody } from "../addresses.ts"

/** Slots read from every token. Source: EIP-1967; OpenZeppelin's older "zos" slot. */
export const PROXY_SLOTS = {
  implementation: "0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc",
  admin: "0xb53127684a568b3173ae13b9f8a6016e243e63b6e8ee1178d6a717850b5d6103",
  beacon: "0xa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50",
  zos: "0x7050c9e0f4ca769c69bd3a8ef740bc37934f8e2c036e5a723fd8ee048ed3f8c3"
} as const satisfies Record<string, Hex>

export const PROXY_SLOT_LIST: ReadonlyArray<Hex> = Object.values(PROXY_SLOTS)

/** The account that a slot's word names; `null` where it names nobody, or is no address. */
export const accountIn = (word: bigint): Address | null => {
  if (word === 0n || word >> 160n !== 0n) return null
  const address: Address = `0x${word.toString(16).padStart(40, "0")}`
  return isNobody(address) ? null : address
}
