import { Clock, Effect, Option, Redacted } from "effect"
import { createHash } from "node:crypto"
import { BASE_NETWORK, SOLANA_NETWORK, usdcOf } from "../domain/chain.ts"
import type { CheckoutTerms, CreateCheckout } from "../domain/checkout.ts"
import { merchantKey } from "../domain/checkout.ts"
import { formatUsd, parseUsd } from "../domain/money.ts"
import { PaymentVerifier } from "../payment/verifier/payment-verifier.ts"
import { NONCE_BINDING } from "./binding.ts"
import type { Checkout, Webhook } from "./checkout.ts"
import { CheckoutRepo } from "./checkout-repo.ts"
import type { Created } from "./checkouts.ts"
import type { CheckoutConfig } from "./config.ts"
import { CheckoutConflict, CheckoutInvalid, CheckoutLimited } from "./errors.ts"
import type { MerchantAccount } from "./merchant-account.ts"
import { MerchantAccounts } from "./merchant-account.ts"
import { Randomness } from "./randomness.ts"
import { webhookUrlFault } from "./webhooks/url.ts"

/**
 * Seconds a signed authorization should stay valid: long enough for a buyer to hand it to the merchant and the
 * merchant to us. On Solana the blockhash ends it sooner.
 */
const MAX_TIMEOUT_SECONDS = 300

const MINUTE = 60_000
/** Bytes of a Standard Webhooks secret (24 to 64 are allowed). */
const SECRET_BYTES = 32

const ACCOUNT_FAULT: Readonly<Record<MerchantAccount, string | undefined>> = {
  ready: undefined,
  unknown: undefined,
  missing: "must be a wallet that has a USDC token account on solana; create the account first",
  frozen: "must be a wallet whose USDC token account is not frozen",
  "not-a-wallet": "must be a wallet, not a token account"
}

/** What can be said against a merchant's address by the state of its token account. */
export const accountFault = (account: MerchantAccount): string | undefined => ACCOUNT_FAULT[account]

/** Terms are built in one place for real and simulated checkouts. `extra` is what the settling side needs. */
export const termsFor = (
  request: CreateCheckout,
  checkoutId: string,
  settling: Readonly<Record<string, unknown>>,
  expiresAt: number,
  baseUrl: string
): CheckoutTerms => ({
  scheme: "exact",
  network: request.network,
  amount: (parseUsd(request.amountUsd) ?? 0n).toString(),
  asset: usdcOf(request.network),
  payTo: request.merchantPayTo,
  memo: request.memo,
  checkoutId,
  maxTimeoutSeconds: MAX_TIMEOUT_SECONDS,
  expiresAt: new Date(expiresAt).toISOString(),
  extra:
    request.network === BASE_NETWORK
      ? { ...settling, checkoutId, nonceBinding: NONCE_BINDING }
      : { ...settling, memo: checkoutId },
  url: `${baseUrl}/checkout/${checkoutId}`
})

/** Rules a request must meet beside its form: this deployment's limits and addresses. No I/O. */
export const checkRequest = (
  request: CreateCheckout,
  config: CheckoutConfig,
  feePayer: unknown
): Effect.Effect<void, CheckoutInvalid> => {
  const fault = (field: string, message: string) => Effect.fail(new CheckoutInvalid({ field, message }))
  if ((parseUsd(request.amountUsd) ?? 0n) > config.maxAmount) {
    return fault("amountUsd", `must be at most ${formatUsd(config.maxAmount)}`)
  }
  if (request.merchantPayTo === feePayer) return fault("merchantPayTo", "must be the merchant's own address")
  const webhook = request.webhookUrl === undefined ? undefined : webhookUrlFault(request.webhookUrl)
  return webhook === undefined ? Effect.void : fault("webhookUrl", webhook)
}

const digestOf = (request: CreateCheckout): string => {
  const { network, merchantPayTo, amountUsd, memo, webhookUrl } = request
  const canonical = [network, merchantPayTo, (parseUsd(amountUsd) ?? 0n).toString(), memo, webhookUrl ?? null]
  return createHash("sha256").update(JSON.stringify(canonical)).digest("hex")
}

const createdOf = ({ terms, webhook }: Checkout): Created => ({ terms, webhook })

/** Builds `Checkouts.create`. `baseUrl` ends in `/v1`. */
export const makeCreate = (config: CheckoutConfig, baseUrl: string) =>
  Effect.gen(function* () {
    const repo = yield* CheckoutRepo
    const verifier = yield* PaymentVerifier
    const accounts = yield* MerchantAccounts
    const randomness = yield* Randomness

    const enforceLimits = Effect.fnUntraced(function* (merchant: string, now: number) {
      const load = yield* repo.load(merchant, { created: now - MINUTE, payments: now, now })
      if (load.createdLately >= config.createsPerMinute) {
        return yield* new CheckoutLimited({
          message: "too many checkouts in a minute",
          retryAfterSeconds: 60
        })
      }
      if (load.open >= config.maxOpen) {
        const retryAfterSeconds = Math.ceil(config.ttl / 1000)
        return yield* new CheckoutLimited({ message: "too many open checkouts", retryAfterSeconds })
      }
    })

    const checkAccount = Effect.fnUntraced(function* (request: CreateCheckout) {
      const message = accountFault(yield* accounts.check(request.network, request.merchantPayTo))
      if (message !== undefined) return yield* new CheckoutInvalid({ field: "merchantPayTo", message })
    })

    const newWebhook = (url: string | undefined) =>
      url === undefined
        ? Effect.succeed(null)
        : Effect.map(randomness.bytes(SECRET_BYTES), (bytes): Webhook => ({
            url,
            secret: Redacted.make(`whsec_${bytes.toString("base64")}`)
          }))

    const replay = (earlier: Checkout, requestDigest: string) =>
      earlier.requestDigest === requestDigest
        ? Effect.succeed(createdOf(earlier))
        : new CheckoutConflict({ message: "this Idempotency-Key was used with another request" })

    return Effect.fn("Checkouts.create")(function* (
      request: CreateCheckout,
      idempotencyKey: Option.Option<string>
    ) {
      yield* checkRequest(request, config, verifier.extra(SOLANA_NETWORK)["feePayer"])
      const merchant = merchantKey(request.network, request.merchantPayTo)
      const requestDigest = digestOf(request)
      const key = Option.map(idempotencyKey, (text) => `${merchant} ${text}`)
      const earlier = yield* Effect.map(Effect.transposeMapOption(key, repo.findByKey), Option.flatten)
      if (Option.isSome(earlier)) return yield* replay(earlier.value, requestDigest)

      const createdAt = yield* Clock.currentTimeMillis
      yield* Effect.all([enforceLimits(merchant, createdAt), checkAccount(request)], { discard: true })
      const id = `chk_${(yield* randomness.bytes(16)).toString("hex")}`
      const expiresAt = createdAt + config.ttl
      const checkout = {
        id,
        status: "open" as const,
        merchant,
        terms: termsFor(request, id, verifier.extra(request.network), expiresAt, baseUrl),
        createdAt,
        expiresAt,
        requestDigest,
        webhook: yield* newWebhook(request.webhookUrl),
        watchedAt: null
      }
      const taken = yield* repo.insert({ ...checkout, idempotencyKey: Option.getOrNull(key) })
      return Option.isSome(taken) ? yield* replay(taken.value, requestDigest) : createdOf(checkout)
    })
  })
