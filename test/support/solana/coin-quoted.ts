/** A pump coin quoted in another pump coin. */
import * as at from "../../../src/screening/solana/addresses.ts"
import { deriveAddresses } from "../../../src/screening/solana/reads/pdas.ts"
import type { SolanaAddress } from "../../../src/domain/address.ts"
import { DEPLOYER, SUPPLY, emptyReport, pairOf } from "./clean-token.ts"
import { anchored, encodeMetadata, encodeMint, encodeTokenAccount, laidOut, wallet } from "./encode.ts"
import type { FakeWorld } from "./fake-world.ts"
import type { PoolPlan } from "./launches.ts"
import { placeGraduate, placeToken, SOL_USD } from "./launches.ts"
import { holdersOf, LP, placeHolders, withLpHolders } from "./scenarios.ts"

/** A graduate with 5,000 SOL in its own pool, or as much of a dollar. */
const placeQuote = (
  world: FakeWorld,
  label: string,
  holders: ReturnType<typeof holdersOf> | undefined,
  dollar?: SolanaAddress
): SolanaAddress => {
  const quote = placeGraduate(world, {
    label: `${label} quote`,
    // The same digits: dollars have three decimals fewer.
    sol: dollar === undefined ? 5000 : (5000 * SOL_USD) / 1000,
    ...(dollar === undefined ? {} : { quote: dollar }),
    ...(holders === undefined ? {} : { holders })
  })
  world.accounts.set(
    deriveAddresses(quote).curve,
    laidOut(at.program.pumpCurve, 151, [
      [0, Uint8Array.of(23, 183, 248, 55, 96, 216, 172, 96)],
      [48, 1],
      ...(dollar === undefined ? [] : ([[83, dollar]] as const))
    ])
  )
  return quote
}

/** A PumpSwap pool, its LP burned, whose quote is a graduate with 5,000 SOL in its own pool. */
export const placeCoinQuoted = (
  world: FakeWorld,
  label: string,
  /** Of the quote; small ones where absent. */
  holders?: ReturnType<typeof holdersOf>,
  pool: Partial<Pick<PoolPlan, "tokens" | "quoteAmount" | "holders">> = {},
  /** What the quote trades against instead of SOL. */
  dollar?: SolanaAddress
): SolanaAddress => {
  const quote = placeQuote(world, label, holders, dollar)
  const quoteAmount = pool.quoteAmount ?? SUPPLY / 100n
  const lpMint = wallet(`${label} lp`)
  const placed = placeToken(
    world,
    { label, quote, tokens: SUPPLY / 5n, ...pool, quoteAmount },
    ({ mint, quoteVault, tokenVault }) =>
      anchored(at.program.pumpSwap, "Pool", 301, [
        [11, DEPLOYER],
        [43, mint],
        [75, quote],
        [107, lpMint],
        [139, tokenVault],
        [171, quoteVault],
        [203, LP]
      ]),
    { liquidityQuote: Number(quoteAmount) / 1e6 }
  )
  withLpHolders(world, { ...placed, lpMint }, [])
  if (pool.quoteAmount !== undefined) listVaults(world, quote, [placed.quoteVault], quoteAmount)
  return placed.mint
}

/** Puts vaults that hold so much each behind the quote's own pool, in what the node lists of the quote. */
const listVaults = (
  world: FakeWorld,
  quote: SolanaAddress,
  vaults: ReadonlyArray<SolanaAddress>,
  amount: bigint
): void => {
  const [own, ...others] = world.largest.get(quote) ?? []
  if (own === undefined) throw new Error("the quote has no pool")
  const listed = vaults.map((address) => ({ address, amount }))
  world.largest.set(quote, [own, ...listed, ...others].slice(0, 20))
}

interface PlacedPool {
  readonly name: string
  readonly quote: SolanaAddress
  readonly tokens: bigint
  readonly quoteAmount: bigint
  /** Who has the LP tokens, which are burned else. */
  readonly lpOwner?: SolanaAddress
}

/**
 * PumpSwap pools, their LP burned, with three tenths of what their quote's own pool holds of the quote in each; and beside
 * them one against SOL that is the deployer's.
 */
export const placeManyCoinQuoted = (
  world: FakeWorld,
  { count, label, sol }: { readonly count: number; readonly label: string; readonly sol: bigint }
): SolanaAddress => {
  const quote = placeQuote(
    world,
    label,
    holdersOf(15, (index) => 2 - index * 0.05)
  )
  const mint = wallet(`${label} mint`)
  const each = (SUPPLY * 6n) / 100n
  // All at one price: a smallest unit of the quote is worth a fortieth of a lamport.
  const tokensFor = (lamports: bigint): bigint => (lamports * SUPPLY) / 17_000_000_000_000n
  const beside: PlacedPool = {
    name: "beside",
    quote: at.WSOL,
    tokens: tokensFor(sol * 1_000_000_000n),
    quoteAmount: sol * 1_000_000_000n,
    lpOwner: DEPLOYER
  }
  const pools = Array.from({ length: count }, (_, index): PlacedPool => ({
    name: `${index}`,
    quote,
    tokens: tokensFor(each / 40n),
    quoteAmount: each
  }))
  const placed = [beside, ...pools].map(({ lpOwner, name, ...plan }) => {
    const lpMint = wallet(`${label} lp ${name}`)
    const one = placeToken(world, { label: `${label} ${name}`, ...plan }, (place) =>
      anchored(at.program.pumpSwap, "Pool", 301, [
        [11, DEPLOYER],
        [43, mint],
        [75, plan.quote],
        [107, lpMint],
        [139, place.tokenVault],
        [171, place.quoteVault],
        [203, LP]
      ])
    )
    world.accounts.set(one.tokenVault, encodeTokenAccount(mint, one.pool, plan.tokens))
    withLpHolders(world, { ...one, lpMint }, lpOwner === undefined ? [] : [[lpOwner, 1000]])
    const decimals = plan.quote === at.WSOL ? 1e9 : 1e6
    return { ...one, ...plan, pair: Number(plan.quoteAmount) / decimals }
  })
  world.accounts.set(mint, encodeMint({ supply: SUPPLY }))
  world.accounts.set(deriveAddresses(mint).metadata, encodeMetadata(mint, "MANY", false))
  world.reports.set(mint, emptyReport)
  world.pairs.set(
    mint,
    placed.map((one) => pairOf(one.pool, one.quote, { priceUsd: null, liquidityQuote: one.pair }))
  )
  const holders = placeHolders(
    world,
    mint,
    holdersOf(14, (index) => 9 - index * 0.3)
  )
  world.largest.set(mint, [
    ...placed.map(({ tokenVault, tokens }) => ({ address: tokenVault, amount: tokens })),
    ...holders
  ])
  const vaults = placed.filter((one) => one.quote === quote).map(({ quoteVault }) => quoteVault)
  listVaults(world, quote, vaults, each)
  return mint
}
