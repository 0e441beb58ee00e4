import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { makeUsdcMoves } from "../../../src/checkout/solana/usdc-moves.ts"
import { SOLANA_USDC } from "../../../src/domain/chain.ts"
import { SOLANA_MERCHANT } from "../../support/checkout/shop.ts"

it.effect("money whose owner no node names is unknown, and nobody's loss or gain is told without it", () =>
  Effect.gen(function* () {
    const movesOf = makeUsdcMoves({
      getAccounts: (all) => Effect.succeed({ slot: 1n, accounts: all.map(() => null) })
    })
    const change = { account: SOLANA_MERCHANT, mint: SOLANA_USDC, before: 0n, after: 5n }
    const transaction = { failed: false, slot: 1, blockTime: 1, accounts: [], instructions: [] }
    const told = { ...change, owner: "owner" }
    const moves = yield* movesOf({ ...transaction, changes: [told, { ...told, before: 2n, after: 0n }] })
    expect([...moves]).toEqual([["owner", 3n]])
    const nameless = { ...transaction, changes: [told, { ...change, owner: null }] }
    expect(yield* Effect.flip(movesOf(nameless))).toMatchObject({ upstream: "solana-rpc", kind: "rejected" })
  })
)
