/** The chain an attack set runs on: anvil with WETH, USDC, Uniswap V2 and V3 at their Base addresses. */
import type { Scope } from "effect"
import { Effect } from "effect"
import type { Address } from "viem"
import { parseEther } from "viem"
import { evmAccount } from "../sandbox/accounts.ts"
import * as abi from "../sandbox/base/abi.ts"
import * as at from "../sandbox/base/addresses.ts"
import { startAnvil } from "../sandbox/base/anvil.ts"
import type { Devnet } from "../sandbox/base/devnet.ts"
import { makeDevnet } from "../sandbox/base/devnet.ts"
import { placeInfrastructure } from "../sandbox/base/infrastructure.ts"
import { placeVenues } from "../sandbox/base/venues.ts"
import { addV3Liquidity } from "../sandbox/base/tokens.ts"

export const people = {
  deployer: evmAccount("attack deployer").address,
  friend: evmAccount("attack friend").address,
  victim: evmAccount("attack victim").address,
  anybody: evmAccount("attack anybody").address
} as const

const FOREVER = 2n ** 64n

export interface Stage {
  readonly url: string
  readonly devnet: Devnet
}

/** Starts the chain. Blocks are mined for transactions only, so that time moves when a step says so. */
export const startStage: Effect.Effect<Stage, never, Scope.Scope> = Effect.gen(function* () {
  const { url } = yield* startAnvil({ blockTime: null })
  const devnet = makeDevnet(url)
  yield* Effect.promise(async () => {
    for (const account of Object.values(people)) await devnet.setBalance(account, parseEther("1000000"))
    await placeInfrastructure(devnet, people.deployer, people.deployer)
    await placeVenues(devnet, people.deployer)
  })
  return { url, devnet }
})

export const balanceOf = (devnet: Devnet, token: Address, account: Address): Promise<bigint> =>
  devnet.client.readContract({ address: token, abi: abi.erc20, functionName: "balanceOf", args: [account] })

/** A share of a supply, exact to a millionth. */
export const shareOf = (supply: bigint, share: number): bigint =>
  (supply * BigInt(Math.round(share * 1_000_000))) / 1_000_000n

/** Adds a Uniswap V2 pool through the router; `burned` LP goes to the burn address, any other stays with the deployer. */
export const addV2 = async (
  { devnet }: Stage,
  token: Address,
  tokens: bigint,
  quote: { readonly ether: bigint } | { readonly usdc: bigint },
  lp: string
): Promise<Address> => {
  const { deployer } = people
  const to = lp === "burned" ? at.BURN : deployer
  await devnet.write(deployer, token, abi.erc20, "approve", [at.V2_ROUTER, tokens])
  if ("ether" in quote) {
    const args = [token, tokens, 0n, 0n, to, FOREVER] as const
    await devnet.write(deployer, at.V2_ROUTER, abi.v2Router, "addLiquidityETH", args, quote.ether)
  } else {
    await devnet.write(deployer, at.USDC, abi.usdc, "mint", [deployer, quote.usdc])
    await devnet.write(deployer, at.USDC, abi.erc20, "approve", [at.V2_ROUTER, quote.usdc])
    const args = [token, at.USDC, tokens, quote.usdc, 0n, 0n, to, FOREVER] as const
    await devnet.write(deployer, at.V2_ROUTER, abi.v2Router, "addLiquidity", args)
  }
  return devnet.client.readContract({
    address: at.V2_FACTORY,
    abi: abi.v2Factory,
    functionName: "getPair",
    args: [token, "ether" in quote ? at.WETH : at.USDC]
  })
}

/** Adds a full-range Uniswap V3 position at 0.3 % against WETH, held by a contract without a way out. */
export const addV3 = ({ devnet }: Stage, token: Address, tokens: bigint, ether: bigint): Promise<Address> =>
  addV3Liquidity(devnet, people.deployer, token, tokens, ether)

/** Buys for ether through the V2 router, as wallets do. */
export const buy = async ({ devnet }: Stage, token: Address, by: Address, wei: bigint): Promise<void> => {
  await devnet.write(
    by,
    at.V2_ROUTER,
    abi.v2Router,
    "swapExactETHForTokensSupportingFeeOnTransferTokens",
    [0n, [at.WETH, token], by, FOREVER],
    wei
  )
}

/** Sells through the V2 router. Rejects where the sale reverts. */
export const sell = async (
  { devnet }: Stage,
  token: Address,
  by: Address,
  amount: bigint,
  options: { readonly quote?: Address; readonly gas?: bigint } = {}
): Promise<void> => {
  await devnet.write(by, token, abi.erc20, "approve", [at.V2_ROUTER, amount])
  const path = [token, options.quote ?? at.WETH]
  const name =
    options.quote === undefined
      ? "swapExactTokensForETHSupportingFeeOnTransferTokens"
      : "swapExactTokensForTokensSupportingFeeOnTransferTokens"
  await devnet.write(by, at.V2_ROUTER, abi.v2Router, name, [amount, 0n, path, by, FOREVER], 0n, options.gas)
}

/** Moves the chain's clock and mines a block. */
export const wait = async ({ devnet }: Stage, seconds: number): Promise<void> => {
  await devnet.request("evm_increaseTime", [seconds])
  await devnet.request("evm_mine", [])
}
