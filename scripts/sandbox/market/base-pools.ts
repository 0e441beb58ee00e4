/** Every pool of a token on the local Base, found in the factories' logs and read from the chain when asked. */
import type { Address } from "viem"
import { formatUnits, isAddress, isAddressEqual } from "viem"
import * as abi from "../base/abi.ts"
import * as at from "../base/addresses.ts"
import type { BaseChain } from "../base/base-chain.ts"
import type { MarketPool } from "./market-pool.ts"

type Client = BaseChain["devnet"]["client"]

interface FoundPool {
  readonly address: Address
  readonly token0: Address
  readonly token1: Address
  readonly version: "v2" | "v3"
}

const findPools = async (client: Client, token: Address): Promise<ReadonlyArray<FoundPool>> => {
  const range = { fromBlock: 0n, toBlock: "latest" } as const
  const [pairs, pools] = await Promise.all([
    client.getContractEvents({
      ...range,
      address: at.V2_FACTORY,
      abi: abi.v2Factory,
      eventName: "PairCreated",
      strict: true
    }),
    client.getContractEvents({
      ...range,
      address: at.V3_FACTORY,
      abi: abi.v3Factory,
      eventName: "PoolCreated",
      strict: true
    })
  ])
  return [
    ...pairs.map(({ args: { pair, token0, token1 } }) => ({
      address: pair,
      token0,
      token1,
      version: "v2" as const
    })),
    ...pools.map(({ args: { pool, token0, token1 } }) => ({
      address: pool,
      token0,
      token1,
      version: "v3" as const
    }))
  ].filter(({ token0, token1 }) => isAddressEqual(token0, token) || isAddressEqual(token1, token))
}

const describe = async (client: Client, address: Address, pool: Address) => {
  const token = { address, abi: abi.erc20 }
  const [name, symbol, decimals, reserve] = await Promise.all([
    client.readContract({ ...token, functionName: "name" }),
    client.readContract({ ...token, functionName: "symbol" }),
    client.readContract({ ...token, functionName: "decimals" }),
    client.readContract({ ...token, functionName: "balanceOf", args: [pool] })
  ])
  return { address, name, symbol, decimals, reserve: Number(formatUnits(reserve, decimals)) }
}

const usdOf = async (client: Client, quote: Address): Promise<number | null> => {
  if (isAddressEqual(quote, at.USDC)) return 1
  if (!isAddressEqual(quote, at.WETH)) return null
  const [, answer] = await client.readContract({
    address: at.ETH_USD_FEED,
    abi: abi.priceFeed,
    functionName: "latestRoundData"
  })
  return Number(formatUnits(answer, 8))
}

/** Dollars are quoted in before ether, ether before anything else. */
const quoteRank = (token: Address): number =>
  isAddressEqual(token, at.USDC) ? 2 : isAddressEqual(token, at.WETH) ? 1 : 0

const v3Price = async (
  client: Client,
  pool: Address,
  baseIs0: boolean,
  decimals: { readonly base: number; readonly quote: number }
): Promise<number> => {
  const [sqrtPrice] = await client.readContract({ address: pool, abi: abi.v3Pool, functionName: "slot0" })
  const ratio = (Number(sqrtPrice) / 2 ** 96) ** 2
  return (baseIs0 ? ratio : 1 / ratio) * 10 ** (decimals.base - decimals.quote)
}

const readPool = async (client: Client, found: FoundPool): Promise<MarketPool> => {
  const baseIs0 = quoteRank(found.token0) <= quoteRank(found.token1)
  const [baseAddress, quoteAddress] = baseIs0 ? [found.token0, found.token1] : [found.token1, found.token0]
  const [base, quote, quoteUsd] = await Promise.all([
    describe(client, baseAddress, found.address),
    describe(client, quoteAddress, found.address),
    usdOf(client, quoteAddress)
  ])
  const priceNative =
    found.version === "v2"
      ? quote.reserve / base.reserve
      : await v3Price(client, found.address, baseIs0, { base: base.decimals, quote: quote.decimals })
  return {
    chainId: "base",
    dexId: "uniswap",
    labels: [found.version],
    pairAddress: found.address,
    base: { address: base.address, name: base.name, symbol: base.symbol },
    quote: { address: quote.address, name: quote.name, symbol: quote.symbol },
    baseReserve: base.reserve,
    quoteReserve: quote.reserve,
    priceNative,
    quoteUsd
  }
}

/** The pools the token is in, on either side, as the real service lists them; none for what is no address. */
export const basePools = async (
  chain: Pick<BaseChain, "devnet">,
  token: string
): Promise<ReadonlyArray<MarketPool>> => {
  const lower = token.toLowerCase()
  if (!isAddress(lower)) return []
  const { client } = chain.devnet
  const found = await findPools(client, lower)
  return Promise.all(found.map((pool) => readPool(client, pool)))
}
