import { SqlClient } from "@effect/sql"
import { Clock, Effect, Option, Schema } from "effect"
import { createHash } from "node:crypto"
import { MerchantSettings, type MerchantSettingsChange, NO_SETTINGS } from "../../domain/merchant.ts"
import { narrowSql } from "../../storage/sql-errors.ts"
import { StoredInteger } from "../../storage/stored-integer.ts"
import { Randomness } from "../randomness.ts"
import type { Merchant } from "./merchants.ts"
import { CHALLENGE_LIFE } from "./sign-in.ts"

/** Tokens one merchant may hold at once. */
const MAX_TOKENS = 20

const MerchantRow = Schema.Struct({
  id: Schema.String,
  account: Schema.String,
  settings: Schema.parseJson(MerchantSettings)
})
const TokenRow = Schema.Struct({
  id: Schema.String,
  label: Schema.String,
  created_at: StoredInteger,
  revoked_at: Schema.NullOr(StoredInteger)
})
const decodeMerchants = Schema.decodeUnknown(Schema.Array(MerchantRow))
const decodeTokens = Schema.decodeUnknown(Schema.Array(TokenRow))
const encodeSettings = Schema.encodeSync(Schema.parseJson(MerchantSettings))

/** All that is kept of a token. */
const digestOf = (token: string): string => createHash("sha256").update(token).digest("hex")

const firstMerchant = (rows: ReadonlyArray<object>) =>
  Effect.map(Effect.orDie(decodeMerchants(rows)), ([merchant]) => Option.fromNullable(merchant))

/** Merchants as rows. */
export const makeMerchantStore = Effect.map(SqlClient.SqlClient, (sql) => {
  const byId = (id: string) =>
    Effect.flatMap(
      narrowSql(sql`SELECT id, account, settings FROM merchants WHERE id = ${id}`),
      firstMerchant
    )

  const byToken = (token: string) =>
    Effect.flatMap(
      narrowSql(sql`SELECT m.id, m.account, m.settings FROM merchant_tokens t
        JOIN merchants m ON m.id = t.merchant_id
        WHERE t.digest = ${digestOf(token)} AND t.revoked_at IS NULL`),
      firstMerchant
    )

  const lock = sql.onDialectOrElse({ pg: () => sql`FOR UPDATE`, orElse: () => sql`` })

  /** Changes the settings as they stand, whoever changed others of them meanwhile. */
  const changeSettings = Effect.fnUntraced(
    function* ({ id }: Merchant, change: MerchantSettingsChange) {
      const rows = yield* sql`SELECT id, account, settings FROM merchants WHERE id = ${id} ${lock}`
      const current = yield* Effect.flatMap(firstMerchant(rows), Effect.orDie)
      const settings = { ...current.settings, ...change }
      yield* sql`UPDATE merchants SET settings = ${encodeSettings(settings)} WHERE id = ${id}`
      return { ...current, settings } satisfies Merchant
    },
    sql.withTransaction,
    narrowSql
  )

  /** What opens something comes first: nobody revokes a token that he is not shown. */
  const tokens = ({ id }: Merchant) =>
    Effect.flatMap(
      narrowSql(sql`SELECT id, label, created_at, revoked_at FROM merchant_tokens WHERE merchant_id = ${id}
        ORDER BY CASE WHEN revoked_at IS NULL THEN 0 ELSE 1 END, created_at DESC LIMIT 100`),
      (rows) => Effect.orDie(decodeTokens(rows))
    )

  /** False: this merchant has no such token, or no more. */
  const revoke = ({ id }: Merchant, tokenId: string, now: number) =>
    narrowSql(sql`UPDATE merchant_tokens SET revoked_at = ${now}
      WHERE id = ${tokenId} AND merchant_id = ${id} AND revoked_at IS NULL RETURNING id`).pipe(
      Effect.map((rows) => rows.length > 0)
    )

  return { byId, byToken, changeSettings, tokens, revoke }
})

/** A proof as it was checked, and the token it is worth. */
export interface Proven {
  readonly account: string
  readonly nonce: string
  readonly token: string
  readonly label: string
}

/** Keeps a token for a proof. None: the proof gave one already. */
export const makeKeepToken = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const randomness = yield* Randomness
  const newId = (prefix: string) =>
    Effect.map(randomness.bytes(12), (bytes) => prefix + bytes.toString("hex"))

  const useNonce = Effect.fnUntraced(function* (nonce: string, now: number) {
    yield* sql`DELETE FROM merchant_sign_ins WHERE used_at < ${now - 2 * CHALLENGE_LIFE}`
    const fresh = yield* sql`INSERT INTO merchant_sign_ins (nonce, used_at) VALUES (${nonce}, ${now})
      ON CONFLICT (nonce) DO NOTHING RETURNING nonce`
    return fresh.length > 0
  })

  const merchantOf = Effect.fnUntraced(function* (account: string, now: number) {
    yield* sql`INSERT INTO merchants (id, account, settings, created_at)
      VALUES (${yield* newId("mer_")}, ${account}, ${encodeSettings(NO_SETTINGS)}, ${now})
      ON CONFLICT (account) DO NOTHING`
    const rows = yield* sql`SELECT id, account, settings FROM merchants WHERE account = ${account}`
    return yield* Effect.flatMap(firstMerchant(rows), Effect.orDie)
  })

  /** The oldest tokens make room, so that a merchant who lost them is never locked out. */
  const makeRoom = Effect.fnUntraced(function* (merchantId: string, now: number) {
    const live = yield* sql`SELECT id FROM merchant_tokens
      WHERE merchant_id = ${merchantId} AND revoked_at IS NULL ORDER BY created_at DESC`
    const superfluous = live.slice(MAX_TOKENS - 1).map((row) => String(row["id"]))
    if (superfluous.length > 0)
      yield* sql`UPDATE merchant_tokens SET revoked_at = ${now} WHERE ${sql.in("id", superfluous)}`
  })

  /** The nonce is used up in the transaction that keeps the token: a proof gives one token. */
  return Effect.fnUntraced(
    function* ({ account, label, nonce, token }: Proven) {
      const now = yield* Clock.currentTimeMillis
      if (!(yield* useNonce(nonce, now))) return Option.none()
      const merchant = yield* merchantOf(account, now)
      yield* makeRoom(merchant.id, now)
      const tokenId = yield* newId("tok_")
      yield* sql`INSERT INTO merchant_tokens (id, merchant_id, digest, label, created_at)
        VALUES (${tokenId}, ${merchant.id}, ${digestOf(token)}, ${label}, ${now})`
      return Option.some({ merchant, tokenId })
    },
    sql.withTransaction,
    narrowSql
  )
})
