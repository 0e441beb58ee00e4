import { Effect } from "effect"
import { decodeFunctionResult, encodeFunctionData, erc20Abi } from "viem"
import type { BaseRpc } from "../../../chain/chain-rpc.ts"
import { PaymentRejected, PaymentUnavailable } from "../../../domain/errors.ts"
import type { CheckedPayment } from "../checked-payment.ts"
import type { Settle, Verified } from "../payment-verifier.ts"
import { authorizedBy } from "./evidence.ts"
import { asHex, usdcAbi } from "./usdc.ts"

const unavailable = () => new PaymentUnavailable({ upstream: "base-rpc" })

const rejected = ({ payment, payer }: CheckedPayment, reason: string) =>
  new PaymentRejected({ reason, network: payment.network, payer })

/** Reasons that a transfer which already happened would also get. */
const MAYBE_PAID: ReadonlySet<string> = new Set([
  "invalid_exact_evm_nonce_already_used",
  "invalid_exact_evm_transaction_simulation_failed",
  "invalid_exact_evm_eip3009_not_supported"
])

/** The nonce, the balance and the block they were read at, in one call. */
const readState = (rpc: Pick<BaseRpc, "readAll">, checked: CheckedPayment) =>
  Effect.gen(function* () {
    const authorized = authorizedBy(checked)
    if (authorized === undefined) return yield* unavailable()
    const { asset, payer, nonce, amount } = authorized
    const [to, owner] = [asHex(asset), asHex(payer)]
    const used = { abi: usdcAbi, functionName: "authorizationState", args: [owner, asHex(nonce)] } as const
    const balance = { abi: erc20Abi, functionName: "balanceOf", args: [owner] } as const
    const { blockNumber, results } = yield* Effect.mapError(
      rpc.readAll([
        { to, data: encodeFunctionData(used) },
        { to, data: encodeFunctionData(balance) }
      ]),
      unavailable
    )
    const [isUsed, held] = results
    if (isUsed?.ok !== true || held?.ok !== true) return yield* unavailable()
    return yield* Effect.try({
      try: () => ({
        height: Number(blockNumber),
        isUsed: decodeFunctionResult({ ...used, data: isUsed.data }),
        isFunded: decodeFunctionResult({ ...balance, data: held.data }) >= BigInt(amount)
      }),
      catch: unavailable
    })
  })

/**
 * Verifies a payment on Base: nonce and balance by our own reads, and whatever `judge` says besides. A nonce that is
 * used is looked up: the transfer it made is handed on, for whoever can recognise it.
 */
export const verifyOnBase =
  (
    rpc: Pick<BaseRpc, "readAll">,
    lookup: Settle,
    judge: (checked: CheckedPayment) => Effect.Effect<void, PaymentRejected | PaymentUnavailable>
  ) =>
  (checked: CheckedPayment): Effect.Effect<Verified, PaymentRejected | PaymentUnavailable> =>
    Effect.gen(function* () {
      const [state, judged] = yield* Effect.all([readState(rpc, checked), Effect.either(judge(checked))], {
        concurrency: 2
      })
      const { height } = state
      const failure = judged._tag === "Left" ? judged.left : undefined
      const isSuspect = failure?._tag === "PaymentRejected" && MAYBE_PAID.has(failure.reason)
      if (state.isUsed || isSuspect) {
        const found = yield* lookup(checked, { transaction: null, since: 0 })
        if (found.state === "settled") return { height, used: found.evidence }
        if (found.state === "void") return yield* rejected(checked, found.reason)
        // It was used, and what for cannot be seen now.
        if (state.isUsed) return yield* unavailable()
      }
      if (failure?._tag === "PaymentRejected") return yield* failure
      if (!state.isFunded) return yield* rejected(checked, "invalid_exact_evm_insufficient_balance")
      if (failure !== undefined) return yield* failure
      return { height }
    }).pipe(Effect.withSpan("Base.verify"))
