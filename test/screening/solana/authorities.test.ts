/** What a report says of whoever holds an authority. */
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { placeCleanToken } from "../../support/solana/clean-token.ts"
import { programAddress, wallet } from "../../support/solana/encode.ts"
import { makeFakeWorld, screenIn } from "../../support/solana/fake-world.ts"

describe("a live authority", () => {
  const rows = [
    ["somebody's key", wallet("key"), "its holder can"],
    [
      "a program's address",
      programAddress("program's own"),
      "a program's address holds it, and by what rules"
    ]
  ] as const
  it.effect.each(rows)("of %s is critical, and said to be no more than is known", ([, authority, words]) =>
    Effect.gen(function* () {
      const world = makeFakeWorld()
      const { mint } = yield* placeCleanToken(world, {
        mint: { mintAuthority: authority, freezeAuthority: authority }
      })
      const { safe, screening } = yield* screenIn(world, mint)
      const failed = screening.signals.filter(({ state }) => state === "fail")
      expect(failed.map(({ id }) => id)).toEqual(["MINT_AUTHORITY", "FREEZE_AUTHORITY"])
      for (const { message } of failed) expect(message).toContain(words)
      expect(safe).toBe(false)
    })
  )
})
