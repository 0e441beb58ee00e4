import type { Address, Hex } from "viem"
import {
  encodeAbiParameters,
  encodeFunctionData,
  encodePacked,
  erc20Abi,
  maxUint160,
  maxUint256,
  parseAbi,
  parseAbiParameters,
  zeroAddress
} from "viem"
import { PERMIT2 } from "../../../domain/base-contracts.ts"
import type { Pool } from "../pools/pool.ts"
import { v4KeyOf } from "./probe-call.ts"

/** Sources: Uniswap docs, Base deployments; Uniswap/universal-router Commands, Uniswap/v4-periphery Actions. */
export const UNIVERSAL_ROUTER: Address = "0x6ff5693b99212da76ad316178a184ab56d299b43"

const router = parseAbi(["function execute(bytes commands, bytes[] inputs, uint256 deadline) payable"])
const permit2 = parseAbi([
  "function approve(address token, address spender, uint160 amount, uint48 expiration)"
])

const FOREVER = 2n ** 47n
const COMMANDS = { v3: "0x00", v2: "0x08", v4: "0x10" } as const
/** SWAP_EXACT_IN_SINGLE, SETTLE_ALL, TAKE_ALL. */
const V4_ACTIONS: Hex = "0x060c0f"

const execute = (command: Hex, input: Hex): Hex =>
  encodeFunctionData({ abi: router, functionName: "execute", args: [command, [input], FOREVER] })

const V4_SWAP = parseAbiParameters(
  "((address currency0, address currency1, uint24 fee, int24 tickSpacing, address hooks) key, bool zeroForOne, uint128 amountIn, uint128 amountOutMinimum, bytes hookData)"
)

const v4Input = (pool: Pool, tokenIn: Address, tokenOut: Address, amount: bigint): Hex | null => {
  const key = v4KeyOf(pool)
  if (key === null) return null
  const zeroForOne = key.currency0 === tokenIn
  const swap = encodeAbiParameters(V4_SWAP, [
    { key, zeroForOne, amountIn: amount, amountOutMinimum: 0n, hookData: "0x" }
  ])
  const side = parseAbiParameters("address, uint256")
  return encodeAbiParameters(parseAbiParameters("bytes, bytes[]"), [
    V4_ACTIONS,
    [swap, encodeAbiParameters(side, [tokenIn, amount]), encodeAbiParameters(side, [tokenOut, 0n])]
  ])
}

/** Exchanges whose pools the router knows how to find: it computes their addresses itself. */
export const isRouted = ({ dex, kind }: Pool): boolean =>
  kind === "v4" || dex === "uniswap-v2" || dex === "uniswap-v3"

/** One swap of the whole amount through the router, paid from the caller's wallet; `null` where it cannot be put. */
export const routerSwap = (
  pool: Pool,
  tokenIn: Address,
  tokenOut: Address,
  amount: bigint,
  to: Address
): Hex | null => {
  if (pool.kind === "v4") {
    const input = v4Input(pool, tokenIn, tokenOut, amount)
    return input === null ? null : execute(COMMANDS.v4, input)
  }
  if (pool.kind === "v3") {
    const path = encodePacked(["address", "uint24", "address"], [tokenIn, pool.feePips, tokenOut])
    const input = encodeAbiParameters(parseAbiParameters("address, uint256, uint256, bytes, bool"), [
      to,
      amount,
      0n,
      path,
      true
    ])
    return execute(COMMANDS.v3, input)
  }
  const input = encodeAbiParameters(parseAbiParameters("address, uint256, uint256, address[], bool"), [
    to,
    amount,
    0n,
    [tokenIn, tokenOut],
    true
  ])
  return execute(COMMANDS.v2, input)
}

/** The two approvals a wallet signs before its first sale through the router; none for ether. */
export const routerApprovals = (
  token: Address
): ReadonlyArray<{ readonly to: Address; readonly data: Hex }> =>
  token === zeroAddress
    ? []
    : [
        {
          to: token,
          data: encodeFunctionData({ abi: erc20Abi, functionName: "approve", args: [PERMIT2, maxUint256] })
        },
        {
          to: PERMIT2,
          data: encodeFunctionData({
            abi: permit2,
            functionName: "approve",
            args: [token, UNIVERSAL_ROUTER, maxUint160, Number(FOREVER)]
          })
        }
      ]
