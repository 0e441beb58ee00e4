/** Tokens of our own writing, with real pools. */
import type { Address } from "viem"
import { encodeAbiParameters, parseEther } from "viem"
import type { OwnContract } from "../artifacts.ts"
import { ownArtifact } from "../artifacts.ts"
import * as abi from "./abi.ts"
import * as at from "./addresses.ts"
import type { Devnet } from "./devnet.ts"

const FOREVER = 2n ** 64n
/** Whole supply of every sandbox token, in smallest units (18 decimals). */
export const SUPPLY = 1_000_000_000n * 10n ** 18n
const HOLDER_SHARE = SUPPLY / 100n
const HOLDERS = 6

export interface TokenPlan {
  readonly contract: OwnContract & `${string}Token`
  readonly name: string
  readonly symbol: string
  /** ETH in the V2 pool against WETH; none for a token without a pool. */
  readonly ether?: string
  /** Who receives the LP tokens; burned when absent. */
  readonly lpTo?: Address
  readonly renounce?: boolean
  /** The token must know its pair (sell fee, sell ban). */
  readonly knowsPair?: boolean
}

export interface PlacedToken {
  readonly address: Address
  /** The pool against WETH, `null` when there is none. */
  readonly pool: Address | null
}

const holder = (index: number): Address => `0x${(0xa11ce00 + index).toString(16).padStart(40, "0")}`

const deployToken = async (devnet: Devnet, deployer: Address, plan: TokenPlan): Promise<Address> => {
  const address = await devnet.deploy(
    deployer,
    ownArtifact(plan.contract).bytecode,
    encodeAbiParameters(
      [{ type: "string" }, { type: "string" }, { type: "uint256" }],
      [plan.name, plan.symbol, SUPPLY]
    )
  )
  for (let index = 0; index < HOLDERS; index++) {
    await devnet.write(deployer, address, abi.erc20, "transfer", [holder(index), HOLDER_SHARE])
  }
  return address
}

const rest = SUPPLY - HOLDER_SHARE * BigInt(HOLDERS)

const addV2Pool = async (
  devnet: Devnet,
  deployer: Address,
  token: Address,
  ether: string,
  lpTo: Address
): Promise<Address> => {
  await devnet.write(deployer, token, abi.erc20, "approve", [at.V2_ROUTER, rest])
  await devnet.write(
    deployer,
    at.V2_ROUTER,
    abi.v2Router,
    "addLiquidityETH",
    [token, rest, 0n, 0n, lpTo, FOREVER],
    parseEther(ether)
  )
  return devnet.client.readContract({
    address: at.V2_FACTORY,
    abi: abi.v2Factory,
    functionName: "getPair",
    args: [token, at.WETH]
  })
}

/** Deploys a token as planned: 6 % with six holders, the rest in the pool (or with the deployer without one). */
export const placeToken = async (
  devnet: Devnet,
  deployer: Address,
  plan: TokenPlan
): Promise<PlacedToken> => {
  const address = await deployToken(devnet, deployer, plan)
  const pool =
    plan.ether === undefined
      ? null
      : await addV2Pool(devnet, deployer, address, plan.ether, plan.lpTo ?? at.BURN)
  if (plan.knowsPair === true && pool !== null) {
    await devnet.write(deployer, address, abi.sandboxToken, "setPair", [pool])
  }
  if (plan.renounce === true) {
    await devnet.write(deployer, address, abi.sandboxToken, "renounceOwnership", [])
  }
  return { address, pool }
}

/** The largest whole number whose square is not above it. */
export const squareRoot = (value: bigint): bigint => {
  let guess = 1n << BigInt(Math.ceil(value.toString(2).length / 2))
  for (;;) {
    const next = (guess + value / guess) >> 1n
    if (next >= guess) return guess
    guess = next
  }
}

// The widest range whose ticks are multiples of the 0.3 % tier's spacing of 60.
const FULL_RANGE = 887_220

/** A full-range Uniswap V3 position at 0.3 % against WETH, held by a contract without a way out; the pool. */
export const addV3Liquidity = async (
  devnet: Devnet,
  deployer: Address,
  token: Address,
  tokens: bigint,
  ether: bigint
): Promise<Address> => {
  await devnet.write(deployer, token, abi.erc20, "transfer", [at.V3_MINTER, tokens])
  await devnet.write(deployer, at.WETH, abi.weth, "deposit", [], ether)
  await devnet.write(deployer, at.WETH, abi.erc20, "transfer", [at.V3_MINTER, ether])
  await devnet.write(deployer, at.V3_FACTORY, abi.v3Factory, "createPool", [token, at.WETH, 3000])
  const pool = await devnet.client.readContract({
    address: at.V3_FACTORY,
    abi: abi.v3Factory,
    functionName: "getPool",
    args: [token, at.WETH, 3000]
  })
  const [amount0, amount1] = BigInt(token) < BigInt(at.WETH) ? [tokens, ether] : [ether, tokens]
  await devnet.write(deployer, pool, abi.v3Pool, "initialize", [squareRoot((amount1 << 192n) / amount0)])
  // A hair less than both balances allow, because the pool rounds what it asks for up.
  const liquidity = (squareRoot(amount0 * amount1) * 999n) / 1000n
  await devnet.write(deployer, at.V3_MINTER, abi.v3Minter, "mint", [pool, -FULL_RANGE, FULL_RANGE, liquidity])
  return pool
}

/** Deploys a renounced token whose only pool is Uniswap V3 at 0.3 %, full range, position locked for good. */
export const placeV3Token = async (
  devnet: Devnet,
  deployer: Address,
  plan: Omit<TokenPlan, "lpTo" | "knowsPair" | "ether"> & { readonly ether: string }
): Promise<PlacedToken> => {
  const address = await deployToken(devnet, deployer, plan)
  const pool = await addV3Liquidity(devnet, deployer, address, rest, parseEther(plan.ether))
  if (plan.renounce === true) {
    await devnet.write(deployer, address, abi.sandboxToken, "renounceOwnership", [])
  }
  return { address, pool }
}
