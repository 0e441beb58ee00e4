import { Effect } from "effect"
import type { UpstreamError } from "../../../domain/errors.ts"
import type { VerifiedPayment } from "../../verifier/verified-payment.ts"
import { unwrap } from "../../verifier/evm/examine.ts"
import { revertReasonOf } from "../../verifier/evm/rpc-error.ts"
import type { Trials } from "../../verifier/evm/trial.ts"
import { asHex, transferCall } from "../../verifier/evm/usdc.ts"
import type { Address } from "./journal.ts"
import { type EvmNode, Reverted } from "./node.ts"

/**
 * Gas of an EOA's transfer as a transaction of its own, rounded up: FiatToken behind its proxy takes 86,000, and a
 * quarter of room covers a recipient whose balance was zero.
 */
export const EOA_GAS = 90_000n
/**
 * Most gas one transfer may use: verifying a passkey wallet's signature takes up to 350,000. One that burns more is refused
 * before it costs us anything.
 */
const MAX_GAS = 600_000n

/** What sending a transfer takes. `alone`: code of the payer's runs in it. */
export interface Preflight {
  readonly gas: bigint
  readonly alone: boolean
}

type Outcome = Effect.Effect<Preflight, Reverted | UpstreamError>

/**
 * Asks the chain, right before a transfer is sent, whether it would still go through; a trial of less than a block ago
 * has said so. A payment of an account with code is estimated separately, because that code decides what it costs.
 */
export const makePreflight = (trials: Pick<Trials, "recent">, node: EvmNode, from: Address) => {
  const estimate = ({ payment, requirements }: VerifiedPayment): Outcome =>
    payment.scheme !== "eip3009"
      ? Effect.fail(new Reverted({ reason: "invalid_network" }))
      : node.estimate(from, { to: asHex(requirements.asset), data: transferCall(unwrap(payment.evm)) }).pipe(
          Effect.filterOrFail(
            (gas) => gas <= MAX_GAS,
            () => new Reverted({ reason: "invalid_exact_evm_gas_limit_exceeded" })
          ),
          Effect.map((gas) => ({ gas, alone: true }))
        )

  return (verified: VerifiedPayment): Outcome =>
    verified.signatureVerified && verified.payment.scheme === "eip3009"
      ? Effect.flatMap(trials.recent(verified), ({ executes, hasCode, refusal }): Outcome => {
          if (hasCode !== false) return estimate(verified)
          return executes
            ? Effect.succeed({ gas: EOA_GAS, alone: false })
            : Effect.fail(new Reverted({ reason: revertReasonOf(refusal) }))
        })
      : estimate(verified)
}
