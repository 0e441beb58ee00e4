/** Young tokens of which nobody can take the market, with what strangers have put beside it. */
import { Effect } from "effect"
import * as at from "../../../../src/screening/solana/addresses.ts"
import type { SolanaAddress } from "../../../../src/domain/address.ts"
import type { PlacedToken } from "../clean-token.ts"
import { DAY, pairOf, placeCpmm, SUPPLY } from "../clean-token.ts"
import { account, encodeTokenAccount, programAddress, wallet } from "../encode.ts"
import type { FakeWorld } from "../fake-world.ts"
import { placeGuarded } from "../guarded.ts"
import { placeDammPools } from "../hazards/dear.ts"
import { placeLeftOut } from "../hazards/left-out.ts"
import type { Scenario } from "../scenarios.ts"
import { changed, holdersOf, LP, patch, withHolders } from "../scenarios.ts"
import { placeStable } from "../stable.ts"

/** Nine holders of 3.5 % each, and a stranger who lets each of them move a little of what is the stranger's. */
const placeStrangersDelegates = (world: FakeWorld, placed: PlacedToken): void => {
  const whales = holdersOf(9, (index) => 36 - index * 0.2)
  withHolders(world, placed, [...whales, [wallet("a small one"), 6]], 400)
  const amount = (SUPPLY * 7n) / 1000n
  const accounts = whales.map(([whale], index) => {
    const address = wallet(`stranger's account ${index}`)
    world.accounts.set(address, encodeTokenAccount(placed.mint, wallet("stranger"), amount))
    patch(world, address, [
      [72, 1],
      [76, whale],
      [121, 1n]
    ])
    return { address, amount }
  })
  world.largest.set(placed.mint, [...(world.largest.get(placed.mint) ?? []), ...accounts])
}

/** Another pool at the same price, of so many thousandths of the liquidity, whose LP tokens are a stranger's. */
const placeStrangers = (world: FakeWorld, mint: SolanaAddress, perMille: bigint): void => {
  const [pool, lpMint] = [wallet("stranger's pool"), wallet("stranger's LP tokens")]
  const [tokens, quoteAmount] = [(SUPPLY * perMille) / 2000n, perMille * 50_000_000n]
  Effect.runSync(
    placeCpmm(world, {
      mint,
      pool,
      lpMint,
      vaults: [wallet("stranger's tokens"), wallet("stranger's dollars")],
      tokens,
      quoteAmount,
      lpLeft: LP,
      lpOwner: wallet("stranger")
    })
  )
  const pairs = world.pairs.get(mint) ?? []
  world.pairs.set(mint, [...pairs, pairOf(pool, at.USDC, { priceUsd: null, createdAt: -DAY })])
  const [market, ...others] = world.largest.get(mint) ?? []
  const vault = { address: wallet("stranger's tokens"), amount: tokens }
  world.largest.set(mint, [...(market === undefined ? [] : [market]), vault, ...others].slice(0, 20))
}

/** Six holders of a twentieth each, and a stranger's six pools of a dollar, of each of which one of them is called the maker. */
const placeForeignMakers = (world: FakeWorld, placed: PlacedToken): void => {
  const holders = holdersOf(6, (index) => 55 - index * 1.5)
  const crowd = Array.from(
    { length: 13 },
    (_, index) => [wallet(`small one ${index}`), 8 - index * 0.3] as const
  )
  withHolders(world, placed, [...holders, ...crowd], 300)
  placeDammPools(world, placed, { count: 6, dollars: 1n, fee: 10_000_000n, locked: 0, tokens: 1_000_000n })
  for (const [index, [holder]] of holders.entries()) patch(world, wallet(`dear ${index}`), [[648, holder]])
}

/** A token whose only pool is of an exchange that nobody here reads, where market data sees half a million dollars. */
const placeElsewhere = (world: FakeWorld, placed: PlacedToken): void => {
  const pool = programAddress("pool elsewhere")
  const crowd = holdersOf(25, (index) => 8 - index * 0.3)
  withHolders(world, placed, [[pool, 500], ...crowd], 0)
  world.largest.set(placed.mint, (world.largest.get(placed.mint) ?? []).slice(1))
  for (const address of [placed.pool, placed.tokenVault]) world.accounts.delete(address)
  world.accounts.set(pool, account(programAddress("another exchange"), new Uint8Array(600)))
  const pair = pairOf(pool, at.USDC, { dexId: "elsewhere", labels: [], liquidityUsd: 1_000_000 })
  world.pairs.set(placed.mint, [{ ...pair, liquidityQuote: 500_000 }])
}

/** A pool that opens in years, in which a stranger bids forty times what is bid in the market, and whose bids he takes back any day. */
const placeUnopened = (world: FakeWorld, placed: PlacedToken): void => {
  placeDammPools(world, placed, { count: 1, dollars: 2_000_000n, fee: 10_000_000n, locked: 0, tokens: 1n })
  patch(world, wallet("dear 0"), [[472, 4_000_000_000n]])
}

/** Whoever buys for 99 % pays a hundred times as much as in the market: more than any trial would. */
const refusePurchases = (world: FakeWorld): void => {
  const refusal = { leg: "buy", whom: "fresh", naming: wallet("dear 0"), error: { Custom: 6002 } } as const
  world.behaviour = { refusal }
}

/** A pool at the market's price that takes 99 % of every trade, in which a stranger has put four times as much as lies in the market. */
const placeHopeless = (world: FakeWorld, placed: PlacedToken): void => {
  const tokens = SUPPLY / 25n
  placeDammPools(world, placed, { count: 1, dollars: 200_000n, fee: 990_000_000n, locked: 0, tokens })
  refusePurchases(world)
}

export const beside: Readonly<Record<string, Scenario>> = {
  "a token beside whose market a stranger has put four times as much into a pool that takes 99 %":
    changed(placeHopeless),
  "a token beside whose market a stranger has put four times as much into a pool that takes none of it back":
    changed(placeGuarded, { mint: { extensions: [] } }),
  "a token beside whose market a stranger has put forty times as much into a pool that opens in years":
    changed(placeUnopened),
  "nine holders whom a stranger lets move a little of what is the stranger's":
    changed(placeStrangersDelegates),
  "a token whose only pool is of an exchange that nobody here reads, at most caution":
    changed(placeElsewhere),
  "a wallet that RugCheck still names as the holder of a third has sold it all": changed((world, placed) =>
    placeLeftOut(world, placed, true)
  ),
  "six holders whom a stranger calls the makers of pools of dust": changed(placeForeignMakers),
  "a young token, beside whose pool somebody put a stable one of dust": changed(
    (world, { mint }) => placeStable(world, mint),
    { ageMs: DAY }
  ),
  "a young token, beside whose locked pool somebody put one that takes 99 %": changed(
    (world, placed) => {
      withHolders(
        world,
        placed,
        holdersOf(19, (index) => 8 - index * 0.3),
        500
      )
      placeDammPools(world, placed, { count: 1, dollars: 40_000n, fee: 990_000_000n, locked: 0 })
      refusePurchases(world)
    },
    { ageMs: DAY }
  ),
  "a young token, beside whose locked pool a stranger has an eighth of the liquidity": changed(
    (world, { mint }) => placeStrangers(world, mint, 140n),
    { ageMs: DAY, holderPerMille: 9n }
  )
}
