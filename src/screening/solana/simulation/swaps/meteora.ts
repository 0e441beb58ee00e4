/** Trades on Meteora's pools, as the IDLs of dlmm, cp-amm-sdk, dynamic-bonding-curve-sdk and dynamic-amm-sdk list them. */
import { SolanaAddress } from "../../../../domain/address.ts"
import { program, TOKEN_PROGRAM } from "../../addresses.ts"
import { bytesOf, bytesUnder } from "../../reads/bytes.ts"
import { dlmmBinArray } from "../../reads/pdas.ts"
import type { Account } from "../instruction.ts"
import { anchorInstruction, dataOf, derived, eventAuthority, reads, writes } from "../instruction.ts"
import { MEMO_PROGRAM } from "./concentrated.ts"
import type { SwapBuilder, Trader } from "./swap.ts"
import { inOrder, tradesWith } from "./swap.ts"

const SWAP = anchorInstruction("swap")
const SWAP_2 = anchorInstruction("swap2")
const SWAP_EXACT_OUT_2 = anchorInstruction("swap_exact_out2")
const EXACT_IN = 0
const EXACT_OUT = 2

const BINS = 70
/** The pair's own bitmap knows this many arrays on either side of bin 0; beyond, an account of its own does. */
const BITMAP_SIDE = 512
const NO_SLICES = new Uint8Array(4)

export const dlmmSwap: SwapBuilder = ({ address, book, bytes, quoteProgram, token, tokenProgram }) => {
  if (bytes.length < 584) return null
  const owner = program.meteoraDlmm
  const tokenIsX = bytes.address(88) === token
  const index = Math.floor(bytes.i32(76) / BINS)
  const isNear = index > -BITMAP_SIDE && index < BITMAP_SIDE - 1
  const extension = isNear ? owner : derived(owner, "bitmap", { key: address })
  const accounts = (trader: Trader, isSell: boolean): ReadonlyArray<Account> => {
    const falls = isSell === tokenIsX
    const arrays = [index, falls ? index - 1 : index + 1]
      .map((at) => dlmmBinArray(address, BigInt(at)))
      // An array that does not exist must not be named; one that was not looked for may.
      .filter((array) => book.get(array) !== null)
    return [
      ...writes(address),
      [extension, isNear ? "" : "w"],
      ...writes(bytes.address(152), bytes.address(184), ...inOrder(trader, isSell)),
      ...reads(bytes.address(88), bytes.address(120)),
      ...writes(bytes.address(552)),
      ...reads(owner),
      [trader.wallet, "s"],
      ...(tokenIsX ? reads(tokenProgram, quoteProgram) : reads(quoteProgram, tokenProgram)),
      ...reads(MEMO_PROGRAM, eventAuthority(owner), owner),
      ...writes(...arrays)
    ]
  }
  return tradesWith(owner, accounts, {
    buy: (tokens, most) => dataOf(SWAP_EXACT_OUT_2, most, tokens, NO_SLICES),
    sell: (tokens, least) => dataOf(SWAP_2, tokens, least, NO_SLICES)
  })
}

/** Both newer programs take the same arguments: two amounts and which of them is exact. */
const swap2 = {
  buy: (tokens: bigint, most: bigint) => dataOf(SWAP_2, tokens, most, EXACT_OUT),
  sell: (tokens: bigint, least: bigint) => dataOf(SWAP_2, tokens, least, EXACT_IN)
}

/** A fee that limits how often one trades refuses two swaps in one transaction: such a pool cannot be tried. */
const RATE_LIMITER = 2

const DAMM_V2_AUTHORITY = SolanaAddress.make("HLnpSz9h2S4hiLQ43rnSD9XkcUThA7B8hQMKmDaiTLcC")

export const dammV2Swap: SwapBuilder = ({ address, bytes, quoteProgram, token, tokenProgram }) => {
  if (bytes.u8(16) === RATE_LIMITER) return null
  const owner = program.meteoraDammV2
  const tokenIsA = bytes.address(168) === token
  const accounts = (trader: Trader, isSell: boolean): ReadonlyArray<Account> => [
    ...reads(DAMM_V2_AUTHORITY),
    ...writes(address, ...inOrder(trader, isSell), bytes.address(232), bytes.address(264)),
    ...reads(bytes.address(168), bytes.address(200)),
    [trader.wallet, "s"],
    ...(tokenIsA ? reads(tokenProgram, quoteProgram) : reads(quoteProgram, tokenProgram)),
    ...reads(owner, eventAuthority(owner), owner)
  ]
  return tradesWith(owner, accounts, swap2)
}

const DBC_AUTHORITY = SolanaAddress.make("FhVo3mqL8PW5pH5U2CN4XE33DokiyZnUwuGpH2hmHLuM")

export const dbcSwap: SwapBuilder = (place) => {
  const { address, book, bytes, quote, quoteProgram, token, tokenProgram } = place
  const owner = program.meteoraDbc
  const config = book.get(bytes.address(72))
  if (config == null || config.data.length < 131 || bytesOf(config.data).u8(130) === RATE_LIMITER) return null
  const accounts = (trader: Trader, isSell: boolean): ReadonlyArray<Account> => [
    ...reads(DBC_AUTHORITY, bytes.address(72)),
    ...writes(address, ...inOrder(trader, isSell), bytes.address(168), bytes.address(200)),
    ...reads(token, quote),
    [trader.wallet, "s"],
    ...reads(tokenProgram, quoteProgram, owner, eventAuthority(owner), owner)
  ]
  return tradesWith(owner, accounts, swap2)
}

export const dammV1Swap: SwapBuilder = ({ address, book, bytes, token, tokenProgram }) => {
  if (tokenProgram !== TOKEN_PROGRAM) return null
  const [vaultA, vaultB] = [bytes.address(104), bytes.address(136)].map((vault) => {
    const data = bytesUnder(program.meteoraVault, book.get(vault), 147)
    return data === null ? null : { vault, tokens: data.address(19), lpMint: data.address(115) }
  })
  if (vaultA == null || vaultB == null) return null
  const tokenIsA = bytes.address(40) === token
  const accounts = (trader: Trader, isSell: boolean): ReadonlyArray<Account> => [
    ...writes(address, ...inOrder(trader, isSell)),
    ...writes(vaultA.vault, vaultB.vault, vaultA.tokens, vaultB.tokens, vaultA.lpMint, vaultB.lpMint),
    ...writes(bytes.address(168), bytes.address(200)),
    // The fee is taken from what comes in.
    ...writes(bytes.address(isSell === tokenIsA ? 234 : 266)),
    [trader.wallet, "s"],
    ...reads(program.meteoraVault, TOKEN_PROGRAM)
  ]
  const swap = tradesWith(program.meteoraDammV1, accounts, {
    buy: (_tokens, most) => dataOf(SWAP, most, 0n),
    sell: (tokens, least) => dataOf(SWAP, tokens, least)
  })
  return { ...swap, spendsAll: true }
}
