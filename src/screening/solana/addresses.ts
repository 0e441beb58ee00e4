import { SOLANA_USDC } from "../../domain/chain.ts"
import { SolanaAddress } from "../../domain/address.ts"

const at = (text: string): SolanaAddress => SolanaAddress.make(text)

export const TOKEN_PROGRAM = at("TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA")
export const TOKEN_2022_PROGRAM = at("TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb")
export const ATA_PROGRAM = at("ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL")
export const SYSTEM_PROGRAM = at("11111111111111111111111111111111")
export const METADATA_PROGRAM = at("metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s")
export const CLOCK_SYSVAR = at("SysvarC1ock11111111111111111111111111111111")

/** Programs whose pools are decoded. Sources: facts/risk.md D6 (Raydium SDK V2, pump-public-docs, Meteora and Orca IDLs). */
export const program = {
  raydiumAmmV4: at("675kPX9MHTjS2zt1qfr1NYHuzeLXfQM9H24wFSUt1Mp8"),
  raydiumCpmm: at("CPMMoo8L3F4NbTegBCKVNunggL7H1ZpdTHKxQB5qKP1C"),
  raydiumClmm: at("CAMMCzo5YL8w4VFF8KVHrK22GGUsp5VTaW7grrKgrWqK"),
  raydiumLaunchLab: at("LanMV9sAd7wArD4vJFi2qDdfnVhFxYSUg6eADduJ3uj"),
  pumpCurve: at("6EF8rrecthR5Dkzon8Nwu78hRvfCKubJ14M5uBEwF6P"),
  pumpSwap: at("pAMMBay6oceH9fJKBRHGP5D4bD4sWpmSwMn52FMfXEA"),
  meteoraDammV1: at("Eo7WjKq67rjJQSZxS6z3YkapzY3eMj6Xy8X5EQVn5UaB"),
  meteoraDammV2: at("cpamdpZCGKUy5JxQXB4dcpGPiikHawvSWAd6mEn1sGG"),
  meteoraDlmm: at("LBUZKhRxPF3XUpBCjp4YzTKgLccjZhTSDM9YuVaPwxo"),
  orcaWhirlpool: at("whirLbMiicVdio4qvUfM5KAg6Ct8VwpYzGff3uctyCc")
} as const

/** Raydium CPMM's standard 0.25 % fee tier, whose pools' addresses follow from the mints. */
export const CPMM_STANDARD_CONFIG = at("D4FPEruKEHrG5TenZ2mpDGEfu1iUvTiqBxvpU8HLBvC2")

/** Whoever owns a token account of these holds tokens for a pool, not for a person. Source: facts/risk.md D5, D6. */
export const POOL_AUTHORITIES: ReadonlySet<string> = new Set([
  "5Q544fKrFoe6tsEbD7S8EmxGTJYAKtTVhAW5Q5pge4j1", // Raydium AMM v4
  "GpMZbSM2GgvTKHJirzeGfMFoaZ8UR2X7F4v8vHTvxFbL", // Raydium CPMM
  "WLHv2UAZm6z4KyaaELi5pjdbJh6RESMva1Rnn8pJVVh", // Raydium LaunchLab
  "HLnpSz9h2S4hiLQ43rnSD9XkcUThA7B8hQMKmDaiTLcC" // Meteora DAMM v2
])

export const POOL_PROGRAMS: ReadonlySet<string> = new Set(Object.values(program))

/** Nobody can sign for these. */
export const BURN_ADDRESSES: ReadonlySet<string> = new Set([
  "1nc1nerator11111111111111111111111111111111",
  SYSTEM_PROGRAM
])
export const INCINERATOR = at("1nc1nerator11111111111111111111111111111111")

/** Raydium "Burn & Earn": LP tokens held by this authority can never be withdrawn. Source: facts/risk.md D6. */
export const RAYDIUM_BURN_AND_EARN = at("3f7GcQFG397GAaEnv51zR6tsTVihYRydnydDD1cXekxH")

/** Time lockers, by program. Their locks end at a date we do not read, so they never make a lock certain. */
export const TIME_LOCKERS = {
  uncxAmm: at("GsSCS3vPWrtJ5Y9aEVVT65fmrex5P5RGHXdZvsdbWgfo"),
  uncxAmmV2: at("UNCX77nZrA3TdAxMEggqG18xxpgiNGT6iqyynPwpoxN"),
  uncxCpmm: at("UNCXdvMRxvz91g3HqFmpZ5NgmL77UH4QRM4NfeL4mQB"),
  uncxClmm: at("UNCXrB8cZXnmtYM1aSo1Wx3pQaeSZYuF2jCTesXvECs"),
  uncxMeteora: at("uNCXmCod5WAkjfkNJPMZ9WRKDNiwQnM778RVbP17a6U"),
  streamflow: at("strmRqUCoQUgGUan5YhzUZa6KqdzwX5L6FpUxfmKg5m"),
  raydiumBurnAndEarn: at("LockrWmn6K5twhz3y9w1dQERbmgSaRkfnTeTKbpofwE")
} as const
export const LOCKER_PROGRAMS: ReadonlySet<string> = new Set(Object.values(TIME_LOCKERS))

export const WSOL = at("So11111111111111111111111111111111111111112")
export const USDC = at(SOLANA_USDC)
export const USDT = at("Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB")

/** The only quote assets that count for price and liquidity, with their decimals. */
export const TRUSTED_QUOTES: ReadonlyMap<string, { readonly decimals: number; readonly isDollar: boolean }> =
  new Map([
    [WSOL, { decimals: 9, isDollar: false }],
    [USDC, { decimals: 6, isDollar: true }],
    [USDT, { decimals: 6, isDollar: true }]
  ])

/**
 * The deepest SOL/USDC pools: Orca Whirlpool (tick spacing 4) and Raydium CLMM. Read with every first wave, they price
 * SOL. Both addresses recur in Orca's and Raydium's own demos as their largest SOL/USDC pools.
 */
export const SOL_USDC_POOLS: ReadonlyArray<SolanaAddress> = [
  at("Czfq3xZZDmsdGdUyrNLtRhGc47cXcZtLG4crryfu44zE"),
  at("3ucNos4NbumPLZNWztqGHNFFgkHeRMBQAVemeeomsUxv")
]
