import { Clock, ConfigProvider, Config, Effect, Layer, Option, Schema } from "effect"
import { randomBytes } from "node:crypto"
import type { Hex } from "viem"
import { getAddress } from "viem"
import { privateKeyToAccount } from "viem/accounts"
import { CheckoutRepoLive } from "../../../src/checkout/checkout-repo-live.ts"
import { Checkouts } from "../../../src/checkout/checkouts.ts"
import { checkoutsLive } from "../../../src/checkout/checkouts-live.ts"
import { merchantsLive } from "../../../src/checkout/merchants/merchants-live.ts"
import { RandomnessLive } from "../../../src/checkout/randomness.ts"
import { WebhookOutboxLive } from "../../../src/checkout/webhooks/outbox.ts"
import { ReceivingAccountsLive } from "../../../src/checkout/watch/receiving-accounts.ts"
import { RefundRepoLive } from "../../../src/checkout/refunds/refund-repo.ts"
import { RefundsLive } from "../../../src/checkout/refunds/refunds.ts"
import { UnassignedTransfersLive } from "../../../src/checkout/watch/unassigned-transfers.ts"
import { SightingsLive } from "../../../src/checkout/watch/sightings.ts"
import { anonymousCaller } from "../../../src/checkout/caller.ts"
import { ChainRpcLive } from "../../../src/chain/chain-rpc-live.ts"
import { AttestorLive } from "../../../src/attestation/attestor-live.ts"
import { typedAuthorization } from "../../../scripts/sandbox/base/eip3009.ts"
import { BASE_NETWORK } from "../../../src/domain/chain.ts"
import type { CheckoutTerms, CreateCheckout } from "../../../src/domain/checkout.ts"
import { CheckoutReceipt } from "../../../src/domain/checkout.ts"
import { LedgerLive } from "../../../src/payment/ledger/ledger-live.ts"
import { FeeBudgetsLive } from "../../../src/payment/settler/fee-budgets.ts"
import { SaleLive } from "../../../src/payment/sale/sale-live.ts"
import { memoryDatabase } from "../storage/memory-database.ts"
import { Chain, Fakes } from "./fake-chain.ts"

export { Chain, PAGE, SOLANA_FEE_PAYER } from "./fake-chain.ts"

export const PUBLIC_URL = "https://risk.test"
export const MERCHANT = getAddress("0x00000000000000000000000000000000000a11ce")
export const SOLANA_MERCHANT = "7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV"

/** What outlives a process: the database and the chain. */
export const world = Layer.merge(memoryDatabase, Chain.layer)

/** Keys that are given are not made and not warned about. */
const DEFAULTS = {
  ATTESTATION_SIGNING_KEY: "11".repeat(32),
  ATTESTATION_HMAC_KEY: "22".repeat(32),
  // Nobody listens there: a checkout asks no node for anything the fakes do not answer.
  BASE_RPC_URL: "http://127.0.0.1:1",
  SOLANA_RPC_URL: "http://127.0.0.1:1"
}

/** One process of the service: the real checkouts over the real sale and ledger, in front of a fake chain. */
export const shopProcess = (
  settings: Readonly<Record<string, string>> = {},
  chainRpc: typeof ChainRpcLive = ChainRpcLive
) =>
  checkoutsLive(Config.succeed(PUBLIC_URL)).pipe(
    Layer.provideMerge(Layer.merge(merchantsLive(Config.succeed(PUBLIC_URL)), RefundsLive)),
    Layer.provideMerge(chainRpc),
    Layer.provideMerge(SaleLive),
    Layer.provideMerge(
      Layer.mergeAll(
        Fakes,
        LedgerLive,
        CheckoutRepoLive,
        FeeBudgetsLive,
        RefundRepoLive,
        SightingsLive,
        ReceivingAccountsLive,
        UnassignedTransfersLive,
        WebhookOutboxLive,
        AttestorLive,
        RandomnessLive
      )
    ),
    Layer.provide(
      Layer.setConfigProvider(ConfigProvider.fromMap(new Map(Object.entries({ ...DEFAULTS, ...settings }))))
    )
  )

export const shop = (settings: Readonly<Record<string, string>> = {}, chainRpc = ChainRpcLive) =>
  Layer.provideMerge(shopProcess(settings, chainRpc), world)

export const order = (change: Partial<CreateCheckout> = {}): CreateCheckout => ({
  network: BASE_NETWORK,
  merchantPayTo: MERCHANT,
  amountUsd: "12.5",
  memo: "order-1",
  ...change
})

/** Address of a caller without a token. */
export const STRANGER = "192.0.2.1"

/** How a caller at an address creates checkouts. */
export const from = (address: string, idempotencyKey?: string) => ({
  caller: anonymousCaller(address),
  idempotencyKey: Option.fromNullable(idempotencyKey)
})

export const createCheckout = (change: Partial<CreateCheckout> = {}) =>
  Effect.flatMap(Checkouts, (checkouts) => checkouts.create(order(change), from(STRANGER)))

const buyer = privateKeyToAccount("0x0123456789012345678901234567890123456789012345678901234567890123")

export interface SigningOptions {
  /** What is signed in place of the terms' own. */
  readonly payTo?: string
  readonly amount?: string
  readonly nonce?: Hex
  /** Members of `accepted` in place of the terms' own. */
  readonly accepted?: Readonly<Record<string, unknown>>
  readonly resource?: string
}

export const randomNonce = (): Hex => `0x${randomBytes(32).toString("hex")}`

/** A payment of the terms as a stock client signs it: the terms come back whole in `accepted`. */
export const sign = (terms: CheckoutTerms, options: SigningOptions = {}) =>
  Effect.gen(function* () {
    const now = Math.floor((yield* Clock.currentTimeMillis) / 1000)
    const message = {
      from: buyer.address,
      to: getAddress((options.payTo ?? terms.payTo).toLowerCase()),
      value: options.amount ?? terms.amount,
      validAfter: "0",
      validBefore: String(now + terms.maxTimeoutSeconds),
      nonce: options.nonce ?? randomNonce()
    }
    const signature = yield* Effect.promise(() =>
      buyer.signTypedData(typedAuthorization(message, { verifyingContract: getAddress(terms.asset) }))
    )
    const payload = {
      x402Version: 2,
      resource: { url: options.resource ?? terms.url },
      accepted: { ...terms, ...options.accepted },
      payload: { signature, authorization: message }
    }
    return Buffer.from(JSON.stringify(payload), "utf8").toString("base64")
  })

export const verify = (id: string, payment: string) =>
  Effect.flatMap(Checkouts, (checkouts) => checkouts.verify(id, payment))

export const statusOf = (id: string) => Effect.flatMap(Checkouts, (checkouts) => checkouts.status(id))

export const decodeReceipt = Schema.decodeSync(Schema.parseJson(CheckoutReceipt))
