import type { Hex } from "viem"

/** `Transfer(address,address,uint256)` of ERC-20, and of ERC-721, where the last one is indexed too. */
export const TRANSFER: Hex = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef"

/** `Approval(address indexed,address indexed,uint256)` of ERC-20. */
export const APPROVAL: Hex = "0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925"

/** `AuthorizationUsed(address indexed,bytes32 indexed)` of EIP-3009. */
export const AUTHORIZATION_USED: Hex = "0x98de503528ee59b575ef0c0a2576a82497bfc029a5685b209e9ec333479b10a5"

/** `AuthorizationCanceled(address indexed,bytes32 indexed)` of EIP-3009. */
export const AUTHORIZATION_CANCELED: Hex =
  "0x1cdd46ff242716cdaa72d159d339a485b3438398348d68f09d7c8c0a59353d81"
