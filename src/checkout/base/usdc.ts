import { getAddress, parseAbi, parseAbiItem } from "viem"
import { BASE_USDC } from "../../domain/chain.ts"

/** USDC on Base, checksummed as viem gives addresses. */
export const usdc = getAddress(BASE_USDC)

/** The functions of USDC that are called here. Source: ERC-20. */
export const USDC_ABI = parseAbi([
  "function balanceOf(address) view returns (uint256)",
  "function transfer(address to, uint256 value) returns (bool)"
])

/** The log of every movement. Source: ERC-20. */
export const TRANSFER = parseAbiItem(
  "event Transfer(address indexed from, address indexed to, uint256 value)"
)
