import type { Address, Hex } from "viem"
import { encodeFunctionData, erc20Abi, maxUint256, parseAbi, toHex, zeroAddress } from "viem"
import { keccakHex } from "../../../chain/keccak.ts"
import { AERODROME_FACTORY } from "../pools/factories.ts"
import type { Pool } from "../pools/pool.ts"
import { WETH } from "../addresses.ts"
import { routerOf, v4KeyOf } from "./probe-call.ts"
import { PERMIT2, UNIVERSAL_ROUTER, isRouted, routerApprovals, routerSwap } from "./universal-router.ts"

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

const v2Router = parseAbi([
  "function swapExactETHForTokensSupportingFeeOnTransferTokens(uint256 amountOutMin, address[] path, address to, uint256 deadline) payable",
  "function swapExactTokensForTokensSupportingFeeOnTransferTokens(uint256 amountIn, uint256 amountOutMin, address[] path, address to, uint256 deadline)"
])
const aerodromeRouter = parseAbi([
  "struct Route { address from; address to; bool stable; address factory; }",
  "function swapExactTokensForTokensSupportingFeeOnTransferTokens(uint256 amountIn, uint256 amountOutMin, Route[] routes, address to, uint256 deadline)"
])
const v3Router = parseAbi([
  "struct Single { address tokenIn; address tokenOut; uint24 fee; address recipient; uint256 amountIn; uint256 amountOutMinimum; uint160 sqrtPriceLimitX96; }",
  "function exactInputSingle(Single params) payable returns (uint256)"
])

const FOREVER = 2n ** 48n

/** Aerodrome's router for the pools of its first Slipstream factory. Source: aerodrome-finance/slipstream README. */
const SLIPSTREAM_ROUTER: Address = "0xbe6d8f0d05cc4be24d5167a3ef062215be6d18a5"
const slipstreamRouter = parseAbi([
  "struct Single { address tokenIn; address tokenOut; int24 tickSpacing; address recipient; uint256 deadline; uint256 amountIn; uint256 amountOutMinimum; uint160 sqrtPriceLimitX96; }",
  "function exactInputSingle(Single params) payable returns (uint256)"
])

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

const swapData = (pool: Pool, tokenIn: Address, tokenOut: Address, amountIn: bigint, to: Address): Hex => {
  if (pool.kind === "v3") {
    const params = {
      tokenIn,
      tokenOut,
      fee: pool.feePips,
      recipient: to,
      amountIn,
      amountOutMinimum: 0n,
      sqrtPriceLimitX96: 0n
    }
    return encodeFunctionData({ abi: v3Router, functionName: "exactInputSingle", args: [params] })
  }
  if (pool.kind === "v4") return routerSwap(pool, tokenIn, tokenOut, amountIn, to) ?? "0x"
  if (pool.kind === "slipstream") {
    const params = {
      tokenIn,
      tokenOut,
      tickSpacing: pool.tickSpacing ?? 0,
      recipient: to,
      deadline: FOREVER,
      amountIn,
      amountOutMinimum: 0n,
      sqrtPriceLimitX96: 0n
    }
    return encodeFunctionData({ abi: slipstreamRouter, functionName: "exactInputSingle", args: [params] })
  }
  const functionName = "swapExactTokensForTokensSupportingFeeOnTransferTokens"
  if (pool.kind === "aerodrome-v2") {
    const route = { from: tokenIn, to: tokenOut, stable: pool.stable ?? false, factory: AERODROME_FACTORY }
    return encodeFunctionData({
      abi: aerodromeRouter,
      functionName,
      args: [amountIn, 0n, [route], to, FOREVER]
    })
  }
  return encodeFunctionData({
    abi: v2Router,
    functionName,
    args: [amountIn, 0n, [tokenIn, tokenOut], to, FOREVER]
  })
}

/** Values that no token can foresee, all from one seed that the report names. */
export interface Dice {
  readonly seed: Hex
  readonly between: (name: string, low: bigint, high: bigint) => bigint
  readonly address: (name: string) => Address
}

export const makeDice = (seed: Hex): Dice => {
  const hash = (name: string): Hex => keccakHex(toHex(`${seed}/${name}`))
  return {
    seed,
    between: (name, low, high) => low + (BigInt(hash(name)) % (high - low + 1n)),
    address: (name) => `0x${hash(`account ${name}`).slice(2, 42)}`
  }
}

/** What wallets give a transaction: an estimate with something on top, never a fortune. */
const gasFor = (dice: Dice, name: string): bigint => dice.between(`gas ${name}`, 480_000n, 640_000n)

export const balanceAct = (token: Address, of: Address, tag: string): Act => ({
  from: of,
  to: token,
  data: encodeFunctionData({ abi: erc20Abi, functionName: "balanceOf", args: [of] }),
  gas: 500_000n,
  tag
})

const reserves = parseAbi(["function getReserves() view returns (uint112, uint112, uint32)"])

const reservesAct = ({ address }: Pool, from: Address, tag: string): Act => ({
  from,
  to: address,
  data: encodeFunctionData({ abi: reserves, functionName: "getReserves" }),
  gas: 200_000n,
  tag
})

export const approveAct = (dice: Dice, token: Address, from: Address, spender: Address): Act => ({
  from,
  to: token,
  data: encodeFunctionData({ abi: erc20Abi, functionName: "approve", args: [spender, maxUint256] }),
  gas: gasFor(dice, `approve ${from} ${spender}`)
})

/** What a wallet signs before it gives a token to the pool's router: one approval, or Permit2's two. */
export const allowActs = (dice: Dice, pool: Pool, token: Address, from: Address): ReadonlyArray<Act> =>
  pool.kind === "v4"
    ? routerApprovals(token).map(({ to, data }) => ({
        from,
        to,
        data,
        gas: gasFor(dice, `allow ${from} ${to}`)
      }))
    : [approveAct(dice, token, from, walletRouterOf(pool))]

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
    ...measured(pool, from, tag, [
      balanceAct(pool.token, from, `${tag} had`),
      { from, to: UNIVERSAL_ROUTER, data, gas: gasFor(dice, tag), tag },
      balanceAct(pool.token, from, `${tag} kept`)
    ])
  ]
}

/** Buys with ether where the router takes it, else with the quote token, which the caller must have and allow. */
export const buyActs: Trade = (dice, pool, from, amount, tag) => {
  const to = walletRouterOf(pool)
  const gas = gasFor(dice, tag)
  if (pool.quote === WETH && pool.kind === "v2") {
    const data = encodeFunctionData({
      abi: v2Router,
      functionName: "swapExactETHForTokensSupportingFeeOnTransferTokens",
      args: [0n, [WETH, pool.token], from, FOREVER]
    })
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
  data: encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args: [to, amount] }),
  gas: gasFor(dice, tag),
  tag
})

/**
 * Who moves tokens for wallets on Base beside the pool's own router. They are impersonated: what counts is whether the
 * token lets them. Sources: Uniswap docs (Permit2, Universal Router, SwapRouter02), the aggregators' own deployments.
 */
export const SPENDERS: ReadonlyArray<Address> = [
  PERMIT2,
  UNIVERSAL_ROUTER,
  "0x2626664c2603336e57b271c5c0b26f421741e481", // SwapRouter02
  "0x111111125421ca6dc452d289314280a0f8842a65", // 1inch v6
  "0x0000000000001ff3684f28c67538d4d072c22734", // 0x AllowanceHolder
  "0x19ceead7105607cd444f5ad10dd51356436095a1", // Odos v2
  "0x6131b5fae19ea4f9d964eac0408e4408b66337b5", // KyberSwap
  "0x1231deb6f5749ef6ce6943a275a1d3e7486f4eae" // LI.FI
]

export const pullAct = (dice: Dice, pool: Pool, spender: Address, owner: Address, amount: bigint): Act => ({
  from: spender,
  to: pool.token,
  data: encodeFunctionData({
    abi: erc20Abi,
    functionName: "transferFrom",
    args: [owner, pool.address, amount]
  }),
  gas: gasFor(dice, `pull ${spender}`),
  tag: `pull ${spender}`
})
