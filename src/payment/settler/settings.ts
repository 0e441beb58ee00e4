import { Config, Either } from "effect"
import { invalid } from "../../domain/settings.ts"

/** A decimal number as an exact count of millionths; `undefined` for anything else. */
const millionths = (text: string): bigint | undefined => {
  const [, whole, fraction = ""] = /^([0-9]{1,12})(?:\.([0-9]{1,6}))?$/.exec(text) ?? []
  return whole === undefined ? undefined : BigInt(whole + fraction.padEnd(6, "0"))
}

const decimal = (name: string, fallback: bigint, least: "any" | "above 0" = "any") =>
  Config.nonEmptyString(name).pipe(
    Config.mapOrFail((text) => {
      const value = millionths(text.trim())
      const form = least === "any" ? "a number" : "a number above 0"
      return value !== undefined && (least === "any" || value > 0n)
        ? Either.right(value)
        : invalid(name, `must be ${form} with at most 6 decimals, such as 0.5`)
    }),
    Config.withDefault(fallback)
  )

const million = 1_000_000n

/** What settling may cost, and when it counts. USD in millionths, like USDC's smallest units; shares in millionths. */
export const settlerConfig = Config.all({
  /** Highest network fee of a settlement as a share of its amount. */
  maxFeeShare: decimal("SETTLEMENT_MAX_FEE_SHARE", million, "above 0"),
  /** Network fees of all keys in 24 hours, from which nothing more is sold. */
  dailyFees: decimal("SETTLEMENT_DAILY_FEES_USD", 100n * million, "above 0"),
  /** Amounts from here on count only when Base calls their block safe, or Solana their slot finalized. */
  finalityFrom: decimal("SETTLEMENT_FINALITY_USD", 100n * million),
  /** For amounts below it a facilitator's word is enough while no node of ours answers; 0: its word is never enough. */
  trustBelow: decimal("FACILITATOR_TRUST_USD", 0n),
  /** Below it the operator is told, and below the cost of a settlement nothing is sold. */
  lowEther: decimal("SETTLEMENT_LOW_ETH", 2_000n),
  lowSol: decimal("SETTLEMENT_LOW_SOL", 50_000n),
  /** The assumed price of ether and SOL in USD where their price feed does not answer: higher than they ever were. */
  etherAssumed: decimal("SETTLEMENT_ETH_USD", 5_000n * million, "above 0"),
  solAssumed: decimal("SETTLEMENT_SOL_USD", 300n * million, "above 0")
})

export type SettlerSettings = Config.Config.Success<typeof settlerConfig>

/**
 * Which part of the day's fees payers' own code may burn. It can agree to a payment whenever it is asked and fail when it
 * runs at our expense, as often as its owner has wallets: without a bound it would use up what everybody's payments cost.
 */
const PART_OF_CODE = 10n

/** Whether payers' own code has burnt its part. Both in millionths of a USD. */
export const hasBurntItsPart = ({ dailyFees }: Pick<SettlerSettings, "dailyFees">, burnt: bigint): boolean =>
  burnt * PART_OF_CODE >= dailyFees

/** Highest fee of a payment, millionths of a USD. */
export const feeBudget = ({ maxFeeShare }: Pick<SettlerSettings, "maxFeeShare">, amount: bigint): bigint =>
  (amount * maxFeeShare) / million
