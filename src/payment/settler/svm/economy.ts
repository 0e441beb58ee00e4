import { Effect, Schedule } from "effect"
import { SOLANA_NETWORK } from "../../../domain/chain.ts"
import { PaymentRejected, PaymentUnavailable, type UpstreamError } from "../../../domain/errors.ts"
import type { VerifiedPayment } from "../../verifier/verified-payment.ts"
import { type DecodedTransaction, hasAssertions, transactionOf } from "../../verifier/svm/transaction.ts"
import { makeDayFees } from "../day-fees.ts"
import { showBalance } from "../metrics.ts"
import type { Price } from "../prices.ts"
import { feeBudget, hasBurntItsPart, type SettlerSettings } from "../settings.ts"
import { isWillful, lamportsIn } from "./lamports.ts"
import type { Transfers } from "./transfers.ts"

const LAMPORTS_PER_SOL = 1_000_000_000n
/** Lamports in a millionth of a SOL. */
const LAMPORTS_PER_MILLIONTH = 1_000n
/**
 * What an account must keep so as not to be closed: a transaction that leaves its fee payer less fails, whoever pays.
 * Source: Solana's rent, two years of 3,480 lamports a byte for the 128 bytes of an account without data.
 */
export const LEAST_BALANCE = 890_880n
/** Transfers a fee payer must be able to pay for before anything more is sold. */
const RESERVE = 3n
const BALANCE_EVERY = "30 seconds"
const TOO_HIGH = "invalid_exact_svm_payload_transaction_instructions_compute_price_instruction_too_high"

const transactionIn = ({ payment }: VerifiedPayment) =>
  payment.scheme === "svm" ? transactionOf(payment.svm) : undefined

/** Lamports a payment costs its fee payer. */
export const lamportsOf = (verified: VerifiedPayment) => lamportsIn(transactionIn(verified)?.message)

/** Millionths of a USD, rounded up. */
const lamportsInMicros = (lamports: bigint, price: bigint): bigint =>
  (lamports * price + LAMPORTS_PER_SOL - 1n) / LAMPORTS_PER_SOL

interface EconomyOptions {
  readonly address: string
  readonly balance: Effect.Effect<bigint, UpstreamError>
  readonly transfers: Transfers
  /** SOL in USD. */
  readonly price: Price
  readonly settings: SettlerSettings
}

/** What Solana's fees allow, as `makeEconomy` says it for Base. */
export const makeSolanaEconomy = Effect.fnUntraced(function* ({
  address,
  balance,
  price,
  settings,
  transfers
}: EconomyOptions) {
  const { allow, settingAside, wrote } = yield* makeDayFees(transfers.spentToday, settings)
  let held: bigint | undefined
  const read = Effect.tap(balance, (lamports) => {
    held = lamports
  })

  const watch = Effect.gen(function* () {
    const lamports = yield* read
    const isLow = lamports < settings.lowSol * LAMPORTS_PER_MILLIONTH
    yield* showBalance(SOLANA_NETWORK, address, Number(lamports) / 1e9, isLow)
    if (!isLow) return
    yield* Effect.logError("the fee payer runs out of SOL", { address, lamports: String(lamports) })
  })
  yield* Effect.ignoreLogged(watch).pipe(Effect.repeat(Schedule.spaced(BALANCE_EVERY)), Effect.forkScoped)

  const unavailable = (why: string, what = "nothing is sold on Solana for now") =>
    Effect.zipRight(
      Effect.logWarning(what, why),
      Effect.fail(new PaymentUnavailable({ upstream: "solana-rpc" }))
    )

  /** Fails while such payments have burnt their part of the day's fees. */
  const admitWillful = (transaction: DecodedTransaction, tooHigh: PaymentRejected) =>
    Effect.flatMap(
      transfers.burntToday,
      (burnt): Effect.Effect<void, PaymentRejected | PaymentUnavailable> => {
        if (!hasBurntItsPart(settings, burnt)) return Effect.void
        // A lower price helps, another signature under the same assertions does not.
        return hasAssertions(transaction)
          ? unavailable(
              "they have burnt their part of the day's fees",
              "nothing is sold on Solana to payers with assertions"
            )
          : tooHigh
      }
    )

  /**
   * Fails while a payment could not be settled at a fee in proportion, or where its client set too high a price. What it
   * costs, millionths of a USD.
   */
  const admit = Effect.fnUntraced(
    function* (verified: VerifiedPayment) {
      const { priority, signatures } = lamportsOf(verified)
      const sol = yield* price
      const budget = feeBudget(settings, BigInt(verified.requirements.amount))
      if (lamportsInMicros(signatures, sol) > budget) {
        return yield* unavailable("the network fee is out of proportion")
      }
      const fee = lamportsInMicros(signatures + priority, sol)
      const { network } = verified.payment
      const tooHigh = new PaymentRejected({ reason: TOO_HIGH, network, payer: verified.payer })
      if (fee > budget) return yield* tooHigh
      if (!(yield* allow(fee))) return yield* unavailable("the day's fees are spent")
      const transaction = transactionIn(verified)
      if (transaction !== undefined && isWillful(transaction)) yield* admitWillful(transaction, tooHigh)
      const needed = LEAST_BALANCE + (signatures + priority) * RESERVE
      // What was too little may have been filled up since.
      if (held !== undefined && held < needed && (yield* read) < needed) {
        return yield* unavailable("the fee payer holds too little SOL")
      }
      return fee
    },
    Effect.catchTag("UpstreamError", ({ upstream }) => new PaymentUnavailable({ upstream }))
  )

  /** Millionths of a USD that a payment costs. */
  const feeOf = (verified: VerifiedPayment) => {
    const { priority, signatures } = lamportsOf(verified)
    return Effect.map(price, (sol) => lamportsInMicros(signatures + priority, sol))
  }

  /** Stores a transfer. Its fee counts at once: a burst must not pass the day's fees before they are read again. */
  const prepare: Transfers["prepare"] = (authorizationKey, signed, fee) =>
    Effect.tap(transfers.prepare(authorizationKey, signed, fee), ({ isFirst }) => {
      if (isFirst) wrote(authorizationKey, fee)
    })

  return { admit, feeOf, prepare, settingAside }
})

export type SolanaEconomy = Effect.Effect.Success<ReturnType<typeof makeSolanaEconomy>>
