import type { SolanaAccount } from "../../../chain/chain-rpc.ts"
import { atLeastZero, min } from "../../../domain/bigint.ts"
import type { SolanaAddress } from "../../../domain/address.ts"
import { program, TIME_LOCKERS } from "../addresses.ts"
import { LEAST_LOCK_SECONDS } from "./least-lock.ts"
import { bytesOf, startsWith, ZERO_ADDRESS } from "../reads/bytes.ts"
import type { PoolKind } from "../pools/decoded-pool.ts"
import { anchorType } from "../pools/layouts/shared.ts"

/** The terms of one vesting contract. Amounts in smallest units, times in Unix seconds. */
export interface StreamTerms {
  readonly mint: SolanaAddress
  readonly escrow: SolanaAddress
  readonly sender: SolanaAddress
  readonly recipient: SolanaAddress
  readonly end: number
  readonly withdrawn: bigint
  readonly deposited: bigint
  readonly period: bigint
  readonly amountPerPeriod: bigint
  readonly cliff: number
  readonly cliffAmount: bigint
  readonly canBeCancelled: boolean
  /** The sender may name another recipient, so what falls due counts as the sender's. */
  readonly senderMayRedirect: boolean
}

/** Bytes of a contract that hold its terms, and where it names its mint. Source: Streamflow's js-sdk `streamLayout`. */
export const STREAM_LENGTH = 541
export const STREAM_MINT_OFFSET = 177

const VESTING_ESCROW = anchorType("VestingEscrow")
const ESCROW_LENGTH = 208

/** Who may name another recipient: the creator alone, or either side. Source: jup-lock `UpdateRecipientMode`. */
const REDIRECTED_BY_CREATOR: ReadonlySet<number> = new Set([1, 3])

/**
 * A Jupiter Lock contract, whose escrow is its own token account. Whoever may cancel it, what has not vested goes back
 * to its creator. Source: jup-lock `VestingEscrow`.
 */
const decodeJupiterLock = ({ data }: SolanaAccount): StreamTerms | null => {
  if (data.length < ESCROW_LENGTH || !startsWith(data, VESTING_ESCROW)) return null
  const bytes = bytesOf(data)
  const [cliff, period, cliffAmount] = [bytes.u64(144), bytes.u64(152), bytes.u64(160)]
  const [amountPerPeriod, periods] = [bytes.u64(168), bytes.u64(176)]
  return {
    mint: bytes.address(40),
    escrow: ZERO_ADDRESS,
    sender: bytes.address(72),
    recipient: bytes.address(8),
    end: Number(cliff + period * periods),
    withdrawn: bytes.u64(184),
    deposited: cliffAmount + amountPerPeriod * periods,
    period,
    amountPerPeriod,
    cliff: Number(cliff),
    cliffAmount,
    canBeCancelled: bytes.u8(138) !== 0,
    senderMayRedirect: REDIRECTED_BY_CREATOR.has(bytes.u8(137))
  }
}

/**
 * The terms by which a vesting contract's account governs what lies at `place` under it; null for anything else. A
 * contract that names its escrow governs that alone: whoever opened it may hold the key of its own address.
 */
export const decodeVesting = (account: SolanaAccount | null, place: string): StreamTerms | null => {
  if (account?.owner === TIME_LOCKERS.jupiterLock) return decodeJupiterLock(account)
  const terms = decodeStream(account)
  return terms === null || terms.escrow === ZERO_ADDRESS || terms.escrow === place ? terms : null
}

/** The terms a Streamflow contract's account holds; null for anything else. */
export const decodeStream = (account: SolanaAccount | null): StreamTerms | null => {
  if (account?.owner !== TIME_LOCKERS.streamflow || account.data.length < STREAM_LENGTH) return null
  const bytes = bytesOf(account.data)
  return {
    mint: bytes.address(STREAM_MINT_OFFSET),
    escrow: bytes.address(209),
    sender: bytes.address(49),
    recipient: bytes.address(113),
    end: Number(bytes.u64(33)),
    withdrawn: bytes.u64(17),
    deposited: bytes.u64(417),
    period: bytes.u64(425),
    amountPerPeriod: bytes.u64(433),
    cliff: Number(bytes.u64(441)),
    cliffAmount: bytes.u64(449),
    // Whoever cancels, what has not vested goes back to the sender, who may also be allowed to hasten the rest.
    canBeCancelled: [457, 458, 540].some((offset) => bytes.u8(offset) !== 0),
    senderMayRedirect: bytes.u8(460) !== 0
  }
}

/** The part of a contract's deposit that is free to its recipient at a time (Unix seconds), in smallest units. */
const released = (terms: StreamTerms, at: number): bigint => {
  if (at >= terms.end) return terms.deposited
  if (at < terms.cliff) return 0n
  const periods = terms.period === 0n ? 0n : BigInt(Math.trunc(at - terms.cliff)) / terms.period
  const amount = terms.cliffAmount + periods * terms.amountPerPeriod
  return min(amount, terms.deposited)
}

/**
 * Who can take how much of a locked balance within the least time a lock must last. A contract that can be cancelled
 * gives everything back to its sender; of any other the recipient gets what falls due, or the sender who may name another.
 */
export const takers = (
  terms: StreamTerms,
  balance: bigint,
  now: number
): ReadonlyArray<{ readonly owner: SolanaAddress; readonly amount: bigint }> => {
  if (terms.canBeCancelled) return [{ owner: terms.sender, amount: balance }]
  const due = released(terms, now + LEAST_LOCK_SECONDS) - terms.withdrawn
  // No term of the contract holds back what was never deposited under it.
  const governed = terms.deposited - terms.withdrawn
  const excess = atLeastZero(balance - governed)
  const free = atLeastZero(due) + excess
  const amount = min(free, balance)
  return amount === 0n ? [] : [{ owner: terms.senderMayRedirect ? terms.sender : terms.recipient, amount }]
}

/** One lock of LP tokens at UNCX. `until` in Unix seconds. */
export interface LpLock {
  readonly owner: SolanaAddress
  readonly amount: bigint
  readonly until: number
}

/** Where a UNCX lock names its pool, and the bytes of it that are read. Source: UNCX's `TokenLock`, as DefiLlama reads it. */
export const LP_LOCK_POOL_OFFSET = 9
export const LP_LOCK_LENGTH = 146
const TOKEN_LOCK = anchorType("TokenLock")

/** A lock of these LP tokens that is not empty; null for every other account. */
export const decodeLpLock = (data: Uint8Array, lpMint: SolanaAddress): LpLock | null => {
  if (data.length < LP_LOCK_LENGTH || !startsWith(data, TOKEN_LOCK)) return null
  const bytes = bytesOf(data)
  const amount = bytes.u64(106)
  if (bytes.address(41) !== lpMint || amount === 0n) return null
  return { owner: bytes.address(114), amount, until: Number(bytes.u64(89)) }
}

/** LP tokens locked for good, whose owner may still harvest the fees they earn. */
export interface EarningLock {
  readonly amount: bigint
  /** The part of them that is earned fees, as of the last harvest, and was not taken yet. */
  readonly unclaimed: bigint
  /** The value of one of them then: √(token reserve · quote reserve) divided by the LP supply. */
  readonly worth: number
}

/** How a program's accounts of such locks are found by the pool they name, and read; null for every other account. */
export interface EarningLocker {
  readonly program: SolanaAddress
  readonly offset: number
  readonly length: number
  readonly read: (data: Uint8Array, lpMint: SolanaAddress) => EarningLock | null
}

const BURN_AND_EARN_LOCK = anchorType("LockedCpLiquidityState")

/** Raydium's Burn & Earn keeps the pool's count of LP tokens and its product. Source: raydium-cpi `LockedCpLiquidityState`. */
const burnAndEarn: EarningLocker = {
  program: TIME_LOCKERS.raydiumBurnAndEarn,
  offset: 64,
  length: 192,
  read: (data, lpMint) => {
    if (data.length < 192 || !startsWith(data, BURN_AND_EARN_LOCK)) return null
    const bytes = bytesOf(data)
    if (bytes.address(160) !== lpMint) return null
    const issued = Number(bytes.u64(32))
    const worth = issued === 0 ? 1 : Math.sqrt(Number(bytes.u128(40))) / issued
    return { amount: bytes.u64(8), unclaimed: bytes.u64(24), worth }
  }
}

const LOCK_ESCROW = anchorType("LockEscrow")

/** DAMM v1's own locks keep the worth in Q64.64. Source: dynamic-amm-sdk `calculateUnclaimedLockEscrowFee`. */
const dammEscrow: EarningLocker = {
  program: program.meteoraDammV1,
  offset: 8,
  length: 153,
  read: (data) => {
    if (data.length < 153 || !startsWith(data, LOCK_ESCROW)) return null
    const bytes = bytesOf(data)
    return { amount: bytes.u64(105), unclaimed: bytes.u64(129), worth: Number(bytes.u128(113)) / 2 ** 64 }
  }
}

/** Pools of other kinds have no locks that are harvested: their LP tokens do not gain, or nobody can take them there. */
export const EARNING_LOCKERS: Partial<Record<PoolKind, EarningLocker>> = {
  "raydium-cpmm": burnAndEarn,
  "meteora-damm-v1": dammEscrow
}

/** Until when a position is locked at UNCX, in Unix seconds, and who owns it afterwards. */
export interface PositionTerms {
  readonly owner: SolanaAddress
  readonly until: number
}

/** How a locker's accounts are found by the pool they name, and read: the position or its token, and the terms. */
export interface PositionLocker {
  readonly program: SolanaAddress
  readonly offset: number
  readonly length: number
  readonly read: (data: Uint8Array) => readonly [position: SolanaAddress, terms: PositionTerms] | null
}

/** UNCX's lock of a CLMM position, by the mint of its token. Source: UNCX's `TokenLock` for CLMM, as DefiLlama reads it. */
const clmmLocker: PositionLocker = {
  program: TIME_LOCKERS.uncxClmm,
  offset: 9,
  length: 196,
  read: (data) => {
    if (data.length < 196 || !startsWith(data, TOKEN_LOCK)) return null
    const bytes = bytesOf(data)
    const isEmpty = bytes.u128(146) === 0n
    return isEmpty ? null : [bytes.address(41), { owner: bytes.address(162), until: Number(bytes.u64(121)) }]
  }
}

/** UNCX's lock of a DLMM position, by its address. Source: as above, for Meteora. */
const METEORA_LOCK = 3
const dlmmLocker: PositionLocker = {
  program: TIME_LOCKERS.uncxMeteora,
  offset: 1,
  length: 124,
  read: (data) => {
    if (data.length < 124 || data[0] !== METEORA_LOCK) return null
    const bytes = bytesOf(data)
    return [bytes.address(33), { owner: bytes.address(73), until: Number(bytes.u64(113)) }]
  }
}

export const POSITION_LOCKERS: Partial<Record<PoolKind, PositionLocker>> = {
  "raydium-clmm": clmmLocker,
  "meteora-dlmm": dlmmLocker
}
