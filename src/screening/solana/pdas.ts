import { address as kitAddress, getProgramDerivedAddress } from "@solana/kit"
import { Effect } from "effect"
import { SolanaAddress } from "../../domain/address.ts"
import {
  ATA_PROGRAM,
  CPMM_STANDARD_CONFIG,
  METADATA_PROGRAM,
  program,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
  USDC,
  WSOL
} from "./addresses.ts"
import { seedOf } from "./bytes.ts"

type Seed = string | { readonly key: SolanaAddress } | Uint8Array

const key = (address: SolanaAddress): Seed => ({ key: address })

const derive = (programAddress: SolanaAddress, ...seeds: ReadonlyArray<Seed>): Effect.Effect<SolanaAddress> =>
  Effect.promise(() =>
    getProgramDerivedAddress({
      programAddress: kitAddress(programAddress),
      seeds: seeds.map((seed) => (typeof seed === "object" && "key" in seed ? seedOf(seed.key) : seed))
    })
  ).pipe(Effect.map(([address]) => SolanaAddress.make(address, true)))

/** The associated token account of `owner` for `mint` under one of the token programs. */
export const associatedTokenAccount = (
  owner: SolanaAddress,
  mint: SolanaAddress,
  tokenProgram: SolanaAddress
): Effect.Effect<SolanaAddress> => derive(ATA_PROGRAM, key(owner), key(tokenProgram), key(mint))

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
const canonicalPumpSwap = Effect.fnUntraced(function* (mint: SolanaAddress, quote: SolanaAddress) {
  const authority = yield* derive(program.pumpCurve, "pool-authority", key(mint))
  const pool = yield* derive(program.pumpSwap, "pool", U16_ZERO, key(authority), key(mint), key(quote))
  const [lpMint, ...vaults] = yield* Effect.all([
    derive(program.pumpSwap, "pool_lp_mint", key(pool)),
    associatedTokenAccount(pool, mint, TOKEN_PROGRAM),
    associatedTokenAccount(pool, mint, TOKEN_2022_PROGRAM),
    associatedTokenAccount(pool, quote, TOKEN_PROGRAM)
  ])
  return { kind: "pumpswap" as const, pool, lpMint, vaults }
})

/** Raydium CPMM's pool at the standard fee tier: mints stand in the order of their bytes. */
const standardCpmm = Effect.fnUntraced(function* (mint: SolanaAddress, quote: SolanaAddress) {
  const isFirst = Buffer.compare(seedOf(mint), seedOf(quote)) < 0
  const [mint0, mint1] = isFirst ? [mint, quote] : [quote, mint]
  const pool = yield* derive(program.raydiumCpmm, "pool", key(CPMM_STANDARD_CONFIG), key(mint0), key(mint1))
  const [lpMint, ...vaults] = yield* Effect.all([
    derive(program.raydiumCpmm, "pool_lp_mint", key(pool)),
    derive(program.raydiumCpmm, "pool_vault", key(pool), key(mint)),
    derive(program.raydiumCpmm, "pool_vault", key(pool), key(quote))
  ])
  return { kind: "raydium-cpmm" as const, pool, lpMint, vaults }
})

export const deriveAddresses = (mint: SolanaAddress): Effect.Effect<DerivedAddresses> =>
  Effect.gen(function* () {
    const [metadata, curve, ...pools] = yield* Effect.all([
      derive(METADATA_PROGRAM, "metadata", key(METADATA_PROGRAM), key(mint)),
      derive(program.pumpCurve, "bonding-curve", key(mint)),
      ...[WSOL, USDC].flatMap((quote) =>
        quote === mint ? [] : [canonicalPumpSwap(mint, quote), standardCpmm(mint, quote)]
      )
    ])
    const curveVaults = yield* Effect.all([
      associatedTokenAccount(curve, mint, TOKEN_PROGRAM),
      associatedTokenAccount(curve, mint, TOKEN_2022_PROGRAM)
    ])
    return { metadata, curve, curveVaults, pools }
  })

/** The vault in which a UNCX locker holds one pool's LP tokens. Seeds: the locker's program, as DefiLlama derives it. */
export const uncxVault = (locker: SolanaAddress, pool: SolanaAddress): Effect.Effect<SolanaAddress> =>
  derive(locker, "uncx_lp_vault", key(pool))
