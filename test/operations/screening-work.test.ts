import { describe, expect, it } from "@effect/vitest"
import { Effect, Layer, Option, Redacted } from "effect"
import { randomBytes } from "node:crypto"
import { Attestor } from "../../src/attestation/attestor.ts"
import { makeAttestor } from "../../src/attestation/attestor-live.ts"
import { makeScreeningWork } from "../../src/operations/screening-work.ts"
import type { Screening } from "../../src/domain/screening.ts"
import { RiskScorerLive } from "../../src/screening/risk-scorer-live.ts"
import { request } from "../support/operations/world.ts"
import { Screener } from "../../src/screening/screener.ts"
import { mockScreener } from "../support/mocks.ts"
import { memoryDatabase } from "../support/storage/memory-database.ts"
import { answered, withPlan } from "../support/screening/one-plan.ts"
import { screeningOf } from "../support/screening/screenings.ts"

const signing = Effect.suspend(() => makeAttestor({ signingKey: key(), hmacKey: key() }))
const key = () => Option.some(Redacted.make<Uint8Array>(randomBytes(32)))

/** The work over one screening at a time, with an attestor that signs for real and counts. */
const makeShop = Effect.gen(function* () {
  const real = yield* signing
  const state = { attested: 0, screening: screeningOf(), cacheHit: true }
  const work = yield* makeScreeningWork.pipe(
    Effect.provide([
      mockScreener({
        screen: () => Effect.sync(() => ({ screening: state.screening, cacheHit: state.cacheHit })),
        known: () => (state.cacheHit ? state.screening : undefined)
      }),
      RiskScorerLive,
      Layer.succeed(Attestor, {
        ...real,
        attest: (report) =>
          Effect.zipRight(
            Effect.sync(() => (state.attested += 1)),
            real.attest(report)
          )
      })
    ])
  )
  const deep = (free: boolean, over: { readonly screening?: Screening; readonly cacheHit?: boolean } = {}) =>
    Effect.suspend(() => {
      Object.assign(state, over)
      return work.run(request(), free)
    })
  const known = () => work.knownFree(request().token, 0)
  return { deep, known, state }
})

describe("one screening", () => {
  it.scoped("serves pings and deep reports alike, whichever is asked for first", () =>
    Effect.gen(function* () {
      for (const order of [
        ["check_token_safety_ping", "check_token_risk_deep"],
        ["check_token_risk_deep", "check_token_safety_ping"]
      ] as const) {
        const { runs, screener } = yield* withPlan(answered)
        const work = yield* makeScreeningWork.pipe(
          Effect.provide([Layer.succeed(Screener, screener), RiskScorerLive, Layer.effect(Attestor, signing)])
        )
        const answers = yield* Effect.forEach(order, (operation) => work.run(request({ operation }), false))
        expect(answers.map((text) => JSON.parse(text))).toMatchObject([
          { cacheHit: false },
          { cacheHit: true }
        ])
        expect(runs).toHaveLength(1)
      }
    }).pipe(Effect.provide(memoryDatabase))
  )
})

describe("the report of a screening out of the cache", () => {
  it.effect(
    "is attested once for all whom it is free for, and once for all who pay, in the bytes of a new one",
    () =>
      Effect.gen(function* () {
        const { deep, state } = yield* makeShop
        const free = yield* deep(true)
        const sold = yield* deep(false)
        expect([yield* deep(true), yield* deep(false), yield* deep(true)]).toEqual([free, sold, free])
        expect(state.attested).toBe(2)
        expect(JSON.parse(free)).toMatchObject({ free: true, cacheHit: true })
        expect(JSON.parse(sold)).toMatchObject({ free: false, cacheHit: true })
        // The same evidence in a screening of its own is attested again, and comes out the same.
        expect(yield* deep(true, { screening: { ...state.screening } })).toBe(free)
        expect(state.attested).toBe(3)
      }).pipe(Effect.provide(memoryDatabase))
  )

  it.effect("is known for free callers as soon as one has had it, and for as long as its screening is", () =>
    Effect.gen(function* () {
      const { deep, known, state } = yield* makeShop
      expect(known()).toBeUndefined()
      yield* deep(false)
      expect(known()).toBeUndefined()
      const text = yield* deep(true)
      expect(known()).toMatchObject({ text, cacheHit: true })
      expect(known()).toBe(known())
      state.screening = { ...state.screening }
      expect(known()).toBeUndefined()
      state.cacheHit = false
      expect(known()).toBeUndefined()
    }).pipe(Effect.provide(memoryDatabase))
  )

  it.effect("is another one when the screening is, and when it was made for the call", () =>
    Effect.gen(function* () {
      const { deep, state } = yield* makeShop
      const cached = yield* deep(true)
      expect(JSON.parse(yield* deep(true, { cacheHit: false }))).toMatchObject({ cacheHit: false })
      expect(yield* deep(true, { cacheHit: true })).toBe(cached)
      const later = { ...state.screening, fetchedAt: state.screening.fetchedAt + 1_000 }
      expect(JSON.parse(yield* deep(true, { screening: later }))).toMatchObject({
        fetchedAt: later.fetchedAt
      })
    }).pipe(Effect.provide(memoryDatabase))
  )
})
