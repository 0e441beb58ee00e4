import { type Address, encodeFunctionData, getAddress, type Hex, parseAbi, size, slice } from "viem"
import { TRANSFER } from "../../chain/evm-events.ts"
import type { EvmLog } from "../../chain/evm-logs.ts"
import { BASE_USDC } from "../../domain/chain.ts"

/** USDC on Base, checksummed as viem gives addresses. */
export const usdc = getAddress(BASE_USDC)

/** The functions of USDC that are called here. Source: ERC-20. */
export const USDC_ABI = parseAbi([
  "function balanceOf(address) view returns (uint256)",
  "function transfer(address to, uint256 value) returns (bool)"
])

/** Call data that moves the caller's USDC. */
export const transferData = (to: Address, amount: bigint): Hex =>
  encodeFunctionData({ abi: USDC_ABI, functionName: "transfer", args: [to, amount] })

/** USDC that moved. Addresses are checksummed. */
export interface Movement {
  readonly from: Address
  readonly to: Address
  /** Smallest units. */
  readonly amount: bigint
}

/** What a log tells of USDC's movements; undefined for every other log. Throws where it is one that does not decode. */
export const movementIn = ({ address, data, topics }: EvmLog): Movement | undefined => {
  const [event, from, to] = topics
  if (event !== TRANSFER || getAddress(address) !== usdc) return undefined
  if (from === undefined || to === undefined || topics.length > 3 || size(data) !== 32)
    throw new Error("a log of USDC does not decode")
  return { from: getAddress(slice(from, 12)), to: getAddress(slice(to, 12)), amount: BigInt(data) }
}
