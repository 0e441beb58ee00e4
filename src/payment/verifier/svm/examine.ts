import { isAddress } from "@solana/kit"
import type { FacilitatorSvmSigner } from "@x402/svm"
import { ExactSvmScheme } from "@x402/svm/exact/facilitator"
import { Effect, Exit, Runtime } from "effect"
import { SOLANA_NETWORK } from "../../../domain/chain.ts"
import { PaymentRejected, PaymentUnavailable } from "../../../domain/errors.ts"
import type { VerifiedPayment } from "../verified-payment.ts"
import type { SolanaNode } from "./node.ts"

const unavailable = () => new PaymentUnavailable({ upstream: "solana-rpc" })

/**
 * Asks the official scheme about a Solana payment: the layout once more, the signatures and a simulation. A node that
 * fails is an outage, never a verdict.
 */
export const examineOnSolana = (node: SolanaNode, feePayer: string) => (verified: VerifiedPayment) =>
  Effect.gen(function* () {
    const { payment, payer, requirements } = verified
    if (payment.scheme !== "svm") return yield* unavailable()
    const runtime = yield* Effect.runtime()
    const outage = { seen: false }
    const notSent = () => Promise.reject(new Error("a examination sends nothing"))
    const signer: FacilitatorSvmSigner = {
      getAddresses: () => (isAddress(feePayer) ? [feePayer] : []),
      simulateTransaction: async (transaction) => {
        const exit = await Runtime.runPromiseExit(runtime)(node.simulate(transaction))
        if (Exit.isFailure(exit)) outage.seen = true
        if (Exit.isFailure(exit) || !exit.value.succeeds) throw new Error("simulation failed")
      },
      signTransaction: notSent,
      sendTransaction: notSent,
      confirmTransaction: notSent
    }
    const accepted = { ...requirements, network: SOLANA_NETWORK, extra: { ...requirements.extra } } as const
    const payload = { x402Version: 2, accepted, payload: { ...payment.svm } }
    const verdict = yield* Effect.tryPromise({
      try: () => new ExactSvmScheme(signer).verify(payload, accepted),
      catch: unavailable
    }).pipe(Effect.timeoutFail({ duration: "15 seconds", onTimeout: unavailable }))
    if (outage.seen) return yield* unavailable()
    if (verdict.isValid) return
    const reason = verdict.invalidReason ?? "unexpected_verify_error"
    return yield* new PaymentRejected({ reason, network: payment.network, payer })
  })
