/** Names that are others', and what third parties know. */
import { deriveAddresses } from "../../../../src/screening/solana/reads/pdas.ts"
import { DEPLOYER, emptyReport } from "../clean-token.ts"
import { bytes, programAddress, wallet } from "../encode.ts"
import type { Scenario } from "../scenarios.ts"
import { stakePoolToken } from "../stake-pool.ts"
import { changed, thirdPartiesSilent, withHolders } from "../scenarios.ts"

const risk = (name: string, level: string): Scenario =>
  changed((world, { mint }) => {
    const report = world.reports.get(mint) ?? emptyReport
    world.reports.set(mint, { ...report, risks: [{ name, level, score: 1000 }] })
  })

const copyOf = (symbol: string): Scenario => changed(() => undefined, { symbol })

export const reputation: Readonly<Record<string, Scenario>> = {
  "RugCheck: creator with a history of rugs": risk("Creator history of rugged tokens", "danger"),
  "RugCheck: correlated holders": risk("High holder correlation", "danger"),
  "RugCheck: a danger of a name nobody knows": risk("Something new", "danger"),
  "RugCheck: a danger in capital letters": risk("Something new", "DANGER"),
  "RugCheck: a creator with a history of rugs, at a level nobody knows": risk(
    "Creator history of rugged tokens",
    "critical"
  ),
  "RugCheck: copy": risk("Copycat token", "danger"),
  "named BONK": copyOf("BONK"),
  "named JUP": copyOf("JUP"),
  "named WIF": copyOf("WIF"),
  "named TRUMP": copyOf("TRUMP"),
  "named USDC with an Armenian letter": copyOf("ՍSDC"),
  "named USDC with a digit": copyOf("U5DC"),
  "named BONK, in an account that the node does not show": changed(
    (world, { mint }) => void world.accounts.delete(deriveAddresses(mint).metadata),
    { symbol: "BONK" }
  ),
  "market data calls it BONK, whatever its accounts say by now": changed((world, { mint }) => {
    const pairs = world.pairs.get(mint) ?? []
    world.pairs.set(
      mint,
      pairs.map((pair) => ({ ...pair, called: { name: "Bonk", symbol: "BONK" } }))
    )
  }),
  "RugCheck calls it USDC, and it has no metadata": changed((world, { mint }) => {
    world.accounts.delete(deriveAddresses(mint).metadata)
    const report = world.reports.get(mint) ?? emptyReport
    world.reports.set(mint, { ...report, called: { name: "USD Coin", symbol: "USDC" } })
  }),
  "named elsewhere, by a pointer to an account that cannot be read": changed(() => undefined, {
    mint: {
      extensions: [
        [
          18,
          bytes(64, [
            [0, DEPLOYER],
            [32, wallet("elsewhere")]
          ])
        ]
      ]
    }
  }),
  "silent third parties and a whale": changed((world, placed) => {
    withHolders(world, placed, [[wallet("whale"), 450]])
    thirdPartiesSilent(world)
  }),
  "a stake pool's own tokens, at a thousand times what its maker mints them for": stakePoolToken(1_000),
  "a stake pool's own tokens, for which only its manager gets the stake back": stakePoolToken(1, {
    now: 1000n
  }),
  "a stake pool's own tokens, whose manager will keep a tenth of the stake": stakePoolToken(1, {
    next: 100n
  }),
  "a stake pool's name without its account": changed(() => undefined, {
    mint: { mintAuthority: programAddress("stake pool?") }
  })
}
