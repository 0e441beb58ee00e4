import type { SolanaAddress } from "../../../domain/address.ts"
import { SolanaAddress as Address } from "../../../domain/address.ts"
import type { Fact } from "../../../domain/fact.ts"
import type { Bytes } from "../reads/bytes.ts"
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
/** Bytes that are read: to the end of the withdrawal fees at the latest, since optional members in front vary in length. */
export const STAKE_POOL_SLICE = 478
const KIND_STAKE_POOL = 1

/** Offsets of the pool's lamports, and of the supply of its tokens in smallest units. */
const LAMPORTS_AT = 258
const TOKENS_AT = 266

/** A stake pool that mints a token. */
export interface StakePool {
  readonly address: SolanaAddress
  /** Lamports that minting a smallest unit costs. */
  readonly cost: number
  /** The share of withdrawn stake that its manager keeps as a fee, now or soon: 0 to 1. */
  readonly kept: number
}

interface Found {
  readonly address: SolanaAddress
  readonly owner: SolanaAddress
  readonly data: Uint8Array
}

/**
 * Whether a mint's authority is the stake pool's own: then tokens are only minted for stake that was put in. Proven by
 * the pool's account and the address derived from it: anybody can name a pool's key, but nobody else can derive that
 * address.
 */
export const isStakePoolOf = (pool: Found, mintAddress: SolanaAddress, mint: Mint): boolean => {
  if (!STAKE_POOL_PROGRAMS.includes(pool.owner) || pool.data.length < STAKE_POOL_SLICE) return false
  const bytes = bytesOf(pool.data)
  return (
    bytes.u8(0) === KIND_STAKE_POOL &&
    bytes.address(STAKE_POOL_MINT_OFFSET) === mintAddress &&
    mint.mintAuthority === stakePoolAuthority(pool.owner, pool.address)
  )
}

/** Denominator and numerator; without the first there is no fee. Source: spl-stake-pool `Fee`. */
const feeAt = (bytes: Bytes, offset: number): number => {
  const [whole, part] = [Number(bytes.u64(offset)), Number(bytes.u64(offset + 8))]
  return whole === 0 ? 0 : Math.min(1, part / whole)
}

const FEE_LENGTH = 16
const EPOCH_FEE_AT = 330

/** The fee on withdrawn stake as a share, or the scheduled one where that is higher. */
const withdrawalFee = (bytes: Bytes): number => {
  /** The offset behind an optional value: a tag byte, and the value where the tag is not zero. */
  const behind = (offset: number, length: number): number =>
    offset + 1 + (bytes.u8(offset) === 0 ? 0 : length)
  const preferred = behind(EPOCH_FEE_AT + FEE_LENGTH, FEE_LENGTH)
  const depositFee = behind(behind(preferred, 32), 32)
  const now = depositFee + FEE_LENGTH
  const next = now + FEE_LENGTH
  return Math.max(feeAt(bytes, now), bytes.u8(next) === 0 ? 0 : feeAt(bytes, next + 1))
}

export const stakePoolOf = ({ address, data }: Found): StakePool => {
  const bytes = bytesOf(data)
  const tokens = Number(bytes.u64(TOKENS_AT))
  const cost = tokens === 0 ? 0 : Number(bytes.u64(LAMPORTS_AT)) / tokens
  return { address, cost, kept: withdrawalFee(bytes) }
}

/** The market may pay a little more than minting costs, since its sellers need not wait for an epoch to end. */
const MOST_ABOVE = 1.1
/** The program lets a fee grow by half of itself an epoch: from 1 % to all of the stake takes three weeks. */
const MOST_KEPT = 0.01

/**
 * Whether a token's price is what its pool mints it for and gives back. Anybody can make a pool, and say who alone may put
 * stake in: where the market pays more, they mint for less, and sell. Its manager pays no fee: where others leave the stake
 * to him, he can sell without end and have it again. Prices in USD per whole token and per SOL.
 */
export const mintsForItsWorth = (
  { cost, kept }: StakePool,
  decimals: number,
  price: Fact<number>,
  sol: Fact<number>
): boolean => {
  const minted = sol.known ? (cost * 10 ** decimals * sol.value) / 1e9 : 0
  return price.known && price.value <= minted * MOST_ABOVE && kept <= MOST_KEPT
}
