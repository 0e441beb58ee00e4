/** Supply of which a node tells too little, or that is cut so small that no list shows it. */
import * as at from "../../../../src/screening/solana/addresses.ts"
import { associatedTokenAccount } from "../../../../src/chain/program-address.ts"
import type { SolanaAddress } from "../../../../src/domain/address.ts"
import { DEPLOYER, SUPPLY } from "../clean-token.ts"
import { account, encodeMint, encodeTokenAccount, laidOut, programAddress, wallet } from "../encode.ts"
import { placeGraduate } from "../launches.ts"
import type { Scenario } from "../scenarios.ts"
import { streamedLp } from "../streams.ts"
import { changed, holdersOf, sync, withCrowd, withHolders } from "../scenarios.ts"

/** Holders of a graduate whose pool keeps a fifth of the supply. */
const graduate = (label: string, holders: ReturnType<typeof holdersOf>): Scenario =>
  sync((world) => placeGraduate(world, { label, sol: 85, holders }))

/** Differences that somebody who cuts a supply into pieces would add. */
const jitter = (index: number): number => 1 + 0.04 * Math.sin(index * 7)

const shares = (count: number, perMille: number) =>
  holdersOf(count, (index) => perMille * jitter(index)).toSorted(([, a], [, b]) => b - a)

/** A contract that pays out in decades, and one flag of it set. */
const stream = (mint: SolanaAddress, escrow: SolanaAddress, flagAt: number) =>
  laidOut(at.TIME_LOCKERS.streamflow, 1104, [
    [33, 4_000_000_000n],
    [49, DEPLOYER],
    [113, wallet("team")],
    [177, mint],
    [209, escrow],
    [417, SUPPLY / 2n],
    [425, 1n],
    [441, 3_900_000_000n],
    [flagAt, 1]
  ])

/** Half of the supply in a Streamflow contract with one of its flags set. */
const streamed = (flagAt: number): Scenario =>
  changed((world, placed) => {
    const contract = wallet("stream escrow")
    const { pool, others } = withCrowd(world, placed, 12)
    const amount = SUPPLY / 2n
    world.accounts.set(contract, encodeTokenAccount(placed.mint, contract, amount))
    world.accounts.set(placed.tokenVault, encodeTokenAccount(placed.mint, placed.pool, pool.amount - amount))
    world.largest.set(placed.mint, [
      { address: contract, amount },
      { ...pool, amount: pool.amount - amount },
      ...others
    ])
    world.accounts.set(wallet("stream"), stream(placed.mint, contract, flagAt))
  })

export const unseen: Readonly<Record<string, Scenario>> = {
  "160 wallets hold half a per cent each": graduate("160", holdersOf(160, 5)),
  "260 wallets hold about 0.3 % each": graduate("260", shares(260, 3)),
  "the node names nobody": changed((world, { mint }) => void world.largest.set(mint, [])),
  "the node names only the pool": changed((world, { mint }) => {
    const [pool] = world.largest.get(mint) ?? []
    world.largest.set(mint, pool === undefined ? [] : [pool])
  }),
  "whose the largest accounts are cannot be read": changed((world, placed) => {
    withHolders(world, placed, holdersOf(10, 70))
    for (const [owner] of holdersOf(10, 70))
      world.accounts.delete(associatedTokenAccount(owner, placed.mint, at.TOKEN_PROGRAM))
  }),
  "ten pools that nobody lists hold 8 % each": changed((world, placed) => {
    const pools = Array.from({ length: 10 }, (_, index) => programAddress(`own pool ${index}`))
    withHolders(
      world,
      placed,
      pools.map((pool, index) => [pool, 80 - index] as const)
    )
    for (const pool of pools) world.accounts.set(pool, account(at.program.orcaWhirlpool, new Uint8Array(653)))
  }),
  "a dozen addresses of programs that nobody knows hold 2.5 % each": changed((world, placed) =>
    withHolders(
      world,
      placed,
      [
        ...Array.from({ length: 12 }, (_, index) => [programAddress(`vault ${index}`), 30 - index] as const),
        ...holdersOf(20, (index) => 8 - index * 0.3)
      ],
      300
    )
  ),
  "half of the supply is a deposit in a lending vault": changed((world, placed) => {
    const vault = programAddress("lending vault")
    withHolders(world, placed, [[vault, 500], ...holdersOf(15, (index) => 10 - index * 0.4)])
    world.accounts.set(vault, account(at.program.meteoraVault, new Uint8Array(1300)))
  }),
  "the mint counts no supply": changed((world, { mint, tokenVault }) => {
    world.accounts.set(mint, encodeMint({ supply: 0n }))
    world.largest.set(mint, [{ address: tokenVault, amount: SUPPLY / 2n }])
  }),
  "a vesting contract holds half, and its recipient may cancel it": streamed(458),
  "LP tokens in a Streamflow escrow that their sender may cancel": streamedLp([[457, 1]]),
  "LP tokens in a Streamflow escrow that ends within a month": streamedLp([], 1_791_000_000n),
  "LP tokens in a Streamflow escrow of another mint's contract": streamedLp([[177, wallet("another mint")]]),
  "a vesting contract holds half, and its rate can be raised": streamed(540)
}
