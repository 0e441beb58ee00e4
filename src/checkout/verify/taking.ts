import { Effect, Option } from "effect"
import type { UpstreamError } from "../../domain/errors.ts"
import { fingerprintDigest } from "../../payment/fingerprint.ts"
import { Ledger } from "../../payment/ledger/ledger.ts"
import { fingerprintOf } from "../checkout.ts"

/**
 * `held`: a run is working with it for this checkout and may still send it. `taken`: it was sent for this checkout, or is
 * about to be. `free`: no run has it for this checkout.
 */
export type Taking = "free" | "held" | "taken"

/**
 * What the ledger knows of a payment and a checkout. What it took has moved its money or may, and so may what a run
 * holds, whatever became of the checkout meanwhile: only who presents one that is free may be told that nothing was charged.
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
            if (entry.fingerprint !== fingerprintDigest(fingerprintOf(checkoutId))) return "free"
            if (entry.state === "claimed") return entry.lapsed ? "free" : "held"
            return entry.state === "refused" ? "free" : "taken"
          }
        })
      )
)
