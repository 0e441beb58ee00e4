/** What a list leaves out though it is full, and others name: what an account shows counts, whoever has named it. */
import * as at from "../../../../src/screening/solana/addresses.ts"
import { associatedTokenAccount } from "../../../../src/chain/program-address.ts"
import type { PlacedToken } from "../clean-token.ts"
import { emptyReport } from "../clean-token.ts"
import { encodeTokenAccount, wallet } from "../encode.ts"
import type { FakeWorld } from "../fake-world.ts"
import type { Scenario } from "../scenarios.ts"
import { changed, holdersOf, withHolders } from "../scenarios.ts"

/** A crowd that fills the node's list, and RugCheck's word of one more who holds a third of the supply. */
export const placeLeftOut = (world: FakeWorld, placed: PlacedToken, isGone: boolean): void => {
  const { mint } = placed
  const whale = wallet("left out")
  const address = associatedTokenAccount(whale, mint, at.TOKEN_PROGRAM)
  const crowd = holdersOf(25, (index) => 8 - index * 0.1)
  withHolders(world, placed, isGone ? crowd : [[whale, 330], ...crowd], 300)
  if (isGone) world.accounts.set(address, encodeTokenAccount(mint, whale, 1n))
  const listed = (world.largest.get(mint) ?? []).filter((one) => one.address !== address)
  const full = crowd.map(([owner]) => ({
    address: associatedTokenAccount(owner, mint, at.TOKEN_PROGRAM),
    amount: 1n
  }))
  const rest = full.filter((one) => listed.every((other) => other.address !== one.address))
  world.largest.set(mint, [...listed, ...rest].slice(0, 20))
  const report = world.reports.get(mint) ?? emptyReport
  world.reports.set(mint, { ...report, topHolders: [{ address, owner: whale, pct: 33, insider: false }] })
}

export const leftOut: Readonly<Record<string, Scenario>> = {
  "a full list leaves out a wallet with a third of the supply, which RugCheck names": changed(
    (world, placed) => placeLeftOut(world, placed, false)
  )
}
