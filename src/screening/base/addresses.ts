import type { Address, Hex } from "viem"
import { BASE_USDC } from "../../domain/chain-constants.ts"

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
export type QuotePricing = "usd" | "eth-feed" | "btc-feed" | "own-weth-pool" | "redeemed-ether"

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

/** Ether in another dress: worth ether only where taking it out was tried and paid. Source: the registry's row. */
export const FLETH: Address = "0x000000000d564d5be76f7f0d28fe52605afc7cf8"
export const WRAPPED_ETHER: ReadonlyArray<QuoteToken> = [
  { address: FLETH, decimals: 18, pricing: "redeemed-ether" }
]

/** Quotes that pools of every exchange are searched against. */
export const ALL_QUOTES: ReadonlyArray<QuoteToken> = [...TRUSTED_QUOTES, ...SECOND_RING]

/** Native ETH in a v4 pool is the zero address and is worth what WETH is worth. */
export const quoteToken = (address: string): QuoteToken | undefined => {
  const key = address === ZERO_ADDRESS ? WETH : lower(address)
  return [...ALL_QUOTES, ...WRAPPED_ETHER].find((quote) => quote.address === key)
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
const uniswapList = "npm @uniswap/default-token-list 22.21.0"
const coinbase = `Coinbase's wrapped assets; ${uniswapList}`

const issued = (source: string, ...addresses: ReadonlyArray<Address>): ReadonlyArray<EstablishedToken> =>
  addresses.map((address) => ({ address, source }))

/**
 * Issued and bridged assets whose issuer's powers are the product. Exempt from being called dangerous for them; matched
 * by address, never by name or symbol.
 */
export const ESTABLISHED: ReadonlyArray<EstablishedToken> = [
  ...issued(coreAssets, ...TRUSTED_QUOTES.map(({ address }) => address)),
  ...issued(
    coreAssets,
    "0x2ae3f1ec7f1f5012cfeab0185bfc7aa3cf0dec22", // cbETH
    "0xc1cba3fcea344f92d9239c08c0568f6f2f0ee452" // wstETH
  ),
  ...issued("aerodrome-finance/contracts README", "0x940181a94a35a4569e4529a3cdfb74e38fd98631"), // AERO
  ...issued("DefiLlama virtuals-protocol", "0x0b3e328455c4059eeb9e3f84b5543f74e24e7e1b"), // VIRTUAL
  ...issued("npm @zoralabs/protocol-deployments 0.7.6", "0x1111111111166b7fe7bd91427724b487980afc69"), // ZORA
  ...issued(
    coinbase,
    "0xcb585250f852c6c6bf90434ab21a00f02833a4af", // cbXRP
    "0xcbd06e5a2b0c65597161de254aa074e489deb510", // cbDOGE
    "0xcbada732173e39521cdbe8bf59a6dc85a9fc7b8c", // cbADA
    "0xcb17c9db87b595717c857a08468793f5bab6445f", // cbLTC
    "0xcb111e6a2a3bde90856d299d61341ac302167d23", // cbMEGA
    "0xb2000000000000000000008501b13360000cb2ec", // cbZEC
    "0xb200000000000000000000451d033a5000cb479e" // cbHYPE
  ),
  ...issued(
    "Circle's contract addresses (developers.circle.com)",
    "0x60a3e35cc302bfa44cb288bc5a4f316fdb1adb42"
  ), // EURC
  ...issued(
    uniswapList,
    "0x236aa50979d5f3de3bd1eeb40e81137f22ab794b", // tBTC, Threshold
    "0x449b3317a6d1efb1bc3ba0700c9eaa4ffff4ae65", // AUDD
    "0x00000000efe302beaa2b3e6e1b18d08d69a9012a" // AUSD, Agora
  ),
  ...issued(
    "Sky's deployments (sky-ecosystem/chainlog, Base)",
    "0x820c137fa70c8691f0e44dc420a5e53c168921dc", // USDS
    "0x5875eee11cf8398102fdad704c9e96607675467a" // sUSDS
  ),
  ...issued("Ethena's docs, key addresses", "0x5d3a1ff2b6bab83b63cd9ad0787074081a52ef34"), // USDe
  ...issued("ether.fi's docs, deployed contracts", "0x04c0599ae5a44757c0af6f9ec3b93da8976c150a"), // weETH
  ...issued("Renzo's docs, contract addresses", "0x2416092f143378750bb29b79ed961ab195cceea5"), // ezETH
  ...issued("Rocket Pool's docs, Base", "0xb6fe221fe9eef5aba221c348ba20a1bf5e73624c"), // rETH
  ...issued("Frax's docs, Base", "0xe5020a6d073a794b6e7f05678707de47986fb0b6"), // frxUSD
  ...issued("Curve's docs, crvUSD on Base", "0x417ac0e078398c154edfadd9ef675d30be60af93"), // crvUSD
  ...issued("aave/aave-address-book, Base", "0x6bb7a212910682dcfdbd5bcbb3e28fb4e8da10ee") // GHO
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
