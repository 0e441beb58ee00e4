/** Trades on Raydium's AMM v4, CPMM and LaunchLab, as raydium-sdk-v2 builds them. */
import { SolanaAddress } from "../../../../domain/address.ts"
import { program, SYSTEM_PROGRAM, TOKEN_PROGRAM } from "../../addresses.ts"
import type { Use } from "../instruction.ts"
import { anchorInstruction, dataOf, derived, eventAuthority } from "../instruction.ts"
import type { SwapBuilder, Trader } from "./swap.ts"
import { wrapped } from "./swap.ts"

type Account = readonly [SolanaAddress, Use]

const AMM_AUTHORITY = SolanaAddress.make("5Q544fKrFoe6tsEbD7S8EmxGTJYAKtTVhAW5Q5pge4j1")
const CPMM_AUTHORITY = SolanaAddress.make("GpMZbSM2GgvTKHJirzeGfMFoaZ8UR2X7F4v8vHTvxFbL")
const LAUNCH_AUTHORITY = SolanaAddress.make("WLHv2UAZm6z4KyaaELi5pjdbJh6RESMva1Rnn8pJVVh")

/** The second versions of the AMM's swaps, which need no order book. */
const SWAP_BASE_IN_V2 = 16
const SWAP_BASE_OUT_V2 = 17

export const ammV4Swap: SwapBuilder = ({ address, bytes, quoteProgram, tokenProgram }) => {
  if (tokenProgram !== TOKEN_PROGRAM || quoteProgram !== TOKEN_PROGRAM) return null
  const accounts = (
    wallet: SolanaAddress,
    from: SolanaAddress,
    to: SolanaAddress
  ): ReadonlyArray<Account> => [
    [TOKEN_PROGRAM, ""],
    [address, "w"],
    [AMM_AUTHORITY, ""],
    [bytes.address(336), "w"],
    [bytes.address(368), "w"],
    [from, "w"],
    [to, "w"],
    [wallet, "s"]
  ]
  return {
    ...wrapped,
    buy: ({ quoteAccount, tokenAccount, wallet }, tokens, most) => ({
      program: program.raydiumAmmV4,
      accounts: accounts(wallet, quoteAccount, tokenAccount),
      data: dataOf(SWAP_BASE_OUT_V2, most, tokens)
    }),
    sell: ({ quoteAccount, tokenAccount, wallet }, tokens, least) => ({
      program: program.raydiumAmmV4,
      accounts: accounts(wallet, tokenAccount, quoteAccount),
      data: dataOf(SWAP_BASE_IN_V2, tokens, least)
    })
  }
}

const SWAP_INPUT = anchorInstruction("swap_base_input")
const SWAP_OUTPUT = anchorInstruction("swap_base_output")

interface Side {
  readonly account: SolanaAddress
  readonly vault: SolanaAddress
  readonly mint: SolanaAddress
  readonly program: SolanaAddress
}

export const cpmmSwap: SwapBuilder = ({ address, bytes, quote, quoteProgram, token, tokenProgram }) => {
  const tokenIsA = bytes.address(168) === token
  if (bytes.length < 328) return null
  const vaultOf = (isA: boolean) => bytes.address(isA ? 72 : 104)
  const accounts = (wallet: SolanaAddress, from: Side, to: Side): ReadonlyArray<Account> => [
    [wallet, "s"],
    [CPMM_AUTHORITY, ""],
    [bytes.address(8), ""],
    [address, "w"],
    [from.account, "w"],
    [to.account, "w"],
    [from.vault, "w"],
    [to.vault, "w"],
    [from.program, ""],
    [to.program, ""],
    [from.mint, ""],
    [to.mint, ""],
    [bytes.address(296), "w"]
  ]
  const sides = ({ quoteAccount, tokenAccount }: Trader): readonly [token: Side, quote: Side] => [
    { account: tokenAccount, vault: vaultOf(tokenIsA), mint: token, program: tokenProgram },
    { account: quoteAccount, vault: vaultOf(!tokenIsA), mint: quote, program: quoteProgram }
  ]
  return {
    ...wrapped,
    buy: (trader, tokens, most) => {
      const [ours, theirs] = sides(trader)
      return {
        program: program.raydiumCpmm,
        accounts: accounts(trader.wallet, theirs, ours),
        data: dataOf(SWAP_OUTPUT, most, tokens)
      }
    },
    sell: (trader, tokens, least) => {
      const [ours, theirs] = sides(trader)
      return {
        program: program.raydiumCpmm,
        accounts: accounts(trader.wallet, ours, theirs),
        data: dataOf(SWAP_INPUT, tokens, least)
      }
    }
  }
}

const LAUNCH_BUY = anchorInstruction("buy_exact_out")
const LAUNCH_SELL = anchorInstruction("sell_exact_in")
const NO_SHARE_FEE = 0n

export const launchLabSwap: SwapBuilder = ({ address, bytes, quote, quoteProgram, token, tokenProgram }) => {
  const owner = program.raydiumLaunchLab
  const accounts = ({ quoteAccount, tokenAccount, wallet }: Trader): ReadonlyArray<Account> => [
    [wallet, "ws"],
    [LAUNCH_AUTHORITY, ""],
    [bytes.address(141), ""],
    [bytes.address(173), ""],
    [address, "w"],
    [tokenAccount, "w"],
    [quoteAccount, "w"],
    [bytes.address(269), "w"],
    [bytes.address(301), "w"],
    [token, ""],
    [quote, ""],
    [tokenProgram, ""],
    [quoteProgram, ""],
    [eventAuthority(owner), ""],
    [owner, ""],
    [SYSTEM_PROGRAM, ""],
    [derived(owner, { key: bytes.address(173) }, { key: quote }), "w"],
    [derived(owner, { key: bytes.address(333) }, { key: quote }), "w"]
  ]
  return {
    ...wrapped,
    buy: (trader, tokens, most) => ({
      program: owner,
      accounts: accounts(trader),
      data: dataOf(LAUNCH_BUY, tokens, most, NO_SHARE_FEE)
    }),
    sell: (trader, tokens, least) => ({
      program: owner,
      accounts: accounts(trader),
      data: dataOf(LAUNCH_SELL, tokens, least, NO_SHARE_FEE)
    })
  }
}
