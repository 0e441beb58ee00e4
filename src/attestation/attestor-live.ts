import { randomBytes, sign } from "node:crypto"
import type { SqlClient } from "@effect/sql"
import { Config, type ConfigError, Effect, Either, Layer, Option, Redacted, Schema } from "effect"
import { ATTESTATION_ALGORITHM } from "../domain/attestation-reasons.ts"
import { digestOf, hmacOf, type Jwks } from "../domain/attestation.ts"
import { canonicalJson } from "../domain/canonical-json.ts"
import { UpstreamError } from "../domain/errors.ts"
import { type DeepReport, UnsignedReport } from "../domain/report.ts"
import { invalid } from "../domain/settings.ts"
import { Attestor } from "./attestor.ts"
import { addKey, allKeys, type KeyRow } from "./key-store.ts"
import { type HmacKey, hmacJwk, type SigningKey, signingJwk, toHmacKey, toSigningKey } from "./keys.ts"

type Secret = Redacted.Redacted<Uint8Array>

/** 32 bytes in hex. The error names the variable, never what stands in it. */
const key32 = (name: string): Config.Config<Option.Option<Secret>> =>
  Config.redacted(name).pipe(
    Config.mapOrFail((text) => {
      const hex = Redacted.value(text).trim()
      return /^(?:0x)?[0-9a-fA-F]{64}$/.test(hex)
        ? Either.right(Redacted.make<Uint8Array>(Buffer.from(hex.replace(/^0x/, ""), "hex")))
        : invalid(name, "must be 32 bytes in hex (64 digits)")
    }),
    Config.option
  )

const sameBytes = (a: Secret, b: Secret): boolean => Buffer.from(Redacted.value(a)).equals(Redacted.value(b))

/**
 * `ATTESTATION_SIGNING_KEY` (Ed25519 seed) and `ATTESTATION_HMAC_KEY`, 32 bytes hex each; a missing one is generated
 * and kept in the database. They must differ: the HMAC key is published, and would give the signing key away.
 */
export const attestationConfig = Config.all({
  signingKey: key32("ATTESTATION_SIGNING_KEY"),
  hmacKey: key32("ATTESTATION_HMAC_KEY")
}).pipe(
  Config.mapOrFail((keys) => {
    const isShared =
      Option.isSome(keys.signingKey) &&
      Option.isSome(keys.hmacKey) &&
      sameBytes(keys.signingKey.value, keys.hmacKey.value)
    return isShared
      ? invalid("ATTESTATION_HMAC_KEY", "must differ from ATTESTATION_SIGNING_KEY: it is published")
      : Either.right(keys)
  })
)
export type AttestationSettings = Config.Config.Success<typeof attestationConfig>

const fromBase64Url = (text: string): Uint8Array => Buffer.from(text, "base64url")
const toBase64Url = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64url")

/** The one generated key of a purpose: this process's, or that of whoever was first. */
const generatedKey = (
  purpose: KeyRow["purpose"],
  kidOf: (secret: Uint8Array) => string,
  variable: string
): Effect.Effect<Uint8Array, UpstreamError, SqlClient.SqlClient> =>
  Effect.gen(function* () {
    const isIt = (row: KeyRow) => row.purpose === purpose && row.origin === "generated"
    const before = (yield* allKeys).find(isIt)
    if (before !== undefined) return fromBase64Url(before.material)
    // A key needs the system's generator; Effect's Random is not cryptographic.
    const secret = yield* Effect.sync(() => randomBytes(32))
    yield* addKey({ kid: kidOf(secret), purpose, origin: "generated", material: toBase64Url(secret) })
    const winner = (yield* allKeys).find(isIt)
    if (winner === undefined) {
      return yield* new UpstreamError({
        upstream: "database",
        kind: "rejected",
        detail: "a generated key was not kept"
      })
    }
    yield* Effect.logWarning(`${variable} is not set: using a generated key that is kept in the database`)
    return fromBase64Url(winner.material)
  })

const signingKeyOf = Effect.fnUntraced(function* (configured: AttestationSettings["signingKey"]) {
  if (Option.isNone(configured)) {
    return toSigningKey(
      yield* generatedKey("sign", (seed) => toSigningKey(seed).kid, "ATTESTATION_SIGNING_KEY")
    )
  }
  const key = toSigningKey(Redacted.value(configured.value))
  yield* addKey({ kid: key.kid, purpose: "sign", origin: "configured", material: key.publicKey })
  return key
})

const hmacKeyOf = Effect.fnUntraced(function* (configured: AttestationSettings["hmacKey"]) {
  if (Option.isNone(configured)) {
    return toHmacKey(yield* generatedKey("hmac", (secret) => toHmacKey(secret).kid, "ATTESTATION_HMAC_KEY"))
  }
  const key = toHmacKey(Redacted.value(configured.value))
  yield* addKey({ kid: key.kid, purpose: "hmac", origin: "configured", material: toBase64Url(key.secret) })
  return key
})

/** What of a stored signing key may be shown. */
const publicKeyOf = (row: KeyRow): string =>
  row.origin === "configured" ? row.material : toSigningKey(fromBase64Url(row.material)).publicKey

interface KeyRing {
  readonly signing: SigningKey
  readonly hmac: HmacKey
  readonly jwks: Jwks
}

/** Today's keys before yesterday's. Refuses a set in which a published HMAC key is the seed of a signing key. */
const makeJwks = (
  signing: SigningKey,
  hmac: HmacKey,
  rows: ReadonlyArray<KeyRow>
): Either.Either<Jwks, UpstreamError> => {
  const publicKeys = new Set([
    signing.publicKey,
    ...rows.filter((row) => row.purpose === "sign").map(publicKeyOf)
  ])
  const secrets = [
    hmac.secret,
    ...rows.filter((row) => row.purpose === "hmac").map((row) => fromBase64Url(row.material))
  ]
  if (secrets.some((secret) => publicKeys.has(toSigningKey(secret).publicKey))) {
    const detail = "an ATTESTATION_HMAC_KEY, which is published, is or was the ATTESTATION_SIGNING_KEY"
    return Either.left(new UpstreamError({ upstream: "database", kind: "rejected", detail }))
  }
  const keys = [
    signingJwk(signing.publicKey),
    hmacJwk(hmac),
    ...[...publicKeys].map(signingJwk),
    ...secrets.map((secret) => hmacJwk(toHmacKey(secret)))
  ]
  // A map keeps a key's first place and holds it once.
  return Either.right({ keys: [...new Map(keys.map((key) => [key["kid"], key])).values()] })
}

const loadKeys = (
  settings: AttestationSettings
): Effect.Effect<KeyRing, UpstreamError, SqlClient.SqlClient> =>
  Effect.gen(function* () {
    const signing = yield* signingKeyOf(settings.signingKey)
    const hmac = yield* hmacKeyOf(settings.hmacKey)
    return { signing, hmac, jwks: yield* makeJwks(signing, hmac, yield* allKeys) }
  })

const encodeReport = Schema.encode(UnsignedReport)

/** Attests what goes over the wire: the report in its encoded form, so that a reader's bytes are the signed bytes. */
const attestWith = ({ signing, hmac }: KeyRing) =>
  Effect.fn("Attestor.attest")(function* (report: UnsignedReport) {
    const wire = yield* Effect.orDie(encodeReport(report))
    const canonical = canonicalJson(wire)
    if (canonical === undefined)
      return yield* Effect.dieMessage("a report without canonical form reached the attestor")
    const digest = digestOf(canonical)
    return {
      ...wire,
      attestation: {
        digest: digest.toString("hex"),
        hmac: hmacOf(digest, hmac.secret),
        keyId: signing.kid,
        hmacKeyId: hmac.kid,
        algorithm: ATTESTATION_ALGORITHM,
        signature: sign(null, Buffer.from(canonical, "utf8"), signing.privateKey).toString("base64url")
      }
    } satisfies DeepReport
  })

/** An attestor with the given keys, or the database's. */
export const makeAttestor = Effect.fnUntraced(function* (settings: AttestationSettings) {
  const ring = yield* loadKeys(settings)
  return Attestor.of({
    attest: attestWith(ring),
    sign: (bytes) => sign(null, bytes, ring.signing.privateKey),
    jwks: ring.jwks
  })
})

/** Needs the migrated database. Fails with `UpstreamError` when the keys cannot be read or kept. */
export const AttestorLive: Layer.Layer<
  Attestor,
  ConfigError.ConfigError | UpstreamError,
  SqlClient.SqlClient
> = Layer.effect(Attestor, Effect.flatMap(attestationConfig, makeAttestor))
