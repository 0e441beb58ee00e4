import { critical, fail, minor, pass } from "../../../domain/signal.ts"
import { ratesAt } from "../power/extensions.ts"
import type { SolanaSignal } from "./shared.ts"
import { held, ofExtension, signal } from "./shared.ts"

const bps = (basisPoints: number): string => `${basisPoints / 100} %`

/** Whoever buys pays the fee again to sell: from 5 % on a round trip costs a tenth. From 50 % on nobody can trade. */
const HIGH_FEE_BPS = 500
const PROHIBITIVE_FEE_BPS = 5000

/** A rate in points: 1 % costs 2, 10 % costs 20, capped at 60 so that the hard rule alone decides above 50 %. */
const feePoints = (basisPoints: number): number => Math.min(60, Math.ceil(basisPoints / 50))

/** Transfer fees: a sell tax by the token program itself. One group: a rate and who sets it are one weakness. */
export const feeSignals: ReadonlyArray<SolanaSignal> = [
  signal("TRANSFER_FEE", minor(60, 25, "transfer-fee"), {
    reads: "TransferFeeConfig extension: fee in force in this epoch and the one scheduled",
    judge: ofExtension("transferFee", "Transfers carry no fee.", (fee, { epoch }) => {
      if (fee === null) return pass("Transfers carry no fee.")
      const { next, now, worst } = ratesAt(fee, epoch)
      if (worst === 0) return pass("The transfer fee is zero.")
      const words =
        next === null
          ? `Every transfer costs ${bps(now)}.`
          : `Every transfer costs ${bps(now)}, and ${bps(next)} is scheduled.`
      return fail(words, { points: feePoints(worst), hard: worst >= PROHIBITIVE_FEE_BPS })
    })
  }),
  signal("HIGH_TRANSFER_FEE", critical(45, 25, "transfer-fee"), {
    reads: "TransferFeeConfig extension: a fee of 5 % or more, now or scheduled",
    judge: ofExtension("transferFee", "Transfers carry no fee.", (fee, { epoch }) => {
      if (fee === null) return pass("Transfers carry no fee.")
      const { worst } = ratesAt(fee, epoch)
      return worst >= HIGH_FEE_BPS
        ? fail(`The transfer fee reaches ${bps(worst)}.`)
        : pass("A round trip costs less than a tenth in transfer fees.")
    })
  }),
  // A fee of zero does not clear: the authority can raise it to 100 % two epochs later.
  signal("TRANSFER_FEE_AUTHORITY", critical(35, 25, "transfer-fee"), {
    reads: "TransferFeeConfig extension: authority",
    judge: ofExtension("transferFee", "No transfer fee can be set.", (fee, { trusted }) => {
      if (fee === null || fee.configAuthority === null) return pass("Nobody can change the transfer fee.")
      return held(
        trusted,
        "An authority can raise the transfer fee without bound.",
        "The transfer fee can be changed"
      )
    })
  })
]
