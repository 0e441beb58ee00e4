import { describe, expect, it } from "@effect/vitest"
import { Effect, Option, Redacted } from "effect"
import { makeAttestor } from "../../src/attestation/attestor-live.ts"
import { combineWallets, createTokenRiskClient, VerificationFailure } from "../../src/client/index.ts"
import type { Verdict } from "../../src/client/index.ts"
import { pingResult } from "../support/answers.ts"
import { unsignedReport } from "../support/attestation/reports.ts"
import { memoryDatabase } from "../support/storage/memory-database.ts"

interface Scene {
  readonly safe: boolean | null
  readonly verdict: Verdict
  /** The token the caller asks about; the report's own when left out. */
  readonly asked?: string
  /** Milliseconds since the ping's, or the report's, evidence was read. */
  readonly pingAge?: number
  readonly reportAge?: number
  /** Changes the report's text after it was attested. */
  readonly tamper?: (body: string) => string
}

const ADDRESS = unsignedReport.address

const attestorWith = (key: number) =>
  makeAttestor({
    signingKey: Option.some(Redacted.make<Uint8Array>(Buffer.alloc(32, key))),
    hmacKey: Option.some(Redacted.make<Uint8Array>(Buffer.alloc(32, 2)))
  }).pipe(Effect.provide(memoryDatabase))
const attestor = attestorWith(1)

/** A service that gives everything away, and the list of what it was asked for. */
const openService = (scene: Scene) =>
  Effect.gen(function* () {
    const { attest, jwks } = yield* attestor
    const readAt = (age = 0) => ({ fetchedAt: Date.now() - age })
    const report = JSON.stringify(
      yield* attest({ ...unsignedReport, ...readAt(scene.reportAge), verdict: scene.verdict })
    )
    const asked: Array<string> = []
    const bodyOf = (name: string) => {
      if (name === "jwks.json") return JSON.stringify(jwks)
      return name === "deep"
        ? (scene.tamper?.(report) ?? report)
        : JSON.stringify({ ...pingResult(scene.safe), ...readAt(scene.pingAge) })
    }
    const client = yield* Effect.promise(() =>
      createTokenRiskClient({
        baseUrl: "https://risk.test",
        wallet: combineWallets(),
        fetch: async (url) => {
          const name = url.split("/").at(-1) ?? ""
          asked.push(name)
          return new Response(bodyOf(name), { headers: { "content-type": "application/json" } })
        }
      })
    )
    return { client, asked }
  })

const screened = (scene: Scene, order: number) =>
  Effect.gen(function* () {
    const { asked, client } = yield* openService(scene)
    const { deep, tradable, why } = yield* Effect.tryPromise({
      try: () => client.screen("base", scene.asked ?? ADDRESS, order),
      catch: (error) => error
    })
    return {
      tradable,
      why,
      bought: asked.filter((name) => name !== "jwks.json"),
      verdict: deep?.result.verdict
    }
  })

type Row = readonly [
  safe: boolean | null,
  order: number,
  verdict: Verdict,
  buysDeep: boolean,
  tradable: boolean,
  why: string
]

/** Every combination the contract's spending rules distinguish (contract 1). */
const RULES: ReadonlyArray<Row> = [
  [true, 50, "allow", true, true, "passed"],
  [true, 50, "caution", true, false, "verdict-caution"],
  [true, 50, "avoid", true, false, "verdict-avoid"],
  [true, 250, "allow", true, true, "passed"],
  [true, 250, "caution", true, false, "verdict-caution"],
  [true, 250, "avoid", true, false, "verdict-avoid"],
  [null, 50, "allow", false, false, "ping-unknown"],
  [null, 100, "allow", false, false, "ping-unknown"],
  [null, 100.01, "allow", true, false, "ping-unknown"],
  [null, 250, "caution", true, false, "ping-unknown"],
  [null, 250, "avoid", true, false, "verdict-avoid"],
  [false, 50, "allow", false, false, "ping-failed"],
  [false, 100, "allow", false, false, "ping-failed"],
  [false, 250, "allow", true, false, "ping-failed"],
  [false, 250, "caution", true, false, "ping-failed"],
  [false, 250, "avoid", true, false, "ping-failed"]
]

describe("screen", () => {
  for (const [safe, order, verdict, buysDeep, tradable, why] of RULES) {
    it.effect(
      `ping ${safe}, ${order} USD, verdict ${verdict}: ${tradable ? "trade" : "size zero"} (${why})`,
      () =>
        Effect.gen(function* () {
          const decision = yield* screened({ safe, verdict }, order)
          expect(decision).toEqual({
            tradable,
            why,
            bought: buysDeep ? ["ping", "deep"] : ["ping"],
            verdict: buysDeep ? verdict : undefined
          })
        })
    )
  }

  // The answer of a payment that was left open is what it bought then, however long ago.
  for (const what of ["pingAge", "reportAge"] as const) {
    for (const [when, age] of [
      ["was read long ago", 3_600_000],
      ["will be read in an hour", -3_600_000]
    ] as const) {
      it.effect(`does not trade on evidence that ${when} (${what})`, () =>
        Effect.gen(function* () {
          const decision = yield* screened({ safe: true, verdict: "allow", [what]: age }, 50)
          expect(decision).toMatchObject({ tradable: false, why: "evidence-stale" })
        })
      )
    }
    it.effect(`trades on evidence of a service whose clock is a minute ahead (${what})`, () =>
      Effect.gen(function* () {
        const decision = yield* screened({ safe: true, verdict: "allow", [what]: -60_000 }, 50)
        expect(decision).toMatchObject({ tradable: true, why: "passed" })
      })
    )
  }

  const tampered: ReadonlyArray<readonly [string, (body: string) => string]> = [
    ["a verdict changed on the way", (body) => body.replace('"avoid"', '"allow"')],
    ["a member added", (body) => body.replace("{", '{"extra":1,')],
    ["a key given twice, the signed value last", (body) => body.replace("{", '{"verdict":"allow",')]
  ]
  for (const [what, tamper] of tampered) {
    it.effect(`does not trade on a report with ${what}`, () =>
      Effect.gen(function* () {
        const error = yield* Effect.flip(screened({ safe: true, verdict: "avoid", tamper }, 50))
        expect(error).toBeInstanceOf(VerificationFailure)
      })
    )
  }

  it.effect("does not trade on a genuine report about another token", () =>
    Effect.gen(function* () {
      const other = "0x0000000000000000000000000000000000000bad"
      const error = yield* Effect.flip(screened({ safe: true, verdict: "allow", asked: other }, 50))
      expect(error).toMatchObject({ code: "not_verified", reason: "wrong-token" })
    })
  )

  it.effect(
    "keeps the report's text, so that it verifies later with members this version does not know",
    () =>
      Effect.gen(function* () {
        const { client } = yield* openService({ safe: true, verdict: "allow" })
        const { body, receipt, result } = yield* Effect.promise(() => client.deep("base", ADDRESS))
        expect(JSON.parse(body)).toEqual(result)
        expect(receipt).toBeNull()
      })
  )

  it.effect("asks for the keys once", () =>
    Effect.gen(function* () {
      const { asked, client } = yield* openService({ safe: true, verdict: "allow" })
      yield* Effect.promise(() => client.deep("base", ADDRESS))
      yield* Effect.promise(() => client.deep("base", ADDRESS))
      expect(asked.filter((name) => name === "jwks.json")).toHaveLength(1)
    })
  )

  it.effect("verifies with a key that is new, where a cache still gives the key set of before", () =>
    Effect.gen(function* () {
      const report = { ...unsignedReport, fetchedAt: Date.now() }
      const [before, after] = [yield* attestorWith(1), yield* attestorWith(3)]
      const reports = [yield* before.attest(report), yield* after.attest(report)]
      let { jwks } = before
      // A browser's own, or one in front of the service: it may keep the set for five minutes.
      const cache = new Map<string, string>()
      const client = yield* Effect.promise(() =>
        createTokenRiskClient({
          baseUrl: "https://risk.test",
          wallet: combineWallets(),
          fetch: async (url) => {
            if (url.endsWith("/deep")) return new Response(JSON.stringify(reports.shift()))
            const text = cache.get(url) ?? JSON.stringify(jwks)
            cache.set(url, text)
            return new Response(text)
          }
        })
      )
      yield* Effect.promise(() => client.deep("base", ADDRESS))
      jwks = after.jwks
      const { result } = yield* Effect.promise(() => client.deep("base", ADDRESS))
      expect(after.jwks.keys.map(({ kid }) => kid)).toContain(result.attestation.keyId)
    })
  )
})
