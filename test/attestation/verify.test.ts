import { describe, expect, it } from "@effect/vitest"
import { Effect, Either, Option, Redacted } from "effect"
import { makeAttestor } from "../../src/attestation/attestor-live.ts"
import { type Jwks, verifyReport } from "../../src/domain/attestation.ts"
import { unsignedReport } from "../support/attestation/reports.ts"
import { memoryDatabase } from "../support/storage/memory-database.ts"

const Database = memoryDatabase

type Json = null | boolean | number | string | ReadonlyArray<Json> | { readonly [name: string]: Json }

const attestorOf = (byte: number) =>
  makeAttestor({
    signingKey: Option.some(Redacted.make<Uint8Array>(Buffer.alloc(32, byte))),
    hmacKey: Option.some(Redacted.make<Uint8Array>(Buffer.alloc(32, byte + 1)))
  }).pipe(Effect.provide(Database))

const attested = Effect.gen(function* () {
  const attestor = yield* attestorOf(1)
  const report = yield* attestor.attest(unsignedReport)
  const wire: { [name: string]: Json } = JSON.parse(JSON.stringify(report))
  return { wire, jwks: attestor.jwks }
})

const faultOf = (report: unknown, jwks: Jwks): string =>
  Either.match(verifyReport(report, jwks), { onLeft: (failure) => failure.reason, onRight: () => "verified" })

/** Every copy of a JSON value in which exactly one leaf differs. */
const mutants = (value: Json): ReadonlyArray<Json> => {
  if (value === null) return [false]
  if (typeof value === "boolean") return [!value]
  if (typeof value === "number") return [value + 0.5]
  if (typeof value === "string") return [`${value} `]
  if (Array.isArray(value)) {
    return value.flatMap((item: Json, index) => mutants(item).map((mutant) => value.with(index, mutant)))
  }
  return Object.entries(value).flatMap(([name, member]) =>
    mutants(member).map((mutant) => Object.assign({}, value, { [name]: mutant }))
  )
}

const reversed = (value: Json): Json => {
  if (Array.isArray(value)) return value.map(reversed)
  if (value === null || typeof value !== "object") return value
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([name, member]) => [name, reversed(member)])
  )
}

describe("verifyReport", () => {
  it.effect("accepts what was attested", () =>
    Effect.gen(function* () {
      const { wire, jwks } = yield* attested
      expect(faultOf(wire, jwks)).toBe("verified")
    })
  )

  it.effect("accepts members in any order", () =>
    Effect.gen(function* () {
      const { wire, jwks } = yield* attested
      expect(faultOf(reversed(wire), jwks)).toBe("verified")
    })
  )

  it.effect("notices a change of any single value", () =>
    Effect.gen(function* () {
      const { wire, jwks } = yield* attested
      const changed = mutants(wire)
      expect(changed.length).toBeGreaterThan(30)
      for (const mutant of changed) expect(faultOf(mutant, jwks)).not.toBe("verified")
    })
  )

  it.effect("notices a member that was added, and one that was dropped", () =>
    Effect.gen(function* () {
      const { wire, jwks } = yield* attested
      expect(faultOf({ ...wire, note: "fine" }, jwks)).toBe("digest-mismatch")
      for (const name of Object.keys(wire)) {
        const { [name]: _dropped, ...rest } = wire
        expect(faultOf(rest, jwks)).toBe(name === "attestation" ? "missing-attestation" : "malformed-report")
      }
    })
  )

  it.effect("names what is wrong with the attestation", () =>
    Effect.gen(function* () {
      const { wire, jwks } = yield* attested
      const report = Either.getOrThrow(verifyReport(wire, jwks))
      const stranger = yield* attestorOf(7)
      const foreign = yield* stranger.attest(unsignedReport)
      const patch = (attestation: Partial<typeof report.attestation>) =>
        faultOf({ ...report, attestation: { ...report.attestation, ...attestation } }, jwks)
      expect(patch({ digest: "00".repeat(32) })).toBe("digest-mismatch")
      expect(patch({ digest: report.attestation.digest.toUpperCase() })).toBe("digest-mismatch")
      expect(patch({ hmac: "00".repeat(32) })).toBe("hmac-mismatch")
      expect(patch({ keyId: foreign.attestation.keyId })).toBe("unknown-key")
      expect(patch({ hmacKeyId: foreign.attestation.hmacKeyId })).toBe("unknown-hmac-key")
      expect(patch({ algorithm: "none" })).toBe("unsupported-algorithm")
      expect(patch({ signature: foreign.attestation.signature })).toBe("signature-mismatch")
      expect(patch({ signature: "" })).toBe("signature-mismatch")
      expect(patch({ signature: `${report.attestation.signature}=` })).toBe("signature-mismatch")
      expect(patch(foreign.attestation)).toBe("unknown-key")
    })
  )

  it.effect("does not take another key under a known id, nor a key of the wrong kind", () =>
    Effect.gen(function* () {
      const { wire, jwks } = yield* attested
      const stranger = yield* attestorOf(7)
      const forged = stranger.jwks.keys.map((key, index) =>
        Object.assign({}, key, { kid: jwks.keys[index]?.["kid"] ?? "" })
      )
      expect(faultOf(wire, { keys: forged })).toBe("unknown-key")
      expect(faultOf(wire, { keys: jwks.keys.filter((key) => key["kty"] === "oct") })).toBe("unknown-key")
      expect(faultOf(wire, { keys: jwks.keys.filter((key) => key["kty"] === "OKP") })).toBe(
        "unknown-hmac-key"
      )
      expect(faultOf(wire, { keys: [] })).toBe("unknown-key")
    })
  )

  it.effect("a forger with the published HMAC key still lacks the signature", () =>
    Effect.gen(function* () {
      const { jwks } = yield* attested
      const honest = yield* attestorOf(1)
      const forger = yield* makeAttestor({
        signingKey: Option.some(Redacted.make<Uint8Array>(Buffer.alloc(32, 9))),
        hmacKey: Option.some(Redacted.make<Uint8Array>(Buffer.alloc(32, 2)))
      }).pipe(Effect.provide(Database))
      const lie = yield* forger.attest({
        ...unsignedReport,
        verdict: "allow",
        score: 0,
        band: "low",
        reasons: []
      })
      const claimed = {
        ...lie,
        attestation: { ...lie.attestation, keyId: honest.jwks.keys[0]?.["kid"] ?? "" }
      }
      expect(faultOf(claimed, jwks)).toBe("signature-mismatch")
    })
  )

  it.effect.each([null, 1, "report", [], {}, { attestation: {} }, { attestation: null }])(
    "refuses %j without throwing",
    (input) =>
      Effect.gen(function* () {
        const { jwks } = yield* attested
        expect(["malformed-report", "missing-attestation"]).toContain(faultOf(input, jwks))
      })
  )
})
