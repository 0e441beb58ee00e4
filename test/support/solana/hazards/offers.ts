/** Supply offered above the price, beside locked bids: whoever offers it can take it out any day. */
import * as at from "../../../../src/screening/solana/addresses.ts"
import { whirlpoolLock } from "../../../../src/screening/solana/reads/pdas.ts"
import type { SolanaAddress } from "../../../../src/domain/address.ts"
import type { PlacedToken } from "../clean-token.ts"
import { DEPLOYER, SUPPLY } from "../clean-token.ts"
import type { Provider } from "../concentrated.ts"
import { placeBins, placeRange, tickOf } from "../concentrated.ts"
import { laidOut, wallet } from "../encode.ts"
import type { FakeWorld } from "../fake-world.ts"
import type { Scenario } from "../scenarios.ts"
import { patch, sync } from "../scenarios.ts"

const HALF = SUPPLY / 2n

const withHalfMore = (world: FakeWorld, { mint, tokenVault }: PlacedToken): SolanaAddress => {
  const [vault, ...others] = world.largest.get(mint) ?? []
  if (vault === undefined) throw new Error("no vault")
  const amount = vault.amount + HALF
  patch(world, tokenVault, [[64, amount]])
  world.largest.set(mint, [{ ...vault, amount }, ...others])
  return mint
}

/** One locked position over everything, and beside it the deployer's offers of half of the supply above the price. */
const offersBeside = (
  label: string,
  kind: "whirlpool" | "clmm",
  lock: (world: FakeWorld, position: string) => Provider
): Scenario =>
  sync((world) => {
    const near = tickOf(200)
    const providers = [
      lock(world, `${label} position 0`),
      { owner: DEPLOYER, sol: 0, ticks: [near + 640, near + 64_000] as const, liquidity: 1e17 }
    ]
    const placed = placeRange(world, { label, kind, sol: 200, providers })
    return withHalfMore(world, placed)
  })

/** The bids are held back for years, the offers are not. */
const offersBesideRelease: Scenario = sync((world) => {
  const label = "offers over a locked pair"
  const bid = { owner: DEPLOYER, sol: 200, from: -60, count: 61 }
  const offer = { owner: DEPLOYER, sol: 0, from: 200, count: 60, offered: 1000 }
  const placed = placeBins(world, { label, providers: [bid, offer], release: 1_890_000_000n })
  patch(world, wallet(`${label} position 1`), [[7992, 0n]])
  return withHalfMore(world, placed)
})

/** Whoever places limit orders has no position: what they offer lies in the vault, and no account that is read names them. */
const ordersBeside = (place: (world: FakeWorld) => PlacedToken): Scenario =>
  sync((world) => withHalfMore(world, place(world)))

export const offers: Readonly<Record<string, Scenario>> = {
  "half of the supply is offered above the price of a Whirlpool whose bids are locked": offersBeside(
    "offers over a locked whirlpool",
    "whirlpool",
    (world, position) => {
      world.accounts.set(whirlpoolLock(wallet(position)), laidOut(at.program.orcaWhirlpool, 241, []))
      return { owner: DEPLOYER, sol: 200 }
    }
  ),
  "half of the supply is offered above the price of a CLMM pool whose bids are locked": offersBeside(
    "offers over a locked clmm",
    "clmm",
    () => ({ owner: at.RAYDIUM_POSITION_LOCK, sol: 200 })
  ),
  "half of the supply is offered in limit orders of a CLMM pool whose bids are locked": ordersBeside(
    (world) =>
      placeRange(world, {
        label: "orders over a locked clmm",
        kind: "clmm",
        sol: 200,
        providers: [{ owner: at.RAYDIUM_POSITION_LOCK, sol: 200 }]
      })
  ),
  "half of the supply is offered in limit orders of a DLMM pair whose bids are held back for years":
    ordersBeside((world) =>
      placeBins(world, {
        label: "orders over a locked pair",
        providers: [{ owner: DEPLOYER, sol: 200, from: -60, count: 61 }],
        release: 1_890_000_000n
      })
    ),
  "half of the supply is offered above the price of a DLMM pair whose bids are held back for years":
    offersBesideRelease
}
