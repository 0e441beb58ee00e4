/** Trades on Raydium's CLMM and Orca's Whirlpool, as raydium-sdk-v2 and whirlpools-client build them. */
import { SolanaAddress } from "../../../../domain/address.ts"
import { SOLANA_PROGRAMS } from "../../../../domain/solana-programs.ts"
import { program, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from "../../addresses.ts"
import type { Bytes } from "../../reads/bytes.ts"
import { whirlpoolOracle } from "../../reads/pdas.ts"
import type { Account } from "../instruction.ts"
import { anchorInstruction, dataOf, derived, reads, u128, writes } from "../instruction.ts"
import type { SwapBuilder, Trader } from "./swap.ts"
import { inOrder, tradesWith } from "./swap.ts"

export const MEMO_PROGRAM = SolanaAddress.make(SOLANA_PROGRAMS.memo)
const SWAP_V2 = anchorInstruction("swap_v2")

/** Price limits that no trade of ours reaches: the programs' own bounds. */
const CLMM_LIMITS = { falling: 4_295_048_017n, rising: 79_226_673_521_066_979_257_578_248_090n } as const
const WHIRLPOOL_LIMITS = { falling: 4_295_048_016n, rising: 79_226_673_515_401_279_992_447_579_055n } as const

const CLMM_TICKS = 60
const BITMAP_AT = 904
/** The pool's own bitmap knows this many arrays on either side of tick 0. */
const BITMAP_SIDE = 512
const MOST_ARRAYS = 3

const isInitialized = (bytes: Bytes, index: number): boolean => {
  const bit = index + BITMAP_SIDE
  if (bit < 0 || bit >= 2 * BITMAP_SIDE) return false
  return (bytes.u8(BITMAP_AT + (bit >> 3)) & (1 << (bit & 7))) !== 0
}

/** The first arrays of ticks a trade meets, from the one that holds the price. */
const clmmArrays = (bytes: Bytes, falls: boolean): ReadonlyArray<number> => {
  const span = bytes.u16(235) * CLMM_TICKS
  const start = Math.floor(bytes.i32(269) / span)
  const step = falls ? -1 : 1
  // Beyond the bitmap nobody here knows which arrays exist: the next one is taken along.
  if (Math.abs(start) >= BITMAP_SIDE) return [start * span, (start + step) * span]
  const found: Array<number> = []
  for (let index = start; Math.abs(index) <= BITMAP_SIDE && found.length < MOST_ARRAYS; index += step)
    if (isInitialized(bytes, index)) found.push(index * span)
  return found
}

const bigEndian = (value: number): Uint8Array => {
  const seed = new Uint8Array(4)
  new DataView(seed.buffer).setInt32(0, value, false)
  return seed
}

export const clmmSwap: SwapBuilder = ({ address, bytes, quote, token }) => {
  if (bytes.length < BITMAP_AT + BITMAP_SIDE / 4) return null
  const owner = program.raydiumClmm
  const tokenIsA = bytes.address(73) === token
  const vaultOf = (isA: boolean) => bytes.address(isA ? 137 : 169)
  const extension = derived(owner, "pool_tick_array_bitmap_extension", { key: address })
  const accounts = (trader: Trader, isSell: boolean): ReadonlyArray<Account> => {
    const arrays = clmmArrays(bytes, isSell === tokenIsA)
    return [
      [trader.wallet, "s"],
      ...reads(bytes.address(9)),
      ...writes(address, ...inOrder(trader, isSell)),
      ...writes(vaultOf(isSell === tokenIsA), vaultOf(isSell !== tokenIsA), bytes.address(201)),
      ...reads(TOKEN_PROGRAM, TOKEN_2022_PROGRAM, MEMO_PROGRAM),
      ...(isSell ? reads(token, quote) : reads(quote, token)),
      ...writes(extension),
      ...writes(...arrays.map((start) => derived(owner, "tick_array", { key: address }, bigEndian(start))))
    ]
  }
  const data = (isSell: boolean, amount: bigint, bound: bigint): Uint8Array => {
    const limit = isSell === tokenIsA ? CLMM_LIMITS.falling : CLMM_LIMITS.rising
    return dataOf(SWAP_V2, amount, bound, u128(limit), Number(isSell))
  }
  return tradesWith(owner, accounts, {
    buy: (tokens, most) => data(false, tokens, most),
    sell: (tokens, least) => data(true, tokens, least)
  })
}

const WHIRLPOOL_TICKS = 88

export const whirlpoolSwap: SwapBuilder = ({ address, bytes, quoteProgram, token, tokenProgram }) => {
  const owner = program.orcaWhirlpool
  const [mintA, mintB] = [bytes.address(101), bytes.address(181)]
  const tokenIsA = mintA === token
  const spacing = bytes.u16(41)
  const span = spacing * WHIRLPOOL_TICKS
  const array = (start: number) => derived(owner, "tick_array", { key: address }, `${start}`)
  const oracle = whirlpoolOracle(address)
  const accounts = (trader: Trader, isSell: boolean): ReadonlyArray<Account> => {
    const aToB = isSell === tokenIsA
    const { quoteAccount, tokenAccount, wallet } = trader
    // A rising price may stand on the last tick of its array, whose next initializable one lies in the next.
    const start = Math.floor((bytes.i32(81) + (aToB ? 0 : spacing)) / span)
    const arrays = [0, 1, 2].map((step) => array((start + (aToB ? -step : step)) * span))
    return [
      ...(tokenIsA ? reads(tokenProgram, quoteProgram) : reads(quoteProgram, tokenProgram)),
      ...reads(MEMO_PROGRAM),
      [wallet, "s"],
      ...writes(address),
      ...reads(mintA, mintB),
      ...writes(tokenIsA ? tokenAccount : quoteAccount, bytes.address(133)),
      ...writes(tokenIsA ? quoteAccount : tokenAccount, bytes.address(213)),
      ...writes(...arrays, oracle)
    ]
  }
  const data = (isSell: boolean, amount: bigint, bound: bigint): Uint8Array => {
    const aToB = isSell === tokenIsA
    const limit = aToB ? WHIRLPOOL_LIMITS.falling : WHIRLPOOL_LIMITS.rising
    const noMoreAccounts = 0
    return dataOf(SWAP_V2, amount, bound, u128(limit), Number(isSell), Number(aToB), noMoreAccounts)
  }
  return tradesWith(owner, accounts, {
    buy: (tokens, most) => data(false, tokens, most),
    sell: (tokens, least) => data(true, tokens, least)
  })
}
