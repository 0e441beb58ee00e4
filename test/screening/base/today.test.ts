/** A node that shows a past: what it says of a token was true once. */
import { expect, layer } from "@effect/vitest"
import { Clock, Effect, Either, Redacted } from "effect"
import { makeBaseRpcWith } from "../../../src/chain/base-rpc.ts"
import { ScreeningUnavailable } from "../../../src/domain/errors.ts"
import { normalizeEvmAddress } from "../../../src/domain/address.ts"
import { makeBasePlan } from "../../../src/screening/base/plan.ts"
import { analyseCode } from "../../../src/screening/base/power/analyse.ts"
import { planParts } from "../../support/base/plan-parts.ts"
import { LocalBase } from "../../support/sandbox.ts"

/** Screens a token on a chain whose newest block is so many seconds old. */
const screenedAt = (age: number, isDevelopment: boolean) =>
  Effect.gen(function* () {
    const { tokens, url } = yield* LocalBase
    const address = normalizeEvmAddress(tokens.clean.address)
    if (address === undefined) return yield* Effect.dieMessage("no address")
    const rpc = yield* makeBaseRpcWith({ urls: [Redacted.make(url)], timeout: "8 seconds", concurrency: 8 })
    const now = Math.floor((yield* Clock.currentTimeMillis) / 1_000)
    const aged: typeof rpc = {
      ...rpc,
      readAll: (reads, options) =>
        Effect.map(rpc.readAll(reads, options), (batch) => ({ ...batch, blockTime: BigInt(now - age) }))
    }
    const plan = makeBasePlan({
      ...planParts(aged, (code) => analyseCode(code)),
      keepsEmptied: Effect.succeed(isDevelopment)
    })
    return yield* Effect.either(plan.screen({ chain: "base", address }))
  })

layer(LocalBase.layer, { excludeTestServices: true, timeout: "1 minute" })(
  "a node on Base whose newest block is",
  (it) => {
    it.effect("of today is believed", () =>
      Effect.gen(function* () {
        expect(Either.isRight(yield* screenedAt(600, false))).toBe(true)
      })
    )

    it.effect("an hour old is no source, unless it is of a chain to try things on", () =>
      Effect.gen(function* () {
        expect(yield* screenedAt(3_600, false)).toMatchObject({
          left: new ScreeningUnavailable({ upstream: "base-rpc" })
        })
        expect(Either.isRight(yield* screenedAt(3_600, true))).toBe(true)
      })
    )
  }
)
