import type { FactoryRow, ManagerRow, RegistryRow, V2Row, V3Row } from "./row.ts"
import { saidBy } from "./row.ts"

const uniswapDocs = saidBy("Uniswap/docs Base deployments")
const sushi = saidBy("npm sushi 7.3.15")
const pancake = saidBy("npm @pancakeswap/smart-router 7.7.3, @pancakeswap/v3-sdk")
const slipstream = saidBy("aerodrome-finance/slipstream README; DefiLlama projects/aerodrome-CL/index.js")
const uniswapSdk = saidBy("Uniswap/sdks sdk-core/src/addresses.ts")
const defiLlamaV2 = saidBy("DefiLlama registries/uniswapV2.js")
const defiLlamaAlien = saidBy("DefiLlama projects/alien-base-v3/index.js")
const defiLlamaBaseswap = saidBy("DefiLlama dexs/baseswap-v3, fees from baseswapfi/sdk-core users")
const hydrex = saidBy("Hydrex's own deployment modules (algebraFactory)")
const aerodrome = saidBy("aerodrome-finance/contracts README")
const balancer = saidBy("balancer/balancer-deployments base addresses")

/** Uniswap-V2-like: `getPair(a, b)`. */
export const V2_FACTORIES: ReadonlyArray<V2Row> = [
  {
    dex: "uniswap-v2",
    feePips: 3000,
    ...uniswapSdk("0x8909dc15e40173ff4699343b6eb8132c65e18ec6", "Uniswap V2")
  },
  {
    dex: "pancake-v2",
    feePips: 2500,
    ...pancake("0x02a84c1b3bbd7401a5f7fa98a384ebc70bb5749e", "PancakeSwap V2")
  },
  { dex: "sushi-v2", feePips: 3000, ...sushi("0x71524b4f93c58fcbf659783284e38825f0622859", "SushiSwap V2") },
  {
    dex: "baseswap-v2",
    feePips: 2500,
    ...defiLlamaV2("0xfda619b6d20975be80a10332cd39b9a4b0faa8bb", "BaseSwap V2")
  },
  {
    dex: "alienbase-v2",
    feePips: 3000,
    ...defiLlamaV2("0x3e84d913803b02a4a7f027165e8ca42c14c0fde7", "Alien Base V2")
  }
]

export const UNISWAP_V3_ROW: V3Row = {
  dex: "uniswap-v3",
  fees: [100, 200, 300, 400, 500, 3000, 10000],
  ...uniswapDocs(
    "0x33128a8fc17869897dce68ed026d694621f6fdfd",
    "Uniswap V3; 200, 300 and 400 by governance on Base"
  )
}

/** Uniswap-V3-like: `getPool(a, b, fee)`. Fees that a factory does not know answer that there is no pool. */
export const V3_FACTORIES: ReadonlyArray<V3Row> = [
  UNISWAP_V3_ROW,
  {
    dex: "pancake-v3",
    fees: [100, 500, 2500, 10000],
    ...pancake("0x0bfbcf9fa4f9c56b0f40a671ad40e0805a091865", "PancakeSwap V3")
  },
  {
    dex: "sushi-v3",
    fees: [100, 500, 3000, 10000],
    ...sushi("0xc35dadb65012ec5796536bd9864ed8773abc74c4", "SushiSwap V3")
  },
  {
    dex: "alienbase-v3",
    fees: [100, 200, 500, 750, 2500, 3000, 10000],
    ...defiLlamaAlien("0x0fd83557b2be93617c9c1c1b6fd549401c74558c", "Alien Base V3")
  },
  {
    dex: "baseswap-v3",
    fees: [80, 100, 450, 500, 2500, 3000, 10000],
    ...defiLlamaBaseswap("0x38015d05f4fec8afe15d7cc0386a126574e8077b", "BaseSwap V3")
  }
]

/** Algebra Integral: `poolByPair(a, b)`; the pool's plugin sets its fee. */
export const ALGEBRA_FACTORIES: ReadonlyArray<FactoryRow> = [
  { dex: "hydrex", ...hydrex("0x36077d39cdc65e1e3fb65810430e5b2c4d5fa29e", "Hydrex, Algebra Integral") }
]

/** Slipstream: `getPool(a, b, int24 tickSpacing)`. */
export const SLIPSTREAM_ROWS: ReadonlyArray<RegistryRow> = [
  slipstream("0x5e7bb104d84c7cb9b682aac2f3d509f5f406809a", "Slipstream pools"),
  slipstream("0xade65c38cd4849adba595a4323a8c7ddfe89716a", "Slipstream pools, second factory"),
  slipstream("0xf8f2eb4940cfe7d13603dddd87f123820fc061ef", "Slipstream pools, third factory"),
  slipstream("0x9592cd9b267748cbfbde90ac9f7df3c437a6d51b", "Slipstream pools, fourth factory")
]

/** Single contracts of the exchanges. */
export const EXCHANGE_ROWS = {
  aerodrome: aerodrome(
    "0x420dd381b31aef6683db6b902084cb0ffece40da",
    "Aerodrome pools, `getPool(a, b, stable)`"
  ),
  /** Names the gauge where a pool's positions earn. */
  voter: aerodrome("0x16613524e02ad97edfef371bc883f2f5d6c480a5", "Aerodrome's Voter, `gauges(pool)`"),
  poolManager: uniswapDocs("0x498581ff718922c3f8e6a244956af099b2652b2b", "Uniswap V4 PoolManager"),
  positionManager: uniswapDocs("0x7c5f5a4bbd8fd63184577525326123b519429bdc", "Uniswap V4 positions"),
  stateView: uniswapDocs("0xa3c0c9b65bad0b08107aa264b0f3db444b867a71", "Uniswap V4 StateView")
} as const satisfies Readonly<Record<string, RegistryRow>>

export const UNISWAP_V3_POSITIONS_ROW: ManagerRow = {
  dex: UNISWAP_V3_ROW.dex,
  ...uniswapDocs("0x03a520b32c04bf3beef7beb72e919cf822ed34f1", "Uniswap V3 positions")
}

/** Position managers: an NFT stands for each position they own, in the pools of the exchange named. */
export const MANAGER_ROWS: ReadonlyArray<ManagerRow> = [
  UNISWAP_V3_POSITIONS_ROW,
  {
    dex: "aerodrome-slipstream",
    ...slipstream("0x827922686190790b37229fd06084350e74485b72", "Slipstream positions")
  },
  {
    dex: "aerodrome-slipstream-2",
    ...slipstream("0xe1f8cd9ac4e4a65f54f38a5cdafca44f6dd68b53", "Slipstream positions, second factory")
  },
  { dex: "pancake-v3", ...pancake("0x46a15b0b27311cedf172ab29e4f4766fbe7f4364", "PancakeSwap V3 positions") },
  { dex: "sushi-v3", ...sushi("0x80c7dd17b01855a6d2347444a0fcc36136a314de", "SushiSwap V3 positions") }
]

/** Exchanges that keep all pools' tokens in one account: what stands there beyond known pools is in pools not read. */
export const VAULT_ROWS: ReadonlyArray<RegistryRow> = [
  EXCHANGE_ROWS.poolManager,
  pancake("0x238a358808379702088667322f80ac48bad5e6c4", "PancakeSwap Infinity vault"),
  balancer("0xba12222222228d8ba445958a75a0704d566bf2c8", "Balancer V2 vault"),
  balancer("0xba1333333333a1ba1108e8412f11850a5c319ba9", "Balancer V3 vault")
]
