import { createHash } from "node:crypto"
import type { SolanaAccount } from "../../../../chain/chain-rpc.ts"
import type { SolanaAddress } from "../../../../domain/address.ts"
import type { AccountBook } from "../../reads/account-book.ts"
import type { Bytes } from "../../reads/bytes.ts"
import type { DecodedPool, FeeSchedule, PoolKind, Trading } from "../decoded-pool.ts"

/** What a decoder sees: the pool's account and what else has been read so far. */
export interface PoolInput {
  readonly bytes: Bytes
  readonly account: SolanaAccount
  readonly address: SolanaAddress
  readonly token: SolanaAddress
  readonly book: AccountBook
}

export type Decoder = (input: PoolInput) => DecodedPool | null

export interface Layout {
  /** Least length that holds every field read here; pools of some programs have grown over time. */
  readonly length: number
  readonly discriminator?: ReadonlyArray<number>
  readonly decode: Decoder
}

export const anchorType = (name: string): ReadonlyArray<number> => [
  ...createHash("sha256").update(`account:${name}`).digest().subarray(0, 8)
]

export const OPEN: Trading = { kind: "open" }
export const CLOSED: Trading = { kind: "closed" }

/** Trading that starts at a point in time; 0 means it always did. */
export const opensAt = (at: bigint, unit: "seconds" | "slots"): Trading =>
  at === 0n ? OPEN : { kind: "from", unit, at }

export const constantFee = (rate: number): FeeSchedule => ({ kind: "constant", rate })

/** What a curve without such terms neither adds to its fee nor gives to anybody. */
export const plainCurve = { surge: 0, promised: null } as const

/** A fraction of two integers; an impossible one takes everything, because it must not pass for a small fee. */
export const fraction = (numerator: bigint, denominator: bigint): number => {
  if (numerator === 0n) return 0
  return denominator === 0n ? 1 : Math.min(1, Number(numerator) / Number(denominator))
}

export const Q64 = 2 ** 64

/** The price a square root in Q64.64 stands for, B per A. */
export const squared = (sqrtPrice: bigint): number => (Number(sqrtPrice) / Q64) ** 2

/** Prices of the B side in A, turned to the token's side. Zero, infinite or broken prices are no price. */
export const priceOf = (bPerA: number, tokenIsA: boolean): number | null => {
  const price = tokenIsA ? bPerA : 1 / bPerA
  return Number.isFinite(price) && price > 0 ? price : null
}

interface Sides {
  readonly mintA: number
  readonly mintB: number
  readonly vaultA: number
  readonly vaultB: number
}

type Rest = Pick<DecodedPool, "reserves" | "trading" | "fee" | "claim" | "creator"> & {
  readonly companions?: ReadonlyArray<SolanaAddress>
  readonly surge?: number
}

/** The pool seen from the token; null when neither side, or both, are the token, or `rest` finds no pool. */
export const twoSided =
  (kind: PoolKind, sides: Sides, rest: (input: PoolInput, tokenIsA: boolean) => Rest | null): Decoder =>
  (input) => {
    const { bytes, token } = input
    const [mintA, mintB] = [bytes.address(sides.mintA), bytes.address(sides.mintB)]
    if ((mintA === token) === (mintB === token)) return null
    const tokenIsA = mintA === token
    const found = rest(input, tokenIsA)
    if (found === null) return null
    const [vaultA, vaultB] = [bytes.address(sides.vaultA), bytes.address(sides.vaultB)]
    return {
      companions: [],
      surge: 0,
      promised: null,
      ...found,
      kind,
      quoteMint: tokenIsA ? mintB : mintA,
      tokenVault: tokenIsA ? vaultA : vaultB,
      quoteVault: tokenIsA ? vaultB : vaultA
    }
  }
