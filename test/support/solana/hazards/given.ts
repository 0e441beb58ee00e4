/** Whoever holds the key of an address can give the account there to any program, and go on signing with the key. */
import type { SolanaAddress } from "../../../../src/domain/address.ts"
import * as at from "../../../../src/screening/solana/addresses.ts"
import { account, wallet } from "../encode.ts"
import type { Scenario } from "../scenarios.ts"
import { changed, holdersOf, LP, withHolders, withLpHolders } from "../scenarios.ts"

/** One key with four fifths of the LP tokens of an old market, whose account is this program's, and a full list of others. */
const givenTo = (program: SolanaAddress): Scenario =>
  changed(
    (world, placed) => {
      const key = wallet("a key whose account was given away")
      world.accounts.set(key, account(program, new Uint8Array()))
      // Owners of the largest balances are read.
      withHolders(world, placed, [[key, 12], ...holdersOf(18, (index) => 10 - index * 0.3)], 800)
      // No two of the others are of one size.
      const others = holdersOf(19, (index) => 30 * 0.85 ** index)
      withLpHolders(world, placed, [[key, 810], ...others])
    },
    { lpLeft: LP }
  )

export const given: Readonly<Record<string, Scenario>> = {
  "most LP tokens of an old market are one key's, whose account was given to a locker's program": givenTo(
    at.TIME_LOCKERS.streamflow
  ),
  "most LP tokens of an old market are one key's, whose account was given to a program of pools": givenTo(
    at.program.meteoraDammV1
  )
}
