import { describe, expect, it } from "@effect/vitest"
import { Effect, Either, Option, Redacted } from "effect"
import { makeAttestor } from "../../src/attestation/attestor-live.ts"
import { VerificationFailure, verifyReport } from "../../src/client/index.ts"
import type { Jwks } from "../../src/client/index.ts"
import * as service from "../../src/domain/attestation.ts"
import { unsignedReport } from "../support/attestation/reports.ts"
import { memoryDatabase } from "../support/storage/memory-database.ts"

type Json = null | boolean | number | string | ReadonlyArray<Json> | { readonly [name: string]: Json }

const attested = Effect.gen(function* () {
  const { attest, jwks } = yield* makeAttestor({
    signingKey: Option.some(Redacted.make<Uint8Array>(Buffer.alloc(32, 1))),
    hmacKey: Option.some(Redacted.make<Uint8Array>(Buffer.alloc(32, 2)))
  })
  const wire: { readonly [name: string]: Json } = JSON.parse(JSON.stringify(yield* attest(unsignedReport)))
  return { wire, jwks }
}).pipe(Effect.provide(memoryDatabase))

const ours = (report: unknown, jwks: Jwks): Effect.Effect<string> =>
  Effect.promise(() =>
    verifyReport(report, jwks).then(
      () => "verified",
      (error: unknown) => (error instanceof VerificationFailure ? error.reason : String(error))
    )
  )

const theirs = (report: unknown, jwks: Jwks): string =>
  Either.match(service.verifyReport(report, jwks), {
    onLeft: ({ reason }) => reason,
    onRight: () => "verified"
  })

/**
 * Every copy of a value with one leaf changed, one member dropped, or one member added. A member added to the
 * attestation is signed by nobody and read by nobody.
 */
const mutants = (value: Json): ReadonlyArray<Json> => {
  if (typeof value === "string") return [`${value} `]
  if (typeof value === "number") return [value + 0.5]
  if (value === null || typeof value === "boolean") return [value !== true]
  if (Array.isArray(value))
    return value.flatMap((item: Json, at) => mutants(item).map((mutant) => value.with(at, mutant)))
  return Object.entries(value).flatMap(([name, member]) => [
    ...mutants(member).map((mutant) => ({ ...value, [name]: mutant })),
    Object.fromEntries(Object.entries(value).filter(([other]) => other !== name)),
    ...("digest" in value ? [] : [{ ...value, [`${name}2`]: member }])
  ])
}

/** The service knows the shape of every member, the client only of those it reads: either names the change. */
const kindOf = (reason: string): string =>
  reason === "malformed-report" || reason === "digest-mismatch" ? "changed" : reason

describe("the client's verifier, on WebCrypto", () => {
  it.effect("accepts what the service attested", () =>
    Effect.gen(function* () {
      const { jwks, wire } = yield* attested
      expect(yield* ours(wire, jwks)).toBe("verified")
    })
  )

  it.effect("refuses every change, for the reason the service's own verifier gives", () =>
    Effect.gen(function* () {
      const { jwks, wire } = yield* attested
      const changed = mutants(wire)
      expect(changed.length).toBeGreaterThan(80)
      for (const mutant of changed) {
        const reason = yield* ours(mutant, jwks)
        expect(reason).not.toBe("verified")
        expect(kindOf(reason)).toBe(kindOf(theirs(mutant, jwks)))
      }
    })
  )

  it.effect("believes no key under another key's id", () =>
    Effect.gen(function* () {
      const { jwks, wire } = yield* attested
      const renamed = { keys: jwks.keys.map((key) => ({ ...key, x: "AA".repeat(21) + "A" })) }
      expect(yield* ours(wire, renamed)).toBe(theirs(wire, renamed))
      expect(yield* ours(wire, { keys: [] })).toBe("unknown-key")
      for (const report of [null, 7, "text", [], {}, { attestation: null }])
        expect(yield* ours(report, jwks)).toBe(theirs(report, jwks))
    })
  )
})
