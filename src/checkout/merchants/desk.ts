import { Clock, Effect, Option } from "effect"
import type { CheckoutStatus, MerchantCheckouts } from "../../domain/checkout.ts"
import type { UpstreamError } from "../../domain/errors.ts"
import { merchantCaller } from "../caller.ts"
import type { Checkout } from "../checkout.ts"
import { CheckoutRepo } from "../checkout-repo.ts"
import type { FindError, ListQuery } from "../checkouts.ts"
import { CheckoutConflict, CheckoutInvalid, CheckoutNotFound } from "../errors.ts"
import { WebhookOutbox } from "../webhooks/outbox.ts"
import type { Merchant } from "./merchants.ts"
import { Merchants } from "./merchants.ts"

const DEFAULT_PAGE = 20

/** Where a page of the list ended: the creation time and id of its last row. */
const cursorOf = ({ createdAt, id }: Checkout): string =>
  Buffer.from(`${createdAt}.${id}`, "utf8").toString("base64url")

const readCursor = (text: string): { readonly createdAt: number; readonly id: string } | undefined => {
  const [time = "", id] = Buffer.from(text, "base64url").toString("utf8").split(".")
  return /^[0-9]{1,15}$/.test(time) && id !== undefined ? { createdAt: Number(time), id } : undefined
}

/** What a merchant with a token can do with its own checkouts, and how its page is dressed. */
export const makeMerchantDesk = (
  find: (id: string) => Effect.Effect<Checkout, FindError>,
  show: (checkout: Checkout) => Effect.Effect<CheckoutStatus, UpstreamError>
) =>
  Effect.gen(function* () {
    const repo = yield* CheckoutRepo
    const merchants = yield* Merchants
    const outbox = yield* WebhookOutbox

    const page = Effect.fn("Checkouts.page")(function* (id: string) {
      const checkout = yield* find(id)
      const merchant = yield* merchants.ofCaller(checkout.caller)
      const settings = Option.getOrNull(Option.map(merchant, (found) => found.settings))
      return { status: yield* show(checkout), merchant: settings }
    })

    const list = Effect.fn("Checkouts.list")(function* (
      { id }: Merchant,
      { before, limit = DEFAULT_PAGE, memo, status }: ListQuery
    ) {
      const after = before === undefined ? null : readCursor(before)
      if (after === undefined)
        return yield* new CheckoutInvalid({ field: "before", message: "must be the next of an earlier page" })
      const found = yield* repo.list({
        caller: merchantCaller(id).key,
        status: status ?? null,
        memo: memo ?? null,
        before: after,
        limit: limit + 1
      })
      const shown = found.slice(0, limit)
      const last = found.length > limit ? shown.at(-1) : undefined
      const checkouts = yield* Effect.forEach(shown, (checkout) =>
        Effect.map(show(checkout), (view) => ({ ...view, metadata: checkout.metadata }))
      )
      return {
        checkouts,
        next: last === undefined ? null : cursorOf(last)
      } satisfies MerchantCheckouts
    })

    /** A checkout of somebody else is as unknown as one that does not exist. */
    const own = Effect.fnUntraced(function* (merchant: Merchant, id: string) {
      const checkout = yield* find(id)
      return checkout.caller === merchantCaller(merchant.id).key
        ? checkout
        : yield* new CheckoutNotFound({ id })
    })

    const cancel = Effect.fn("Checkouts.cancel")(function* (merchant: Merchant, id: string) {
      yield* own(merchant, id)
      const cancelled = yield* repo.cancel(
        id,
        merchantCaller(merchant.id).key,
        yield* Clock.currentTimeMillis
      )
      const checkout = yield* find(id)
      if (!cancelled && checkout.status !== "cancelled")
        return yield* new CheckoutConflict({ message: "only an open checkout can be cancelled" })
      return yield* show(checkout)
    })

    const replayEvent = Effect.fn("Checkouts.replayEvent")(function* (
      merchant: Merchant,
      id: string,
      eventId: string
    ) {
      yield* own(merchant, id)
      const found = yield* outbox.replay(id, eventId, yield* Clock.currentTimeMillis)
      if (!found) return yield* new CheckoutNotFound({ id: eventId })
    })

    return { page, list, cancel, replayEvent }
  })
