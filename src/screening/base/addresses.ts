import type { Address, Hex } from "viem"
import { ETH_USD_FEED } from "../../domain/base-contracts.ts"
import { BASE_USDC } from "../../domain/chain-constants.ts"
import { FLETH_ROW } from "./pools/registry/launchpads.ts"
import { type BaseAsset, assetAddress } from "../names/base-assets.ts"

/** Lower case, so that addresses compare as strings. */
export const lower = (address: string): Address => `0x${address.slice(2).toLowerCase()}`

/** An address as a number, written out. */
export const addressText = (value: bigint): Address => `0x${value.toString(16).padStart(40, "0")}`

export const ZERO_ADDRESS: Address = "0x0000000000000000000000000000000000000000"

/**
 * Addresses nobody can sign for. The third is where Doppler burns.
 * Source: whetstoneresearch/doppler deployments.
 */
export const BURN_ADDRESSES: ReadonlyArray<Address> = [
  ZERO_ADDRESS,
  "0x000000000000000000000000000000000000dead",
  "0xdeaddeaddeaddeaddeaddeaddeaddeaddeaddead"
]

/** Nobody holds what this address holds: zero, the precompiles' range that scams renounce to, or a burn address. */
export const isNobody = (address: string): boolean =>
  BigInt(address) <= 9n || BURN_ADDRESSES.includes(lower(address))

/**
 * Predeployed bridges of the OP stack: they mint and burn what crosses, one for one, and no key holds them. Source:
 * ethereum-optimism/specs, predeploys: L2StandardBridge, SuperchainTokenBridge.
 */
export const BRIDGES: ReadonlySet<Address> = new Set([
  "0x4200000000000000000000000000000000000010",
  "0x4200000000000000000000000000000000000028"
])

/** How a quote token is turned into USD. */
export type QuotePricing = "usd" | "eth-feed" | "btc-feed" | "own-weth-pool" | "redeemed-ether"

/** A token whose amount in a pool counts as money. */
export interface QuoteToken {
  readonly address: Address
  readonly decimals: number
  readonly pricing: QuotePricing
}

/** Canonical WETH of the OP stack. Source: DefiLlama/DefiLlama-Adapters projects/helper/coreAssets.json. */
export const WETH: Address = assetAddress("WETH")
export const USDC: Address = lower(BASE_USDC)

const quoted = (symbol: BaseAsset, decimals: number, pricing: QuotePricing): QuoteToken => ({
  address: assetAddress(symbol),
  decimals,
  pricing
})

/** First ring: quotes that count in full. Source of every address: the same coreAssets.json. */
const TRUSTED_QUOTES: ReadonlyArray<QuoteToken> = [
  quoted("WETH", 18, "eth-feed"),
  quoted("USDC", 6, "usd"),
  quoted("USDbC", 6, "usd"),
  quoted("USDT", 6, "usd"),
  quoted("DAI", 18, "usd"),
  quoted("cbBTC", 8, "btc-feed")
]

/**
 * Second ring: quotes that launchpads pair with. Priced through their own WETH pool, and credited with no more than
 * that pool could pay out. Sources: DefiLlama (VIRTUAL), npm @zoralabs/protocol-deployments 0.7.6 (ZORA),
 * clanker-devco/clanker-sdk constants (CLANKER, DEGEN), aerodrome-finance/contracts README (AERO).
 */
export const SECOND_RING: ReadonlyArray<QuoteToken> = [
  quoted("VIRTUAL", 18, "own-weth-pool"),
  quoted("ZORA", 18, "own-weth-pool"),
  quoted("CLANKER", 18, "own-weth-pool"),
  quoted("DEGEN", 18, "own-weth-pool"),
  quoted("AERO", 18, "own-weth-pool")
]

/** Ether in another dress: worth ether only where taking it out was tried and paid. */
export const FLETH: Address = FLETH_ROW.address
const WRAPPED_ETHER: ReadonlyArray<QuoteToken> = [{ address: FLETH, decimals: 18, pricing: "redeemed-ether" }]

/** Quotes that pools of every exchange are searched against. */
export const ALL_QUOTES: ReadonlyArray<QuoteToken> = [...TRUSTED_QUOTES, ...SECOND_RING]

/** Native ETH in a v4 pool is the zero address and is worth what WETH is worth. */
export const quoteToken = (address: string): QuoteToken | undefined => {
  const key = address === ZERO_ADDRESS ? WETH : lower(address)
  return [...ALL_QUOTES, ...WRAPPED_ETHER].find((quote) => quote.address === key)
}

/** Chainlink feeds, 8 decimals, heartbeat 1200 s. Source: Chainlink's reference data directory for Base. */
export const FEEDS = {
  ethUsd: ETH_USD_FEED,
  btcUsd: lower("0x64c911996D3c6aC71f9b455B1E8E7266BcbD848F"),
  /** Answer 0 = up, 1 = down. */
  sequencer: lower("0xBCF85224fc0756B9Fa45aA7892530B47e10b6433")
} as const

/** Tokens whose issuer is known and whose powers are part of the product; matched by exact address only. */
export interface EstablishedToken {
  readonly address: Address
  readonly source: string
}

const coreAssets = "DefiLlama/DefiLlama-Adapters projects/helper/coreAssets.json"
const uniswapList = "npm @uniswap/default-token-list 22.21.0"
const coinbase = `Coinbase's wrapped assets; ${uniswapList}`

const issued = (source: string, ...symbols: ReadonlyArray<BaseAsset>): ReadonlyArray<EstablishedToken> =>
  symbols.map((symbol) => ({ address: assetAddress(symbol), source }))

/**
 * Issued and bridged assets whose issuer's powers are the product. Exempt from being called dangerous for them; matched
 * by address, never by name or symbol.
 */
export const ESTABLISHED: ReadonlyArray<EstablishedToken> = [
  ...TRUSTED_QUOTES.map(({ address }) => ({ address, source: coreAssets })),
  ...issued(coreAssets, "cbETH", "wstETH"),
  ...issued("aerodrome-finance/contracts README", "AERO"),
  ...issued("DefiLlama virtuals-protocol", "VIRTUAL"),
  ...issued("npm @zoralabs/protocol-deployments 0.7.6", "ZORA"),
  ...issued(coinbase, "cbXRP", "CBDOGE", "cbADA", "cbLTC", "CBMEGA", "cbZEC", "cbHYPE"),
  ...issued("Circle's contract addresses (developers.circle.com)", "EURC"),
  ...issued(uniswapList, "tBTC", "AUDD", "AUSD"),
  ...issued("Sky's deployments (sky-ecosystem/chainlog, Base)", "USDS", "sUSDS"),
  ...issued("Ethena's docs, key addresses", "USDe"),
  ...issued("ether.fi's docs, deployed contracts", "weETH"),
  ...issued("Renzo's docs, contract addresses", "ezETH"),
  ...issued("Rocket Pool's docs, Base", "rETH"),
  ...issued("Frax's docs, Base", "frxUSD"),
  ...issued("Curve's docs, crvUSD on Base", "crvUSD"),
  ...issued("aave/aave-address-book, Base", "GHO")
]

export const establishedToken = (token: Address): EstablishedToken | undefined =>
  ESTABLISHED.find(({ address }) => address === token)

/**
 * Safe singletons a multisig proxy delegates to (1.3.0, 1.3.0 L2, their EIP-155 twins, 1.4.1, 1.4.1 L2, 1.5.0, 1.5.0 L2), at the same
 * address on every chain. Source: npm @safe-global/safe-deployments.
 */
export const SAFE_SINGLETONS: ReadonlyArray<Address> = [
  "0xd9db270c1b5e3bd161e8c8503c55ceabee709552",
  "0x3e5c63644e683549055b9be8653de26e0b4cd36e",
  "0x69f4d1788e39c87893c980c06edf4b7f686e2938",
  "0xfb1bffc9d739b8d520daf37df666da4c687191ea",
  "0x41675c099f32341bf84bfc5382af534df5c7461a",
  "0x29fcb43b46531bca003ddc8fcb67ffe91900c762",
  "0xff51a5898e281db6dfc7855790607438df2ca44b",
  "0xedd160febbd92e350d4d398fb636302fccd67c7e"
]

/**
 * keccak256 of the runtime code of the proxies that the Safe factories deploy (1.3.0, 1.4.1, 1.5.0): any other contract
 * may keep a singleton's address in its first slot and obey somebody else. Source: the factories' creation code, npm
 * @safe-global/safe-contracts.
 */
export const SAFE_PROXY_CODE_HASHES: ReadonlyArray<Hex> = [
  "0xb89c1b3bdf2cf8827818646bce9a8f6e372885f8c55e5c07acbd307cb133b000",
  "0xd7d408ebcd99b2b70be43e20253d6d92a8ea8fab29bd3be7f55b10032331fb4c",
  "0x4e381985ca68b3e5d27b4425fa581c19cf33146d3f887a3cfca96f55528ea46f"
]

/**
 * keccak256 of the runtime code, metadata left out, of OpenZeppelin's TimelockController as published: any other contract
 * may answer with a delay and obey at once. Source: npm @openzeppelin/contracts 4.9.6, 5.0.2, 5.1.0 to 5.3.0, 5.4.0,
 * build/contracts.
 */
export const TIMELOCK_CODE_HASHES: ReadonlyArray<Hex> = [
  "0x6ea4ddce2cdd9467a9b0fd38d4403d4817f7f57f4df0d5dadb653cf27422ecb1",
  "0x07c6e28ee874f201beea6b36174a6736faf528ad88c9f624a065aa650ca936b1",
  "0x7097cf35060da2f1efaf3328e1b570ee847f86b4c0903510e3fd02f42d216207",
  "0x53897590ffc3434942fb3fd574fe94d929414f0ba3bbfd6842739fbcbdbac33e"
]
