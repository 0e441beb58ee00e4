import type { SolanaAddress } from "../../../domain/address.ts"
import {
  ATA_PROGRAM,
  CPMM_STANDARD_CONFIG,
  METADATA_PROGRAM,
  program,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
  USDC,
  WSOL
} from "../addresses.ts"
import { seedOf } from "./bytes.ts"
import { findProgramAddress } from "./program-address.ts"

type Seed = string | { readonly key: SolanaAddress } | Uint8Array

const key = (address: SolanaAddress): Seed => ({ key: address })
const text = new TextEncoder()

const seedBytes = (seed: Seed): Uint8Array => {
  if (typeof seed === "string") return text.encode(seed)
  return seed instanceof Uint8Array ? seed : seedOf(seed.key)
}

const derive = (programAddress: SolanaAddress, ...seeds: ReadonlyArray<Seed>): SolanaAddress =>
  findProgramAddress(programAddress, seeds.map(seedBytes))

/** The associated token account of `owner` for `mint` under one of the token programs. */
export const associatedTokenAccount = (
  owner: SolanaAddress,
  mint: SolanaAddress,
  tokenProgram: SolanaAddress
): SolanaAddress => derive(ATA_PROGRAM, key(owner), key(tokenProgram), key(mint))

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
  readonly pools: ReadonlyArray<DerivedPool>
}

const U16_ZERO = new Uint8Array(2)

/** The PumpSwap pool a completed curve migrates to: index 0, created by the mint's own pool authority (D6). */
const canonicalPumpSwap = (mint: SolanaAddress, quote: SolanaAddress): DerivedPool => {
  const authority = derive(program.pumpCurve, "pool-authority", key(mint))
  const pool = derive(program.pumpSwap, "pool", U16_ZERO, key(authority), key(mint), key(quote))
  return {
    kind: "pumpswap",
    pool,
    lpMint: derive(program.pumpSwap, "pool_lp_mint", key(pool)),
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
    lpMint: derive(program.raydiumCpmm, "pool_lp_mint", key(pool)),
    vaults: [mint, quote].map((side) => derive(program.raydiumCpmm, "pool_vault", key(pool), key(side)))
  }
}

export const deriveAddresses = (mint: SolanaAddress): DerivedAddresses => {
  const curve = derive(program.pumpCurve, "bonding-curve", key(mint))
  return {
    metadata: derive(METADATA_PROGRAM, "metadata", key(METADATA_PROGRAM), key(mint)),
    curve,
    curveVaults: [TOKEN_PROGRAM, TOKEN_2022_PROGRAM].map((tokenProgram) =>
      associatedTokenAccount(curve, mint, tokenProgram)
    ),
    pools: [WSOL, USDC].flatMap((quote) =>
      quote === mint ? [] : [canonicalPumpSwap(mint, quote), standardCpmm(mint, quote)]
    )
  }
}

/** The vault in which a UNCX locker holds one pool's LP tokens. Seeds: the locker's program, as DefiLlama derives it. */
export const uncxVault = (locker: SolanaAddress, pool: SolanaAddress): SolanaAddress =>
  derive(locker, "uncx_lp_vault", key(pool))
