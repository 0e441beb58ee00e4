/** Trades on Meteora's pools, as the IDLs of dlmm, cp-amm-sdk, dynamic-bonding-curve-sdk and dynamic-amm-sdk list them. */
import { SolanaAddress } from "../../../../domain/address.ts"
import { program, TOKEN_PROGRAM } from "../../addresses.ts"
import { bytesOf } from "../../reads/bytes.ts"
import { dlmmBinArray } from "../../reads/pdas.ts"
import type { Use } from "../instruction.ts"
import { anchorInstruction, dataOf, derived, eventAuthority } from "../instruction.ts"
import { MEMO_PROGRAM } from "./concentrated.ts"
import type { SwapBuilder, Trader } from "./swap.ts"
import { wrapped } from "./swap.ts"

type Account = readonly [SolanaAddress, Use]

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
    const { quoteAccount, tokenAccount, wallet } = trader
    const falls = isSell === tokenIsX
    const arrays = [index, falls ? index - 1 : index + 1]
      .map((at) => dlmmBinArray(address, BigInt(at)))
      // An array that does not exist must not be named; one that was not looked for may.
      .filter((array) => book.get(array) !== null)
    return [
      [address, "w"],
      [extension, isNear ? "" : "w"],
      [bytes.address(152), "w"],
      [bytes.address(184), "w"],
      [isSell ? tokenAccount : quoteAccount, "w"],
      [isSell ? quoteAccount : tokenAccount, "w"],
      [bytes.address(88), ""],
      [bytes.address(120), ""],
      [bytes.address(552), "w"],
      [owner, ""],
      [wallet, "s"],
      [tokenIsX ? tokenProgram : quoteProgram, ""],
      [tokenIsX ? quoteProgram : tokenProgram, ""],
      [MEMO_PROGRAM, ""],
      [eventAuthority(owner), ""],
      [owner, ""],
      ...arrays.map((array) => [array, "w"] as const)
    ]
  }
  return {
    ...wrapped,
    buy: (trader, tokens, most) => ({
      program: owner,
      accounts: accounts(trader, false),
      data: dataOf(SWAP_EXACT_OUT_2, most, tokens, NO_SLICES)
    }),
    sell: (trader, tokens, least) => ({
      program: owner,
      accounts: accounts(trader, true),
      data: dataOf(SWAP_2, tokens, least, NO_SLICES)
    })
  }
}

/** A fee that limits how often one trades refuses two swaps in one transaction: such a pool cannot be tried. */
const RATE_LIMITER = 2

const DAMM_V2_AUTHORITY = SolanaAddress.make("HLnpSz9h2S4hiLQ43rnSD9XkcUThA7B8hQMKmDaiTLcC")

export const dammV2Swap: SwapBuilder = ({ address, bytes, quoteProgram, token, tokenProgram }) => {
  if (bytes.u8(16) === RATE_LIMITER) return null
  const owner = program.meteoraDammV2
  const tokenIsA = bytes.address(168) === token
  const accounts = (trader: Trader, isSell: boolean): ReadonlyArray<Account> => [
    [DAMM_V2_AUTHORITY, ""],
    [address, "w"],
    [isSell ? trader.tokenAccount : trader.quoteAccount, "w"],
    [isSell ? trader.quoteAccount : trader.tokenAccount, "w"],
    [bytes.address(232), "w"],
    [bytes.address(264), "w"],
    [bytes.address(168), ""],
    [bytes.address(200), ""],
    [trader.wallet, "s"],
    [tokenIsA ? tokenProgram : quoteProgram, ""],
    [tokenIsA ? quoteProgram : tokenProgram, ""],
    [owner, ""],
    [eventAuthority(owner), ""],
    [owner, ""]
  ]
  return swap2(owner, accounts)
}

const DBC_AUTHORITY = SolanaAddress.make("FhVo3mqL8PW5pH5U2CN4XE33DokiyZnUwuGpH2hmHLuM")

export const dbcSwap: SwapBuilder = (place) => {
  const { address, book, bytes, quote, quoteProgram, token, tokenProgram } = place
  const owner = program.meteoraDbc
  const config = book.get(bytes.address(72))
  if (config == null || config.data.length < 131 || bytesOf(config.data).u8(130) === RATE_LIMITER) return null
  const accounts = (trader: Trader, isSell: boolean): ReadonlyArray<Account> => [
    [DBC_AUTHORITY, ""],
    [bytes.address(72), ""],
    [address, "w"],
    [isSell ? trader.tokenAccount : trader.quoteAccount, "w"],
    [isSell ? trader.quoteAccount : trader.tokenAccount, "w"],
    [bytes.address(168), "w"],
    [bytes.address(200), "w"],
    [token, ""],
    [quote, ""],
    [trader.wallet, "s"],
    [tokenProgram, ""],
    [quoteProgram, ""],
    [owner, ""],
    [eventAuthority(owner), ""],
    [owner, ""]
  ]
  return swap2(owner, accounts)
}

/** Both newer programs take the same arguments: two amounts and which of them is exact. */
const swap2 = (
  owner: SolanaAddress,
  accounts: (trader: Trader, isSell: boolean) => ReadonlyArray<Account>
) => ({
  ...wrapped,
  buy: (trader: Trader, tokens: bigint, most: bigint) => ({
    program: owner,
    accounts: accounts(trader, false),
    data: dataOf(SWAP_2, tokens, most, EXACT_OUT)
  }),
  sell: (trader: Trader, tokens: bigint, least: bigint) => ({
    program: owner,
    accounts: accounts(trader, true),
    data: dataOf(SWAP_2, tokens, least, EXACT_IN)
  })
})

export const dammV1Swap: SwapBuilder = ({ address, book, bytes, token, tokenProgram }) => {
  if (tokenProgram !== TOKEN_PROGRAM) return null
  const [vaultA, vaultB] = [bytes.address(104), bytes.address(136)].map((vault) => {
    const account = book.get(vault)
    if (account == null || account.owner !== program.meteoraVault || account.data.length < 147) return null
    const data = bytesOf(account.data)
    return { vault, tokens: data.address(19), lpMint: data.address(115) }
  })
  if (vaultA == null || vaultB == null) return null
  const tokenIsA = bytes.address(40) === token
  const accounts = (trader: Trader, isSell: boolean): ReadonlyArray<Account> => [
    [address, "w"],
    [isSell ? trader.tokenAccount : trader.quoteAccount, "w"],
    [isSell ? trader.quoteAccount : trader.tokenAccount, "w"],
    [vaultA.vault, "w"],
    [vaultB.vault, "w"],
    [vaultA.tokens, "w"],
    [vaultB.tokens, "w"],
    [vaultA.lpMint, "w"],
    [vaultB.lpMint, "w"],
    [bytes.address(168), "w"],
    [bytes.address(200), "w"],
    // The fee is taken from what comes in.
    [bytes.address(isSell === tokenIsA ? 234 : 266), "w"],
    [trader.wallet, "s"],
    [program.meteoraVault, ""],
    [TOKEN_PROGRAM, ""]
  ]
  return {
    ...wrapped,
    spendsAll: true,
    buy: (trader, _tokens, most) => ({
      program: program.meteoraDammV1,
      accounts: accounts(trader, false),
      data: dataOf(SWAP, most, 0n)
    }),
    sell: (trader, tokens, least) => ({
      program: program.meteoraDammV1,
      accounts: accounts(trader, true),
      data: dataOf(SWAP, tokens, least)
    })
  }
}
