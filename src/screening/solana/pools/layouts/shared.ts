import { createHash } from "node:crypto"
import type { SolanaAccount } from "../../../../chain/chain-rpc.ts"
import type { SolanaAddress } from "../../../../domain/address.ts"
import type { AccountBook } from "../../reads/account-book.ts"
import type { Bytes } from "../../reads/bytes.ts"
import type { DecodedPool, PoolKind } from "../decoded-pool.ts"

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
  /** Length of the whole account, where the program names no type and has longer accounts of others. */
  readonly whole?: number
  readonly decode: Decoder
}

export const anchorType = (name: string): ReadonlyArray<number> => [
  ...createHash("sha256").update(`account:${name}`).digest().subarray(0, 8)
]

/** What names an account of this layout, and where it names the two sides of its pool. */
interface Head {
  readonly kind: PoolKind
  readonly length: number
  /** The name of its Anchor type; none where the program is not one of Anchor's: then the length of the whole account tells it. */
  readonly type?: string
  readonly whole?: number
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
  readonly peakFee?: number
  readonly hasSwitch?: boolean
  readonly limit?: DecodedPool["limit"]
}

/** A pool seen from the token: no pool where neither side, or both, are the token, or `rest` finds none. */
export const twoSided = (
  { kind, length, type, whole }: Head,
  sides: Sides,
  rest: (input: PoolInput, tokenIsA: boolean) => Rest | null
): Layout => ({
  length,
  ...(type === undefined ? {} : { discriminator: anchorType(type) }),
  ...(whole === undefined ? {} : { whole }),
  decode: (input) => {
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
      limit: null,
      promised: null,
      handedOut: 0,
      peakFee: 0,
      hasSwitch: false,
      ...found,
      kind,
      quoteMint: tokenIsA ? mintB : mintA,
      tokenVault: tokenIsA ? vaultA : vaultB,
      quoteVault: tokenIsA ? vaultB : vaultA
    }
  }
})
