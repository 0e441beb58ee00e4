/** Pieces of Solana worlds: pools, holders and LP tokens as tests of whole screenings need them. */
import { Effect } from "effect"
import type { SolanaAddress } from "../../../src/domain/address.ts"
import { isSolanaAddress } from "../../../src/domain/address.ts"
import * as at from "../../../src/screening/solana/addresses.ts"
import { associatedTokenAccount } from "../../../src/chain/program-address.ts"
import type { CleanOptions, PlacedToken } from "./clean-token.ts"
import { DEPLOYER, SUPPLY, placeCleanToken } from "./clean-token.ts"
import { bytes, encodeMint, encodeTokenAccount, wallet } from "./encode.ts"
import type { FakeWorld } from "./fake-world.ts"

export const LP = 1_000_000_000n
/** An account of the mint for each of these owners, with so many thousandths of the supply; gives what a node lists. */
export const placeHolders = (
  world: FakeWorld,
  mint: SolanaAddress,
  holders: ReadonlyArray<readonly [owner: SolanaAddress, perMille: number]>
): Array<{ readonly address: SolanaAddress; readonly amount: bigint }> =>
  holders.map(([owner, perMille]) => {
    const address = associatedTokenAccount(owner, mint, at.TOKEN_PROGRAM)
    const amount = (SUPPLY * BigInt(Math.round(perMille * 100))) / 100_000n
    world.accounts.set(address, encodeTokenAccount(mint, owner, amount))
    return { address, amount }
  })

/** The clean token with other shares in other hands: per holder, parts of the supply in per mille. */
export const withHolders = (
  world: FakeWorld,
  placed: PlacedToken,
  holders: ReadonlyArray<readonly [owner: SolanaAddress, perMille: number]>,
  /** What the pool holds; otherwise all that the holders leave. */
  pooledPerMille?: number
) => {
  const { mint, tokenVault } = placed
  // Whom the clean token's supply was with has none of it any more.
  for (const { address } of world.reports.get(mint)?.topHolders ?? [])
    if (isSolanaAddress(address)) world.accounts.delete(address)
  const entries = placeHolders(world, mint, holders)
  const held = entries.reduce((sum, { amount }) => sum + amount, 0n)
  const inPool = pooledPerMille === undefined ? SUPPLY - held : (SUPPLY * BigInt(pooledPerMille)) / 1000n
  const listed = entries.toSorted((a, b) => Number(b.amount - a.amount)).slice(0, 19)
  const vault = world.accounts.get(tokenVault)
  const data = Uint8Array.from(vault?.data ?? [])
  new DataView(data.buffer).setBigUint64(64, inPool, true)
  if (vault !== undefined) world.accounts.set(tokenVault, { ...vault, data })
  world.largest.set(mint, [{ address: tokenVault, amount: inPool }, ...listed])
  // The pool's price has moved with its balance; what market data said before would only be a dispute.
  const pairs = (world.pairs.get(mint) ?? []).map((pair) => ({ ...pair, priceUsd: null }))
  world.pairs.set(mint, pairs)
}

/** Market data and RugCheck forget the token. */
export const thirdPartiesSilent = (world: FakeWorld): void => {
  world.down.add("dexscreener").add("rugcheck")
}

export const holdersOf = (count: number, perMille: number | ((index: number) => number)) =>
  Array.from(
    { length: count },
    (_, index) =>
      [wallet(`party ${index}`), typeof perMille === "number" ? perMille : perMille(index)] as const
  )

/** LP tokens of the clean token's pool in these hands, in parts of a thousand. */
export const withLpHolders = (
  world: FakeWorld,
  { lpMint, mint }: PlacedToken,
  holders: ReadonlyArray<readonly [owner: SolanaAddress, perMille: number]>
) => {
  world.accounts.delete(associatedTokenAccount(DEPLOYER, lpMint, at.TOKEN_PROGRAM))
  const report = world.reports.get(mint)
  if (report !== undefined) {
    const markets = report.markets.map((market) => ({ ...market, lpLockedPct: null }))
    world.reports.set(mint, { ...report, markets })
  }
  const entries = holders.map(([owner, perMille]) => {
    const address = associatedTokenAccount(owner, lpMint, at.TOKEN_PROGRAM)
    const amount = (LP * BigInt(Math.round(perMille * 1000))) / 1_000_000n
    world.accounts.set(address, encodeTokenAccount(lpMint, owner, amount))
    return { address, amount }
  })
  world.largest.set(lpMint, entries.slice(0, 20))
  const total = entries.reduce((sum, { amount }) => sum + amount, 0n)
  world.accounts.set(lpMint, encodeMint({ supply: total, decimals: 9 }))
}

/** Overwrites bytes of one account. */
export const patch = (world: FakeWorld, address: SolanaAddress, parts: Parameters<typeof bytes>[1]) => {
  const found = world.accounts.get(address)
  if (found === undefined) throw new Error("nothing to patch")
  const data = Uint8Array.from(found.data)
  for (const [offset, part] of parts)
    data.set(
      bytes(
        typeof part === "number"
          ? 1
          : typeof part === "bigint"
            ? 8
            : typeof part === "string"
              ? 32
              : part.length,
        [[0, part]]
      ),
      offset
    )
  world.accounts.set(address, { ...found, data })
}

export const clean = (world: FakeWorld, options: CleanOptions = {}) => placeCleanToken(world, options)

/** A scenario puts a token into a world and says which. */
export type Scenario = (world: FakeWorld) => Effect.Effect<SolanaAddress>

export const sync =
  (place: (world: FakeWorld) => SolanaAddress): Scenario =>
  (world) =>
    Effect.sync(() => place(world))

/** The clean token, changed. */
export const changed =
  (
    change: (world: FakeWorld, placed: PlacedToken) => void,
    options: Parameters<typeof clean>[1] = {}
  ): Scenario =>
  (world) =>
    Effect.gen(function* () {
      const placed = yield* clean(world, options)
      change(world, placed)
      return placed.mint
    })

/** Gives the token so many holders of like size, eight thousandths and less; the pool's own entry, and the others. */
export const withCrowd = (world: FakeWorld, placed: PlacedToken, count: number) => {
  withHolders(
    world,
    placed,
    holdersOf(count, (index) => 8 - index * 0.3)
  )
  const [pool, ...others] = world.largest.get(placed.mint) ?? []
  if (pool === undefined) throw new Error("no pool")
  return { pool, others }
}
