/** Positions of concentrated pools: who holds how much of the liquidity. Offsets as in the programs' SDKs. */
import type { SolanaAccount } from "../../../chain/chain-rpc.ts"
import type { SolanaAddress } from "../../../domain/address.ts"
import { program, RAYDIUM_POSITION_LOCK, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from "../addresses.ts"
import type { AccountBook } from "../reads/account-book.ts"
import type { Bytes } from "../reads/bytes.ts"
import { bytesOf } from "../reads/bytes.ts"
import { associatedTokenAccount, dammPositionAccount, whirlpoolLock } from "../reads/pdas.ts"
import { decodeTokenAccount } from "../reads/token-account.ts"
import { LEAST_LOCK_SECONDS } from "../power/lockers.ts"
import type { PoolKind } from "./decoded-pool.ts"
import type { PositionShare } from "./lp-lock.ts"
import type { ChainTime } from "./terms.ts"

/** How the positions of a pool are found among its program's accounts, and which bytes of each are read. */
export interface PositionQuery {
  readonly program: SolanaAddress
  readonly size: number
  readonly offset: number
  readonly slice: { readonly offset: number; readonly length: number }
}

/** One position: the mint of its token, or its owner where it names one, and its weight among the others. */
export interface RawPosition {
  readonly address: SolanaAddress
  readonly mint: SolanaAddress | null
  readonly owner: SolanaAddress | null
  readonly weight: number
  readonly lockedWeight: number
  readonly ticks: readonly [lower: number, upper: number] | null
}

interface Format {
  readonly query: PositionQuery
  readonly read: (bytes: Bytes, address: SolanaAddress) => RawPosition
  /** Where the pool's account holds the tick it stands at. */
  readonly tickAt: number | null
}

const DLMM_BINS = 70

const FORMATS: Partial<Record<PoolKind, Format>> = {
  "meteora-dlmm": {
    query: { program: program.meteoraDlmm, size: 8120, offset: 8, slice: { offset: 40, length: 1152 } },
    tickAt: null,
    read: (bytes, address) => {
      let weight = 0
      for (let bin = 0; bin < DLMM_BINS; bin++) weight += Number(bytes.u128(32 + bin * 16))
      return { address, mint: null, owner: bytes.address(0), weight, lockedWeight: 0, ticks: null }
    }
  },
  "meteora-damm-v2": {
    query: { program: program.meteoraDammV2, size: 408, offset: 8, slice: { offset: 40, length: 160 } },
    tickAt: null,
    read: (bytes, address) => {
      const [free, vested, locked] = [bytes.u128(112), bytes.u128(128), bytes.u128(144)].map(Number)
      return {
        address,
        mint: bytes.address(0),
        owner: null,
        weight: (free ?? 0) + (vested ?? 0),
        lockedWeight: locked ?? 0,
        ticks: null
      }
    }
  },
  "raydium-clmm": {
    query: { program: program.raydiumClmm, size: 281, offset: 41, slice: { offset: 9, length: 88 } },
    tickAt: 269,
    read: (bytes, address) => ({
      address,
      mint: bytes.address(0),
      owner: null,
      weight: Number(bytes.u128(72)),
      lockedWeight: 0,
      ticks: [bytes.i32(64), bytes.i32(68)]
    })
  },
  "orca-whirlpool": {
    query: { program: program.orcaWhirlpool, size: 216, offset: 8, slice: { offset: 40, length: 56 } },
    tickAt: 81,
    read: (bytes, address) => ({
      address,
      mint: bytes.address(0),
      owner: null,
      weight: Number(bytes.u128(32)),
      lockedWeight: 0,
      ticks: [bytes.i32(48), bytes.i32(52)]
    })
  }
}

export const positionQuery = (kind: PoolKind): PositionQuery | null => FORMATS[kind]?.query ?? null

/** Positions with weight, the heaviest first. A position outside the price's range gives nobody anything to trade with. */
export const readPositions = (
  kind: PoolKind,
  pool: SolanaAddress,
  found: ReadonlyArray<{ readonly address: SolanaAddress; readonly data: Uint8Array }>,
  book: AccountBook
): ReadonlyArray<RawPosition> => {
  const format = FORMATS[kind]
  const account = book.get(pool)
  if (format === undefined || account == null) return []
  const tick = format.tickAt === null ? null : bytesOf(account.data).i32(format.tickAt)
  return found
    .filter(({ data }) => data.length >= format.query.slice.length)
    .map(({ address, data }) => format.read(bytesOf(data), address))
    .filter(({ lockedWeight, ticks, weight }) => {
      const inRange = tick === null || ticks === null || (ticks[0] <= tick && tick < ticks[1])
      return inRange && weight + lockedWeight > 0
    })
    .toSorted((a, b) => b.weight + b.lockedWeight - (a.weight + a.lockedWeight))
}

/** Positions beyond the heaviest are taken as they are: their owners are not looked up. */
const LOOKED_UP = 10

const lockAccounts = (kind: PoolKind, { address, mint }: RawPosition): ReadonlyArray<SolanaAddress> => {
  switch (kind) {
    case "meteora-damm-v2":
      return mint === null ? [] : [dammPositionAccount(mint)]
    case "raydium-clmm":
      if (mint === null) return []
      return [TOKEN_PROGRAM, TOKEN_2022_PROGRAM].map((tokenProgram) =>
        associatedTokenAccount(RAYDIUM_POSITION_LOCK, mint, tokenProgram)
      )
    case "orca-whirlpool":
      return [whirlpoolLock(address)]
    case "meteora-dlmm":
      return [address]
    default:
      return []
  }
}

/** Accounts that tell who owns the heaviest positions, and whether a lock holds them. */
export const positionAccounts = (
  kind: PoolKind,
  positions: ReadonlyArray<RawPosition>
): ReadonlyArray<SolanaAddress> =>
  positions.slice(0, LOOKED_UP).flatMap((position) => lockAccounts(kind, position))

/** A lock in slots is measured by the fastest ones there are: 400 milliseconds each. */
const SLOTS_PER_SECOND = 2.5
const RELEASE_AT = 7992
const PAIR_UNIT_AT = 86
const UNIT_SECONDS = 1

/** Whether a DLMM position stays locked for the least time a lock must last. Its pair says in which unit it counts. */
const isHeldBack = (position: SolanaAccount, pair: SolanaAccount | null, time: ChainTime): boolean => {
  if (position.owner !== program.meteoraDlmm || position.data.length < RELEASE_AT + 8) return false
  if (pair === null || pair.data.length <= PAIR_UNIT_AT) return false
  const release = Number(bytesOf(position.data).u64(RELEASE_AT))
  return pair.data[PAIR_UNIT_AT] === UNIT_SECONDS
    ? release >= time.seconds + LEAST_LOCK_SECONDS
    : release >= Number(time.slot) + LEAST_LOCK_SECONDS * SLOTS_PER_SECOND
}

const isLockedBy = (
  kind: PoolKind,
  account: SolanaAccount | null,
  pool: SolanaAccount | null,
  time: ChainTime
): boolean => {
  if (account === null) return false
  if (kind === "meteora-dlmm") return isHeldBack(account, pool, time)
  if (kind === "orca-whirlpool") return account.owner === program.orcaWhirlpool
  const balance = decodeTokenAccount(account)
  return (
    kind === "raydium-clmm" &&
    balance !== null &&
    balance.owner === RAYDIUM_POSITION_LOCK &&
    balance.amount === 1n
  )
}

/** Each position with its owner, as far as it could be told: otherwise the position stands for a party of its own. */
export const positionShares = (
  kind: PoolKind,
  positions: ReadonlyArray<RawPosition>,
  book: AccountBook,
  { pool, time }: { readonly pool: SolanaAddress; readonly time: ChainTime }
): ReadonlyArray<PositionShare> => {
  const total = positions.reduce((sum, { lockedWeight, weight }) => sum + weight + lockedWeight, 0)
  if (total === 0) return []
  return positions.flatMap((position, index) => {
    const accounts =
      index < LOOKED_UP ? lockAccounts(kind, position).map((address) => book.get(address) ?? null) : []
    const isLocked = accounts.some((account) => isLockedBy(kind, account, book.get(pool) ?? null, time))
    const holder = kind === "meteora-damm-v2" ? decodeTokenAccount(accounts[0] ?? null)?.owner : undefined
    const owner = position.owner ?? holder ?? position.address
    return [
      { owner, share: position.weight / total, isLocked },
      { owner, share: position.lockedWeight / total, isLocked: true }
    ].filter(({ share }) => share > 0)
  })
}
