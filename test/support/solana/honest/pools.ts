/** Tokens in pools of every other kind. */
import * as at from "../../../../src/screening/solana/addresses.ts"
import { deriveAddresses, dlmmBinArray } from "../../../../src/screening/solana/reads/pdas.ts"
import { DEPLOYER, SUPPLY } from "../clean-token.ts"
import { account, anchorType, bytes, u128, u16, wallet } from "../encode.ts"
import { dammV2, placeGraduate, placeToken } from "../launches.ts"
import type { Scenario } from "../scenarios.ts"
import { LP, sync, withLpHolders } from "../scenarios.ts"

const locked = { price: 200e9 / (Number(SUPPLY) / 5), quoteAmount: 200_000_000_000n }

const dammLaunch = (label: string, options: Partial<Parameters<typeof dammV2>[0]> = {}): Scenario =>
  sync(
    (world) =>
      placeToken(
        world,
        { label, tokens: SUPPLY / 5n, quoteAmount: 200_000_000_000n },
        dammV2({ ...locked, ...options })
      ).mint
  )

const whirlpool = (positions: number): Scenario =>
  sync((world) => {
    const liquidity = 10n ** 15n
    const price = 200e9 / (Number(SUPPLY) / 5)
    const placed = placeToken(
      world,
      { label: `whirlpool of ${positions}`, tokens: SUPPLY / 5n, quoteAmount: 200_000_000_000n },
      ({ mint, quoteVault, tokenVault }) =>
        account(
          at.program.orcaWhirlpool,
          bytes(653, [
            [0, anchorType("Whirlpool")],
            [45, u16(3000)],
            [49, u128(liquidity * 1000n)],
            [65, u128(BigInt(Math.round(Math.sqrt(price) * 2 ** 60)) << 4n)],
            [101, mint],
            [133, tokenVault],
            [181, at.WSOL],
            [213, quoteVault]
          ])
        )
    )
    for (let index = 0; index < positions; index++)
      world.accounts.set(
        wallet(`position ${index}`),
        account(
          at.program.orcaWhirlpool,
          bytes(216, [
            [0, anchorType("Position")],
            [8, placed.pool],
            [40, wallet(`position mint ${index}`)],
            [72, u128(liquidity / BigInt(positions))],
            [88, Uint8Array.of(0, 0, 255, 255)],
            [92, Uint8Array.of(0, 0, 1, 0)]
          ])
        )
      )
    return placed.mint
  })

const dlmm: Scenario = sync((world) => {
  const price = 200e9 / (Number(SUPPLY) / 5)
  const activeId = Math.round(Math.log(price) / Math.log(1.008))
  const placed = placeToken(
    world,
    { label: "dlmm", tokens: SUPPLY / 5n, quoteAmount: 200_000_000_000n },
    ({ mint, quoteVault, tokenVault }) =>
      account(
        at.program.meteoraDlmm,
        bytes(904, [
          [0, anchorType("LbPair")],
          [8, u16(10_000)],
          [76, new Uint8Array(new Int32Array([activeId]).buffer)],
          [80, u16(80)],
          [88, mint],
          [120, at.WSOL],
          [152, tokenVault],
          [184, quoteVault]
        ])
      )
  )
  const array = dlmmBinArray(placed.pool, BigInt(Math.floor(activeId / 70)))
  const bins = Array.from({ length: 70 }, (_, bin) => [64 + bin * 144, 3_000_000_000n] as const)
  world.accounts.set(
    array,
    account(at.program.meteoraDlmm, bytes(10_136, [[0, anchorType("BinArray")], ...bins]))
  )
  for (let index = 0; index < 12; index++)
    world.accounts.set(
      wallet(`dlmm position ${index}`),
      account(
        at.program.meteoraDlmm,
        bytes(8120, [
          [8, placed.pool],
          [40, wallet(`provider ${index}`)],
          [72, u128(BigInt(10 + index) << 64n)]
        ])
      )
    )
  return placed.mint
})

/** A graduate whose quote is another graduate. */
const coinQuoted: Scenario = sync((world) => {
  const quote = placeGraduate(world, { label: "quote coin", sol: 5000 })
  const quoteCurve = deriveAddresses(quote).curve
  world.accounts.set(
    quoteCurve,
    account(
      at.program.pumpCurve,
      bytes(151, [
        [0, Uint8Array.of(23, 183, 248, 55, 96, 216, 172, 96)],
        [48, 1]
      ])
    )
  )
  const placed = placeToken(
    world,
    { label: "coin quoted", quote, tokens: SUPPLY / 5n, quoteAmount: SUPPLY / 100n },
    ({ mint, quoteVault, tokenVault }) =>
      account(
        at.program.pumpSwap,
        bytes(301, [
          [0, anchorType("Pool")],
          [11, DEPLOYER],
          [43, mint],
          [75, quote],
          [107, wallet("coin lp")],
          [139, tokenVault],
          [171, quoteVault],
          [203, LP]
        ])
      )
  )
  const lpMint = { ...placed, lpMint: wallet("coin lp") }
  withLpHolders(world, lpMint, [])
  return placed.mint
})

export const pools: Readonly<Record<string, Scenario>> = {
  "a DAMM v2 launch, locked for good": dammLaunch("locked"),
  "a DAMM v2 launch whose fee has fallen": dammLaunch("fallen", {
    cliff: 500_000_000n,
    fee: { mode: 0, periods: 10, every: 60n, reduction: 49_000_000n },
    activation: 1n
  }),
  "a Whirlpool of thirty positions": whirlpool(30),
  "a DLMM of twelve providers": dlmm,
  "a graduate quoted in another graduate": coinQuoted
}
