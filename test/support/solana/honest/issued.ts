/** Listed assets and large caps. */
import * as at from "../../../../src/screening/solana/addresses.ts"
import { SolanaAddress } from "../../../../src/domain/address.ts"
import { wallet } from "../encode.ts"
import type { Scenario } from "../scenarios.ts"
import { LP, changed, holdersOf, withHolders, withLpHolders } from "../scenarios.ts"

/** A listed mint with its issuer's powers on, its liquidity unlocked and its balances large. */
const listed = (text: string): Scenario =>
  changed(
    (world, placed) => {
      withHolders(world, placed, [[wallet("custody"), 600]])
      withLpHolders(world, placed, [[wallet("market maker"), 1000]])
    },
    {
      address: SolanaAddress.make(text),
      mint: { mintAuthority: wallet("issuer"), freezeAuthority: wallet("issuer") },
      lpLeft: LP
    }
  )

/** A large cap: pools hold little of the supply, holders are many and uneven, LP tokens are many parties'. */
const largeCap = (text: string, symbol: string): Scenario =>
  changed(
    (world, placed) => {
      withHolders(
        world,
        placed,
        holdersOf(19, (index) => 75 / (1 + index * 0.45)),
        30
      )
      withLpHolders(
        world,
        placed,
        holdersOf(20, (index) => 90 - index * 4).map(([owner, share]) => [owner, Math.round(share)] as const)
      )
    },
    { address: SolanaAddress.make(text), symbol, dollars: 2_000_000n, lpLeft: LP, ageMs: 900 * 86_400_000 }
  )

export const issued: Readonly<Record<string, Scenario>> = {
  USDS: listed("USDSwr9ApdHk5bvJKMjzff41FfuX8bSxdKcR81vTwcA"),
  USDT: listed(at.USDT),
  PYUSD: listed("2b1kV6DkPAnxd5ixfnxCpjxmKwqjjaYmCZfHsFu24GXo"),
  JitoSOL: listed("J1toso1uCk3RLmjorhTtrVwY9HJ7X8V9yYac6Y7kGCPn"),
  jupSOL: listed("jupSoLaHXQiZZTSfEWMTRRgpnyFm8f6sZdosWBjx93v"),
  INF: listed("5oVNBeEEQvYi1cX3ir8Dx5n1P7pdxydbGF2X4TxVusJm"),
  "cbBTC, at most caution": listed("cbbtcf3aa214zXHbiAZQwf4122FBYbraNdFqgw4iMij"),
  "TSLAx, at most caution": listed("XsDoVfqeBukxuZHWhdvWHBhgEHjGNst4MLodqsJHzoB"),
  "JUP's shape": largeCap("JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN", "JUP"),
  "BONK's shape": largeCap("DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263", "Bonk"),
  "WIF's shape": largeCap("EKpQGSJtjMFqKZ9KQanSqYXRcF8fBopzLHYxdM65zcjm", "$WIF")
}
