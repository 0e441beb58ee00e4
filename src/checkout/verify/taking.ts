import { Effect, Option } from "effect"
import type { UpstreamError } from "../../domain/errors.ts"
import { fingerprintDigest } from "../../payment/fingerprint.ts"
import { Ledger } from "../../payment/ledger/ledger.ts"
import { fingerprintOf } from "../checkout.ts"

/**
 * `held`: a run is working with it for this checkout and may still send it. `taken`: it was sent for this checkout, or is
 * about to be. `elsewhere`: it is held or taken for something else. `free`: no run has it.
 */
export type Taking = "free" | "elsewhere" | "held" | "taken"

/** Whether its payer may have paid this checkout with it. */
export const isOurs = (taking: Taking): boolean => taking === "held" || taking === "taken"

/**
 * What the ledger knows of a payment and a checkout. What it took has moved its money or may, and so may what a run
 * holds, whatever became of the checkout meanwhile: of one that this checkout took nobody may hear that nothing was charged.
 */
export const makeTakingOf = Effect.map(
  Ledger,
  (ledger) =>
    (checkoutId: string, paymentKey: string): Effect.Effect<Taking, UpstreamError> =>
      Effect.map(
        ledger.find(paymentKey),
        Option.match({
          onNone: () => "free",
          onSome: (entry) => {
            if (entry.state === "refused" || (entry.state === "claimed" && entry.lapsed)) return "free"
            if (entry.fingerprint !== fingerprintDigest(fingerprintOf(checkoutId))) return "elsewhere"
            return entry.state === "claimed" ? "held" : "taken"
          }
        })
      )
)
