/** The whole plan on a local Solana, through the real RPC and market-data clients. */
import { expect, layer } from "@effect/vitest"
import { type Address, address as kitAddress } from "@solana/kit"
import { Context, Effect, Either, Layer } from "effect"
import { wallet } from "../../support/solana/encode.ts"
import { findings } from "../../support/solana/fake-world.ts"
import type { Row } from "../../support/solana/local-matrix.ts"
import { issuer, matrix } from "../../support/solana/local-matrix.ts"
import { LOCKER, LocalWorld, screen } from "../../support/solana/local-world.ts"

/** The pools' programs do not run here, so nothing can be bought; transfers between holders are real. */
const UNTRIED = ["SALE_FAILS:unknown", "ROUND_TRIP_LOSS:unknown"]

const besideTrades = (screening: Parameters<typeof findings>[0]) => {
  const found = findings(screening)
  expect(found).toEqual(expect.arrayContaining(UNTRIED))
  return found.filter((finding) => !UNTRIED.includes(finding))
}

/** Six holders, a pool with 30,000 dollars on the quote side, metadata. */
const placeRow = (label: string, row: Row) =>
  Effect.gen(function* () {
    const { chain } = yield* LocalWorld
    return yield* Effect.promise(async () => {
      const mint = chain.place.mint({
        label: `matrix ${label}`,
        ...row.mint,
        ...(row.extensions === undefined ? {} : { extensions: row.extensions })
      })
      await chain.place.metadata({
        mint,
        name: "Matrix",
        symbol: "ROW",
        updateAuthority: issuer,
        mutable: row.mutable ?? false
      })
      for (let index = 0; index < 20; index++) {
        await chain.place.tokenAccount({
          mint,
          owner: kitAddress(wallet(`holder ${index}`)),
          amount: 10n ** 13n
        })
      }
      const plan = {
        mint,
        tokens: 8n * 10n ** 14n,
        unburned: row.unburned ?? 0,
        ...(row.lpOwner === undefined ? {} : { lpOwner: row.lpOwner }),
        ...(row.quote === "usdc"
          ? { quote: chain.referencePool.quote, quoteAmount: 30_000n * 10n ** 6n }
          : { quoteAmount: 200n * 10n ** 9n })
      }
      await (row.pool === "pumpswap" ? chain.placePumpSwapPool(plan) : chain.placeCpmmPool(plan))
      return mint
    })
  })

/** The rows' mints, all placed before the first is screened: a node reads its token accounts anew after each change. */
class Rows extends Context.Tag("test/Rows")<Rows, (label: string) => Address>() {
  static readonly layer = Layer.effect(
    Rows,
    Effect.map(
      Effect.forEach(Object.entries(matrix), ([label, row]) =>
        Effect.map(placeRow(label, row), (mint) => [label, mint] as const)
      ),
      (placed) => (label) => new Map(placed).get(label) ?? kitAddress(wallet("nothing placed"))
    )
  ).pipe(Layer.provideMerge(LocalWorld.layer))
}

layer(Rows.layer, { excludeTestServices: true, timeout: "60 seconds" })("on a local Solana", (it) => {
  for (const [label, row] of Object.entries(matrix)) {
    it.effect(`${label}: ${row.verdict}`, () =>
      Effect.gen(function* () {
        const mint = (yield* Rows)(label)
        const { assessment, screening } = yield* screen(mint)
        expect(besideTrades(screening)).toEqual(row.signals)
        expect({ verdict: assessment.verdict, safe: assessment.safe }).toEqual({
          verdict: row.verdict,
          safe: row.safe
        })
        expect(screening).toMatchObject({
          pairs: 1,
          liquidityUsd: 60_000,
          lpLocked: row.lpLocked ?? true,
          mintAuthorityOff: row.mint?.mintAuthority == null
        })
        expect(screening.priceUsd).toBeCloseTo(30_000 / 8e8, 9)
      })
    )
  }

  it.effect(
    "LP tokens in a locker the operator named count as locked, even where RugCheck does not know it",
    () =>
      Effect.gen(function* () {
        const mint = yield* placeRow("locker", {
          unburned: 0.5,
          lpOwner: kitAddress(LOCKER),
          verdict: "allow",
          safe: true,
          signals: []
        })
        const { assessment, screening } = yield* screen(mint)
        expect(besideTrades(screening)).toEqual([])
        expect(screening.lpLocked).toBe(true)
        expect(assessment).toMatchObject({ safe: true, verdict: "allow" })
      })
  )

  it.effect("a mint that trades nowhere is unknown, USDC itself is allowed", () =>
    Effect.gen(function* () {
      const { chain } = yield* LocalWorld
      const outcome = yield* Effect.either(screen(chain.tokens.unlisted.address))
      expect(Either.isLeft(outcome) && outcome.left._tag).toBe("UnknownToken")
      const usdc = yield* screen(chain.referencePool.quote)
      expect(usdc.assessment.verdict).toBe("allow")
      expect(usdc.screening).toMatchObject({ mintAuthorityOff: false, priceUsd: 1 })
    })
  )
})
