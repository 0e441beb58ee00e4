import { SOLANA_USDC } from "../../domain/chain.ts"
import { SolanaAddress } from "../../domain/address.ts"
import { SOLANA_PROGRAMS } from "../../domain/solana-programs.ts"

const at = (text: string): SolanaAddress => SolanaAddress.make(text)

export const TOKEN_PROGRAM = at(SOLANA_PROGRAMS.token)
export const TOKEN_2022_PROGRAM = at(SOLANA_PROGRAMS.token2022)
export const ATA_PROGRAM = at(SOLANA_PROGRAMS.associatedToken)
export const SYSTEM_PROGRAM = at(SOLANA_PROGRAMS.system)
export const METADATA_PROGRAM = at("metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s")
export const CLOCK_SYSVAR = at("SysvarC1ock11111111111111111111111111111111")

/** Programs whose pools are decoded. Sources: the constants of raydium-sdk-v2, pump-public-docs, Meteora's and Orca's SDKs, moonshot-sdk. */
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
  meteoraDbc: at("dbcij3LWUppWqq96dh6gJWwBifmcGfLSB5D4DuSMaqN"),
  meteoraVault: at("24Uqj9JCLxUeoC3hGfh5W3s9FM9uCHDS2SG3LYwBpyTi"),
  orcaWhirlpool: at("whirLbMiicVdio4qvUfM5KAg6Ct8VwpYzGff3uctyCc"),
  moonshot: at("MoonCVVNZFSYkqNXP6bxHLPL6QQJiMagDL3qcqUQTrG"),
  fluxBeam: at("FLUXubRmkEi2q6K3Y9kBPg9248ggaZVsoSFhtJHSrm1X")
} as const

/** Orca's own settings, whose tiers and fees nobody else sets. Source: the whirlpools SDK's `DEFAULT_WHIRLPOOLS_CONFIG`. */
export const ORCA_CONFIG = at("2LecshUwdy9xi7meFgHtFJQNSKk4KdTrcpvaB56dP2NQ")

/** Raydium CPMM's standard 0.25 % fee tier, whose pools' addresses follow from the mints. */
export const CPMM_STANDARD_CONFIG = at("D4FPEruKEHrG5TenZ2mpDGEfu1iUvTiqBxvpU8HLBvC2")

/** Under which a curve's vault stays once the curve has ended, with what its terms give to its makers. */
const LAUNCHES = {
  launchLab: at("WLHv2UAZm6z4KyaaELi5pjdbJh6RESMva1Rnn8pJVVh"),
  meteoraDbc: at("FhVo3mqL8PW5pH5U2CN4XE33DokiyZnUwuGpH2hmHLuM")
} as const
export const LAUNCH_AUTHORITIES: ReadonlySet<string> = new Set(Object.values(LAUNCHES))

/**
 * Authorities of programs that sell from curves and carry launches over to their pools: what lies with them follows
 * the program's rules, and no person can take it. Sources: the SDKs named above; mayhem: pump-public-docs.
 */
export const PROTOCOL_AUTHORITIES: ReadonlySet<string> = new Set([
  ...LAUNCH_AUTHORITIES,
  "39azUYFWPz3VHgKCf3VChUwbpURdCHRxjWVowf5jUJjg", // pump.fun's migration
  "CGsqR7CTqTwbmAUTPnfg9Bj9GLJgkrUD9rhjh3vHEYvh", // Moonshot's migration
  "BwWK17cbHxwWBKZkUYvzxLcNQ1YVyaFezduWbtm2de6s" // pump.fun's mayhem mode
])
export const MAYHEM_PROGRAM = at("MAyhSmzXzV1pTf7LsNkrNwkWKTo4ougAJ1PPg47MD4e")

/** Authorities of pool programs that hold every pool's vaults. Derived by the tests from the programs' seeds. */
export const POOL_AUTHORITIES: ReadonlySet<string> = new Set([
  "5Q544fKrFoe6tsEbD7S8EmxGTJYAKtTVhAW5Q5pge4j1", // Raydium AMM v4
  "GpMZbSM2GgvTKHJirzeGfMFoaZ8UR2X7F4v8vHTvxFbL", // Raydium CPMM
  "HLnpSz9h2S4hiLQ43rnSD9XkcUThA7B8hQMKmDaiTLcC" // Meteora DAMM v2
])

export const POOL_PROGRAMS: ReadonlySet<string> = new Set(Object.values(program))

/** Nobody can sign for these. */
export const BURN_ADDRESSES: ReadonlySet<string> = new Set([
  "1nc1nerator11111111111111111111111111111111",
  SYSTEM_PROGRAM
])
export const INCINERATOR = at("1nc1nerator11111111111111111111111111111111")

/** Raydium "Burn & Earn": LP tokens held by this authority stay there, but for what CPMM's have gained. Source: raydium-sdk-v2 `LOCK_CPMM_AUTH`. */
export const RAYDIUM_BURN_AND_EARN = at("3f7GcQFG397GAaEnv51zR6tsTVihYRydnydDD1cXekxH")

/** The same for CLMM positions. Source: raydium-sdk-v2 `LOCK_CLMM_AUTH`. */
export const RAYDIUM_POSITION_LOCK = at("kN1kEznaF5Xbd8LYuqtEFcxzWSBk5Fv6ygX6SqEGJVy")

/** Time lockers, by program. What lies with them is locked until the end their accounts name. */
export const TIME_LOCKERS = {
  uncxAmm: at("GsSCS3vPWrtJ5Y9aEVVT65fmrex5P5RGHXdZvsdbWgfo"),
  uncxAmmV2: at("UNCX77nZrA3TdAxMEggqG18xxpgiNGT6iqyynPwpoxN"),
  uncxCpmm: at("UNCXdvMRxvz91g3HqFmpZ5NgmL77UH4QRM4NfeL4mQB"),
  uncxClmm: at("UNCXrB8cZXnmtYM1aSo1Wx3pQaeSZYuF2jCTesXvECs"),
  uncxMeteora: at("uNCXmCod5WAkjfkNJPMZ9WRKDNiwQnM778RVbP17a6U"),
  streamflow: at("strmRqUCoQUgGUan5YhzUZa6KqdzwX5L6FpUxfmKg5m"),
  jupiterLock: at("LocpQgucEQHbqNABEYvBvwoxCPsSbG91A1QaQhQQqjn"),
  raydiumBurnAndEarn: at("LockrWmn6K5twhz3y9w1dQERbmgSaRkfnTeTKbpofwE")
} as const
export const LOCKER_PROGRAMS: ReadonlySet<string> = new Set(Object.values(TIME_LOCKERS))

export const WSOL = at("So11111111111111111111111111111111111111112")
export const USDC = at(SOLANA_USDC)
export const USDT = at("Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB")

/** World Liberty Financial's dollar, the quote of many LaunchLab launches. */
export const USD1 = at("USD1ttGY1N17NEEHLmELoaybftRBUSErhqYiQzvEmuB")
/** Sky's dollar, and Paxos's two, which are of Token-2022. */
const USDS = at("USDSwr9ApdHk5bvJKMjzff41FfuX8bSxdKcR81vTwcA")
export const PYUSD = at("2b1kV6DkPAnxd5ixfnxCpjxmKwqjjaYmCZfHsFu24GXo")
const USDG = at("2u1tszSeqZ3qBWF3uNGPFc8TzMk2tdiwknnRMWGWjGWH")

interface TrustedQuote {
  readonly decimals: number
  readonly isDollar: boolean
  readonly tokenProgram: SolanaAddress
}

const dollar = (tokenProgram: SolanaAddress): TrustedQuote => ({ decimals: 6, isDollar: true, tokenProgram })

/**
 * The quote assets that count for price and liquidity by themselves: SOL, and dollars of issuers whose powers are accepted
 * as they are and who give a dollar for each. A pump.fun coin counts by what its own pool would pay for it.
 */
export const TRUSTED_QUOTES: ReadonlyMap<string, TrustedQuote> = new Map([
  [WSOL, { decimals: 9, isDollar: false, tokenProgram: TOKEN_PROGRAM }],
  ...[USDC, USDT, USD1, USDS].map((mint) => [mint, dollar(TOKEN_PROGRAM)] as const),
  ...[PYUSD, USDG].map((mint) => [mint, dollar(TOKEN_2022_PROGRAM)] as const)
])

/**
 * The deepest SOL/USDC pools: Orca Whirlpool (tick spacing 4) and Raydium CLMM. Read with every first wave, they price
 * SOL. Both addresses recur in Orca's and Raydium's own demos as their largest SOL/USDC pools.
 */
export const SOL_USDC_POOLS: ReadonlyArray<SolanaAddress> = [
  at("Czfq3xZZDmsdGdUyrNLtRhGc47cXcZtLG4crryfu44zE"),
  at("3ucNos4NbumPLZNWztqGHNFFgkHeRMBQAVemeeomsUxv")
]
