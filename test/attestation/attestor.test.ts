import { createHash, createHmac, createPublicKey, verify } from "node:crypto"
import { SqlClient } from "@effect/sql"
import { describe, expect, it } from "@effect/vitest"
import { Cause, ConfigProvider, Effect, Exit, Layer } from "effect"
import * as fc from "fast-check"
import { Attestor } from "../../src/attestation/attestor.ts"
import { attestationConfig, AttestorLive, makeAttestor } from "../../src/attestation/attestor-live.ts"
import { addKey, allKeys } from "../../src/attestation/key-store.ts"
import { canonicalJson } from "../../src/domain/canonical-json.ts"
import { verifyReport } from "../../src/domain/attestation.ts"
import { unsignedReport } from "../support/attestation/reports.ts"
import { memoryDatabase } from "../support/storage/memory-database.ts"

const SIGNING_KEY = "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60"
const OTHER_KEY = "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb"
const HMAC_KEY = "11".repeat(32)

const Database = memoryDatabase

/** One start of the service over the database in context. */
const start = (env: Record<string, string>) =>
  Effect.withConfigProvider(
    Effect.flatMap(attestationConfig, makeAttestor),
    ConfigProvider.fromMap(new Map(Object.entries(env)))
  )

const kidsOf = (attestor: {
  readonly jwks: { readonly keys: ReadonlyArray<Readonly<Record<string, string>>> }
}) => attestor.jwks.keys.map((key) => key["kid"])

describe("Attestor", () => {
  it.scoped(
    "publishes exactly what is needed to verify: digest, HMAC and signature over the canonical bytes",
    () =>
      Effect.gen(function* () {
        const attestor = yield* start({
          ATTESTATION_SIGNING_KEY: SIGNING_KEY,
          ATTESTATION_HMAC_KEY: HMAC_KEY
        })
        const { attestation, ...body } = yield* attestor.attest(unsignedReport)
        const canonical = canonicalJson(body) ?? ""
        const digest = createHash("sha256").update(canonical).digest()
        const [okp, oct] = attestor.jwks.keys
        expect(attestation.digest).toBe(digest.toString("hex"))
        expect(attestation.hmac).toBe(
          createHmac("sha256", Buffer.from(oct?.["k"] ?? "", "base64url"))
            .update(digest)
            .digest("hex")
        )
        const publicKey = createPublicKey({
          key: { kty: "OKP", crv: "Ed25519", x: okp?.["x"] ?? "" },
          format: "jwk"
        })
        expect(
          verify(null, Buffer.from(canonical), publicKey, Buffer.from(attestation.signature, "base64url"))
        ).toBe(true)
        expect(attestation.keyId).toBe(okp?.["kid"])
        expect(attestation.hmacKeyId).toBe(oct?.["kid"])
        expect(okp).toMatchObject({ kty: "OKP", crv: "Ed25519", use: "sig", alg: "EdDSA" })
        expect(oct).toMatchObject({ kty: "oct", use: "sig", alg: "HS256" })
      }).pipe(Effect.provide(Database))
  )

  it.scoped("derives the key RFC 8032 gives for its first test seed, and the RFC 8037 thumbprint", () =>
    Effect.gen(function* () {
      const { jwks } = yield* start({ ATTESTATION_SIGNING_KEY: SIGNING_KEY, ATTESTATION_HMAC_KEY: HMAC_KEY })
      expect(jwks.keys[0]?.["x"]).toBe("11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo")
      expect(jwks.keys[0]?.["kid"]).toBe("kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k")
    }).pipe(Effect.provide(Database))
  )

  it.scoped(
    "makes a key of its own where none is configured any more: the published half of the last one is no seed",
    () =>
      Effect.gen(function* () {
        const before = yield* start({ ATTESTATION_SIGNING_KEY: SIGNING_KEY, ATTESTATION_HMAC_KEY: HMAC_KEY })
        const published = before.jwks.keys[0]?.["x"] ?? ""
        const bait = yield* start({
          ATTESTATION_SIGNING_KEY: Buffer.from(published, "base64url").toString("hex"),
          ATTESTATION_HMAC_KEY: OTHER_KEY
        }).pipe(Effect.provide(memoryDatabase))
        const after = yield* start({})
        expect(kidsOf(bait).slice(0, 1)).not.toEqual(kidsOf(after).slice(0, 1))
        expect(kidsOf(before).slice(0, 2)).not.toEqual(kidsOf(after).slice(0, 2))
        expect(kidsOf(after)).toEqual(expect.arrayContaining(kidsOf(before)))
        expect(kidsOf(yield* start({}))).toEqual(kidsOf(after))
      }).pipe(Effect.provide(Database))
  )

  it.scoped("keeps one generated key of a purpose, though processes that start together make several", () =>
    Effect.gen(function* () {
      const key = { purpose: "sign", origin: "generated" } as const
      for (const kid of ["first", "second"]) yield* addKey({ ...key, kid, material: SIGNING_KEY })
      expect((yield* allKeys).map(({ kid }) => kid)).toEqual(["first"])
    }).pipe(Effect.provide(Database))
  )

  it.scoped("attests what goes over the wire: the parsed JSON verifies", () =>
    Effect.gen(function* () {
      const attestor = yield* start({})
      const report = yield* attestor.attest(unsignedReport)
      yield* verifyReport(JSON.parse(JSON.stringify(report)), attestor.jwks)
    }).pipe(Effect.provide(Database))
  )

  it.scoped("attests every score, price and liquidity a report can hold", () =>
    Effect.gen(function* () {
      const attestor = yield* start({})
      const finite = fc.double({ noNaN: true, noDefaultInfinity: true, min: 0 })
      const samples = fc.sample(fc.tuple(finite, finite, fc.string({ unit: "grapheme" })), 200)
      for (const [priceUsd, liquidityUsd, methodology] of samples) {
        const report = yield* attestor.attest({ ...unsignedReport, priceUsd, liquidityUsd, methodology })
        yield* verifyReport(JSON.parse(JSON.stringify(report)), attestor.jwks)
      }
    }).pipe(Effect.provide(Database))
  )

  it.scoped("generates keys on the first start and keeps them", () =>
    Effect.gen(function* () {
      const first = yield* start({})
      const second = yield* start({})
      expect(kidsOf(second)).toEqual(kidsOf(first))
      expect(kidsOf(first)).toHaveLength(2)
    }).pipe(Effect.provide(Database))
  )

  it.scoped("agrees on one generated key when many processes start at once", () =>
    Effect.gen(function* () {
      const attestors = yield* Effect.all(
        Array.from({ length: 20 }, () => start({})),
        { concurrency: "unbounded" }
      )
      expect(new Set(attestors.map((attestor) => kidsOf(attestor).join())).size).toBe(1)
    }).pipe(Effect.provide(Database))
  )

  it.scoped("keeps retired keys for verification, after the current ones", () =>
    Effect.gen(function* () {
      const first = yield* start({ ATTESTATION_SIGNING_KEY: SIGNING_KEY, ATTESTATION_HMAC_KEY: HMAC_KEY })
      const old = yield* first.attest(unsignedReport)
      const second = yield* start({
        ATTESTATION_SIGNING_KEY: OTHER_KEY,
        ATTESTATION_HMAC_KEY: "22".repeat(32)
      })
      const fresh = yield* second.attest(unsignedReport)
      expect(fresh.attestation.keyId).not.toBe(old.attestation.keyId)
      expect(kidsOf(second).slice(0, 2)).toEqual([fresh.attestation.keyId, fresh.attestation.hmacKeyId])
      yield* verifyReport(old, second.jwks)
      yield* verifyReport(fresh, second.jwks)
    }).pipe(Effect.provide(Database))
  )

  it.scoped("keeps a generated key for verification once a configured one replaces it", () =>
    Effect.gen(function* () {
      const before = yield* start({})
      const old = yield* before.attest(unsignedReport)
      const after = yield* start({ ATTESTATION_SIGNING_KEY: SIGNING_KEY, ATTESTATION_HMAC_KEY: HMAC_KEY })
      yield* verifyReport(old, after.jwks)
      expect(kidsOf(after)).toHaveLength(4)
    }).pipe(Effect.provide(Database))
  )

  it.scoped("never publishes or stores the seed of a configured key", () =>
    Effect.gen(function* () {
      const attestor = yield* start({ ATTESTATION_SIGNING_KEY: SIGNING_KEY, ATTESTATION_HMAC_KEY: HMAC_KEY })
      const rotated = yield* start({})
      const sql = yield* SqlClient.SqlClient
      const stored = yield* sql`SELECT * FROM attestation_keys WHERE origin = 'configured'`
      const seed = Buffer.from(SIGNING_KEY, "hex").toString("base64url")
      expect(JSON.stringify([attestor.jwks, rotated.jwks, stored])).not.toContain(seed)
      expect(JSON.stringify([attestor.jwks, rotated.jwks, stored])).not.toContain(SIGNING_KEY)
      expect(rotated.jwks.keys.some((key) => "d" in key)).toBe(false)
    }).pipe(Effect.provide(Database))
  )

  it.scoped("refuses one value for both keys: the HMAC key is published", () =>
    Effect.gen(function* () {
      const exit = yield* Effect.exit(
        start({ ATTESTATION_SIGNING_KEY: HMAC_KEY, ATTESTATION_HMAC_KEY: HMAC_KEY })
      )
      const text = Exit.isFailure(exit) ? Cause.pretty(exit.cause) : ""
      expect(text).toContain("ATTESTATION_HMAC_KEY")
      expect(text).not.toContain(HMAC_KEY)
    }).pipe(Effect.provide(Database))
  )

  it.scoped("refuses to sign with a key that was published as an HMAC key before, and the reverse", () =>
    Effect.gen(function* () {
      yield* start({ ATTESTATION_SIGNING_KEY: SIGNING_KEY, ATTESTATION_HMAC_KEY: HMAC_KEY })
      const signs = yield* Effect.exit(
        start({ ATTESTATION_SIGNING_KEY: HMAC_KEY, ATTESTATION_HMAC_KEY: OTHER_KEY })
      )
      const publishes = yield* Effect.exit(
        start({ ATTESTATION_SIGNING_KEY: OTHER_KEY, ATTESTATION_HMAC_KEY: SIGNING_KEY })
      )
      expect(Exit.isFailure(signs)).toBe(true)
      expect(Exit.isFailure(publishes)).toBe(true)
    }).pipe(Effect.provide(Database))
  )

  it.effect.each([
    "",
    "zz",
    "11".repeat(31),
    "11".repeat(33),
    `${"11".repeat(31)}1g`,
    `1x${"11".repeat(32)}`
  ])("names a key that is no key (%j) without showing it", (value) =>
    Effect.gen(function* () {
      const exit = yield* Effect.exit(start({ ATTESTATION_SIGNING_KEY: value, ATTESTATION_HMAC_KEY: value }))
      const text = Exit.isFailure(exit) ? Cause.pretty(exit.cause) : ""
      expect(text).toContain("ATTESTATION_SIGNING_KEY")
      expect(text).toContain("ATTESTATION_HMAC_KEY")
      // Each for itself, and not for being the same as the other.
      expect(text.split("must be 32 bytes in hex")).toHaveLength(3)
      if (value.length > 2) expect(text).not.toContain(value)
    }).pipe(Effect.provide(Database))
  )

  it.scoped("takes a key with 0x before it, or blanks around it, as the same key", () =>
    Effect.gen(function* () {
      const plain = yield* start({ ATTESTATION_SIGNING_KEY: SIGNING_KEY, ATTESTATION_HMAC_KEY: HMAC_KEY })
      const written = yield* start({
        ATTESTATION_SIGNING_KEY: ` 0x${SIGNING_KEY.toUpperCase()}\n`,
        ATTESTATION_HMAC_KEY: `0x${HMAC_KEY}`
      })
      expect(written.jwks).toEqual(plain.jwks)
    }).pipe(Effect.provide(Database))
  )

  it.scoped("signs with its own new key beside a configured one of the other purpose", () =>
    Effect.gen(function* () {
      const signing = yield* start({ ATTESTATION_SIGNING_KEY: SIGNING_KEY })
      const both = yield* start({ ATTESTATION_SIGNING_KEY: SIGNING_KEY, ATTESTATION_HMAC_KEY: HMAC_KEY })
      const hmac = yield* start({ ATTESTATION_HMAC_KEY: HMAC_KEY })
      expect(both.jwks.keys[0]).toEqual(signing.jwks.keys[0])
      expect(both.jwks.keys[1]).toEqual(hmac.jwks.keys[1])
      expect(hmac.jwks.keys[0]).not.toEqual(signing.jwks.keys[0])
      yield* verifyReport(yield* hmac.attest(unsignedReport), hmac.jwks)
    }).pipe(Effect.provide(Database))
  )

  it.scoped("is a layer over the configuration and the database", () =>
    Effect.gen(function* () {
      const attestor = yield* Attestor
      expect(attestor.jwks.keys).toHaveLength(2)
    }).pipe(
      Effect.provide(AttestorLive.pipe(Layer.provide(Database))),
      Effect.withConfigProvider(ConfigProvider.fromMap(new Map()))
    )
  )
})
