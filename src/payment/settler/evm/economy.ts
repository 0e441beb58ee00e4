import { Clock, Duration, Effect, Schedule } from "effect"
import { isNonEmptyArray } from "effect/Array"
import { BASE_NETWORK } from "../../../domain/chain.ts"
import { PaymentUnavailable, type UpstreamError } from "../../../domain/errors.ts"
import { cached } from "../../../domain/cached.ts"
import { makeDayFees } from "../day-fees.ts"
import { showBalance } from "../metrics.ts"
import type { Price } from "../prices.ts"
import { feeBudget, hasBurntItsPart, type SettlerSettings } from "../settings.ts"
import { boundFor, MAX_BATCH, mostFeeOf, type Terms } from "./choice.ts"
import { withRoom } from "./content.ts"
import { dataFeeOf } from "./data-fee.ts"
import type { Job } from "./job.ts"
import { openingOffer } from "./offers.ts"
import type { Address, SettlementJournal } from "./journal.ts"
import type { CanPay } from "./held-keys.ts"
import type { EvmNode } from "./node.ts"
import { EOA_GAS } from "./preflight.ts"
import { span } from "../../../domain/span.ts"

/** Settlements a key must be able to pay for before anything more is sold on it. */
const RESERVE = 3n
const MARKET_AGE = Duration.millis(1_500)
const BALANCE_EVERY = Duration.seconds(30)
/** Wei in a millionth of an ether. */
const WEI_PER_MILLIONTH = 10n ** 12n

interface EconomyOptions {
  readonly node: EvmNode
  readonly journal: SettlementJournal["Type"]
  readonly price: Price
  readonly settings: SettlerSettings
  readonly addresses: ReadonlyArray<Address>
}

/** What Base's fees allow: a fee is in proportion to what it moves, to the day's budget, and to what the keys hold. */
export const makeEconomy = Effect.fnUntraced(function* ({
  addresses,
  journal,
  node,
  price,
  settings
}: EconomyOptions) {
  const hasBurnt = Effect.map(journal.burntToday, (burnt) => hasBurntItsPart(settings, burnt))
  // Code that a payer got after he was tried burns what all that share its transaction may use, and of one alone its own.
  const mostTogether = Effect.map(hasBurnt, (isBurnt) => (isBurnt ? 1 : MAX_BATCH))
  let latest: Terms | undefined
  const terms: Effect.Effect<Terms, UpstreamError> = yield* cached(
    Effect.tap(Effect.all({ market: node.market, price, mostTogether }, { concurrency: 3 }), (asked) => {
      latest = asked
    }),
    MARKET_AGE
  )
  const { allow, settingAside, wrote } = yield* makeDayFees(journal.spentToday, settings)
  const balances = new Map<Address, { readonly wei: bigint; readonly at: number }>()

  const watchBalance = Effect.fnUntraced(function* (address: Address) {
    const wei = yield* node.balance(address)
    const at = yield* Clock.currentTimeMillis
    balances.set(address, { wei, at })
    const isLow = wei < settings.lowEther * WEI_PER_MILLIONTH
    yield* showBalance(BASE_NETWORK, address, Number(wei) / 1e18, isLow)
    if (!isLow) return
    yield* Effect.logError("the settling key runs out of ether", { address, wei: String(wei) })
  })

  const watch = Effect.forEach(addresses, watchBalance, { discard: true })
  yield* Effect.ignoreLogged(watch).pipe(Effect.repeat(Schedule.spaced(BALANCE_EVERY)), Effect.forkScoped)

  /** Keys that can pay so much; a balance that was not read yet refuses nothing: the node will. */
  const thatPay = (wei: bigint) => addresses.filter((address) => (balances.get(address)?.wei ?? wei) >= wei)

  const budget = (amount: bigint) => feeBudget(settings, amount)
  const unavailable = (why: string, what = "nothing is sold on Base for now") =>
    Effect.zipRight(
      Effect.logWarning(what, why),
      Effect.fail(new PaymentUnavailable({ upstream: "base-rpc" }))
    )

  /**
   * Fails while a payment of this amount, call data and gas could not be settled at a fee in proportion. Charges
   * nothing. The most its first offer may cost, millionths of a USD.
   */
  const admit = Effect.fnUntraced(
    function* (amount: bigint, transfer: Pick<Job, "data" | "gas">) {
      const now = yield* terms
      const { market } = now
      const offer = openingOffer(market, boundFor(transfer, now, budget(amount)))
      if (offer === undefined) return yield* unavailable("the network fee is out of proportion")
      const dataFee = dataFeeOf(market.dataFee, transfer.data)
      const cost = transfer.gas * (market.baseFee + market.tip) + dataFee
      const fee = mostFeeOf([transfer], withRoom(transfer.gas), offer, now)
      if (!(yield* allow(fee))) return yield* unavailable("the day's fees are spent")
      if (thatPay(cost * RESERVE).length === 0) return yield* unavailable("no key holds enough ether")
      return fee
    },
    Effect.catchTag("UpstreamError", ({ upstream }) => new PaymentUnavailable({ upstream })),
    span("BaseEconomy.admit")
  )

  /** Fails while payers' own code has burnt its part of the day's fees: nothing more is sent for such payers. */
  const admitCode = Effect.flatMap(hasBurnt, (isBurnt) =>
    isBurnt
      ? unavailable(
          "they have burnt their part of the day's fees",
          "nothing is sold on Base to wallets with code"
        )
      : Effect.void
  ).pipe(Effect.catchTag("UpstreamError", ({ upstream }) => new PaymentUnavailable({ upstream })))

  /**
   * Whether a key is one to send with. What a key without means has signed waits until somebody sends it some, so none
   * does while another can pay for a full transaction, or at least for some small ones. By the fees that were asked for
   * last: a process with nothing to sell asks no node.
   */
  const canPay: CanPay = (address) => {
    if (latest === undefined) return true
    const { baseFee, dataFee, tip } = latest.market
    const most = EOA_GAS * (2n * baseFee + tip) + dataFee
    const able = [BigInt(MAX_BATCH), RESERVE].map((times) => thatPay(times * most)).find(isNonEmptyArray)
    return able === undefined || able.includes(address)
  }

  /** The ledger has the payment from now on, with what was set aside for it: that is read until the payment has a result. */
  const begun = (authorizationKey: string): void => wrote(authorizationKey, 0n)

  return { terms, budget, admit, admitCode, canPay, settingAside, begun }
})
