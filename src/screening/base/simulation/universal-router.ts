import type { Address, Hex } from "viem"
import { maxUint160, maxUint256, zeroAddress } from "viem"
import { PERMIT2 } from "../../../domain/base-contracts.ts"
import type { Pool } from "../pools/pool.ts"
import { type Word, callData, encodeWords } from "../reads/query.ts"
import { v4KeyOf } from "./probe-call.ts"

/** Sources: Uniswap docs, Base deployments; Uniswap/universal-router Commands, Uniswap/v4-periphery Actions. */
export const UNIVERSAL_ROUTER: Address = "0x6ff5693b99212da76ad316178a184ab56d299b43"

const FOREVER = 2n ** 47n
const COMMANDS = { v3: "0x00", v2: "0x08", v4: "0x10" } as const
/** SWAP_EXACT_IN_SINGLE, SETTLE_ALL, TAKE_ALL. */
const V4_ACTIONS: Hex = "0x060c0f"

/** The words of bytes of any length: how many, and they themselves. */
const bytesWords = (bytes: Hex): ReadonlyArray<Word> => {
  const text = bytes.slice(2)
  const whole = text.padEnd(Math.ceil(text.length / 64) * 64, "0")
  return [text.length / 2, ...(whole.match(/.{64}/g) ?? []).map((word): Hex => `0x${word}`)]
}

/** The words of a list of bytes: how many, where each begins behind that, and they themselves. */
const listWords = (items: ReadonlyArray<Hex>): ReadonlyArray<Word> => {
  const bodies = items.map(bytesWords)
  let at = items.length
  const starts = bodies.map((body) => {
    const start = at * 32
    at += body.length
    return start
  })
  return [items.length, ...starts, ...bodies.flat()]
}

/** `execute(commands, inputs, deadline)` of one command. */
const execute = (command: Hex, input: Hex): Hex =>
  callData(
    "execute(bytes,bytes[],uint256)",
    3 * 32,
    5 * 32,
    FOREVER,
    ...bytesWords(command),
    ...listWords([input])
  )

const v4Input = (pool: Pool, tokenIn: Address, tokenOut: Address, amount: bigint): Hex | null => {
  const key = v4KeyOf(pool)
  if (key === null) return null
  const { currency0, currency1, fee, hooks, tickSpacing } = key
  // `((key), zeroForOne, amountIn, amountOutMinimum, hookData)`, which holds bytes and so stands behind its place.
  const swap = encodeWords(
    32,
    currency0,
    currency1,
    fee,
    tickSpacing,
    hooks,
    currency0 === tokenIn,
    amount,
    0n,
    9 * 32,
    ...bytesWords("0x")
  )
  const sides = [encodeWords(tokenIn, amount), encodeWords(tokenOut, 0n)]
  const actions = bytesWords(V4_ACTIONS)
  return encodeWords(2 * 32, (2 + actions.length) * 32, ...actions, ...listWords([swap, ...sides]))
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
    const fee = pool.feePips.toString(16).padStart(6, "0")
    const path = bytesWords(`${tokenIn}${fee}${tokenOut.slice(2)}`)
    return execute(COMMANDS.v3, encodeWords(to, amount, 0n, 5 * 32, true, ...path))
  }
  return execute(COMMANDS.v2, encodeWords(to, amount, 0n, 5 * 32, true, 2, tokenIn, tokenOut))
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
          data: callData("approve(address,uint256)", PERMIT2, maxUint256)
        },
        {
          to: PERMIT2,
          data: callData(
            "approve(address,address,uint160,uint48)",
            token,
            UNIVERSAL_ROUTER,
            maxUint160,
            FOREVER
          )
        }
      ]
