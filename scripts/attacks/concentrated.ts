/** Concentrated liquidity of an attack set: real pools and position managers of V3, Slipstream, PancakeSwap and V4. */
import type { Address, Hex } from "viem"
import {
  concatHex,
  encodeAbiParameters,
  getAddress,
  keccak256,
  maxUint128,
  maxUint160,
  maxUint256,
  numberToHex,
  parseAbi,
  parseAbiParameters,
  parseEventLogs,
  zeroAddress
} from "viem"
import * as abi from "../sandbox/base/abi.ts"
import * as at from "../sandbox/base/addresses.ts"
import { squareRoot } from "../sandbox/base/tokens.ts"
import type { Stage } from "./stage.ts"
import { people } from "./stage.ts"

const FOREVER = 2n ** 64n
const Q96 = 2 ** 96
const MAX_TICK = 887_272

/** Where liquidity goes: over all prices, beside the price so that it is the token or the quote alone, or close around it. */
export type Where = "full" | "parked" | "bids" | "narrow"
/** Grid steps of narrow liquidity on either side. */
const NARROW = 10
export interface Deposit {
  readonly tokens: bigint
  readonly ether: bigint
  readonly lp: string
  readonly where?: Where
}

const holderOf = (lp: string): Address => (lp === "burned" ? at.BURN : people.deployer)

/** Square root of token1 per token0, as pools keep it. */
const sqrtPriceOf = (amount0: bigint, amount1: bigint): bigint => squareRoot((amount1 << 192n) / amount0)
const tickOf = (sqrtPrice: bigint): number =>
  Math.floor(Math.log((Number(sqrtPrice) / Q96) ** 2) / Math.log(1.0001))
const onGrid = (tick: number, spacing: number): number => Math.floor(tick / spacing) * spacing
const rootAt = (tick: number): number => 1.0001 ** (tick / 2)

/** Ticks of a deposit: all of them, those on one side of the price with a little distance, or some on both. */
const ticksOf = (
  where: Where,
  spacing: number,
  sqrtPrice: bigint,
  tokenIs0: boolean
): readonly [number, number] => {
  const outermost = onGrid(MAX_TICK, spacing)
  const tick = onGrid(tickOf(sqrtPrice), spacing)
  if (where === "full") return [-outermost, outermost]
  if (where === "narrow") return [tick - NARROW * spacing, tick + NARROW * spacing]
  return tokenIs0 === (where === "parked") ? [tick + 2 * spacing, outermost] : [-outermost, tick - spacing]
}

interface NftVenue {
  readonly manager: Address
  /** What names the pool beside its tokens: a fee, or a tick spacing. */
  readonly tier: number
  readonly spacing: number
  readonly pool: (stage: Stage, token: Address) => Promise<Address>
}

const V3: NftVenue = {
  manager: at.V3_POSITIONS,
  tier: 3000,
  spacing: 60,
  pool: async ({ devnet }, token) => {
    const read = { address: at.V3_FACTORY, abi: abi.v3Factory, functionName: "getPool" } as const
    const args = [token, at.WETH, 3000] as const
    if (BigInt(await devnet.client.readContract({ ...read, args })) === 0n)
      await devnet.write(people.deployer, at.V3_FACTORY, abi.v3Factory, "createPool", args)
    return devnet.client.readContract({ ...read, args })
  }
}

const SLIPSTREAM: NftVenue = {
  manager: at.SLIPSTREAM_POSITIONS,
  tier: 200,
  spacing: 200,
  pool: async ({ devnet }, token) => {
    const read = { address: at.SLIPSTREAM_FACTORY, abi: abi.slipstream, functionName: "getPool" } as const
    const args = [token, at.WETH, 200] as const
    if (BigInt(await devnet.client.readContract({ ...read, args })) === 0n) {
      await devnet.write(people.deployer, at.SLIPSTREAM_FACTORY, abi.slipstream, "createPool", args)
      const pool = await devnet.client.readContract({ ...read, args })
      await devnet.write(people.deployer, at.AERODROME_VOTER, abi.slipstream, "setGauge", [
        pool,
        at.SLIPSTREAM_GAUGE
      ])
    }
    return devnet.client.readContract({ ...read, args })
  }
}

/** Opens an NFT position; the pool and the NFT's number. */
const addNft = async (
  stage: Stage,
  venue: NftVenue,
  token: Address,
  { tokens, ether, lp, where = "full" }: Deposit
): Promise<Address> => {
  const { devnet } = stage
  const { deployer } = people
  const pool = await venue.pool(stage, token)
  const tokenIs0 = BigInt(token) < BigInt(at.WETH)
  const [amount0, amount1] = tokenIs0 ? [tokens, ether] : [ether, tokens]
  const [before] = await devnet.client.readContract({ address: pool, abi: abi.v3Pool, functionName: "slot0" })
  if (before === 0n)
    await devnet.write(deployer, pool, abi.v3Pool, "initialize", [sqrtPriceOf(amount0, amount1)])
  const [sqrtPrice] = await devnet.client.readContract({
    address: pool,
    abi: abi.v3Pool,
    functionName: "slot0"
  })
  const [tickLower, tickUpper] = ticksOf(where, venue.spacing, sqrtPrice, tokenIs0)
  if (ether > 0n) await devnet.write(deployer, at.WETH, abi.weth, "deposit", [], ether)
  for (const asset of [token, at.WETH])
    await devnet.write(deployer, asset, abi.erc20, "approve", [venue.manager, maxUint256])
  const hash = await devnet.write(deployer, venue.manager, abi.positions, "mint", [
    {
      token0: tokenIs0 ? token : at.WETH,
      token1: tokenIs0 ? at.WETH : token,
      fee: venue.tier,
      tickLower,
      tickUpper,
      amount0Desired: amount0,
      amount1Desired: amount1,
      amount0Min: 0n,
      amount1Min: 0n,
      recipient: holderOf(lp),
      deadline: FOREVER
    }
  ])
  if (lp === "gauge") {
    const { logs } = await devnet.client.getTransactionReceipt({ hash })
    const id = parseEventLogs({ abi: abi.positions, eventName: "Transfer", logs }).find(
      ({ address }) => getAddress(address) === getAddress(venue.manager)
    )?.args.tokenId
    if (id === undefined) throw new Error("no NFT was made")
    await devnet.write(deployer, venue.manager, abi.positions, "setApprovalForAll", [
      at.SLIPSTREAM_GAUGE,
      true
    ])
    await devnet.write(deployer, at.SLIPSTREAM_GAUGE, abi.slipstream, "deposit", [venue.manager, id])
  }
  return pool
}

export const addV3Nft = (stage: Stage, token: Address, deposit: Deposit) => addNft(stage, V3, token, deposit)
export const addSlipstream = (stage: Stage, token: Address, deposit: Deposit) =>
  addNft(stage, SLIPSTREAM, token, deposit)

/** A full-range position in a PancakeSwap V3 pool at 0.25 %, held by a contract without a way out. */
export const addPancakeV3 = async (
  { devnet }: Stage,
  token: Address,
  { tokens, ether }: Deposit
): Promise<Address> => {
  const { deployer } = people
  await devnet.write(deployer, token, abi.erc20, "transfer", [at.V3_MINTER, tokens])
  await devnet.write(deployer, at.WETH, abi.weth, "deposit", [], ether)
  await devnet.write(deployer, at.WETH, abi.erc20, "transfer", [at.V3_MINTER, ether])
  const args = [token, at.WETH, 2500] as const
  await devnet.write(deployer, at.PANCAKE_V3_FACTORY, abi.v3Factory, "createPool", args)
  const pool = await devnet.client.readContract({
    address: at.PANCAKE_V3_FACTORY,
    abi: abi.v3Factory,
    functionName: "getPool",
    args
  })
  const [amount0, amount1] = BigInt(token) < BigInt(at.WETH) ? [tokens, ether] : [ether, tokens]
  await devnet.write(deployer, pool, abi.v3Pool, "initialize", [sqrtPriceOf(amount0, amount1)])
  const outermost = onGrid(MAX_TICK, 50)
  const liquidity = (squareRoot(amount0 * amount1) * 999n) / 1000n
  await devnet.write(deployer, at.V3_MINTER, abi.v3Minter, "mint", [pool, -outermost, outermost, liquidity])
  return pool
}

/** A V4 pool's hook and the fee in its key. */
export interface V4Terms {
  readonly hooks: Address
  readonly fee: number
}

export const DYNAMIC_FEE = 0x800000
/** Hooks of the stage. */
export const STAGE_HOOKS = {
  none: { hooks: zeroAddress, fee: 3000 },
  "one-percent": { hooks: at.ONE_PERCENT_HOOK, fee: 3000 },
  "owner-fee": { hooks: at.OWNER_FEE_HOOK, fee: DYNAMIC_FEE }
} as const satisfies Record<string, V4Terms>

export const SPACING = 60
const KEY = "(address currency0, address currency1, uint24 fee, int24 tickSpacing, address hooks)"
const MINT = parseAbiParameters(`${KEY}, int24, int24, uint256, uint128, uint128, address, bytes`)
/** MINT_POSITION, SETTLE_PAIR, SWEEP of what ether was too much. */
const ACTIONS: Hex = concatHex([
  numberToHex(0x02, { size: 1 }),
  numberToHex(0x0d, { size: 1 }),
  numberToHex(0x14, { size: 1 })
])

const SLOT0 = parseAbi(["function getSlot0(bytes32) view returns (uint160, int24, uint24, uint24)"])

/** The root of a V4 pool's price; zero where there is no such pool. */
const v4Price = async (
  { devnet }: Stage,
  key: V4Terms & { readonly currency1: Address }
): Promise<bigint> => {
  const { currency1, fee, hooks } = key
  const words = parseAbiParameters("address, address, uint24, int24, address")
  const id = keccak256(encodeAbiParameters(words, [zeroAddress, currency1, fee, SPACING, hooks]))
  const read = { address: at.V4_STATE_VIEW, abi: SLOT0, functionName: "getSlot0", args: [id] } as const
  const [price] = await devnet.client.readContract(read)
  return price
}

/** Liquidity of ether, the first currency, alone above the price; else of tokens alone, below it. */
const onOneSide = (
  where: Where,
  { ether, tokens }: Pick<Deposit, "ether" | "tokens">,
  lower: number,
  upper: number
) => (where === "bids" ? Number(ether) / (1 / lower - 1 / upper) : Number(tokens) / (upper - lower))

/** Opens a V4 position against native ether through the PositionManager, creating the pool where there is none. */
export const addV4 = async (
  stage: Stage,
  token: Address,
  { tokens, ether, lp, where = "full", terms = STAGE_HOOKS.none }: Deposit & { readonly terms?: V4Terms }
): Promise<Address> => {
  const { devnet } = stage
  const { deployer } = people
  const key = { currency0: zeroAddress, currency1: token, tickSpacing: SPACING, ...terms }
  const price = await v4Price(stage, key)
  const sqrtPrice = price > 0n ? price : ether === 0n ? 2n ** 96n * 2n ** 20n : sqrtPriceOf(ether, tokens)
  await devnet.write(deployer, at.V4_POSITIONS, abi.v4Positions, "initializePool", [key, sqrtPrice])
  await devnet.write(deployer, token, abi.erc20, "approve", [at.PERMIT2, maxUint256])
  await devnet.write(deployer, at.PERMIT2, abi.permit2, "approve", [
    token,
    at.V4_POSITIONS,
    maxUint160,
    2 ** 47
  ])
  const [lower, upper] = ticksOf(where, SPACING, sqrtPrice, false)
  const liquidity =
    where === "full"
      ? (squareRoot(ether * tokens) * 999n) / 1000n
      : BigInt(Math.floor(onOneSide(where, { tokens, ether }, rootAt(lower), rootAt(upper)) * 0.999))
  const mint = encodeAbiParameters(MINT, [
    key,
    lower,
    upper,
    liquidity,
    maxUint128,
    maxUint128,
    holderOf(lp),
    "0x"
  ])
  const pair = encodeAbiParameters(parseAbiParameters("address, address"), [zeroAddress, token])
  const sweep = encodeAbiParameters(parseAbiParameters("address, address"), [zeroAddress, deployer])
  const data = encodeAbiParameters(parseAbiParameters("bytes, bytes[]"), [ACTIONS, [mint, pair, sweep]])
  await devnet.write(deployer, at.V4_POSITIONS, abi.v4Positions, "modifyLiquidities", [data, FOREVER], ether)
  return at.V4_MANAGER
}
