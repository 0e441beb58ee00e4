import { describe, expect, it } from "@effect/vitest"
import { Effect, TestClock } from "effect"
import { PaymentRejected } from "../../../../src/domain/errors.ts"
import { open } from "../../../../src/payment/outcome.ts"
import type { OnChain } from "../../../../src/payment/verifier/payment-verifier.ts"
import type { Trial } from "../../../../src/payment/verifier/evm/trial.ts"
import { type Says, verifyOnBase } from "../../../../src/payment/verifier/evm/verify.ts"
import { evmAccount } from "../../../../scripts/sandbox/accounts.ts"
import { signedPayment } from "../../../support/payment/base-settling.ts"
import { START } from "../../../support/payment/support.ts"

/** What our own node has just seen the token do with it. */
const executed: Trial = {
  height: 7,
  isUsed: false,
  held: 10_000_000n,
  executes: true,
  refusal: "",
  hasCode: false
}

/** What becomes of a payment that the settling side refuses for this reason. */
const refusedFor = (reason: string, trial: Trial = executed, isHearsay = true) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(START)
    const payTo = evmAccount("merchant").address
    const payer = evmAccount("payer")
    const verified = yield* signedPayment({ payer, payTo, validBefore: START / 1_000 + 60 })
    const refused = Effect.fail(new PaymentRejected({ reason }))
    const says: Says = { admit: () => refused, isHearsay, admitCode: Effect.void, examine: () => refused }
    const begin = () => Effect.succeed(Effect.succeed(trial))
    const told: Array<OnChain> = []
    const beforeHandOver = (onChain: OnChain) => Effect.sync(() => void told.push(onChain))
    const verify = verifyOnBase({ begin }, () => Effect.succeed(open()), says)
    const why = yield* Effect.flip(verify(verified, beforeHandOver))
    // A facilitator gets what the token executes, and may send it whatever it says: where it was unused is told before.
    const isHandedOver = isHearsay && trial.executes
    expect(told).toEqual(isHandedOver ? [{ height: trial.height, held: trial.held }] : [])
    return why._tag === "PaymentRejected" ? why.reason : why._tag
  })

describe("a payment that the token executes before our eyes", () => {
  for (const reason of [
    "invalid_exact_evm_signature",
    "invalid_exact_evm_insufficient_balance",
    "invalid_exact_evm_nonce_already_used",
    "invalid_exact_evm_transaction_simulation_failed",
    "asset_not_deployed_contract"
  ])
    it.effect(
      `is not refused for ${reason} by a facilitator, who does not see the chain: it is to come again`,
      () => Effect.map(refusedFor(reason), (said) => expect(said).toBe("PaymentUnavailable"))
    )

  it.effect("is refused by a facilitator for what lies in the payment or in its own rules", () =>
    Effect.gen(function* () {
      for (const reason of ["invalid_exact_evm_payload_authorization_valid_before", "payer_is_not_served"])
        expect(yield* refusedFor(reason)).toBe(reason)
    })
  )

  it.effect("is refused by our own node's word", () =>
    Effect.gen(function* () {
      const reason = "invalid_exact_evm_insufficient_balance"
      expect(yield* refusedFor(reason, executed, false)).toBe(reason)
      expect(yield* refusedFor(reason, { ...executed, executes: false })).toBe(reason)
    })
  )
})

it.effect(
  "a payment that the token refuses because it executes nobody's is not the payer's fault: it is to come again",
  () =>
    Effect.gen(function* () {
      const refusal = "Pausable: paused"
      const paused = { ...executed, executes: false, refusal }
      for (const isHearsay of [true, false])
        expect(yield* refusedFor("invalid_exact_evm_transaction_simulation_failed", paused, isHearsay)).toBe(
          "PaymentUnavailable"
        )
    })
)
