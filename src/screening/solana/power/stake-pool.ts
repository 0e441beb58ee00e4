import type { SolanaAddress } from "../../../domain/address.ts"
import { SolanaAddress as Address } from "../../../domain/address.ts"
import { bytesOf } from "../reads/bytes.ts"
import { stakePoolAuthority } from "../reads/pdas.ts"
import type { Mint } from "./mint.ts"

/** The stake-pool programs: SPL's own, and Sanctum's two deployments of the same code. Source: sanctum-lst-list. */
export const STAKE_POOL_PROGRAMS: ReadonlyArray<SolanaAddress> = [
  "SPoo1Ku8WFXoNDMHPsrGSTSG1Y47rzgn41SLUNakuHy",
  "SP12tWFxD9oJsVWNavTTBZvMbA6gkAmxtVgxdqvyvhY",
  "SPMBzsVUuoHA4Jm6KunbsotaahvVikZs1JyTW6iJvbn"
].map((text) => Address.make(text))

/** A stake pool names its mint here. Source: spl-stake-pool `StakePool`. */
export const STAKE_POOL_MINT_OFFSET = 162
export const STAKE_POOL_SLICE = 194
const KIND_STAKE_POOL = 1

/**
 * Whether a mint's authority is the stake pool's own: then tokens are only minted for stake that was put in. Proven by
 * the pool's account and the address derived from it: anybody can name a pool's key, but nobody else can derive that
 * address.
 */
export const isStakePoolOf = (
  pool: { readonly address: SolanaAddress; readonly owner: SolanaAddress; readonly data: Uint8Array },
  mintAddress: SolanaAddress,
  mint: Mint
): boolean => {
  if (!STAKE_POOL_PROGRAMS.includes(pool.owner) || pool.data.length < STAKE_POOL_SLICE) return false
  const bytes = bytesOf(pool.data)
  return (
    bytes.u8(0) === KIND_STAKE_POOL &&
    bytes.address(STAKE_POOL_MINT_OFFSET) === mintAddress &&
    mint.mintAuthority === stakePoolAuthority(pool.owner, pool.address)
  )
}
