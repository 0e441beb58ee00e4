import { SqlClient } from "@effect/sql"
import type { Config } from "effect"
import { Clock, Effect, Layer, Option, Redacted, Schema } from "effect"
import { createHash, timingSafeEqual } from "node:crypto"
import { Attestor } from "../../attestation/attestor.ts"
import { ChainRpc } from "../../chain/chain-rpc.ts"
import { merchantKey } from "../../domain/checkout.ts"
import type { MerchantAccountRef, MerchantSettingsChange, MerchantSignIn } from "../../domain/merchant.ts"
import { MerchantSettings, NO_SETTINGS } from "../../domain/merchant.ts"
import { narrowSql } from "../../storage/sql-errors.ts"
import { merchantCaller } from "../caller.ts"
import { CheckoutInvalid, MerchantUnknown } from "../errors.ts"
import { Randomness } from "../randomness.ts"
import { webhookUrlFault } from "../webhooks/url.ts"
import type { Merchant } from "./merchants.ts"
import { Merchants } from "./merchants.ts"
import { CHALLENGE_LIFE, isSigned, messageOf, readMessage } from "./sign-in.ts"

/** Tokens one merchant may hold at once. */
const MAX_TOKENS = 20
const TOKEN_PREFIX = "trm_"

const Time = Schema.Union(Schema.Number, Schema.NumberFromString)
const MerchantRow = Schema.Struct({
  id: Schema.String,
  account: Schema.String,
  settings: Schema.parseJson(MerchantSettings)
})
const TokenRow = Schema.Struct({
  id: Schema.String,
  label: Schema.String,
  created_at: Time,
  revoked_at: Schema.NullOr(Time)
})
const decodeMerchants = Schema.decodeUnknown(Schema.Array(MerchantRow))
const decodeTokens = Schema.decodeUnknown(Schema.Array(TokenRow))
const encodeSettings = Schema.encodeSync(Schema.parseJson(MerchantSettings))

const digestOf = (token: string): string => createHash("sha256").update(token).digest("hex")

const sameText = (a: string, b: string): boolean =>
  a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))

const iso = (unixMs: number): string => new Date(unixMs).toISOString()

const notSigned = new MerchantUnknown({ message: "the message was not signed by this account's wallet" })

const profileOf = ({ account, id, settings }: Merchant) => {
  const at = account.lastIndexOf(":")
  return { merchantId: id, network: account.slice(0, at), merchantPayTo: account.slice(at + 1), settings }
}

const make = (publicUrl: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const chain = yield* ChainRpc
    const { sign } = yield* Attestor
    const randomness = yield* Randomness

    /** Only this service can make it, so no challenge needs to be kept until it comes back signed. */
    const nonceOf = ({ network, merchantPayTo }: MerchantAccountRef, issuedAt: number): string =>
      Buffer.from(sign(Buffer.from(`merchant-sign-in:v1|${merchantKey(network, merchantPayTo)}|${issuedAt}`)))
        .subarray(0, 16)
        .toString("hex")

    const challengeAt = (account: MerchantAccountRef, issuedAt: number) =>
      messageOf({ account, publicUrl, issuedAt, nonce: nonceOf(account, issuedAt) })

    const challenge = Effect.fn("Merchants.challenge")((account: MerchantAccountRef) =>
      Effect.map(Clock.currentTimeMillis, (now) => ({
        message: challengeAt(account, now),
        expiresAt: iso(now + CHALLENGE_LIFE)
      }))
    )

    const one = (account: string) =>
      sql`SELECT id, account, settings FROM merchants WHERE account = ${account}`.pipe(
        Effect.flatMap((rows) => Effect.orDie(decodeMerchants(rows))),
        Effect.map(([merchant]) => merchant)
      )

    const merchantOf = Effect.fnUntraced(function* (account: string, id: string, now: number) {
      yield* sql`INSERT INTO merchants (id, account, settings, created_at)
        VALUES (${id}, ${account}, ${encodeSettings(NO_SETTINGS)}, ${now}) ON CONFLICT (account) DO NOTHING`
      const merchant = yield* one(account)
      return merchant ?? (yield* Effect.dieMessage("a merchant was not kept"))
    })

    /** The nonce is used up in the transaction that keeps the token: a proof gives one token. */
    const keep = Effect.fnUntraced(
      function* (account: string, nonce: string, token: string, label: string) {
        const now = yield* Clock.currentTimeMillis
        const [id, tokenId] = yield* Effect.forEach(["mer_", "tok_"], (prefix) =>
          Effect.map(randomness.bytes(12), (bytes) => prefix + bytes.toString("hex"))
        )
        yield* sql`DELETE FROM merchant_sign_ins WHERE used_at < ${now - 2 * CHALLENGE_LIFE}`
        const fresh = yield* sql`INSERT INTO merchant_sign_ins (nonce, used_at) VALUES (${nonce}, ${now})
          ON CONFLICT (nonce) DO NOTHING RETURNING nonce`
        if (fresh.length === 0) return Option.none()
        const merchant = yield* merchantOf(account, id ?? "", now)
        const live = yield* sql`SELECT id FROM merchant_tokens
          WHERE merchant_id = ${merchant.id} AND revoked_at IS NULL ORDER BY created_at DESC`
        // The oldest tokens make room, so that a merchant who lost them is never locked out.
        const superfluous = live.slice(MAX_TOKENS - 1).map((row) => String(row["id"]))
        if (superfluous.length > 0) {
          yield* sql`UPDATE merchant_tokens SET revoked_at = ${now} WHERE ${sql.in("id", superfluous)}`
        }
        yield* sql`INSERT INTO merchant_tokens (id, merchant_id, digest, label, created_at)
          VALUES (${tokenId ?? ""}, ${merchant.id}, ${digestOf(token)}, ${label}, ${now})`
        return Option.some({ merchant, tokenId: tokenId ?? "" })
      },
      sql.withTransaction,
      narrowSql
    )

    const signIn = Effect.fn("Merchants.signIn")(function* ({ label, message, signature }: MerchantSignIn) {
      const read = readMessage(message)
      const now = yield* Clock.currentTimeMillis
      // Ours to the letter: what else a wallet may have signed elsewhere opens nothing here.
      const isOurs =
        read !== undefined && sameText(challengeAtSafely(read.account, read.issuedAt) ?? "", message)
      if (!isOurs)
        return yield* new CheckoutInvalid({
          field: "message",
          message: "must be a challenge of this service"
        })
      if (now > read.issuedAt + CHALLENGE_LIFE)
        return yield* new CheckoutInvalid({ field: "message", message: "has expired: ask for a new one" })
      if (!(yield* isSigned(chain.base, read.account, message, signature))) return yield* notSigned
      const token = `${TOKEN_PREFIX}${(yield* randomness.bytes(32)).toString("base64url")}`
      const account = merchantKey(read.account.network, read.account.merchantPayTo)
      const kept = yield* keep(account, read.nonce, token, label)
      if (Option.isNone(kept))
        return yield* new CheckoutInvalid({
          field: "message",
          message: "was used already: ask for a new one"
        })
      const { merchant, tokenId } = kept.value
      return { token, tokenId, merchant: profileOf(merchant) }
    })

    /** An address that is none has no challenge. */
    const challengeAtSafely = (account: MerchantAccountRef, issuedAt: number): string | undefined => {
      try {
        return challengeAt(account, issuedAt)
      } catch {
        return undefined
      }
    }

    const authenticate = Effect.fn("Merchants.authenticate")(function* (token: Redacted.Redacted) {
      const rows = yield* narrowSql(sql`SELECT m.id, m.account, m.settings FROM merchant_tokens t
        JOIN merchants m ON m.id = t.merchant_id
        WHERE t.digest = ${digestOf(Redacted.value(token))} AND t.revoked_at IS NULL`)
      const [merchant] = yield* Effect.orDie(decodeMerchants(rows))
      return merchant ?? (yield* new MerchantUnknown({ message: "the merchant token is not valid" }))
    })

    const ofCaller = Effect.fn("Merchants.ofCaller")(function* (caller: string) {
      const prefix = merchantCaller("").key
      if (!caller.startsWith(prefix)) return Option.none<Merchant>()
      const rows = yield* narrowSql(
        sql`SELECT id, account, settings FROM merchants WHERE id = ${caller.slice(prefix.length)}`
      )
      const [merchant] = yield* Effect.orDie(decodeMerchants(rows))
      return Option.fromNullable(merchant)
    })

    const change = Effect.fn("Merchants.change")(function* (
      merchant: Merchant,
      changed: MerchantSettingsChange
    ) {
      const { webhookUrl } = changed
      const reason = webhookUrl === undefined || webhookUrl === null ? undefined : webhookUrlFault(webhookUrl)
      if (reason !== undefined) return yield* new CheckoutInvalid({ field: "webhookUrl", message: reason })
      const settings = { ...merchant.settings, ...changed }
      yield* narrowSql(
        sql`UPDATE merchants SET settings = ${encodeSettings(settings)} WHERE id = ${merchant.id}`
      )
      return profileOf({ ...merchant, settings })
    })

    const tokens = Effect.fn("Merchants.tokens")(function* ({ id }: Merchant) {
      const rows = yield* narrowSql(sql`SELECT id, label, created_at, revoked_at FROM merchant_tokens
        WHERE merchant_id = ${id} ORDER BY created_at DESC LIMIT 100`)
      return (yield* Effect.orDie(decodeTokens(rows))).map((row) => ({
        tokenId: row.id,
        label: row.label,
        createdAt: iso(row.created_at),
        revokedAt: row.revoked_at === null ? null : iso(row.revoked_at)
      }))
    })

    const revoke = Effect.fn("Merchants.revoke")(function* ({ id }: Merchant, tokenId: string) {
      const now = yield* Clock.currentTimeMillis
      const rows = yield* narrowSql(sql`UPDATE merchant_tokens SET revoked_at = ${now}
        WHERE id = ${tokenId} AND merchant_id = ${id} AND revoked_at IS NULL RETURNING id`)
      return rows.length > 0
    })

    return Merchants.of({
      challenge,
      signIn,
      authenticate,
      ofCaller,
      profile: profileOf,
      change,
      tokens,
      revoke
    })
  })

/** Merchants in the service's database. `publicUrl` (no trailing slash) names the service in what wallets sign. */
export const merchantsLive = (publicUrl: Config.Config<string>) =>
  Layer.effect(Merchants, Effect.flatMap(publicUrl, make))
