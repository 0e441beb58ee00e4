/**
 * Which bytes of a pool's account decide anything, stated as its program's own types have their fields: each of them does, and
 * no other byte. Real accounts, one byte changed at a time.
 */
import { describe, expect, it } from "@effect/vitest"
import type { SolanaAccount } from "../../../src/chain/chain-rpc.ts"
import { decodePool } from "../../../src/screening/solana/pools/decode.ts"
import { decodeBondingCurve } from "../../../src/screening/solana/pools/layouts/pump.ts"
import type { Bytes } from "../../../src/screening/solana/reads/bytes.ts"
import { bytesOf } from "../../../src/screening/solana/reads/bytes.ts"
import { entry } from "../../support/solana/real-accounts.ts"

type Fields = Readonly<Record<string, readonly [offset: number, length: number]>>

interface Layout {
  /** The account among those of its file. */
  readonly index?: number
  readonly fields: Fields
  /** Read too, and without effect in this account: what they belong to is off, or stands in an account that is not there. */
  readonly idle?: Fields
  /** The mints from whose sides it is seen; none for a curve that names none. */
  readonly sides: ReadonlyArray<string>
}

const TYPE = { type: [0, 8] } as const

const LAYOUTS: Readonly<Record<string, Layout>> = {
  fluxbeam: {
    sides: ["mintA", "mintB"],
    fields: {
      version: [0, 1],
      isInitialized: [1, 1],
      tokenA: [35, 32],
      tokenB: [67, 32],
      poolMint: [99, 32],
      mintA: [131, 32],
      mintB: [163, 32],
      tradeFee: [227, 16],
      ownerTradeFee: [243, 16],
      curveType: [291, 1]
    }
  },
  "meteora-damm-v2": {
    sides: ["tokenAMint", "tokenBMint"],
    fields: {
      ...TYPE,
      cliffFeeNumerator: [8, 8],
      baseFeeMode: [16, 1],
      dynamicFeeInitialized: [56, 1],
      maxVolatilityAccumulator: [64, 4],
      variableFeeControl: [68, 4],
      binStep: [72, 2],
      tokenAMint: [168, 32],
      tokenBMint: [200, 32],
      tokenAVault: [232, 32],
      tokenBVault: [264, 32],
      liquidity: [360, 16],
      sqrtMinPrice: [424, 16],
      sqrtMaxPrice: [440, 16],
      sqrtPrice: [456, 16],
      activationPoint: [472, 8],
      activationType: [480, 1],
      poolStatus: [481, 1],
      collectFeeMode: [484, 1],
      permanentLockLiquidity: [552, 16],
      creator: [648, 32]
    },
    idle: {
      numberOfPeriod: [22, 2],
      periodFrequency: [24, 8],
      reductionFactor: [32, 8],
      initSqrtPrice: [152, 16],
      feeVersion: [486, 1],
      tokenAAmount: [680, 8],
      tokenBAmount: [688, 8]
    }
  },
  "meteora-dbc": {
    sides: ["baseMint"],
    fields: {
      ...TYPE,
      config: [72, 32],
      creator: [104, 32],
      baseMint: [136, 32],
      baseVault: [168, 32],
      quoteVault: [200, 32],
      baseReserve: [232, 8],
      quoteReserve: [240, 8],
      sqrtPrice: [280, 16],
      activationPoint: [296, 8],
      isMigrated: [305, 1]
    }
  },
  "meteora-dlmm": {
    index: 3,
    sides: ["tokenXMint", "tokenYMint"],
    fields: {
      ...TYPE,
      baseFactor: [8, 2],
      filterPeriod: [10, 2],
      decayPeriod: [12, 2],
      reductionFactor: [14, 2],
      variableFeeControl: [16, 4],
      maxVolatilityAccumulator: [20, 4],
      baseFeePowerFactor: [34, 1],
      volatilityAccumulator: [40, 4],
      lastUpdateTimestamp: [56, 8],
      activeId: [76, 4],
      binStep: [80, 2],
      status: [82, 1],
      creatorPoolOnOffControl: [87, 1],
      tokenXMint: [88, 32],
      tokenYMint: [120, 32],
      reserveX: [152, 32],
      reserveY: [184, 32],
      binArrayBitmap: [584, 128],
      activationPoint: [816, 8],
      creator: [848, 32]
    },
    idle: { volatilityReference: [44, 4], indexReference: [48, 4], activationType: [86, 1] }
  },
  moonshot: {
    sides: ["mint"],
    fields: { ...TYPE, totalSupply: [8, 8], curveAmount: [16, 8], mint: [24, 32], curveType: [58, 1] },
    idle: { decimals: [56, 1], marketcapThreshold: [59, 8], coefB: [76, 4] }
  },
  "orca-whirlpool": {
    sides: ["tokenMintA", "tokenMintB"],
    fields: {
      ...TYPE,
      whirlpoolsConfig: [8, 32],
      tickSpacing: [41, 2],
      feeTierIndexSeed: [43, 2],
      feeRate: [45, 2],
      liquidity: [49, 16],
      sqrtPrice: [65, 16],
      protocolFeeOwedA: [85, 8],
      protocolFeeOwedB: [93, 8],
      tokenMintA: [101, 32],
      tokenVaultA: [133, 32],
      tokenMintB: [181, 32],
      tokenVaultB: [213, 32]
    }
  },
  "pump-curve": {
    sides: [],
    fields: {
      ...TYPE,
      virtualTokenReserves: [8, 8],
      virtualQuoteReserves: [16, 8],
      realQuoteReserves: [32, 8],
      complete: [48, 1],
      creator: [49, 32],
      isMayhemMode: [81, 1],
      quoteMint: [83, 32],
      creatorFee: [115, 8]
    }
  },
  pumpswap: {
    sides: ["baseMint", "quoteMint"],
    fields: {
      ...TYPE,
      creator: [11, 32],
      baseMint: [43, 32],
      quoteMint: [75, 32],
      lpMint: [107, 32],
      poolBaseTokenAccount: [139, 32],
      poolQuoteTokenAccount: [171, 32],
      lpSupply: [203, 8],
      virtualQuoteReserves: [245, 16],
      creatorFee: [261, 8],
      waitingProtocolFees: [271, 8],
      waitingCreatorFees: [279, 8]
    }
  },
  "raydium-amm-v4": {
    sides: ["baseMint", "quoteMint"],
    fields: {
      status: [0, 8],
      swapFeeNumerator: [176, 8],
      swapFeeDenominator: [184, 8],
      baseNeedTakePnl: [192, 8],
      quoteNeedTakePnl: [200, 8],
      baseVault: [336, 32],
      quoteVault: [368, 32],
      baseMint: [400, 32],
      quoteMint: [432, 32],
      lpMint: [464, 32],
      lpReserve: [720, 8]
    },
    idle: { poolOpenTime: [224, 8] }
  },
  "raydium-clmm": {
    sides: ["tokenMint0", "tokenMint1"],
    fields: {
      ...TYPE,
      ammConfig: [9, 32],
      owner: [41, 32],
      tokenMint0: [73, 32],
      tokenMint1: [105, 32],
      tokenVault0: [137, 32],
      tokenVault1: [169, 32],
      liquidity: [237, 16],
      sqrtPrice: [253, 16],
      protocolFees0: [309, 8],
      protocolFees1: [317, 8],
      status: [389, 1],
      fundFees0: [1064, 8],
      fundFees1: [1072, 8],
      openTime: [1080, 8]
    },
    idle: { tickSpacing: [235, 2], tickCurrent: [269, 4], dynamicFee: [1096, 34] }
  },
  "raydium-cpmm": {
    sides: ["token0Mint", "token1Mint"],
    fields: {
      ...TYPE,
      ammConfig: [8, 32],
      poolCreator: [40, 32],
      token0Vault: [72, 32],
      token1Vault: [104, 32],
      lpMint: [136, 32],
      token0Mint: [168, 32],
      token1Mint: [200, 32],
      status: [329, 1],
      lpSupply: [333, 8],
      protocolFees0: [341, 8],
      protocolFees1: [349, 8],
      fundFees0: [357, 8],
      fundFees1: [365, 8],
      openTime: [373, 8],
      creatorFees0: [397, 8],
      creatorFees1: [405, 8]
    },
    idle: { enableCreatorFee: [390, 1] }
  },
  "raydium-launchlab": {
    sides: ["baseMint"],
    fields: {
      ...TYPE,
      status: [17, 1],
      migrateType: [20, 1],
      virtualBase: [37, 8],
      virtualQuote: [45, 8],
      realBase: [53, 8],
      realQuote: [61, 8],
      totalLockedAmount: [101, 8],
      globalConfig: [141, 32],
      platformConfig: [173, 32],
      baseMint: [205, 32],
      quoteMint: [237, 32],
      baseVault: [269, 32],
      quoteVault: [301, 32],
      creator: [333, 32]
    },
    idle: { cliffPeriod: [109, 8], unlockPeriod: [117, 8] }
  }
}

/** What is made of an account from every side, as text. */
const readingOf = (file: string, { fields, index = 0, sides }: Layout) => {
  const { account, address } = entry(file, index)
  const real: Bytes = bytesOf(account.data)
  const tokens = sides.map((side) => real.address(fields[side]?.[0] ?? 0))
  const plain = (_key: string, value: unknown): unknown =>
    typeof value === "bigint" ? value.toString() : value instanceof Set ? [...value] : value
  const read = (one: SolanaAccount): string =>
    JSON.stringify(
      tokens.length === 0
        ? decodeBondingCurve(one, null)
        : tokens.map((token) => decodePool(address, one, token)),
      plain
    )
  return { account, read }
}

const within = (fields: Fields) => (at: number) =>
  Object.values(fields).some(([offset, length]) => at >= offset && at < offset + length)

describe("each field that a pool is read by decides something, and no other byte does", () => {
  for (const [file, layout] of Object.entries(LAYOUTS)) {
    it(`${file}`, () => {
      const { account, read } = readingOf(file, layout)
      const before = read(account)
      const changes = (at: number): boolean =>
        [0x01, 0x80, 0xff].some((bits) => {
          const data = Uint8Array.from(account.data)
          data[at] = (data[at] ?? 0) ^ bits
          return read({ ...account, data }) !== before
        })
      const telling = [...account.data.keys()].filter(changes)
      const { fields, idle = {} } = layout
      const isStated = within({ ...fields, ...idle })
      expect(telling.filter((at) => !isStated(at))).toEqual([])
      const mute = Object.entries(fields).filter(([, field]) => !telling.some(within({ field })))
      expect(mute.map(([name]) => name)).toEqual([])
    })
  }
})
