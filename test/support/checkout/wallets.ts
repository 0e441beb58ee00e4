/** What wallets do to the shop's Solana merchants, in front of the fake chain. */
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { Checkouts } from "../../../src/checkout/checkouts.ts"
import { memoOfTerms, referenceOf } from "../../../src/checkout/solana/solana-pay.ts"
import { SOLANA_NETWORK } from "../../../src/domain/chain.ts"
import type { CheckoutTerms, CreateCheckout } from "../../../src/domain/checkout.ts"
import { Chain, createCheckout, SOLANA_MERCHANT } from "./shop.ts"

/** Any other wallet. */
export const OTHER_MERCHANT = "So11111111111111111111111111111111111111112"

export const openOrder = (change: Partial<CreateCheckout> = {}) =>
  createCheckout({
    network: SOLANA_NETWORK,
    merchantPayTo: SOLANA_MERCHANT,
    amountUsd: "1",
    webhookUrl: "https://shop.example/hook",
    ...change
  })

let transactions = 0
/** A wallet moves USDC to the merchant (or, below zero, back) and names these orders. */
export const wallet = (change: bigint, named: ReadonlyArray<CheckoutTerms>, at: number, feePayer = "buyer") =>
  Effect.map(Chain, ({ wallets }) => {
    transactions += 1
    const references = named.flatMap((terms) => [memoOfTerms(terms), referenceOf(terms.checkoutId)])
    const entry = {
      transaction: `sig${transactions}`,
      at,
      change,
      counterparty: "buyer",
      references,
      slot: transactions,
      index: 1,
      feePayer
    }
    wallets.set(SOLANA_MERCHANT, [...(wallets.get(SOLANA_MERCHANT) ?? []), entry])
    return entry.transaction
  })

/** Puts the merchant's newest transaction into another slot. */
export const inSlot = (slot: number) =>
  Effect.map(Chain, ({ wallets }) => {
    const all = wallets.get(SOLANA_MERCHANT) ?? []
    wallets.set(
      SOLANA_MERCHANT,
      all.map((one, at) => (at === all.length - 1 ? { ...one, slot } : one))
    )
  })

export const round = Effect.flatMap(Checkouts, ({ findTransfers }) => findTransfers)
export const events = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql<{ body: string }>`SELECT body FROM webhook_deliveries ORDER BY created_at, id`
).pipe(Effect.map((rows) => rows.map(({ body }) => String(JSON.parse(body).type))))
