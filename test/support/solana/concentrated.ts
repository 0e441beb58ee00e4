/** Pools of positions as they are on chain: what the positions hold adds up to what the pool counts. */
import type { SolanaAddress } from "../../../src/domain/address.ts"
import * as at from "../../../src/screening/solana/addresses.ts"
import { dammPositionAccount, dlmmBinArray } from "../../../src/screening/solana/reads/pdas.ts"
import type { PlacedToken } from "./clean-token.ts"
import { SUPPLY } from "./clean-token.ts"
import { anchored, encodeMint, encodeTokenAccount, i32, u128, u16, wallet } from "./encode.ts"
import type { FakeWorld } from "./fake-world.ts"
import { dammV2, placeToken } from "./launches.ts"
import { patch } from "./scenarios.ts"

const TOKENS = SUPPLY / 5n
const LAMPORTS = 1e9

/** Who put how many whole SOL into which range of ticks, around the price where none is given. */
export interface Provider {
  readonly owner: SolanaAddress
  readonly sol: number
  readonly ticks?: readonly [lower: number, upper: number]
  /** Liquidity of an offer above the price, which holds no quote. */
  readonly liquidity?: number
}

/** The tick of the price of `sol` whole SOL for a fifth of the supply. */
export const tickOf = (sol: number): number =>
  Math.floor(Math.log((sol * LAMPORTS) / Number(TOKENS)) / Math.log(1.0001))

const sqrtAt = (tick: number): number => 1.0001 ** (tick / 2)
const FULL = [-443_636, 443_636] as const

/** Liquidity of a range that holds so much quote below the price, or all of it where the price stands above. */
const liquidityOf = (quote: number, root: number, [lower, upper]: readonly [number, number]): number => {
  const width = Math.min(root, sqrtAt(upper)) - sqrtAt(lower)
  return width > 0 ? quote / width : 0
}

const big = (value: number): bigint => BigInt(Math.round(value))

/** The token of a position, in somebody's hands. */
const placePositionToken = (world: FakeWorld, label: string, owner: SolanaAddress): SolanaAddress => {
  const [mint, held] = [wallet(`${label} mint`), wallet(`${label} held`)]
  world.accounts.set(held, encodeTokenAccount(mint, owner, 1n))
  world.largest.set(mint, [{ address: held, amount: 1n }])
  return mint
}

/** A token in a Whirlpool or a CLMM pool whose price is `sol` whole SOL for a fifth of the supply. */
export const placeRange = (
  world: FakeWorld,
  plan: {
    readonly label: string
    readonly kind?: "whirlpool" | "clmm"
    readonly sol: number
    readonly providers: ReadonlyArray<Provider>
    /** The pool's own count against what its positions add up to. */
    readonly counted?: number
  }
): PlacedToken => {
  const tick = tickOf(plan.sol)
  const root = Math.sqrt((plan.sol * LAMPORTS) / Number(TOKENS))
  const made = plan.providers.map(({ liquidity, owner, sol, ticks = FULL }) => ({
    owner,
    ticks,
    liquidity: liquidity ?? liquidityOf(sol * LAMPORTS, root, ticks)
  }))
  const standing = made.filter(({ ticks }) => ticks[0] <= tick && tick < ticks[1])
  const counted = standing.reduce((sum, { liquidity }) => sum + liquidity, 0) * (plan.counted ?? 1)
  const inVault = plan.providers.reduce((sum, { sol }) => sum + sol, 0) * (plan.counted ?? 1)
  const isClmm = plan.kind === "clmm"
  const placed = placeToken(
    world,
    { label: plan.label, tokens: TOKENS, quoteAmount: big(inVault * LAMPORTS) },
    ({ mint, quoteVault, tokenVault }) =>
      isClmm
        ? anchored(at.program.raydiumClmm, "PoolState", 1544, [
            [73, mint],
            [105, at.WSOL],
            [137, tokenVault],
            [169, quoteVault],
            [235, u16(60)],
            [237, u128(big(counted))],
            [253, u128(big(root * 2 ** 52) << 12n)],
            [269, i32(tick)]
          ])
        : anchored(at.program.orcaWhirlpool, "Whirlpool", 653, [
            [8, at.ORCA_CONFIG],
            [41, u16(64)],
            [43, u16(64)],
            [45, u16(3000)],
            [49, u128(big(counted))],
            [65, u128(big(root * 2 ** 52) << 12n)],
            [81, i32(tick)],
            [101, mint],
            [133, tokenVault],
            [181, at.WSOL],
            [213, quoteVault]
          ]),
    isClmm ? { labels: ["CLMM"] } : { dexId: "orca", labels: ["wp"] }
  )
  for (const [index, { liquidity, owner, ticks }] of made.entries()) {
    const mint = placePositionToken(world, `${plan.label} position ${index}`, owner)
    world.accounts.set(
      wallet(`${plan.label} position ${index}`),
      isClmm
        ? anchored(at.program.raydiumClmm, "PersonalPositionState", 281, [
            [9, mint],
            [41, placed.pool],
            [73, i32(ticks[0])],
            [77, i32(ticks[1])],
            [81, u128(big(liquidity))]
          ])
        : anchored(at.program.orcaWhirlpool, "Position", 216, [
            [8, placed.pool],
            [40, mint],
            [72, u128(big(liquidity))],
            [88, i32(ticks[0])],
            [92, i32(ticks[1])]
          ])
    )
  }
  return placed
}

/** Burns the token of a pool's first position. `mintAuthority`: who could mint another; nobody, as the programs leave it. */
export const burnPositionToken = (
  world: FakeWorld,
  label: string,
  { mintAuthority, position = 0 }: { readonly mintAuthority?: SolanaAddress; readonly position?: number } = {}
): void => {
  const mint = wallet(`${label} position ${position} mint`)
  world.accounts.set(mint, encodeMint({ supply: 0n, decimals: 0, ...(mintAuthority && { mintAuthority }) }))
  world.accounts.set(
    wallet(`${label} position ${position} held`),
    encodeTokenAccount(mint, wallet("burner"), 0n)
  )
  world.largest.set(mint, [])
}

const BIN_STEP = 80
const BINS = 70

/** Who put how many whole SOL, evenly, into how many bins from which distance to the price on. */
export interface BinProvider {
  readonly owner: SolanaAddress
  readonly sol: number
  /** Bins from the price's own on; negative ones are bids. */
  readonly from: number
  readonly count: number
  /** Shares without quote: tokens offered above the price, worth so many SOL by the bins' own prices. */
  readonly offered?: number
}

/** A pair's own count of which arrays hold something: a bit for each, from the 512th below bin 0 on. */
const bitmapOf = (indexes: ReadonlyArray<number>): Uint8Array => {
  const bits = new Uint8Array(128)
  for (const index of indexes)
    bits[(index + 512) >> 3] = (bits[(index + 512) >> 3] ?? 0) | (1 << ((index + 512) & 7))
  return bits
}

/** A token in a DLMM pair whose price is 200 SOL for a fifth of the supply. */
export const placeBins = (
  world: FakeWorld,
  plan: {
    readonly label: string
    readonly providers: ReadonlyArray<BinProvider>
    /** Quote of positions that no node lists, whole SOL in the bins right below the price. */
    readonly unlistedSol?: number
    /** Tokens that the bin of the price offers. */
    readonly tokens?: bigint
    readonly unit?: number
    readonly release?: bigint
    /** Who may withdraw each position beside its owner. */
    readonly operator?: SolanaAddress
  }
): PlacedToken => {
  const active = Math.round(Math.log((200 * LAMPORTS) / Number(TOKENS)) / Math.log(1 + BIN_STEP / 10_000))
  const first = Math.floor(active / BINS)
  const quoteOf = ({ count, sol }: BinProvider) => (sol * LAMPORTS) / count
  const bids = plan.providers.filter(({ from }) => from <= 0)
  const sol = plan.providers.reduce((sum, one) => sum + one.sol, 0) + (plan.unlistedSol ?? 0)
  const placed = placeToken(
    world,
    { label: plan.label, tokens: TOKENS, quoteAmount: big(sol * LAMPORTS) },
    ({ mint, quoteVault, tokenVault }) =>
      anchored(at.program.meteoraDlmm, "LbPair", 904, [
        [8, u16(10_000)],
        [76, i32(active)],
        [80, u16(BIN_STEP)],
        [86, plan.unit ?? 1],
        [88, mint],
        [120, at.WSOL],
        [152, tokenVault],
        [184, quoteVault],
        [584, bitmapOf([first, first - 1])]
      ]),
    { dexId: "meteora", labels: ["DLMM"] }
  )
  const bins = new Map<number, { quote: number; supply: number }>()
  const addTo = (id: number, quote: number, supply: number) => {
    const bin = bins.get(id) ?? { quote: 0, supply: 0 }
    bins.set(id, { quote: bin.quote + quote, supply: bin.supply + supply })
  }
  for (const one of bids)
    for (let bin = 0; bin < one.count; bin++)
      addTo(active + one.from + bin, quoteOf(one), quoteOf(one) * 2 ** 20)
  for (let bin = 0; bin < 20 && plan.unlistedSol !== undefined; bin++)
    addTo(active - bin, (plan.unlistedSol * LAMPORTS) / 20, ((plan.unlistedSol * LAMPORTS) / 20) * 2 ** 20)
  for (const index of [first, first - 1]) {
    const parts = Array.from({ length: BINS }, (_, bin) => {
      const { quote, supply } = bins.get(index * BINS + bin) ?? { quote: 0, supply: 0 }
      const offset = 56 + bin * 144
      const tokens = index * BINS + bin === active ? (plan.tokens ?? 0n) : 0n
      return [
        [offset, tokens] as const,
        [offset + 8, big(quote)] as const,
        [offset + 32, u128(big(supply))] as const
      ]
    })
    world.accounts.set(
      dlmmBinArray(placed.pool, BigInt(index)),
      anchored(at.program.meteoraDlmm, "BinArray", 10_136, parts.flat())
    )
  }
  for (const [index, one] of plan.providers.entries()) {
    const share = one.offered === undefined ? quoteOf(one) * 2 ** 20 : one.offered * LAMPORTS * 2 ** 20
    world.accounts.set(
      wallet(`${plan.label} position ${index}`),
      anchored(at.program.meteoraDlmm, "PositionV2", 8120, [
        [8, placed.pool],
        [40, one.owner],
        ...Array.from({ length: one.count }, (_, bin) => [72 + bin * 16, u128(big(share))] as const),
        [7912, i32(active + one.from)],
        [7916, i32(active + one.from + one.count - 1)],
        ...(plan.operator === undefined ? [] : [[7960, plan.operator] as const]),
        [7992, plan.release ?? 0n]
      ])
    )
  }
  return placed
}

/** A DAMM v2 pool of 200 SOL without a lock, whose positions have these shares of its liquidity. */
export const placeDammPositions = (
  world: FakeWorld,
  label: string,
  positions: ReadonlyArray<{
    readonly owner: SolanaAddress
    readonly share: number
    /** Held back until a point in time, Unix seconds. */
    readonly until?: bigint
    /** The schedule stands in an account of its own, or nowhere. */
    readonly schedule?: "elsewhere" | "nowhere"
    /** Approved for none of the position's token, as the program wants it, with these bits of permission. */
    readonly delegate?: { readonly to: SolanaAddress; readonly permission: Uint8Array }
  }>
): PlacedToken => {
  const plan = { price: (200 * LAMPORTS) / Number(TOKENS), quoteAmount: big(200 * LAMPORTS), locked: 0 }
  const place = { label, tokens: TOKENS, quoteAmount: plan.quoteAmount }
  const placed = placeToken(world, place, dammV2(plan), { dexId: "meteora", labels: ["DYN2"] })
  const pool = world.accounts.get(placed.pool)
  if (pool === undefined) throw new Error("no pool")
  const whole = Number(new DataView(pool.data.buffer, pool.data.byteOffset).getBigUint64(368, true)) * 2 ** 64
  for (const [index, { delegate, owner, schedule, share, until }] of positions.entries()) {
    const mint = wallet(`${label} position ${index} mint`)
    const position = wallet(`${label} position ${index}`)
    world.accounts.set(dammPositionAccount(mint), encodeTokenAccount(mint, owner, 1n))
    if (delegate !== undefined)
      patch(world, dammPositionAccount(mint), [
        [72, 1],
        [76, delegate.to]
      ])
    const liquidity = u128(big(whole * share))
    const terms = (offset: number) =>
      until === undefined ? [] : ([[offset, until] as const, [offset + 16, liquidity] as const] as const)
    world.accounts.set(
      position,
      anchored(at.program.meteoraDammV2, "Position", 408, [
        [8, placed.pool],
        [40, mint],
        [until === undefined ? 152 : 168, liquidity],
        [392, delegate?.permission ?? 0],
        ...(schedule === undefined ? terms(312) : [])
      ])
    )
    if (schedule === "elsewhere")
      world.accounts.set(
        wallet(`${label} vesting ${index}`),
        anchored(at.program.meteoraDammV2, "Vesting", 184, [[8, position], ...terms(40)])
      )
  }
  return placed
}
