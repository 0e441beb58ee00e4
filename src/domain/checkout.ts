import { ParseResult, Schema } from "effect"
import { getAddress } from "viem"
import { isSolanaAddress, normalizeEvmAddress } from "./address.ts"
import { BASE_NETWORK, BASE_USDC, Network, networkOf, SOLANA_NETWORK, SOLANA_USDC } from "./chain.ts"
import { Integer } from "./integer.ts"
import { AtomicAmount, parseUsd } from "./money.ts"
import { isPrintable } from "./printable.ts"
import { CLOSED, rule } from "./rule.ts"
import { SOLANA_PROGRAMS } from "./solana-programs.ts"

/** Bytes of UTF-8 a merchant's memo may have. */
export const MEMO_BYTES = 128

/** A chain by its name or its CAIP-2 id. */
export const CheckoutNetwork = Schema.transform(
  Schema.Literal("solana", "base", BASE_NETWORK, SOLANA_NETWORK).annotations({
    message: () => ({
      message: rule('must be "solana", "base" or a CAIP-2 id of one of them'),
      override: true
    })
  }),
  Schema.typeSchema(Network),
  {
    strict: true,
    decode: (name) => (name === "solana" || name === "base" ? networkOf(name) : name),
    encode: (network) => network
  }
)

export const AmountUsd = Schema.String.annotations({
  message: () => rule('must be a string, such as "12.50"')
})
  .pipe(
    Schema.filter((text) => (parseUsd(text) ?? 0n) > 0n, {
      message: () => rule("must be a decimal USD amount above 0 with at most 6 decimals"),
      jsonSchema: { pattern: String.raw`^(?:0|[1-9][0-9]{0,11})(?:\.[0-9]{1,6})?$` }
    })
  )
  .annotations({
    description: "Decimal amount in USD, above 0, at most 6 decimals. No sign, exponent or leading zeros.",
    examples: ["12.50"]
  })

const Memo = Schema.String.pipe(
  Schema.filter((text) => isPrintable(text) && Buffer.byteLength(text, "utf8") <= MEMO_BYTES, {
    message: () =>
      rule(`must be at most ${MEMO_BYTES} bytes of UTF-8 without control or direction characters`),
    jsonSchema: { maxLength: MEMO_BYTES }
  })
).annotations({
  description: "The merchant's order reference. Shown to the buyer.",
  examples: ["order-1042"]
})

const WebhookUrl = Schema.String.pipe(
  Schema.maxLength(2048, { message: () => rule("must be at most 2048 characters") })
).annotations({
  description: "Public https address that is told of checkout.paid and checkout.expired (Standard Webhooks).",
  examples: ["https://shop.example/hooks/checkout"]
})

/** The merchant's own notes, shown to nobody else. */
export const CheckoutMetadata = Schema.Record({ key: Schema.String, value: Schema.String })
  .pipe(
    Schema.filter(
      (record) =>
        Object.keys(record).length <= 20 &&
        Object.entries(record).every(([key, value]) => key.length <= 40 && value.length <= 200),
      {
        message: () => rule("must be at most 20 texts of at most 200 characters under names of at most 40")
      }
    )
  )
  .annotations({ description: "Needs a merchant token. Returned in the merchant's list alone." })
export type CheckoutMetadata = typeof CheckoutMetadata.Type

/** What a merchant sends to create (or simulate) a checkout, as it stands on the wire. */
export const CreateCheckoutWire = Schema.Struct({
  network: CheckoutNetwork.annotations({
    description: "Chain name or CAIP-2 id.",
    examples: [SOLANA_NETWORK]
  }),
  merchantPayTo: Schema.String.annotations({
    description: "The merchant's receiving address. The buyer pays it directly.",
    message: () => rule("must be an address")
  }),
  amountUsd: AmountUsd,
  memo: Schema.optionalWith(Memo, { default: () => "" }),
  webhookUrl: Schema.optional(WebhookUrl),
  metadata: Schema.optional(CheckoutMetadata),
  plainTransfers: Schema.optional(
    Schema.Boolean.annotations({
      description:
        "Base, with a merchant token: less than a cent is added to the amount, so that a plain USDC transfer of exactly this amount pays this order."
    })
  )
}).annotations({ identifier: "CreateCheckout", ...CLOSED })

/** One letter case means "no checksum"; mixed case must be the EIP-55 checksum. Source: ERC-55. */
const baseAddress = (text: string): string | undefined => {
  const canonical = normalizeEvmAddress(text)
  if (canonical === undefined || /^0x0{40}$/.test(canonical) || canonical === BASE_USDC.toLowerCase())
    return undefined
  const checksummed = getAddress(canonical)
  if (text === canonical || text === checksummed) return text
  return text.slice(2) === text.slice(2).toUpperCase() ? checksummed : undefined
}

/** A receiving address in the spelling it was given; `undefined` when it cannot receive USDC. */
export const merchantAddress = (network: Network, text: string): string | undefined => {
  if (network === BASE_NETWORK) return baseAddress(text)
  return isSolanaAddress(text) && text !== SOLANA_PROGRAMS.system && text !== SOLANA_USDC ? text : undefined
}

const ADDRESS_RULE = {
  [BASE_NETWORK]: rule(
    "must be 0x and 40 hex digits with a correct EIP-55 checksum, not zero and not the USDC contract"
  ),
  [SOLANA_NETWORK]: rule("must be base58 of 32 bytes, not zero and not the USDC mint")
} as const

/** What a merchant's address must be on a network, in the words that callers are told. */
export const merchantAddressRule = (network: Network): string => ADDRESS_RULE[network]

/** What was decoded, with its address checked against its network and in a canonical spelling. Encoding is the identity. */
export const withMerchantAddress = <
  A extends { readonly network: Network; readonly merchantPayTo: string },
  I
>(
  wire: Schema.Schema<A, I>
): Schema.Schema<A, I> =>
  Schema.transformOrFail(wire, Schema.typeSchema(wire), {
    strict: true,
    decode: (decoded, _options, ast) => {
      const merchantPayTo = merchantAddress(decoded.network, decoded.merchantPayTo)
      if (merchantPayTo !== undefined) return ParseResult.succeed({ ...decoded, merchantPayTo })
      const issue = new ParseResult.Type(ast, decoded.merchantPayTo, merchantAddressRule(decoded.network))
      return ParseResult.fail(new ParseResult.Pointer(["merchantPayTo"], decoded, issue))
    },
    encode: (request) => ParseResult.succeed({ ...request })
  })

/** A valid create request: the address has the network's form and can hold USDC. */
export const CreateCheckout = withMerchantAddress(CreateCheckoutWire)
export type CreateCheckout = typeof CreateCheckout.Type

/** A key that is equal exactly for spellings of one merchant address. */
export const merchantKey = (network: Network, payTo: string): string =>
  `${network}:${network === BASE_NETWORK ? payTo.toLowerCase() : payTo}`

/** A moment as it is told. */
export const Instant = Schema.String.annotations({
  description: "ISO 8601, UTC.",
  examples: ["2026-11-21T10:00:00.000Z"]
})

/**
 * What the buyer is shown. The object is usable as x402 payment requirements as it is; `extra` must
 * come back in the payment.
 */
export const CheckoutTerms = Schema.Struct({
  scheme: Schema.Literal("exact"),
  network: Network,
  amount: AtomicAmount.annotations({ description: "USDC in smallest units, 6 decimals." }),
  asset: Schema.String,
  payTo: Schema.String,
  memo: Schema.String,
  checkoutId: Schema.String,
  maxTimeoutSeconds: Integer,
  expiresAt: Instant,
  extra: Schema.Record({ key: Schema.String, value: Schema.Unknown }),
  url: Schema.String.annotations({ description: "Hosted page for the buyer; JSON status for machines." })
}).annotations({ identifier: "CheckoutTerms" })
export type CheckoutTerms = typeof CheckoutTerms.Type

/**
 * `nonce`: the signed authorization itself names the checkout. `memo`: its on-chain memo does. `amount`: no other order
 * of the merchant has this amount. `server`: our ledger does.
 */
export const PaymentBinding = Schema.Literal("nonce", "memo", "amount", "server").annotations({
  identifier: "PaymentBinding"
})
export type PaymentBinding = typeof PaymentBinding.Type

/**
 * What one transfer is to a checkout. `paid`: it pays it, alone or together with others. `short`: in time, and not
 * enough yet. `late`: after the clock ran out. `extra`: after it was paid. `refunded`: from the merchant to the payer.
 * `lost`: a reorganisation of the chain took it away, so that it counts for nothing.
 */
export const TransferKind = Schema.Literal("paid", "short", "late", "extra", "refunded", "lost").annotations({
  identifier: "TransferKind"
})
export type TransferKind = typeof TransferKind.Type

/** One line of a checkout's journal. */
export const CheckoutTransfer = Schema.Struct({
  kind: TransferKind,
  transaction: Schema.String,
  amount: AtomicAmount,
  payer: Schema.NullOr(Schema.String).annotations({
    description: "Owner of the tokens that moved; null where several owners paid in one transaction."
  }),
  at: Instant,
  block: Schema.optional(Schema.NullOr(Integer)).annotations({
    description: "Block or slot that holds it. Absent in receipts written before it was kept."
  })
}).annotations({ identifier: "CheckoutTransfer" })
export type CheckoutTransfer = typeof CheckoutTransfer.Type

/** Receipt of a paid checkout. The same payment always gets the same bytes. */
export const CheckoutReceipt = Schema.Struct({
  status: Schema.Literal("paid"),
  transaction: Schema.String.annotations({ description: "The buyer's transaction signature or hash." }),
  checkoutId: Schema.String,
  network: Network,
  amount: AtomicAmount,
  asset: Schema.String,
  payTo: Schema.String,
  payer: Schema.NullOr(Schema.String),
  memo: Schema.String,
  binding: PaymentBinding,
  paidAt: Instant,
  /** All that had come in when it was paid. Absent in receipts written before it was kept. */
  received: Schema.optional(AtomicAmount),
  payments: Schema.optional(Schema.Array(CheckoutTransfer))
}).annotations({ identifier: "CheckoutReceipt" })
export type CheckoutReceipt = typeof CheckoutReceipt.Type

/**
 * `open` → `processing` → `paid`, or `open` → `expired`. A refused payment leads from
 * `processing` back to `open`. A merchant with a token may cancel what is open.
 */
export const CheckoutStatusName = Schema.Literal(
  "open",
  "processing",
  "paid",
  "expired",
  "cancelled"
).annotations({
  identifier: "CheckoutStatusName",
  message: () => ({ message: rule("must be open, processing, paid, expired or cancelled"), override: true })
})
export type CheckoutStatusName = typeof CheckoutStatusName.Type

/** 200 body of `GET /checkout/<id>`. */
export const CheckoutStatus = Schema.Struct({
  checkoutId: Schema.String,
  status: CheckoutStatusName,
  amountUsd: Schema.String,
  terms: CheckoutTerms,
  receipt: Schema.NullOr(CheckoutReceipt),
  received: AtomicAmount.annotations({ description: "USDC that came in so far, in smallest units." }),
  missing: AtomicAmount.annotations({ description: "USDC still due, in smallest units; 0 when paid." }),
  payments: Schema.Array(CheckoutTransfer).annotations({
    description: "The transfers seen for this checkout, up to 200 each way, in the chain's order."
  }),
  timeline: Schema.Array(Schema.Struct({ status: CheckoutStatusName, at: Instant }))
}).annotations({ identifier: "CheckoutStatus" })
export type CheckoutStatus = typeof CheckoutStatus.Type

/** A checkout as its merchant's list shows it. */
export const MerchantCheckout = Schema.Struct({
  ...CheckoutStatus.fields,
  metadata: Schema.NullOr(CheckoutMetadata)
}).annotations({ identifier: "MerchantCheckout" })

/** One page of a merchant's checkouts, newest first. */
export const MerchantCheckouts = Schema.Struct({
  checkouts: Schema.Array(MerchantCheckout),
  next: Schema.NullOr(Schema.String).annotations({
    description: "`before` of the next page; null on the last."
  })
}).annotations({ identifier: "MerchantCheckouts" })
export type MerchantCheckouts = typeof MerchantCheckouts.Type

/** One step of a simulated checkout. Its words and ids exist nowhere else, so that it cannot pass for a payment. */
export const SimulatedStep = Schema.Struct({
  step: Schema.String,
  explanation: Schema.String,
  httpStatus: Integer.annotations({ description: "Status a real checkout would answer with." }),
  status: Schema.Literal(
    "simulated_open",
    "simulated_processing",
    "simulated_paid",
    "simulated_expired",
    "simulated_cancelled"
  ),
  answer: Schema.Record({ key: Schema.String, value: Schema.Unknown })
}).annotations({ identifier: "SimulatedStep" })
export type SimulatedStep = typeof SimulatedStep.Type

/** 200 body of `POST /checkout/simulate`. Nothing of it touched a chain or the ledger. */
export const CheckoutSimulation = Schema.Struct({
  simulated: Schema.Literal(true),
  steps: Schema.Array(SimulatedStep)
}).annotations({ identifier: "CheckoutSimulation" })
export type CheckoutSimulation = typeof CheckoutSimulation.Type
