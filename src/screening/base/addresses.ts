import type { Address, Hex } from "viem"
import { BASE_USDC } from "../../domain/chain.ts"

/** Lower case, so that addresses compare as strings. */
export const lower = (address: string): Address => `0x${address.slice(2).toLowerCase()}`

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
export type QuotePricing = "usd" | "eth-feed" | "btc-feed" | "own-weth-pool"

/** A token whose amount in a pool counts as money. */
export interface QuoteToken {
  readonly address: Address
  readonly decimals: number
  readonly pricing: QuotePricing
}

/** Canonical WETH of the OP stack. Source: DefiLlama/DefiLlama-Adapters projects/helper/coreAssets.json. */
export const WETH: Address = "0x4200000000000000000000000000000000000006"
export const USDC: Address = lower(BASE_USDC)

/** First ring: quotes that count in full. Source of every address: the same coreAssets.json. */
export const TRUSTED_QUOTES: ReadonlyArray<QuoteToken> = [
  { address: WETH, decimals: 18, pricing: "eth-feed" },
  { address: USDC, decimals: 6, pricing: "usd" },
  { address: "0xd9aaec86b65d86f6a7b5b1b0c42ffa531710b6ca", decimals: 6, pricing: "usd" }, // USDbC
  { address: "0xfde4c96c8593536e31f229ea8f37b2ada2699bb2", decimals: 6, pricing: "usd" }, // USDT
  { address: "0x50c5725949a6f0c72e6c4a641f24049a917db0cb", decimals: 18, pricing: "usd" }, // DAI
  { address: "0xcbb7c0000ab88b473b1f5afd9ef808440eed33bf", decimals: 8, pricing: "btc-feed" } // cbBTC
]

/**
 * Second ring: quotes that launchpads pair with. Priced through their own WETH pool, and credited with no more than
 * that pool could pay out. Sources: DefiLlama (VIRTUAL), npm @zoralabs/protocol-deployments 0.7.6 (ZORA),
 * clanker-devco/clanker-sdk constants (CLANKER, DEGEN), aerodrome-finance/contracts README (AERO).
 */
export const SECOND_RING: ReadonlyArray<QuoteToken> = [
  { address: "0x0b3e328455c4059eeb9e3f84b5543f74e24e7e1b", decimals: 18, pricing: "own-weth-pool" }, // VIRTUAL
  { address: "0x1111111111166b7fe7bd91427724b487980afc69", decimals: 18, pricing: "own-weth-pool" }, // ZORA
  { address: "0x1bc0c42215582d5a085795f4badbac3ff36d1bcb", decimals: 18, pricing: "own-weth-pool" }, // CLANKER
  { address: "0x4ed4e862860bed51a9570b96d89af5e1b0efefed", decimals: 18, pricing: "own-weth-pool" }, // DEGEN
  { address: "0x940181a94a35a4569e4529a3cdfb74e38fd98631", decimals: 18, pricing: "own-weth-pool" } // AERO
]

export const ALL_QUOTES: ReadonlyArray<QuoteToken> = [...TRUSTED_QUOTES, ...SECOND_RING]

/** Native ETH in a v4 pool is the zero address and is worth what WETH is worth. */
export const quoteToken = (address: string): QuoteToken | undefined => {
  const key = address === ZERO_ADDRESS ? WETH : lower(address)
  return ALL_QUOTES.find((quote) => quote.address === key)
}

/** Chainlink feeds, 8 decimals, heartbeat 1200 s. Source: Chainlink's reference data directory for Base. */
export const FEEDS = {
  ethUsd: lower("0x71041dddad3595F9CEd3DcCFBe3D1F4b0a16Bb70"),
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

/** Exempt from being called dangerous for their issuer's powers. Never matched by name or symbol. */
export const ESTABLISHED: ReadonlyArray<EstablishedToken> = [
  ...TRUSTED_QUOTES.map(({ address }) => ({ address, source: coreAssets })),
  { address: "0x2ae3f1ec7f1f5012cfeab0185bfc7aa3cf0dec22", source: coreAssets }, // cbETH
  { address: "0xc1cba3fcea344f92d9239c08c0568f6f2f0ee452", source: coreAssets }, // wstETH
  { address: "0x940181a94a35a4569e4529a3cdfb74e38fd98631", source: "aerodrome-finance/contracts README" }, // AERO
  { address: "0x0b3e328455c4059eeb9e3f84b5543f74e24e7e1b", source: "DefiLlama virtuals-protocol" }, // VIRTUAL
  {
    address: "0x1111111111166b7fe7bd91427724b487980afc69",
    source: "npm @zoralabs/protocol-deployments 0.7.6"
  } // ZORA
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

/** LP lockers by how their unlock dates can be read. Source: DefiLlama's adapters. */
export type LockerKind = "uncx-v2" | "pinklock-v2" | "undated"

export interface Locker {
  readonly address: Address
  readonly kind: LockerKind
}

export const LP_LOCKERS: ReadonlyArray<Locker> = [
  { address: lower("0xc4E637D37113192F4F1F060DaEbD7758De7F4131"), kind: "uncx-v2" },
  { address: lower("0xBeddF48499788607B4c2e704e9099561ab38Aae8"), kind: "uncx-v2" },
  { address: "0x30e522dedffe3e3d11cd53e27d18cd4f016ed870", kind: "uncx-v2" },
  { address: "0xdd6e31a046b828cbbafb939c2a394629aff8bbdc", kind: "pinklock-v2" },
  { address: "0x4f0fd563be89ec8c3e7d595bf3639128c0a7c33a", kind: "undated" }, // Team Finance
  { address: "0x17e8c87d4de42fc143507b7c45da2e6f2af7f24f", kind: "undated" } // DxSale LP storage
]
