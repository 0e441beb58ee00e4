import type { Config } from "effect"
import { Clock, Effect, Layer, Option, Redacted } from "effect"
import type { MerchantSettingsChange } from "../../domain/merchant.ts"
import { merchantIdOf } from "../caller.ts"
import { CheckoutInvalid, MerchantUnknown } from "../errors.ts"
import { webhookUrlReason } from "../webhooks/url.ts"
import type { Merchant } from "./merchants.ts"
import { Merchants } from "./merchants.ts"
import { profileOf } from "./profile.ts"
import { makeProving } from "./proving.ts"
import { makeMerchantStore } from "./store.ts"

const iso = (unixMs: number): string => new Date(unixMs).toISOString()

const make = (publicUrl: string) =>
  Effect.gen(function* () {
    const store = yield* makeMerchantStore
    const { challenge, signIn } = yield* makeProving(publicUrl)

    const authenticate = Effect.fn("Merchants.authenticate")(function* (token: Redacted.Redacted) {
      const merchant = yield* store.byToken(Redacted.value(token))
      if (Option.isSome(merchant)) return merchant.value
      return yield* new MerchantUnknown({ message: "the merchant token is not valid" })
    })

    const ofCaller = Effect.fn("Merchants.ofCaller")((caller: string) => {
      const id = merchantIdOf(caller)
      return id === undefined ? Effect.succeedNone : store.byId(id)
    })

    const change = Effect.fn("Merchants.change")(function* (
      merchant: Merchant,
      changed: MerchantSettingsChange
    ) {
      const { webhookUrl } = changed
      const reason =
        webhookUrl === undefined || webhookUrl === null ? undefined : webhookUrlReason(webhookUrl)
      if (reason !== undefined) return yield* new CheckoutInvalid({ field: "webhookUrl", message: reason })
      return profileOf(yield* store.changeSettings(merchant, changed))
    })

    const tokens = Effect.fn("Merchants.tokens")((merchant: Merchant) =>
      Effect.map(store.tokens(merchant), (rows) =>
        rows.map((row) => ({
          tokenId: row.id,
          label: row.label,
          createdAt: iso(row.created_at),
          revokedAt: row.revoked_at === null ? null : iso(row.revoked_at)
        }))
      )
    )

    const revoke = Effect.fn("Merchants.revoke")((merchant: Merchant, tokenId: string) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => store.revoke(merchant, tokenId, now))
    )

    const profile = profileOf
    return Merchants.of({ challenge, signIn, authenticate, ofCaller, profile, change, tokens, revoke })
  })

/** Merchants in the service's database. `publicUrl` (no trailing slash) names the service in what wallets sign. */
export const merchantsLive = (publicUrl: Config.Config<string>) =>
  Layer.effect(Merchants, Effect.flatMap(publicUrl, make))
