/** Fees in the token itself, which lie in a pool's vault until somebody takes them out: whoever has traded with himself owns much. */
import type { SolanaAddress } from "../../../../src/domain/address.ts"
import { SUPPLY } from "../clean-token.ts"
import { placeDbc } from "../curves.ts"
import { wallet } from "../encode.ts"
import { dammV2, placeToken } from "../launches.ts"
import type { Scenario } from "../scenarios.ts"
import { changed, holdersOf, patch, sync, withHolders } from "../scenarios.ts"

const MUCH = (SUPPLY * 4n) / 10n
const TOKENS = SUPPLY / 5n
const QUOTE = 200_000_000_000n

/** A DAMM v2 pool, locked for good, and in its vault so many tokens that are fees. */
const beside = (
  label: string,
  fees: bigint,
  terms: Parameters<typeof patch>[2],
  locked: { readonly price: number } = { price: Number(QUOTE) / Number(TOKENS) }
): Scenario =>
  sync((world) => {
    const plan = { label, tokens: TOKENS + fees, quoteAmount: QUOTE }
    const placed = placeToken(world, plan, dammV2({ ...locked, quoteAmount: QUOTE }))
    patch(world, placed.pool, terms)
    return placed.mint
  })

/** Half of the liquidity that the pool now has was put in; the rest were fees. */
const COMPOUNDING: Parameters<typeof patch>[2] = [
  [484, 2],
  [680, TOKENS],
  [688, QUOTE],
  [360, new Uint8Array(8)],
  [368, (BigInt(Math.round(Math.sqrt(Number(TOKENS) * Number(QUOTE)))) * 5n) / 10n],
  [552, new Uint8Array(8)],
  [560, (BigInt(Math.round(Math.sqrt(Number(TOKENS) * Number(QUOTE)))) * 5n) / 10n]
]

/** A pool whose fees have become reserves: nobody can take these out. */
export const compounded: Scenario = beside("compounded", 0n, COMPOUNDING)

const onCurve = (label: string, pool: SolanaAddress): Scenario =>
  sync((world) => {
    const mint = placeDbc(world, label)
    patch(world, pool, [[232, (SUPPLY * 3n) / 10n]])
    return mint
  })

export const fees: Readonly<Record<string, Scenario>> = {
  "40 % of the supply are fees that whoever locked a DAMM v2 pool may claim": beside("claimable", MUCH, []),
  "40 % of the supply are fees beside what a DAMM v2 pool has compounded": beside(
    "beside compounded",
    MUCH,
    COMPOUNDING
  ),
  "40 % of the supply are fees that a DBC launch's makers may claim": onCurve(
    "claimable on a curve",
    wallet("claimable on a curve pool")
  ),
  "40 % of the supply are fees that a CPMM pool's creator may claim": changed((world, placed) => {
    withHolders(
      world,
      placed,
      holdersOf(15, (index) => 12 - index * 0.5),
      800
    )
    patch(world, placed.pool, [[397, MUCH]])
  })
}
