import { Effect } from "effect"
import type { UpstreamError } from "../../domain/errors.ts"
import { FeePurses } from "../../payment/settler/fee-purses.ts"
import { settlerConfig } from "../../payment/settler/settings.ts"
import { isMerchantCaller } from "../caller.ts"
import type { Checkout } from "../checkout.ts"
import type { CheckoutConfig } from "../config.ts"
import { CheckoutLimited } from "../errors.ts"

const ALL = "checkout"
const ANONYMOUS = "checkout-anonymous"

/** Whose budgets the fee of broadcasting a caller's payment comes out of. */
export const pursesOf = (caller: string): readonly [all: string, own: string] => [
  ALL,
  isMerchantCaller(caller) ? `checkout-${caller}` : ANONYMOUS
]

const MILLION = 1_000_000n
const shareOf = (whole: bigint, millionths: bigint): bigint => (whole * millionths) / MILLION

/**
 * Nobody pays us for a checkout, so each side has a share of the day's fees that no other can use up: what checkouts may
 * not have is left to our own sales, what those without a token may not have is left to merchants with one, and no one
 * merchant gets everything. Counted is what payments did cost, so that what never moved money uses up nothing.
 */
export const makeFeeBudget = ({ feeShares }: Pick<CheckoutConfig, "feeShares">) =>
  Effect.gen(function* () {
    const purses = yield* FeePurses
    const { dailyFees } = yield* settlerConfig
    const most = shareOf(dailyFees, feeShares.all)

    return Effect.fnUntraced(function* ({
      caller,
      terms
    }: Checkout): Effect.fn.Return<void, CheckoutLimited | UpstreamError> {
      const [all = 0n, own = 0n] = yield* purses.spent(terms.network, pursesOf(caller))
      const ownMost = shareOf(most, isMerchantCaller(caller) ? feeShares.merchant : feeShares.anonymous)
      if (all < most && own < ownMost) return
      return yield* new CheckoutLimited({
        message: "the network fees of a day are spent; nothing was charged",
        retryAfterSeconds: 3600
      })
    })
  })
