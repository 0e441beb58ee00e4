import { Effect, Option } from "effect"
import type { UpstreamError } from "../../domain/errors.ts"
import { fingerprintDigest } from "../../payment/fingerprint.ts"
import { Ledger } from "../../payment/ledger/ledger.ts"
import { fingerprintOf } from "../checkout.ts"

/** `held`: a run is working with it and may still send it. `taken`: it was sent for this checkout, or is about to be. */
export type Taking = "free" | "held" | "taken"

/**
 * What the ledger knows of a payment and a checkout. What it took has moved its money or may, whatever became of the
 * checkout meanwhile: nobody who presents it may be told that nothing was charged.
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
            if (entry.state === "claimed") return entry.lapsed ? "free" : "held"
            const isOurs = entry.fingerprint === fingerprintDigest(fingerprintOf(checkoutId))
            return isOurs && entry.state !== "refused" ? "taken" : "free"
          }
        })
      )
)
