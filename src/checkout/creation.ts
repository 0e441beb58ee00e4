import { Clock, Effect, Option } from "effect"
import { createHash } from "node:crypto"
import {
  BASE_NETWORK,
  type Network,
  SOLANA_NETWORK,
  SOLANA_VALIDITY_SECONDS,
  usdcOf
} from "../domain/chain.ts"
import type { CheckoutTerms, CreateCheckout } from "../domain/checkout.ts"
import { merchantKey } from "../domain/checkout.ts"
import { UpstreamError } from "../domain/errors.ts"
import { formatUsd, parseUsd } from "../domain/money.ts"
import { PaymentVerifier } from "../payment/verifier/payment-verifier.ts"
import { amountReference, CENT, suffixOf, takesPlainTransfers } from "./base/plain-amount.ts"
import { NONCE_BINDING } from "./verify/binding.ts"
import type { Checkout } from "./checkout.ts"
import { CheckoutRepo, type NewCheckout } from "./checkout-repo.ts"
import type { CreateOptions } from "./checkouts.ts"
import type { CheckoutConfig } from "./config.ts"
import { CheckoutConflict, CheckoutInvalid, CheckoutLimited } from "./errors.ts"
import type { MerchantAccount } from "./merchant-account.ts"
import { MerchantAccounts } from "./merchant-account.ts"
import type { Merchant } from "./merchants/merchants.ts"
import { Randomness } from "./randomness.ts"
import { memoCodeOf, referenceOf } from "./solana/solana-pay.ts"
import { webhookUrlReason } from "./webhooks/url.ts"

/**
 * Seconds a signed payment stays valid: long enough for a buyer to hand it to the merchant and the merchant to us. On
 * Solana the blockhash ends it sooner.
 */
const MAX_TIMEOUT_SECONDS: Readonly<Record<Network, number>> = {
  [BASE_NETWORK]: 300,
  [SOLANA_NETWORK]: SOLANA_VALIDITY_SECONDS
}

const ACCOUNT_REASON: Readonly<Record<MerchantAccount, string | undefined>> = {
  ready: undefined,
  unknown: undefined,
  missing: "must be a wallet that has a USDC token account on solana; create the account first",
  frozen: "must be a wallet whose USDC token account is not frozen",
  "given-away": "must be a wallet whose USDC token account is its own; this one was given away",
  "not-a-wallet": "must be a wallet, not a token account or a program"
}

/** Why a merchant's address is refused, by the state of its token account. */
export const accountReason = (account: MerchantAccount): string | undefined => ACCOUNT_REASON[account]

/**
 * Terms are built in one place for real and simulated checkouts. `extra` is what the settling side needs, `suffix` what
 * is added to the amount so that it names the order.
 */
export const termsFor = (
  request: CreateCheckout,
  checkoutId: string,
  settling: Readonly<Record<string, unknown>>,
  expiresAt: number,
  baseUrl: string,
  suffix = 0n
): CheckoutTerms => ({
  scheme: "exact",
  network: request.network,
  amount: ((parseUsd(request.amountUsd) ?? 0n) + suffix).toString(),
  asset: usdcOf(request.network),
  payTo: request.merchantPayTo,
  memo: request.memo,
  checkoutId,
  maxTimeoutSeconds: MAX_TIMEOUT_SECONDS[request.network],
  expiresAt: new Date(expiresAt).toISOString(),
  extra:
    request.network === BASE_NETWORK
      ? {
          ...settling,
          checkoutId,
          nonceBinding: NONCE_BINDING,
          ...(request.plainTransfers === true ? { plainTransfers: true } : {})
        }
      : { ...settling, memo: memoCodeOf(checkoutId) },
  url: `${baseUrl}/checkout/${checkoutId}`
})

/** Rules a request must meet beside its form: this deployment's limits and addresses. No I/O. */
export const checkRequest = (
  request: CreateCheckout,
  config: CheckoutConfig,
  feePayer: unknown
): Effect.Effect<void, CheckoutInvalid> => {
  const invalid = (field: string, message: string) => Effect.fail(new CheckoutInvalid({ field, message }))
  const amount = parseUsd(request.amountUsd) ?? 0n
  if (amount > config.maxAmount) return invalid("amountUsd", `must be at most ${formatUsd(config.maxAmount)}`)
  if (amount < config.minAmount)
    return invalid("amountUsd", `must be at least ${formatUsd(config.minAmount)}`)
  if (request.merchantPayTo === feePayer)
    return invalid("merchantPayTo", "must be the merchant's own address")
  if (request.plainTransfers === true && request.network !== BASE_NETWORK)
    return invalid("plainTransfers", "must be left out on solana, where a wallet names the order")
  if (request.plainTransfers === true && amount % CENT !== 0n)
    return invalid("amountUsd", "must be whole cents where plain transfers are taken")
  const webhook = request.webhookUrl === undefined ? undefined : webhookUrlReason(request.webhookUrl)
  return webhook === undefined ? Effect.void : invalid("webhookUrl", webhook)
}

/** A token speaks for its own account; what only a merchant may do needs a token. */
const checkMerchant = (
  request: CreateCheckout,
  merchant: Merchant | undefined
): Effect.Effect<void, CheckoutInvalid> => {
  if (merchant === undefined) {
    const field =
      request.metadata !== undefined
        ? "metadata"
        : request.plainTransfers === true
          ? "plainTransfers"
          : undefined
    return field === undefined
      ? Effect.void
      : new CheckoutInvalid({ field, message: "needs a merchant token" })
  }
  return merchantKey(request.network, request.merchantPayTo) === merchant.account
    ? Effect.void
    : new CheckoutInvalid({ field: "merchantPayTo", message: "must be the account the token was given for" })
}

const digestOf = (request: CreateCheckout): string => {
  const { amountUsd, memo, merchantPayTo, metadata, network, webhookUrl } = request
  const amount = (parseUsd(amountUsd) ?? 0n).toString()
  const notes = Object.entries(metadata ?? {}).toSorted(([a], [b]) => (a < b ? -1 : 1))
  const plain = request.plainTransfers === true ? ["plain transfers"] : []
  const canonical = [network, merchantPayTo, amount, memo, webhookUrl ?? null, notes, ...plain]
  return createHash("sha256").update(JSON.stringify(canonical)).digest("hex")
}

const limited = (by: "created" | "open", { ttl }: CheckoutConfig) =>
  by === "created"
    ? new CheckoutLimited({ message: "too many checkouts in a minute", retryAfterSeconds: 60 })
    : new CheckoutLimited({ message: "too many open checkouts", retryAfterSeconds: Math.ceil(ttl / 1000) })

/** A key is kept with its account, which may be written in several ways: the earlier one's counts. */
const replay = (earlier: Checkout, request: CreateCheckout) =>
  earlier.requestDigest === digestOf({ ...request, merchantPayTo: earlier.terms.payTo })
    ? Effect.succeed(earlier.terms)
    : new CheckoutConflict({ message: "this Idempotency-Key was used with another request" })

/** What a create brings beside its request. */
interface Creating extends CreateOptions {
  readonly requestDigest: string
  /** The caller's Idempotency-Key, scoped to the caller and the receiving account. */
  readonly key: Option.Option<string>
}

/** What leads from the chain to an order that wallets can pay by themselves. */
const referencesTo = (terms: CheckoutTerms): ReadonlyArray<string> => {
  if (terms.network === SOLANA_NETWORK) return [memoCodeOf(terms.checkoutId), referenceOf(terms.checkoutId)]
  return takesPlainTransfers(terms) ? [amountReference(terms.payTo, BigInt(terms.amount))] : []
}

/** Amounts that are tried until one is free: nine in ten may be taken. */
const DRAWS = 40

/** Draws up a checkout that nobody has seen yet. */
const makeDraw = (config: CheckoutConfig, baseUrl: string) =>
  Effect.gen(function* () {
    const verifier = yield* PaymentVerifier
    const accounts = yield* MerchantAccounts
    const randomness = yield* Randomness

    return Effect.fnUntraced(function* (
      request: CreateCheckout,
      { caller, key, merchant, requestDigest }: Creating
    ) {
      const message = accountReason(yield* accounts.check(request.network, request.merchantPayTo))
      if (message !== undefined) return yield* new CheckoutInvalid({ field: "merchantPayTo", message })
      const settling = verifier.extra(request.network)
      if (settling === undefined) {
        const detail = "the facilitator has not said who pays Solana's fees"
        return yield* new UpstreamError({ upstream: "facilitator", kind: "transport", detail })
      }
      const createdAt = yield* Clock.currentTimeMillis
      const id = `chk_${(yield* randomness.bytes(16)).toString("hex")}`
      const expiresAt = createdAt + config.ttl
      const webhookUrl = request.webhookUrl ?? merchant?.settings.webhookUrl ?? null
      const suffix = request.plainTransfers === true ? suffixOf(yield* randomness.bytes(4)) : 0n
      const terms = termsFor(request, id, settling, expiresAt, baseUrl, suffix)
      return {
        id,
        status: "open",
        merchant: merchantKey(request.network, request.merchantPayTo),
        caller: caller.key,
        terms,
        createdAt,
        expiresAt,
        requestDigest,
        webhook: webhookUrl === null ? null : { url: webhookUrl, secret: null },
        metadata: request.metadata ?? null,
        idempotencyKey: Option.getOrNull(key),
        references: referencesTo(terms)
      } satisfies NewCheckout
    })
  })

/** Builds `Checkouts.create`. `baseUrl` ends in `/v1`. */
export const makeCreate = (config: CheckoutConfig, baseUrl: string) =>
  Effect.gen(function* () {
    const repo = yield* CheckoutRepo
    const verifier = yield* PaymentVerifier
    const draw = yield* makeDraw(config, baseUrl)
    const limits = { createsPerMinute: config.createsPerMinute, maxOpen: config.maxOpen }

    return Effect.fn("Checkouts.create")(function* (request: CreateCheckout, options: CreateOptions) {
      yield* checkRequest(request, config, verifier.extra(SOLANA_NETWORK)?.["feePayer"])
      yield* checkMerchant(request, options.merchant)
      const requestDigest = digestOf(request)
      const account = merchantKey(request.network, request.merchantPayTo)
      const key = Option.map(options.idempotencyKey, (text) => `${options.caller.key} ${account} ${text}`)
      const earlier = yield* Effect.map(Effect.transposeMapOption(key, repo.findByKey), Option.flatten)
      if (Option.isSome(earlier)) return yield* replay(earlier.value, request)
      for (let draws = 0; draws < DRAWS; draws++) {
        const checkout = yield* draw(request, { ...options, key, requestDigest })
        const insertion = yield* repo.insert(checkout, limits)
        if (insertion._tag === "inserted") return checkout.terms
        if (insertion._tag === "earlier") return yield* replay(insertion.checkout, request)
        if (insertion._tag === "limited") return yield* limited(insertion.by, config)
      }
      return yield* new CheckoutLimited({
        message: "no amount is free for plain transfers",
        retryAfterSeconds: 3600
      })
    })
  })
