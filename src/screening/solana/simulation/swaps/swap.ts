import type { SolanaAddress } from "../../../../domain/address.ts"
import type { DecodedPool } from "../../pools/decoded-pool.ts"
import type { AccountBook } from "../../reads/account-book.ts"
import type { Bytes } from "../../reads/bytes.ts"
import type { Account, Instruction } from "../instruction.ts"

/** Whoever trades, with the accounts that hold the two sides of the pool. */
export interface Trader {
  readonly wallet: SolanaAddress
  readonly tokenAccount: SolanaAddress
  readonly quoteAccount: SolanaAddress
}

/** A pool as its account and the accounts beside it describe it. */
export interface SwapPlace {
  readonly address: SolanaAddress
  readonly pool: DecodedPool
  readonly bytes: Bytes
  readonly book: AccountBook
  readonly token: SolanaAddress
  readonly quote: SolanaAddress
  readonly tokenProgram: SolanaAddress
  readonly quoteProgram: SolanaAddress
}

/** The two instructions of a pool's program that trade in it. Amounts are in smallest units. */
export interface Swap {
  /** Buys `tokens` for at most `most` of the quote; programs without such an instruction spend all of `most`. */
  readonly buy: (trader: Trader, tokens: bigint, most: bigint) => Instruction
  /** Sells `tokens` for at least `least` of the quote. */
  readonly sell: (trader: Trader, tokens: bigint, least: bigint) => Instruction
  /** The program can only be told what to spend. */
  readonly spendsAll: boolean
  /** The program takes and pays SOL itself, not wrapped. */
  readonly isNative: boolean
  /** The buyer pays the rent of these, which is no part of the price. */
  readonly opened: (trader: Trader) => ReadonlyArray<SolanaAddress>
}

/** Null where an account the instruction must name has not been read, or the pool's terms forbid the trial. */
export type SwapBuilder = (place: SwapPlace) => Swap | null

const wrapped = {
  spendsAll: false,
  isNative: false,
  opened: (): ReadonlyArray<SolanaAddress> => []
} as const

/** What a program is told to buy or sell: an amount of tokens, and the most or the least of the quote for it. */
type Told = (tokens: bigint, bound: bigint) => Uint8Array

/** Trades with a program that takes wrapped SOL and names much the same accounts either way. */
export const tradesWith = (
  program: SolanaAddress,
  accounts: (trader: Trader, isSell: boolean) => ReadonlyArray<Account>,
  told: { readonly buy: Told; readonly sell: Told }
): Swap => ({
  ...wrapped,
  buy: (trader, tokens, most) => ({
    program,
    accounts: accounts(trader, false),
    data: told.buy(tokens, most)
  }),
  sell: (trader, tokens, least) => ({
    program,
    accounts: accounts(trader, true),
    data: told.sell(tokens, least)
  })
})

/** The account a trade takes from, and the one it pays into. */
export const inOrder = ({ quoteAccount, tokenAccount }: Trader, isSell: boolean) =>
  isSell ? ([tokenAccount, quoteAccount] as const) : ([quoteAccount, tokenAccount] as const)

/** The first address of a list in an account that is not empty. */
export const firstOf = (bytes: Bytes, offset: number, count: number): SolanaAddress | null => {
  for (let index = 0; index < count; index++) {
    const found = bytes.optionalAddress(offset + 32 * index)
    if (found !== null) return found
  }
  return null
}
