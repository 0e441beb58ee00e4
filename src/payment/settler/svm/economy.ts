import { Clock, Duration, Effect, Schedule } from "effect"
import { SOLANA_NETWORK } from "../../../domain/chain.ts"
import { PaymentRejected, PaymentUnavailable, type UpstreamError } from "../../../domain/errors.ts"
import type { VerifiedPayment } from "../../verifier/verified-payment.ts"
import { hasAssertions, transactionOf } from "../../verifier/svm/transaction.ts"
import { cached } from "../../../domain/cached.ts"
import { showBalance } from "../metrics.ts"
import type { Price } from "../prices.ts"
import { feeBudget, hasBurntItsPart, type SettlerSettings } from "../settings.ts"
import type { Transfers } from "./transfers.ts"

const LAMPORTS_PER_SIGNATURE = 5_000n
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
const SPENT_AGE = Duration.seconds(5)
const TOO_HIGH = "invalid_exact_svm_payload_transaction_instructions_compute_price_instruction_too_high"

const read = (data: Uint8Array) => new DataView(data.buffer, data.byteOffset, data.byteLength)

/**
 * Lamports a payment costs its fee payer: the signatures, and the price its client set on compute units. The layout is
 * known: the unit limit is the first instruction and the price the second.
 */
export const lamportsOf = ({ payment }: VerifiedPayment) => {
  const message = payment.scheme === "svm" ? transactionOf(payment.svm)?.message : undefined
  const [limit, price] = (message?.instructions ?? []).map(({ data }) => data)
  const signatures = LAMPORTS_PER_SIGNATURE * BigInt(message?.header.numSignerAccounts ?? 0)
  if (limit?.length !== 5 || price?.length !== 9) return { signatures, priority: 0n }
  const units = BigInt(read(limit).getUint32(1, true))
  return { signatures, priority: (units * read(price).getBigUint64(1, true) + 999_999n) / 1_000_000n }
}

/** Whether a payment fails at our expense where its payer wants it to. */
const isConditional = ({ payment }: VerifiedPayment): boolean => {
  const transaction = payment.scheme === "svm" ? transactionOf(payment.svm) : undefined
  return transaction !== undefined && hasAssertions(transaction)
}

/** Millionths of a USD, rounded up. */
export const lamportsInMicros = (lamports: bigint, price: bigint): bigint =>
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
  const spent = yield* cached(transfers.spentToday, SPENT_AGE)
  let held: { readonly lamports: bigint; readonly at: number } | undefined

  const watch = Effect.gen(function* () {
    const lamports = yield* balance
    held = { lamports, at: yield* Clock.currentTimeMillis }
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
      if (fee > budget) {
        const { network } = verified.payment
        return yield* new PaymentRejected({ reason: TOO_HIGH, network, payer: verified.payer })
      }
      if ((yield* spent) + fee > settings.dailyFees) {
        return yield* unavailable("the day's fees are spent")
      }
      if (isConditional(verified) && hasBurntItsPart(settings, yield* transfers.burntToday)) {
        const why = "they have burnt their part of the day's fees"
        return yield* unavailable(why, "nothing is sold on Solana to payers with assertions")
      }
      if (held !== undefined && held.lamports < LEAST_BALANCE + (signatures + priority) * RESERVE) {
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

  return { admit, feeOf }
})

export type SolanaEconomy = Effect.Effect.Success<ReturnType<typeof makeSolanaEconomy>>
