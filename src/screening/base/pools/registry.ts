import type { Address } from "viem"

/**
 * Every contract around pools on Base that the screening knows, one row each with its source. What a row is used for is
 * never trust in a name: a factory must answer for the pool, a locker must hold the position, a hook must be the pool's.
 * The evaluation asks the chain, before anything else, whether each of them has code.
 */
export interface RegistryRow {
  readonly address: Address
  readonly what: string
  readonly source: string
}

interface FactoryRow extends RegistryRow {
  readonly dex: string
}
interface V2Row extends FactoryRow {
  /** Hundredths of a basis point. A fee taken for higher than it is asks a pool for too little, which it grants. */
  readonly feePips: number
}
interface V3Row extends FactoryRow {
  readonly fees: ReadonlyArray<number>
}
interface LockerRow extends RegistryRow {
  /** How its unlock dates can be read. */
  readonly kind: "uncx-v2" | "pinklock-v2" | "undated"
}
interface LaunchpadRow extends RegistryRow {
  /** Who holds the V3 position of every token that this factory made. */
  readonly locker: Address
}

const uniswapDocs = "Uniswap/docs Base deployments"
const sushi = "npm sushi 7.3.15"
const pancake = "npm @pancakeswap/smart-router 7.7.3, @pancakeswap/v3-sdk"
const slipstream = "aerodrome-finance/slipstream README; DefiLlama projects/aerodrome-CL/index.js"
const clanker = "clanker-devco/clanker-sdk src/utils/clankers.ts; clanker-devco/DOCS references"
const allowlist = "Uniswap routing hooksAddressesAllowlist.ts; npm @zoralabs/protocol-deployments 0.7.6"
const doppler = "whetstoneresearch/doppler Deployments.json"
const flaunch = "flayerlabs/flaunchgg-contracts README"
const uncxV2 = "DefiLlama projects/unicrypt/config.js"
const uncxV3 = "DefiLlama projects/unicrypt-v3/index.js"
const uncxV4 = "DefiLlama projects/unicrypt-v4/index.js"

/** Uniswap-V2-like: `getPair(a, b)`. */
export const V2_FACTORIES: ReadonlyArray<V2Row> = [
  {
    dex: "uniswap-v2",
    address: "0x8909dc15e40173ff4699343b6eb8132c65e18ec6",
    feePips: 3000,
    what: "Uniswap V2",
    source: "Uniswap/sdks sdk-core/src/addresses.ts"
  },
  {
    dex: "pancake-v2",
    address: "0x02a84c1b3bbd7401a5f7fa98a384ebc70bb5749e",
    feePips: 2500,
    what: "PancakeSwap V2",
    source: pancake
  },
  {
    dex: "sushi-v2",
    address: "0x71524b4f93c58fcbf659783284e38825f0622859",
    feePips: 3000,
    what: "SushiSwap V2",
    source: sushi
  },
  {
    dex: "baseswap-v2",
    address: "0xfda619b6d20975be80a10332cd39b9a4b0faa8bb",
    feePips: 2500,
    what: "BaseSwap V2",
    source: "DefiLlama registries/uniswapV2.js"
  },
  {
    dex: "alienbase-v2",
    address: "0x3e84d913803b02a4a7f027165e8ca42c14c0fde7",
    feePips: 3000,
    what: "Alien Base V2",
    source: "DefiLlama registries/uniswapV2.js"
  }
]

/** Uniswap-V3-like: `getPool(a, b, fee)`. Fees that a factory does not know answer that there is no pool. */
export const V3_FACTORIES: ReadonlyArray<V3Row> = [
  {
    dex: "uniswap-v3",
    address: "0x33128a8fc17869897dce68ed026d694621f6fdfd",
    fees: [100, 200, 300, 400, 500, 3000, 10000],
    what: "Uniswap V3; 200, 300 and 400 by governance on Base",
    source: uniswapDocs
  },
  {
    dex: "pancake-v3",
    address: "0x0bfbcf9fa4f9c56b0f40a671ad40e0805a091865",
    fees: [100, 500, 2500, 10000],
    what: "PancakeSwap V3",
    source: pancake
  },
  {
    dex: "sushi-v3",
    address: "0xc35dadb65012ec5796536bd9864ed8773abc74c4",
    fees: [100, 500, 3000, 10000],
    what: "SushiSwap V3",
    source: sushi
  },
  {
    dex: "alienbase-v3",
    address: "0x0fd83557b2be93617c9c1c1b6fd549401c74558c",
    fees: [100, 200, 500, 750, 2500, 3000, 10000],
    what: "Alien Base V3",
    source: "DefiLlama projects/alien-base-v3/index.js"
  },
  {
    dex: "baseswap-v3",
    address: "0x38015d05f4fec8afe15d7cc0386a126574e8077b",
    fees: [80, 100, 450, 500, 2500, 3000, 10000],
    what: "BaseSwap V3",
    source: "DefiLlama dexs/baseswap-v3, fees from baseswapfi/sdk-core users"
  }
]

/** Algebra Integral: `poolByPair(a, b)`; the pool's plugin sets its fee. */
export const ALGEBRA_FACTORIES: ReadonlyArray<FactoryRow> = [
  {
    dex: "hydrex",
    address: "0x36077d39cdc65e1e3fb65810430e5b2c4d5fa29e",
    what: "Hydrex, Algebra Integral",
    source: "Hydrex's own deployment modules (algebraFactory)"
  }
]

/** Slipstream: `getPool(a, b, int24 tickSpacing)`. */
export const SLIPSTREAM_ROWS: ReadonlyArray<RegistryRow> = [
  { address: "0x5e7bb104d84c7cb9b682aac2f3d509f5f406809a", what: "Slipstream pools", source: slipstream },
  {
    address: "0xade65c38cd4849adba595a4323a8c7ddfe89716a",
    what: "Slipstream pools, second factory",
    source: slipstream
  },
  {
    address: "0xf8f2eb4940cfe7d13603dddd87f123820fc061ef",
    what: "Slipstream pools, third factory",
    source: slipstream
  },
  {
    address: "0x9592cd9b267748cbfbde90ac9f7df3c437a6d51b",
    what: "Slipstream pools, fourth factory",
    source: slipstream
  }
]

/** Single contracts of the exchanges. */
export const EXCHANGE_ROWS = {
  aerodrome: {
    address: "0x420dd381b31aef6683db6b902084cb0ffece40da",
    what: "Aerodrome pools, `getPool(a, b, stable)`",
    source: "aerodrome-finance/contracts README"
  },
  poolManager: {
    address: "0x498581ff718922c3f8e6a244956af099b2652b2b",
    what: "Uniswap V4 PoolManager",
    source: uniswapDocs
  },
  positionManager: {
    address: "0x7c5f5a4bbd8fd63184577525326123b519429bdc",
    what: "Uniswap V4 positions",
    source: uniswapDocs
  },
  stateView: {
    address: "0xa3c0c9b65bad0b08107aa264b0f3db444b867a71",
    what: "Uniswap V4 StateView",
    source: uniswapDocs
  }
} as const satisfies Readonly<Record<string, RegistryRow>>

/** Position managers: an NFT stands for each position they own. */
const MANAGERS: ReadonlyArray<RegistryRow> = [
  {
    address: "0x03a520b32c04bf3beef7beb72e919cf822ed34f1",
    what: "Uniswap V3 positions",
    source: uniswapDocs
  },
  { address: "0x827922686190790b37229fd06084350e74485b72", what: "Slipstream positions", source: slipstream },
  {
    address: "0xe1f8cd9ac4e4a65f54f38a5cdafca44f6dd68b53",
    what: "Slipstream positions, second factory",
    source: slipstream
  },
  {
    address: "0x46a15b0b27311cedf172ab29e4f4766fbe7f4364",
    what: "PancakeSwap V3 positions",
    source: pancake
  },
  { address: "0x80c7dd17b01855a6d2347444a0fcc36136a314de", what: "SushiSwap V3 positions", source: sushi }
]

/** Lockers of LP tokens. `0xc84b661e…`, listed by some for UNCX, has no public source and is not believed. */
export const LP_LOCKERS: ReadonlyArray<LockerRow> = [
  {
    address: "0xc4e637d37113192f4f1f060daebd7758de7f4131",
    kind: "uncx-v2",
    what: "UNCX for Uniswap V2",
    source: uncxV2
  },
  {
    address: "0xbeddf48499788607b4c2e704e9099561ab38aae8",
    kind: "uncx-v2",
    what: "UNCX for SushiSwap V2",
    source: uncxV2
  },
  {
    address: "0x30e522dedffe3e3d11cd53e27d18cd4f016ed870",
    kind: "uncx-v2",
    what: "UNCX for others",
    source: uncxV2
  },
  {
    address: "0xdd6e31a046b828cbbafb939c2a394629aff8bbdc",
    kind: "pinklock-v2",
    what: "PinkLock V2",
    source: "PinkLock V2's verified source on BaseScan"
  },
  {
    address: "0x4f0fd563be89ec8c3e7d595bf3639128c0a7c33a",
    kind: "undated",
    what: "Team Finance",
    source: "DefiLlama projects/team-finance/config.js"
  },
  {
    address: "0x17e8c87d4de42fc143507b7c45da2e6f2af7f24f",
    kind: "undated",
    what: "DxSale LP storage",
    source: "DefiLlama projects/dxsale"
  }
]

/** Lockers of position NFTs. */
const POSITION_LOCKER_ROWS: ReadonlyArray<RegistryRow> = [
  { address: "0xd6cd8fb001cbdae91f0af7a58a1602c945967d67", what: "UNCX V3 locker", source: uncxV3 },
  { address: "0x231278edd38b00b07fbd52120cef685b9baebcc1", what: "UNCX V3 locker", source: uncxV3 },
  { address: "0xb403e68eb5bffd7df7aa127f5a819f77c2f96095", what: "UNCX V3 locker", source: uncxV3 },
  { address: "0x1ec811ad6039e33b86458cdb267667af083261ed", what: "UNCX V4 locker", source: uncxV4 },
  { address: "0x1da374c9fa108e1f9d3c50e8e2ef2113eefae617", what: "UNCX V4 locker", source: uncxV4 },
  { address: "0xd0cbff53620a345205750a14f03739806cffbd67", what: "UNCX V4 locker", source: uncxV4 },
  { address: "0x610b43e981960b45f818a71cd14c91d35cda8502", what: "UNCX V4 locker", source: uncxV4 },
  { address: "0xff908ded2a6c68226d3f834b25d803a815bdb28b", what: "UNCX V4 locker", source: uncxV4 }
]

/** Clanker's factories whose tokens trade in a V3 pool. */
export const CLANKER_V3: ReadonlyArray<LaunchpadRow> = [
  {
    address: "0x732560fa1d1a76350b1a500155ba978031b53833",
    locker: "0x618a9840691334ee8d24445a4ada4284bf42417d",
    what: "Clanker v2",
    source: clanker
  },
  {
    address: "0x375c15db32d28cecdcab5c03ab889bf15cbd2c5e",
    locker: "0x5ec4f99f342038c67a312a166ff56e6d70383d86",
    what: "Clanker v3",
    source: clanker
  },
  {
    address: "0x2a787b2362021cc3eea3c24c4748a6cd5b687382",
    locker: "0x33e2eda238edcf470309b8c6d228986a1204c8f9",
    what: "Clanker v3.1",
    source: clanker
  }
]

/** Launchpads that answer for their tokens themselves. */
export const LAUNCHPAD_ROWS = {
  clankerV4: { address: "0xe85a59c628f7d27878aceb4bf3b35733630083a9", what: "Clanker v4", source: clanker },
  zora: {
    address: "0x777777751622c0d3258f214f9df38e35bf45baf3",
    what: "Zora coins",
    source: "npm @zoralabs/protocol-deployments 0.7.6"
  },
  dopplerAirlock: {
    address: "0x660eaaedebc968f8f3694354fa8ec0b4c5ba8d12",
    what: "Doppler's Airlock",
    source: doppler
  },
  dopplerNoMigration: {
    address: "0x6ddfed58d238ca3195e49d8ac3d4cea6386e5c33",
    what: "Doppler: liquidity that never migrates",
    source: doppler
  }
} as const satisfies Readonly<Record<string, RegistryRow>>

export const CLANKER_V4_LOCKER_ROWS: ReadonlyArray<RegistryRow> = [
  { address: "0x63d2dfea64b3433f4071a98665bcd7ca14d93496", what: "Clanker v4 locker", source: clanker },
  {
    address: "0x29d17c1a8d851d7d4ca97fae97acadb398d9cce0",
    what: "Clanker v4 locker, deprecated",
    source: clanker
  }
]

export const DOPPLER_INITIALIZER_ROWS: ReadonlyArray<RegistryRow> = [
  { address: "0xd59ce43e53d69f190e15d9822fb4540dccc91178", what: "Doppler initializer", source: doppler },
  { address: "0xa36715da46ddf4a769f3290f49af58bf8132ed8e", what: "Doppler initializer", source: doppler },
  { address: "0x65de470da664a5be139a5d812be5fda0d76cc951", what: "Doppler initializer", source: doppler },
  {
    address: "0xbdf938149ac6a781f94faa0ed45e6a0e984c6544",
    what: "Doppler's current initializer, its pools' hook too",
    source: doppler
  }
]

const hook = (address: Address, what: string, source: string): RegistryRow => ({ address, what, source })

/** Hooks whose code its launchpad publishes; liquidity in their pools cannot be taken out. */
export const HOOK_ROWS = {
  /** Pools of Clanker v4 and v5 have the dynamic fee and spacing 200. */
  clanker: [
    hook("0xdd5eeaff7bd481ad55db083062b13a3cdf0a68cc", "Clanker v4, fixed fee", clanker),
    hook("0xb429d62f8f3bffb98cdb9569533ea23bf0ba28cc", "Clanker v4, fixed fee, second version", clanker),
    hook("0x34a45c6b61876d739400bd71228cbcbd4f53e8cc", "Clanker v4, moving fee", clanker),
    hook("0xd60d6b218116cfd801e28f78d011a203d2b068cc", "Clanker v4, moving fee, second version", clanker),
    hook("0x5e320ea6278107968c119942e57d876c5f922acc", "Clanker v5", clanker)
  ],
  zora: [
    "0xfbce3d80c659c765bc6c55e29e87d839c7609040",
    "0x854f820475b229b7805a386f758cfb285023d040",
    "0x9301690be9ac901de52c5ebff883862bbfc99040",
    "0x5e5d19d22c85a4aef7c1fdf25fb22a5a38f71040",
    "0xd61a675f8a0c67a73dc3b54fb7318b4d91409040",
    "0x8218fa8d7922e22aed3556a09d5a715f16ad5040",
    "0x1258e5f3c71ca9dce95ce734ba5759532e46d040",
    "0xa1ebdd5ca6470bbd67114331387f2dda7bfad040",
    "0xb030fd8c2f8576f8ab05cfbbe659285e7d7a1040",
    "0xe61bdf0c9e665f02df20fede6dcef379cb751040",
    "0x81542dc43aff247eff4a0ecefc286a2973ae1040",
    "0x5bf219b3cc11e3f6dd8dc8fc89d7d1deb0431040",
    "0x9ea932730a7787000042e34390b8e435dd839040",
    "0xff74be9d3596ea7a33bb4983dd7906fb34135040",
    "0x2b15a16b3ef024005ba899bb51764fcd58cf9040",
    "0xc8d077444625eb300a427a6dfb2b1dbf9b159040",
    "0xf6d0a13609bb5779bc5d639f2ba3bfda83d4d0c0"
  ].map((text) => hook(`0x${text.slice(2)}`, "Zora coins", allowlist)),
  doppler: [
    hook("0x77bb2a8f1ab2a384918a4c090cd8ae82dc5078e0", "Doppler", allowlist),
    hook("0xbb7784a4d481184283ed89619a3e3ed143e1adc0", "Doppler", allowlist),
    hook("0xbdf938149ac6a781f94faa0ed45e6a0e984c6544", "Doppler's current initializer", doppler)
  ],
  /** Each version of Flaunch's PositionManager is its pools' hook. */
  flaunch: [
    hook("0x51bba15255406cfe7099a42183302640ba7dafdc", "Flaunch", flaunch),
    hook("0xf785bb58059fab6fb19bdda2cb9078d9e546efdc", "Flaunch, second version", flaunch),
    hook("0xb903b0ab7bcee8f5e4d8c9b10a71aac7135d6fdc", "Flaunch, third version", flaunch),
    hook("0x23321f11a6d44fd1ab790044fdfde5758c902fdc", "Flaunch, fourth version", flaunch)
  ]
} as const

/** Ether in another dress; worth ether only while it can be taken out. */
export const FLETH_ROW = {
  address: "0x000000000d564d5be76f7f0d28fe52605afc7cf8",
  what: "flETH, the quote of Flaunch's pools",
  source: flaunch
} as const satisfies RegistryRow

/** Exchanges that keep all pools' tokens in one account: what stands there beyond known pools is in pools not read. */
export const VAULT_ROWS: ReadonlyArray<RegistryRow> = [
  EXCHANGE_ROWS.poolManager,
  {
    address: "0x238a358808379702088667322f80ac48bad5e6c4",
    what: "PancakeSwap Infinity vault",
    source: pancake
  },
  {
    address: "0xba12222222228d8ba445958a75a0704d566bf2c8",
    what: "Balancer V2 vault",
    source: "balancer/balancer-deployments base addresses"
  },
  {
    address: "0xba1333333333a1ba1108e8412f11850a5c319ba9",
    what: "Balancer V3 vault",
    source: "balancer/balancer-deployments base addresses"
  }
]

const addresses = (rows: ReadonlyArray<RegistryRow>): ReadonlySet<Address> =>
  new Set(rows.map(({ address }) => address))

export const POSITION_MANAGERS = addresses(MANAGERS)
export const POSITION_LOCKERS = addresses(POSITION_LOCKER_ROWS)
export const LAUNCHPAD_LOCKERS: ReadonlySet<Address> = new Set(CLANKER_V3.map(({ locker }) => locker))

/** Every row, for the check against the chain. */
export const REGISTRY: ReadonlyArray<RegistryRow> = [
  ...V2_FACTORIES,
  ...V3_FACTORIES,
  ...ALGEBRA_FACTORIES,
  ...SLIPSTREAM_ROWS,
  ...Object.values(EXCHANGE_ROWS),
  ...MANAGERS,
  ...LP_LOCKERS,
  ...POSITION_LOCKER_ROWS,
  ...CLANKER_V3,
  ...CLANKER_V3.map(({ locker, source, what }) => ({ address: locker, what: `${what} locker`, source })),
  ...Object.values(LAUNCHPAD_ROWS),
  ...CLANKER_V4_LOCKER_ROWS,
  ...DOPPLER_INITIALIZER_ROWS,
  ...Object.values(HOOK_ROWS).flat(),
  FLETH_ROW,
  ...VAULT_ROWS.slice(1)
]
