import { Effect, Redacted } from "effect"
import type { Hex, PublicClient, TransactionReceipt } from "viem"
import { privateKeyToAccount } from "viem/accounts"
import { PaymentRejected, PaymentUnavailable, PaymentUnresolved } from "../../../domain/errors.ts"
import type { PaymentRequirements, SettlementResponse } from "../../../domain/x402.ts"
import { checkLocally } from "../../verifier/local-check.ts"
import type { Eip3009Payment } from "../../message/payment.ts"
import { eip3009Fate } from "./fate.ts"
import { judgeEip3009, unwrap } from "../../verifier/evm/judge.ts"
import { CannotSend, makeLane, type Sent } from "./lane.ts"
import { asHex, hasTransfer, transferCall } from "../../verifier/evm/usdc.ts"

const RETRY_AFTER_SECONDS = 3
const unavailable = () => new PaymentUnavailable({ upstream: "base-rpc" })

/** Verdicts that a transfer which already happened would also get. */
const MAYBE_PAID: ReadonlySet<string> = new Set([
  "invalid_exact_evm_nonce_already_used",
  "invalid_exact_evm_transaction_simulation_failed",
  "invalid_exact_evm_eip3009_not_supported"
])

/** Verification and settlement of EIP-3009 payments with our own key. */
export const makeSelfHostedEvm = (client: PublicClient, key: Redacted.Redacted<Hex>) =>
  Effect.gen(function* () {
    const lane = yield* makeLane(client, privateKeyToAccount(Redacted.value(key)))

    const rejected = (payment: Eip3009Payment, reason: string) =>
      new PaymentRejected({ reason, network: payment.network, payer: payment.evm.authorization.from })

    const fate = (payment: Eip3009Payment, requirements: PaymentRequirements) =>
      eip3009Fate(client, payment.evm, requirements)

    const verify = Effect.fn("EvmSettler.verify")(function* (
      payment: Eip3009Payment,
      requirements: PaymentRequirements
    ) {
      const { payer, proven } = yield* checkLocally({ payment, requirements })
      const judgement = yield* Effect.promise(() =>
        judgeEip3009(client, payment.evm, requirements, proven)
      ).pipe(Effect.timeoutFail({ duration: "15 seconds", onTimeout: unavailable }))
      if (judgement.kind === "valid") return { payer }
      if (judgement.kind === "unreachable") return yield* unavailable()
      if (MAYBE_PAID.has(judgement.reason)) {
        const { state } = yield* fate(payment, requirements)
        if (state === "settled") return { payer }
      }
      return yield* rejected(payment, judgement.reason)
    })

    const settledBy = (payment: Eip3009Payment, transaction: string): SettlementResponse => ({
      success: true,
      transaction,
      network: payment.network,
      payer: payment.evm.authorization.from
    })

    /** Our transaction did not do it. Somebody else's may have; else it failed for `reason`. */
    const otherwise = (
      payment: Eip3009Payment,
      requirements: PaymentRequirements,
      reason: string,
      hash?: string
    ) =>
      fate(payment, requirements).pipe(
        Effect.mapError(
          () => new PaymentUnresolved({ retryAfterSeconds: RETRY_AFTER_SECONDS, transaction: hash })
        ),
        Effect.flatMap((found) =>
          found.state === "settled"
            ? Effect.succeed(settledBy(payment, found.transaction))
            : Effect.fail(rejected(payment, found.state === "void" ? found.reason : reason))
        )
      )

    const judgeReceipt = (
      payment: Eip3009Payment,
      requirements: PaymentRequirements,
      receipt: TransactionReceipt
    ) => {
      const { from } = payment.evm.authorization
      if (receipt.status !== "success") {
        return otherwise(
          payment,
          requirements,
          "invalid_exact_evm_transaction_failed",
          receipt.transactionHash
        )
      }
      return hasTransfer(receipt.logs, requirements, from)
        ? Effect.succeed(settledBy(payment, receipt.transactionHash))
        : Effect.fail(rejected(payment, "invalid_exact_evm_transfer_event_mismatch"))
    }

    const confirm = (payment: Eip3009Payment, requirements: PaymentRequirements, sent: Sent) =>
      Effect.flatMap(lane.confirm(sent), (receipt) =>
        receipt === undefined
          ? new PaymentUnresolved({ retryAfterSeconds: RETRY_AFTER_SECONDS, transaction: sent.hash })
          : judgeReceipt(payment, requirements, receipt)
      )

    const settle = Effect.fn("EvmSettler.settle")(
      (payment: Eip3009Payment, requirements: PaymentRequirements) =>
        lane.send({ to: asHex(requirements.asset), data: transferCall(unwrap(payment.evm)) }).pipe(
          Effect.tapErrorTag("CannotSend", ({ detail }) => Effect.logError("cannot settle on Base", detail)),
          Effect.matchEffect({
            onSuccess: (sent) => confirm(payment, requirements, sent),
            onFailure: (error) =>
              error instanceof CannotSend
                ? // Nothing was sent, but the row keeps its answer: the next request for it tries again.
                  Effect.fail(new PaymentUnresolved({ retryAfterSeconds: RETRY_AFTER_SECONDS }))
                : otherwise(payment, requirements, error.reason)
          })
        )
    )

    return { verify, settle, fate }
  })
