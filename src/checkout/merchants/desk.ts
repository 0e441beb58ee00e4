import { Clock, Effect, Option } from "effect"
import type { CheckoutStatus, MerchantCheckouts } from "../../domain/checkout.ts"
import type { UpstreamError } from "../../domain/errors.ts"
import type { UnassignedTransfers as StrayTransfers } from "../../domain/merchant.ts"
import { merchantCaller } from "../caller.ts"
import type { Checkout } from "../checkout.ts"
import { CheckoutRepo } from "../checkout-repo.ts"
import type { FindError, ListQuery, PageQuery } from "../checkouts.ts"
import { CheckoutConflict, CheckoutInvalid, CheckoutNotFound } from "../errors.ts"
import { UnassignedTransfers } from "../watch/unassigned-transfers.ts"
import { WebhookOutbox } from "../webhooks/outbox.ts"
import type { Merchant } from "./merchants.ts"
import { Merchants } from "./merchants.ts"

const DEFAULT_PAGE = 20

/** Where a page of a list ended: the time and id of its last row. */
interface Place {
  readonly at: number
  readonly id: string
}

const cursorOf = ({ at, id }: Place): string => Buffer.from(`${at}.${id}`, "utf8").toString("base64url")

/** What our own rows are called; some other texts no database would take. */
const ISSUED = /^[!-~]{1,300}$/

const placeOf = (text: string | undefined): Effect.Effect<Place | null, CheckoutInvalid> => {
  if (text === undefined) return Effect.succeed(null)
  const [time = "", id = ""] = Buffer.from(text, "base64url").toString("utf8").split(".")
  return /^[0-9]{1,15}$/.test(time) && ISSUED.test(id)
    ? Effect.succeed({ at: Number(time), id })
    : new CheckoutInvalid({ field: "before", message: "must be the next of an earlier page" })
}

/** One row more than is shown tells whether there is another page. */
const pageOf = <A>(found: ReadonlyArray<A>, limit: number, place: (row: A) => Place) => {
  const shown = found.slice(0, limit)
  const last = found.length > limit ? shown.at(-1) : undefined
  return { shown, next: last === undefined ? null : cursorOf(place(last)) }
}

/** What the desk needs of checkouts. */
interface Counter {
  readonly find: (id: string) => Effect.Effect<Checkout, FindError>
  readonly show: (checkout: Checkout) => Effect.Effect<CheckoutStatus, UpstreamError>
}

/** What a merchant with a token can see: its checkouts, and money that counts for none. */
const makeLists = ({ show }: Counter) =>
  Effect.gen(function* () {
    const repo = yield* CheckoutRepo
    const unassigned = yield* UnassignedTransfers

    const list = Effect.fn("Checkouts.list")(function* (
      { id }: Merchant,
      { before, limit = DEFAULT_PAGE, memo, status }: ListQuery
    ) {
      const after = yield* placeOf(before)
      const found = yield* repo.list({
        caller: merchantCaller(id).key,
        status: status ?? null,
        memo: memo ?? null,
        before: after === null ? null : { createdAt: after.at, id: after.id },
        limit: limit + 1
      })
      const { next, shown } = pageOf(found, limit, ({ createdAt, id: row }) => ({ at: createdAt, id: row }))
      const checkouts = yield* Effect.forEach(shown, (checkout) =>
        Effect.map(show(checkout), (view) => ({ ...view, metadata: checkout.metadata }))
      )
      return { checkouts, next } satisfies MerchantCheckouts
    })

    const strays = Effect.fn("Checkouts.strays")(function* (
      { account }: Merchant,
      { before, limit = DEFAULT_PAGE }: PageQuery
    ) {
      const after = yield* placeOf(before)
      const place = after === null ? null : { at: after.at, evidence: after.id }
      const found = yield* unassigned.list(account, place, limit + 1)
      const { next, shown } = pageOf(found, limit, ({ at, evidence }) => ({ at, id: evidence }))
      const transfers = shown.map(({ amount, at, payer, reason, transaction }) => ({
        transaction,
        payer,
        amount: amount.toString(),
        at: new Date(at).toISOString(),
        reason
      }))
      return { transfers, next } satisfies StrayTransfers
    })

    return { list, strays }
  })

/** What a merchant with a token can do with one of its checkouts. */
const makeActions = ({ find, show }: Counter) =>
  Effect.gen(function* () {
    const repo = yield* CheckoutRepo
    const outbox = yield* WebhookOutbox

    /** A checkout of somebody else is as unknown as one that does not exist. */
    const own = Effect.fnUntraced(function* (merchant: Merchant, id: string) {
      const { caller } = yield* find(id)
      if (caller !== merchantCaller(merchant.id).key) return yield* new CheckoutNotFound({ id })
      return caller
    })

    const cancel = Effect.fn("Checkouts.cancel")(function* (merchant: Merchant, id: string) {
      const caller = yield* own(merchant, id)
      const cancelled = yield* repo.cancel(id, caller, yield* Clock.currentTimeMillis)
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
      if (!found) return yield* new CheckoutNotFound({ id: eventId, what: "event of this checkout" })
    })

    return { cancel, replayEvent }
  })

/** What a merchant with a token can do with its own checkouts, and how its page is dressed. */
export const makeMerchantDesk = (counter: Counter) =>
  Effect.gen(function* () {
    const merchants = yield* Merchants
    const { find, show } = counter

    const page = Effect.fn("Checkouts.page")(function* (id: string) {
      const checkout = yield* find(id)
      const merchant = yield* merchants.ofCaller(checkout.caller)
      const settings = Option.getOrNull(Option.map(merchant, (found) => found.settings))
      return { status: yield* show(checkout), merchant: settings }
    })

    return { page, ...(yield* makeLists(counter)), ...(yield* makeActions(counter)) }
  })
