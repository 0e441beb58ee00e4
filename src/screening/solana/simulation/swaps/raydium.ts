/** Trades on Raydium's AMM v4, CPMM and LaunchLab, as raydium-sdk-v2 builds them. */
import { SolanaAddress } from "../../../../domain/address.ts"
import { program, SYSTEM_PROGRAM, TOKEN_PROGRAM } from "../../addresses.ts"
import type { Account } from "../instruction.ts"
import { anchorInstruction, dataOf, derived, eventAuthority, reads, writes } from "../instruction.ts"
import type { SwapBuilder, Trader } from "./swap.ts"
import { inOrder, tradesWith } from "./swap.ts"

const AMM_AUTHORITY = SolanaAddress.make("5Q544fKrFoe6tsEbD7S8EmxGTJYAKtTVhAW5Q5pge4j1")
const CPMM_AUTHORITY = SolanaAddress.make("GpMZbSM2GgvTKHJirzeGfMFoaZ8UR2X7F4v8vHTvxFbL")
const LAUNCH_AUTHORITY = SolanaAddress.make("WLHv2UAZm6z4KyaaELi5pjdbJh6RESMva1Rnn8pJVVh")

/** The second versions of the AMM's swaps, which need no order book. */
const SWAP_BASE_IN_V2 = 16
const SWAP_BASE_OUT_V2 = 17

export const ammV4Swap: SwapBuilder = ({ address, bytes, quoteProgram, tokenProgram }) => {
  if (tokenProgram !== TOKEN_PROGRAM || quoteProgram !== TOKEN_PROGRAM) return null
  const accounts = (trader: Trader, isSell: boolean): ReadonlyArray<Account> => [
    ...reads(TOKEN_PROGRAM),
    ...writes(address),
    ...reads(AMM_AUTHORITY),
    ...writes(bytes.address(336), bytes.address(368), ...inOrder(trader, isSell)),
    [trader.wallet, "s"]
  ]
  return tradesWith(program.raydiumAmmV4, accounts, {
    buy: (tokens, most) => dataOf(SWAP_BASE_OUT_V2, most, tokens),
    sell: (tokens, least) => dataOf(SWAP_BASE_IN_V2, tokens, least)
  })
}

const SWAP_INPUT = anchorInstruction("swap_base_input")
const SWAP_OUTPUT = anchorInstruction("swap_base_output")

export const cpmmSwap: SwapBuilder = ({ address, bytes, quote, quoteProgram, token, tokenProgram }) => {
  const tokenIsA = bytes.address(168) === token
  if (bytes.length < 328) return null
  const vaultOf = (isA: boolean) => bytes.address(isA ? 72 : 104)
  const accounts = (trader: Trader, isSell: boolean): ReadonlyArray<Account> => [
    [trader.wallet, "s"],
    ...reads(CPMM_AUTHORITY, bytes.address(8)),
    ...writes(address, ...inOrder(trader, isSell)),
    ...writes(vaultOf(isSell === tokenIsA), vaultOf(isSell !== tokenIsA)),
    ...(isSell
      ? reads(tokenProgram, quoteProgram, token, quote)
      : reads(quoteProgram, tokenProgram, quote, token)),
    ...writes(bytes.address(296))
  ]
  return tradesWith(program.raydiumCpmm, accounts, {
    buy: (tokens, most) => dataOf(SWAP_OUTPUT, most, tokens),
    sell: (tokens, least) => dataOf(SWAP_INPUT, tokens, least)
  })
}

const LAUNCH_BUY = anchorInstruction("buy_exact_out")
const LAUNCH_SELL = anchorInstruction("sell_exact_in")
const NO_SHARE_FEE = 0n

export const launchLabSwap: SwapBuilder = ({ address, bytes, quote, quoteProgram, token, tokenProgram }) => {
  const owner = program.raydiumLaunchLab
  const [config, platform, creator] = [bytes.address(141), bytes.address(173), bytes.address(333)]
  const accounts = ({ quoteAccount, tokenAccount, wallet }: Trader): ReadonlyArray<Account> => [
    [wallet, "ws"],
    ...reads(LAUNCH_AUTHORITY, config, platform),
    ...writes(address, tokenAccount, quoteAccount, bytes.address(269), bytes.address(301)),
    ...reads(token, quote, tokenProgram, quoteProgram, eventAuthority(owner), owner, SYSTEM_PROGRAM),
    ...writes(
      derived(owner, { key: platform }, { key: quote }),
      derived(owner, { key: creator }, { key: quote })
    )
  ]
  return tradesWith(owner, accounts, {
    buy: (tokens, most) => dataOf(LAUNCH_BUY, tokens, most, NO_SHARE_FEE),
    sell: (tokens, least) => dataOf(LAUNCH_SELL, tokens, least, NO_SHARE_FEE)
  })
}
