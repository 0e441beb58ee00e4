import { associatedTokenAccount, findProgramAddress, seedOf } from "../../../chain/program-address.ts"
import { SolanaAddress } from "../../../domain/address.ts"
import {
  CPMM_STANDARD_CONFIG,
  MAYHEM_PROGRAM,
  METADATA_PROGRAM,
  program,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
  USD1,
  USDC,
  WSOL
} from "../addresses.ts"

type Seed = string | { readonly key: SolanaAddress } | Uint8Array

const key = (address: SolanaAddress): Seed => ({ key: address })
const text = new TextEncoder()

const seedBytes = (seed: Seed): Uint8Array => {
  if (typeof seed === "string") return text.encode(seed)
  return seed instanceof Uint8Array ? seed : seedOf(seed.key)
}

const derive = (programAddress: SolanaAddress, ...seeds: ReadonlyArray<Seed>): SolanaAddress =>
  findProgramAddress(programAddress, seeds.map(seedBytes))

/** The array of bins `index` of a DLMM pair. Seeds: dlmm SDK `deriveBinArray`. */
export const dlmmBinArray = (pair: SolanaAddress, index: bigint): SolanaAddress => {
  const seed = new Uint8Array(8)
  new DataView(seed.buffer).setBigInt64(0, index, true)
  return derive(program.meteoraDlmm, "bin_array", key(pair), seed)
}

/**
 * The mints of the first lending vaults' own tokens, older than the seeds: those of SOL and the dollars are among them, in
 * which nearly every DAMM v1 pool keeps its quote. Source: Meteora's dynamic-amm quote, `VAULT_WITH_NON_PDA_BASED_LP_MINT`.
 */
const FIRST_LP_MINTS: ReadonlyMap<string, SolanaAddress> = new Map(
  [
    ["FERjPVNEa7Udq8CEv68h6tPL46Tq7ieE49HrE2wea3XT", "FZN7QZ8ZUUAxMPfxYEYkH3cXUASzH8EqA6B4tyCL8f1j"], // SOL
    ["3ESUFCnRNgZ7Mn2mPPUMmXYaKU8jpnV9VtA17M7t2mHQ", "3RpEekjLE5cdcG15YcXJUpxSepemvq2FpmMcgo342BwC"], // USDC
    ["5XCP3oD3JAuQyDpfBFFVUxsBxNjPQojpKuL4aVhHsDok", "EZun6G5514FeqYtUv26cBHWLqXjAEdjGuoX6ThBpBtKj"], // USDT
    ["8p1VKP45hhqq5iZG5fNGoi7ucme8nFLeChoDWNy7rWFm", "21bR3D4QR4GzopVco44PVMBXwHFpSYrbrdeNwdKk7umb"], // mSOL
    ["CGY4XQq8U4VAJpbkaFPHZeXpW3o4KQ5LowVsn6hnMwKe", "28KR3goEditLnzBZShRk2H7xvgzc176EoFwMogjdfSkn"], // stSOL
    ["mPWBpKzzchEjitz7x4Q2d7cbQ3fHibF2BHWbWk8YGnH", "4nCGSVN8ZGuewX36TznzisceaNYzURWPesxyGtDvA2iP"], // WBTC
    ["GofttAxULhp5NE9faWNngsnDM1iJiL75AJ2AkSaaC2CC", "Bma9RZx1AjNGcojNJpstGe9Wcytxz17YA6rd2Lq1UirT"], // USDCet
    ["BVJACEffKRHvKbQT9VfEqoxrUWJN2UVdonTKYB2c4MgK", "FFmYsMk5xQq3zQf1r4A6Yyf3kaKd3LUQokeVa776rKWH"], // WAVAX
    ["2dH3aSpt5aEwhoeSaThKRNtNppEpg2DhGKGa1C5Wecc1", "Afe5fiLmbKw7aBi1VgWZb9hEY8nRYtib6LNr5RGUJibP"], // UXD
    ["671JaLe2zDgBeXK3UtFHBiid7WFCHAKZTmLqAaQxx7cL", "9NywobBSCyntrPSZxEZpUbJXLfgUzKbUF2ZqBBkJLEgB"], // PAI
    ["BFJP6RYDxJa4FmFtBpPDYcrPozjC98CELrXqVL7rGMVW", "5CuhvouXVx6t5XPiyhRkrfgK5omAf8XnqY1ef6CLjw7o"], // ACUSD
    ["AzrUPWWyT9ZoAuMTgGHxYCnnWD2veh98FsCcMknVjg3Q", "9MSsSzDKq8VzokicRom6ciYPLhhZf65bCCBQLjnC7jUH"], // USH
    ["GGQfASSnFaqPu83jWrL1DMJBJEzG3rdwsDARDGt6Gxmj", "4da9saTYgDs37wRSuS8mnFoiWzSYeRtvSWaFRe8rtkFc"] // afUSDC
  ].map(([vault = "", mint = ""]) => [vault, SolanaAddress.make(mint)])
)

/** The mint of a lending vault's own tokens. Seeds: vault-sdk. */
export const meteoraVaultLpMint = (vault: SolanaAddress): SolanaAddress =>
  FIRST_LP_MINTS.get(vault) ?? derive(program.meteoraVault, "lp_mint", key(vault))

/** Where a lending vault keeps what is not lent out. Seeds: vault-sdk. */
export const meteoraVaultTokens = (vault: SolanaAddress): SolanaAddress =>
  derive(program.meteoraVault, "token_vault", key(vault))

/** The mint authority of a stake pool's tokens. Seeds: spl-stake-pool `AUTHORITY_WITHDRAW`. */
export const stakePoolAuthority = (stakeProgram: SolanaAddress, pool: SolanaAddress): SolanaAddress =>
  derive(stakeProgram, key(pool), "withdraw")

/** The account that exists while a Whirlpool position is locked. Seeds: whirlpools `lock_position`. */
export const whirlpoolLock = (position: SolanaAddress): SolanaAddress =>
  derive(program.orcaWhirlpool, "lock_config", key(position))

/** Where an adaptive Whirlpool keeps when it opens and how its fee moves. Seeds: whirlpools SDK `getOracleAddress`. */
export const whirlpoolOracle = (pool: SolanaAddress): SolanaAddress =>
  derive(program.orcaWhirlpool, "oracle", key(pool))

/** LP mints that follow from a pool's address. */
export const cpmmLpMint = (pool: SolanaAddress): SolanaAddress =>
  derive(program.raydiumCpmm, "pool_lp_mint", key(pool))
export const pumpSwapLpMint = (pool: SolanaAddress): SolanaAddress =>
  derive(program.pumpSwap, "pool_lp_mint", key(pool))

/** A pool's vault of one of its two sides. Seeds: raydium-sdk-v2 `getPdaPoolVaultId`, dlmm SDK `deriveReserve`, cp-amm-sdk. */
export const cpmmVault = (pool: SolanaAddress, side: SolanaAddress): SolanaAddress =>
  derive(program.raydiumCpmm, "pool_vault", key(pool), key(side))
export const clmmVault = (pool: SolanaAddress, side: SolanaAddress): SolanaAddress =>
  derive(program.raydiumClmm, "pool_vault", key(pool), key(side))
export const dlmmReserve = (pair: SolanaAddress, side: SolanaAddress): SolanaAddress =>
  derive(program.meteoraDlmm, key(pair), key(side))
export const dammVault = (pool: SolanaAddress, side: SolanaAddress): SolanaAddress =>
  derive(program.meteoraDammV2, "token_vault", key(side), key(pool))

/** Where a DAMM v2 position's token lies; its owner owns the position. Seeds: cp-amm-sdk. */
export const dammPositionAccount = (positionMint: SolanaAddress): SolanaAddress =>
  derive(program.meteoraDammV2, "position_nft_account", key(positionMint))

/** A pool whose address, LP mint and vaults follow from the mint, so that one read shows all of it. */
export interface DerivedPool {
  readonly kind: "pumpswap" | "raydium-cpmm"
  readonly pool: SolanaAddress
  readonly lpMint: SolanaAddress
  /** Where the vaults can be; a pool names its own, these are read along. */
  readonly vaults: ReadonlyArray<SolanaAddress>
}

/** Everything about a mint that has an address of its own making. */
export interface DerivedAddresses {
  readonly metadata: SolanaAddress
  readonly curve: SolanaAddress
  readonly curveVaults: ReadonlyArray<SolanaAddress>
  /** Moonshot's curve of the mint, which holds the unsold tokens itself. */
  readonly moonshot: SolanaAddress
  /** LaunchLab's curves of the mint, by the quotes they usually raise: also ended ones, whose vaults may hold on. */
  readonly launches: ReadonlyArray<SolanaAddress>
  /** Where pump.fun's trading agent keeps the second half of a mayhem coin. */
  readonly mayhemVaults: ReadonlyArray<SolanaAddress>
  readonly pools: ReadonlyArray<DerivedPool>
}

const U16_ZERO = new Uint8Array(2)

/** The PumpSwap pool a completed curve migrates to: index 0, created by the mint's own pool authority. */
export const canonicalPumpSwap = (mint: SolanaAddress, quote: SolanaAddress): DerivedPool => {
  const authority = derive(program.pumpCurve, "pool-authority", key(mint))
  const pool = derive(program.pumpSwap, "pool", U16_ZERO, key(authority), key(mint), key(quote))
  return {
    kind: "pumpswap",
    pool,
    lpMint: pumpSwapLpMint(pool),
    vaults: [
      associatedTokenAccount(pool, mint, TOKEN_PROGRAM),
      associatedTokenAccount(pool, mint, TOKEN_2022_PROGRAM),
      associatedTokenAccount(pool, quote, TOKEN_PROGRAM)
    ]
  }
}

/** Raydium CPMM's pool at the standard fee tier: mints stand in the order of their bytes. */
const standardCpmm = (mint: SolanaAddress, quote: SolanaAddress): DerivedPool => {
  const isFirst = Buffer.compare(seedOf(mint), seedOf(quote)) < 0
  const [mint0, mint1] = isFirst ? [mint, quote] : [quote, mint]
  const pool = derive(program.raydiumCpmm, "pool", key(CPMM_STANDARD_CONFIG), key(mint0), key(mint1))
  return {
    kind: "raydium-cpmm",
    pool,
    lpMint: cpmmLpMint(pool),
    vaults: [mint, quote].map((side) => cpmmVault(pool, side))
  }
}

/** The pump.fun curve of a mint. */
export const pumpCurve = (mint: SolanaAddress): SolanaAddress =>
  derive(program.pumpCurve, "bonding-curve", key(mint))

/** LaunchLab's curve of a mint against a quote. Seeds: raydium-sdk-v2 `getPdaLaunchpadPoolId`. */
export const launchLabCurve = (mint: SolanaAddress, quote: SolanaAddress): SolanaAddress =>
  derive(program.raydiumLaunchLab, "pool", key(mint), key(quote))

const BOTH_TOKEN_PROGRAMS = [TOKEN_PROGRAM, TOKEN_2022_PROGRAM] as const

export const deriveAddresses = (mint: SolanaAddress): DerivedAddresses => {
  const curve = pumpCurve(mint)
  const mayhem = derive(MAYHEM_PROGRAM, "sol-vault")
  return {
    metadata: derive(METADATA_PROGRAM, "metadata", key(METADATA_PROGRAM), key(mint)),
    curve,
    curveVaults: BOTH_TOKEN_PROGRAMS.map((tokenProgram) => associatedTokenAccount(curve, mint, tokenProgram)),
    moonshot: derive(program.moonshot, "token", key(mint)),
    launches: [WSOL, USD1, USDC].map((quote) => launchLabCurve(mint, quote)),
    mayhemVaults: BOTH_TOKEN_PROGRAMS.map((tokenProgram) =>
      associatedTokenAccount(mayhem, mint, tokenProgram)
    ),
    pools: [WSOL, USDC].flatMap((quote) =>
      quote === mint ? [] : [canonicalPumpSwap(mint, quote), standardCpmm(mint, quote)]
    )
  }
}

/** The vault in which a UNCX locker holds one pool's LP tokens. Seeds: the locker's program, as DefiLlama derives it. */
export const uncxVault = (locker: SolanaAddress, pool: SolanaAddress): SolanaAddress =>
  derive(locker, "uncx_lp_vault", key(pool))
