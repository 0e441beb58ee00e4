import { Config, Duration, Either } from "effect"
import { formatUsd, parseUsd, USDC_UNIT } from "../domain/money.ts"
import { duration, invalid, wholeNumber } from "../domain/settings.ts"

/** A decimal in millionths. `rule` is what an operator is told of any other. */
const decimal = (name: string, rule: string, admits: (value: bigint) => boolean) =>
  Config.nonEmptyString(name).pipe(
    Config.mapOrFail((text) => {
      const parsed = parseUsd(text)
      return parsed !== undefined && admits(parsed) ? Either.right(parsed) : invalid(name, rule)
    })
  )

const amount = (name: string, fallback: bigint) =>
  Config.withDefault(
    decimal(name, "must be USD above 0 with at most 6 decimals, such as 0.01", (value) => value > 0n),
    fallback
  )

const limit = (name: string, fallback: number) => wholeNumber(name, { least: 1, fallback })

const share = (name: string, fallback: bigint, most: bigint) =>
  Config.withDefault(
    decimal(name, `must be a decimal number from 0 to ${formatUsd(most)}`, (value) => value <= most),
    fallback
  )

const WHOLE = 1_000_000n

/** Who may spend how much of the network fees of a day, in millionths. */
const feeShares = Config.all({
  /** All checkouts together, of `SETTLEMENT_DAILY_FEES_USD`; the rest belongs to our own sales. */
  all: share("CHECKOUT_FEE_SHARE", WHOLE / 2n, WHOLE),
  /** Of that, those without a merchant token together. Never all of it: the rest belongs to merchants with one. */
  anonymous: share("CHECKOUT_ANONYMOUS_FEE_SHARE", 400_000n, WHOLE - 1n),
  /** Of that, one merchant with a token. */
  merchant: share("CHECKOUT_MERCHANT_FEE_SHARE", 200_000n, WHOLE)
})

/** What a checkout may be of. */
const amounts = Config.all({
  maxAmount: amount("CHECKOUT_MAX_USD", 10_000n * USDC_UNIT),
  /** Below this the fee of broadcasting a payment outgrows the payment. */
  minAmount: amount("CHECKOUT_MIN_USD", USDC_UNIT / 100n)
}).pipe(
  Config.mapOrFail((both) =>
    both.minAmount <= both.maxAmount
      ? Either.right(both)
      : invalid("CHECKOUT_MIN_USD", "must not be above CHECKOUT_MAX_USD")
  )
)

/** Segments other parts of the service use; the checkout flow may not shadow them. */
const TAKEN = new Set(["token-risk"])

/** `CHECKOUT_SERVICE`: the segment in `/api/<checkout_service>/v1`. */
export const checkoutServiceConfig = Config.nonEmptyString("CHECKOUT_SERVICE").pipe(
  Config.withDefault("checkout"),
  Config.validate({
    message: "CHECKOUT_SERVICE: must be 1 to 64 of a-z, 0-9 and -, and not token-risk",
    validation: (text) => /^[a-z0-9-]{1,64}$/.test(text) && !TAKEN.has(text)
  })
)

/**
 * Limits protect the fees we pay for broadcasting, and the table, from one caller; amounts are in USDC's smallest unit.
 * They are counted for whoever creates the checkouts: the merchant who presents a token, or the caller's address. Never
 * for the receiving address, which anybody can name.
 */
export const checkoutConfig = Config.all({
  service: checkoutServiceConfig,
  /** Life of an unpaid checkout. */
  ttl: duration("CHECKOUT_TTL", { least: "1 milli", most: "366 days", fallback: "1 hour" }).pipe(
    Config.map(Duration.toMillis)
  ),
  amounts,
  maxOpen: limit("CHECKOUT_MAX_OPEN_PER_MERCHANT", 10_000),
  createsPerMinute: limit("CHECKOUT_CREATES_PER_MINUTE", 600),
  paymentsPerDay: limit("CHECKOUT_PAYMENTS_PER_DAY", 1000),
  feeShares,
  /** After this long an expired checkout is forgotten. */
  retention: duration("CHECKOUT_RETENTION", {
    least: "1 hour",
    most: "36500 days",
    fallback: "30 days"
  }).pipe(Config.map(Duration.toMillis))
}).pipe(Config.map(({ amounts, ...others }) => ({ ...others, ...amounts })))
export type CheckoutConfig = Config.Config.Success<typeof checkoutConfig>
