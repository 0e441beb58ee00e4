import type { Address, Hex } from "viem"
import { maxUint256, zeroAddress } from "viem"
import { MULTICALL3 } from "../../../domain/base-contracts.ts"
import { AERODROME_FACTORY } from "../pools/factories.ts"
import type { Pool } from "../pools/pool.ts"
import { WETH } from "../addresses.ts"
import { callData } from "../reads/query.ts"
import type { Dice } from "./dice.ts"
import { routerOf, v4KeyOf } from "./probe-call.ts"
import { UNIVERSAL_ROUTER, isRouted, routerApprovals, routerSwap } from "./universal-router.ts"

/** One transaction of the simulated chain. `tag` names the ones whose outcome matters. */
export interface Act {
  readonly from: Address
  readonly to: Address
  readonly data: Hex
  readonly value?: bigint
  readonly gas: bigint
  readonly tag?: string
}

/** One block: seconds after the block before it, and what happens in it. */
export interface ActBlock {
  readonly after: bigint
  readonly acts: ReadonlyArray<Act>
}

const FOREVER = 2n ** 48n

/** Aerodrome's router for the pools of its first Slipstream factory. Source: aerodrome-finance/slipstream README. */
const SLIPSTREAM_ROUTER: Address = "0xbe6d8f0d05cc4be24d5167a3ef062215be6d18a5"

/** Exchanges whose own router is known; the probe checks a router's factory, wallets here do not. */
const ROUTED = /^(?:uniswap|pancake|sushi|aerodrome)/

/** The router that wallets use for a pool; zero where we know none. */
const walletRouterOf = (pool: Pool): Address => {
  if (pool.kind === "v4") return v4KeyOf(pool) === null ? zeroAddress : UNIVERSAL_ROUTER
  if (pool.kind === "slipstream") return pool.dex === "aerodrome-slipstream" ? SLIPSTREAM_ROUTER : zeroAddress
  return ROUTED.test(pool.dex) ? routerOf(pool) : zeroAddress
}

/** Whether wallets trade in the pool through a router that we know how to use. */
export const hasRouter = (pool: Pool): boolean =>
  walletRouterOf(pool) !== zeroAddress && (pool.kind === "v4" || pool.quote !== zeroAddress)

/** Where an array begins behind so many words. */
const behind = (words: number): number => words * 32

const swapData = (pool: Pool, tokenIn: Address, tokenOut: Address, amountIn: bigint, to: Address): Hex => {
  switch (pool.kind) {
    case "v4":
      return routerSwap(pool, tokenIn, tokenOut, amountIn, to) ?? "0x"
    case "v3":
      return callData(
        "exactInputSingle((address,address,uint24,address,uint256,uint256,uint160))",
        tokenIn,
        tokenOut,
        pool.feePips,
        to,
        amountIn,
        0n,
        0n
      )
    case "slipstream":
      return callData(
        "exactInputSingle((address,address,int24,address,uint256,uint256,uint256,uint160))",
        tokenIn,
        tokenOut,
        pool.tickSpacing ?? 0,
        to,
        FOREVER,
        amountIn,
        0n,
        0n
      )
    case "aerodrome-v2":
      return callData(
        "swapExactTokensForTokensSupportingFeeOnTransferTokens(uint256,uint256,(address,address,bool,address)[],address,uint256)",
        amountIn,
        0n,
        behind(5),
        to,
        FOREVER,
        1n,
        tokenIn,
        tokenOut,
        pool.stable ?? false,
        AERODROME_FACTORY
      )
    default:
      return callData(
        "swapExactTokensForTokensSupportingFeeOnTransferTokens(uint256,uint256,address[],address,uint256)",
        amountIn,
        0n,
        behind(5),
        to,
        FOREVER,
        2n,
        tokenIn,
        tokenOut
      )
  }
}

/**
 * What wallets give a transaction: an estimate with something on top. Nobody estimates here, so it is never less than a
 * dear token needs.
 */
export const gasFor = (dice: Dice, name: string): bigint =>
  dice.magnitude(`gas ${name}`, 480_000n, 1_900_000n)

/** How much somebody has of a token, or of ether (the zero address). */
export const balanceAct = (token: Address, of: Address, tag: string): Act => ({
  from: of,
  ...(token === zeroAddress
    ? { to: MULTICALL3, data: callData("getEthBalance(address)", of) }
    : { to: token, data: callData("balanceOf(address)", of) }),
  gas: 500_000n,
  tag
})

const reservesAct = ({ address }: Pool, from: Address, tag: string): Act => ({
  from,
  to: address,
  data: callData("getReserves()"),
  gas: 200_000n,
  tag
})

export const approveAct = (
  dice: Dice,
  token: Address,
  from: Address,
  spender: Address,
  amount = maxUint256
): Act => ({
  from,
  to: token,
  data: callData("approve(address,uint256)", spender, amount),
  gas: gasFor(dice, `approve ${from} ${spender}`)
})

/** What a wallet signs before it gives a token to the pool's router: one approval, or Permit2's two. */
export const allowActs = (
  dice: Dice,
  pool: Pool,
  token: Address,
  from: Address,
  amount = maxUint256
): ReadonlyArray<Act> =>
  pool.kind === "v4"
    ? routerApprovals(token).map(({ to, data }) => ({
        from,
        to,
        data,
        gas: gasFor(dice, `allow ${from} ${to}`)
      }))
    : [approveAct(dice, token, from, walletRouterOf(pool), amount)]

/** The transactions by which `from` trades `amount` in a pool, the trade itself under `tag`. */
type Trade = (dice: Dice, pool: Pool, from: Address, amount: bigint, tag: string) => ReadonlyArray<Act>

/** A sale between what shows its price: the pool's reserves before, and the seller's quote before and after. */
const measured = (pool: Pool, from: Address, tag: string, sale: ReadonlyArray<Act>): ReadonlyArray<Act> => [
  reservesAct(pool, from, `${tag} reserves`),
  balanceAct(pool.quote, from, `${tag} before`),
  ...sale,
  balanceAct(pool.quote, from, `${tag} after`)
]

/** A sale through Permit2 and the Universal Router; none where that router does not trade in the pool. */
export const permit2Acts: Trade = (dice, pool, from, amount, tag) => {
  const data = isRouted(pool) ? routerSwap(pool, pool.token, pool.quote, amount, from) : null
  if (data === null) return []
  return [
    ...routerApprovals(pool.token).map(({ to, data: approval }) => ({
      from,
      to,
      data: approval,
      gas: gasFor(dice, `permit ${to}`)
    })),
    ...measured(pool, from, tag, [{ from, to: UNIVERSAL_ROUTER, data, gas: gasFor(dice, tag), tag }])
  ]
}

/** Buys with ether where the router takes it, else with the quote token, which the caller must have and allow. */
export const buyActs: Trade = (dice, pool, from, amount, tag) => {
  const to = walletRouterOf(pool)
  const gas = gasFor(dice, tag)
  if (pool.quote === WETH && pool.kind === "v2") {
    const data = callData(
      "swapExactETHForTokensSupportingFeeOnTransferTokens(uint256,address[],address,uint256)",
      0n,
      behind(4),
      from,
      FOREVER,
      2n,
      WETH,
      pool.token
    )
    return [{ from, to, data, value: amount, gas, tag }]
  }
  const data = swapData(pool, pool.quote, pool.token, amount, from)
  const inEther = (pool.quote === WETH && pool.kind === "v3") || pool.quote === zeroAddress
  if (inEther) return [{ from, to, data, value: amount, gas, tag }]
  return [...allowActs(dice, pool, pool.quote, from), { from, to, data, gas, tag }]
}

/** Sells for the quote token, with the pool's state just before and the wallet's quote before and after. */
export const sellActs: Trade = (dice, pool, from, amount, tag) => {
  const data = swapData(pool, pool.token, pool.quote, amount, from)
  return measured(pool, from, tag, [{ from, to: walletRouterOf(pool), data, gas: gasFor(dice, tag), tag }])
}

export const transferAct = (
  dice: Dice,
  token: Address,
  from: Address,
  to: Address,
  amount: bigint,
  tag: string
): Act => ({
  from,
  to: token,
  data: callData("transfer(address,uint256)", to, amount),
  gas: gasFor(dice, tag),
  tag
})
