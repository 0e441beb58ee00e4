/** Listed assets and large caps. */
import { Effect } from "effect"
import * as at from "../../../../src/screening/solana/addresses.ts"
import { SolanaAddress } from "../../../../src/domain/address.ts"
import { deriveAddresses } from "../../../../src/screening/solana/reads/pdas.ts"
import { pairOf, placeCpmm } from "../clean-token.ts"
import { wallet } from "../encode.ts"
import type { Scenario } from "../scenarios.ts"
import { stakePoolToken } from "../stake-pool.ts"
import { LP, changed, holdersOf, patch, withHolders, withLpHolders } from "../scenarios.ts"

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

/** A large cap in six pools, and dust in the two that anybody can open at addresses that follow from the mint. */
const manyPools: Scenario = (world) =>
  Effect.map(largeCap("DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263", "Bonk")(world), (mint) => {
    const standard = deriveAddresses(mint).pools.filter(({ kind }) => kind === "raydium-cpmm")
    const owners = holdersOf(20, (index) => 90 - index * 4)
    const pools = Array.from({ length: 6 }, (_, index) => index).map((index) => {
      const [pool, lpMint] = [wallet(`large cap pool ${index}`), wallet(`large cap lp ${index}`)]
      const vaults = [wallet(`large cap vault ${index}`), wallet(`large cap quote ${index}`)] as const
      const dollars = BigInt(300_000 + index * 50_000)
      const [tokens, quoteAmount] = [dollars * 15_000_000n, dollars * 1_000_000n]
      Effect.runSync(
        placeCpmm(world, {
          mint,
          pool,
          lpMint,
          vaults,
          tokens,
          quoteAmount,
          lpLeft: LP,
          lpOwner: wallet("none")
        })
      )
      withLpHolders(world, { mint, pool, lpMint, tokenVault: vaults[0], quoteVault: vaults[1] }, owners)
      return pairOf(pool, at.USDC, { priceUsd: null, liquidityUsd: 2 * Number(dollars) })
    })
    for (const { vaults } of standard)
      for (const vault of vaults) {
        const found = world.accounts.get(vault)
        if (found !== undefined) patch(world, vault, [[64, 1_500_000n]])
      }
    world.pairs.set(mint, pools)
    return mint
  })

export const issued: Readonly<Record<string, Scenario>> = {
  USDS: listed("USDSwr9ApdHk5bvJKMjzff41FfuX8bSxdKcR81vTwcA"),
  USDT: listed(at.USDT),
  PYUSD: listed("2b1kV6DkPAnxd5ixfnxCpjxmKwqjjaYmCZfHsFu24GXo"),
  JitoSOL: listed("J1toso1uCk3RLmjorhTtrVwY9HJ7X8V9yYac6Y7kGCPn"),
  jupSOL: listed("jupSoLaHXQiZZTSfEWMTRRgpnyFm8f6sZdosWBjx93v"),
  INF: listed("5oVNBeEEQvYi1cX3ir8Dx5n1P7pdxydbGF2X4TxVusJm"),
  "a stake pool's own token, for what it mints it": stakePoolToken(1),
  "cbBTC, at most caution": listed("cbbtcf3aa214zXHbiAZQwf4122FBYbraNdFqgw4iMij"),
  "TSLAx, at most caution": listed("XsDoVfqeBukxuZHWhdvWHBhgEHjGNst4MLodqsJHzoB"),
  "tBTC, at most caution": listed("6DNSN2BJsaPFdFFc1zP37kkeNe4Usc1Sqkzr9C9vPWcU"),
  "AMDx, at most caution": listed("XsXcJ6GZ9kVnjqGsjBnktRcuwMBmvKWh8S93RefZ1rF"),
  "JUP's shape": largeCap("JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN", "JUP"),
  "BONK's shape": largeCap("DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263", "Bonk"),
  "BONK's shape in six pools, with dust in the ones that follow from the mint": manyPools,
  "WIF's shape": largeCap("EKpQGSJtjMFqKZ9KQanSqYXRcF8fBopzLHYxdM65zcjm", "$WIF")
}
