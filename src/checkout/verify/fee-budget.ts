import { Effect } from "effect"
import { FeeBudgets, type Reserved } from "../../payment/settler/fee-budgets.ts"
import { settlerConfig } from "../../payment/settler/settings.ts"
import { isMerchantCaller } from "../caller.ts"
import type { Checkout } from "../checkout.ts"
import type { CheckoutConfig } from "../config.ts"
import { CheckoutLimited } from "../errors.ts"

const ALL = "checkout"
const ANONYMOUS = "checkout-anonymous"

/** Whose budgets the fee of broadcasting a caller's payment comes out of. */
export const budgetsOf = (caller: string): readonly [all: string, own: string] => [
  ALL,
  isMerchantCaller(caller) ? `checkout-${caller}` : ANONYMOUS
]

const MILLION = 1_000_000n
const shareOf = (whole: bigint, millionths: bigint): bigint => (whole * millionths) / MILLION

const LIMITED: Readonly<Record<Exclude<Reserved, "reserved">, CheckoutLimited>> = {
  spent: new CheckoutLimited({
    message: "the network fees of a day are spent; nothing was charged",
    retryAfterSeconds: 3600
  }),
  held: new CheckoutLimited({
    message: "what is left of a day's network fees is set aside for payments under way; nothing was charged",
    retryAfterSeconds: 30
  })
}

/**
 * Nobody pays us for a checkout, so each side has a share of the day's fees that no other can use up: what checkouts
 * may not spend is left to our own sales, what callers without a token may not spend is left to merchants with one, and
 * no single merchant gets everything. Asked under the payment's claim, before anything is sent: what its fee may be is
 * set aside until it is known, so that payments under way together spend no more than one after the other.
 */
export const makeFeeBudget = ({ feeShares }: Pick<CheckoutConfig, "feeShares">) =>
  Effect.gen(function* () {
    const budgets = yield* FeeBudgets
    const { dailyFees } = yield* settlerConfig
    const most = shareOf(dailyFees, feeShares.all)

    return Effect.fnUntraced(function* ({ caller, terms }: Checkout, authorizationKey: string) {
      const [all, own] = budgetsOf(caller)
      const ownMost = shareOf(most, isMerchantCaller(caller) ? feeShares.merchant : feeShares.anonymous)
      const reserved = yield* budgets.reserve(authorizationKey, terms.network, [
        { name: all, most },
        { name: own, most: ownMost }
      ])
      if (reserved !== "reserved") return yield* LIMITED[reserved]
    })
  })
