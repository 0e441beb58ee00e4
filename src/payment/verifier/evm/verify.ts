import { Effect, Either } from "effect"
import { decodeFunctionResult, erc20Abi } from "viem"
import type { BaseRpc, EvmRead } from "../../../chain/chain-rpc.ts"
import { decodeAggregate, encodeAggregate, multicall3 } from "../../../chain/evm-batch.ts"
import { PaymentRejected, PaymentUnavailable } from "../../../domain/errors.ts"
import type { CheckedPayment } from "../checked-payment.ts"
import type { Settle, Verified } from "../payment-verifier.ts"
import { authorizedBy } from "./evidence.ts"
import { asHex, balanceCall, stateCall, transferCall, usdcAbi } from "./usdc.ts"

const unavailable = () => new PaymentUnavailable({ upstream: "base-rpc" })

const rejected = ({ payment, payer }: CheckedPayment, reason: string) =>
  new PaymentRejected({ reason, network: payment.network, payer })

/** Reasons that a transfer which already happened would also get. */
const MAYBE_PAID: ReadonlySet<string> = new Set([
  "invalid_exact_evm_nonce_already_used",
  "invalid_exact_evm_transaction_simulation_failed",
  "invalid_exact_evm_eip3009_not_supported"
])

type Chain = Pick<BaseRpc, "call" | "readAll">
type Refused = PaymentRejected | PaymentUnavailable

/**
 * Runs the reads as one transaction would, so that the last of them may be a transfer. Where the node or the chain cannot
 * (no Multicall3, or a payer's code ate the gas), all but the last are read, and nothing is known of that one.
 */
const trial = (rpc: Chain, reads: ReadonlyArray<EvmRead>): ReturnType<BaseRpc["readAll"]> =>
  Effect.flatMap(rpc.call({ to: multicall3, data: encodeAggregate(reads) }), ({ data, ok }) => {
    try {
      if (ok) return Effect.succeed(decodeAggregate(data))
    } catch {
      // Not Multicall3's answer.
    }
    return rpc.readAll(reads.slice(0, -1))
  })

/**
 * The nonce, the balance, the block they were read at, and whether the token would execute the transfer there, in one
 * call. The transfer runs last, so that the reads before it see the chain as it is. It is the token's own word on the
 * signature, the window by the block's time, the nonce, the balance and every list the token keeps.
 */
const readState = (rpc: Chain, checked: CheckedPayment) =>
  Effect.gen(function* () {
    const authorized = authorizedBy(checked)
    if (authorized === undefined || checked.payment.scheme !== "eip3009") return yield* unavailable()
    const { asset, payer, nonce, amount } = authorized
    const [to, owner] = [asHex(asset), asHex(payer)]
    const used = { abi: usdcAbi, functionName: "authorizationState" } as const
    const balance = { abi: erc20Abi, functionName: "balanceOf" } as const
    const reads = [
      { to, data: stateCall(owner, asHex(nonce)) },
      { to, data: balanceCall(owner) },
      { to, data: transferCall(checked.payment.evm) }
    ]
    const { blockNumber, results } = yield* Effect.mapError(trial(rpc, reads), unavailable)
    const [isUsed, held, transferred] = results
    if (isUsed?.ok !== true || held?.ok !== true) return yield* unavailable()
    return yield* Effect.try({
      try: () => ({
        height: Number(blockNumber),
        isUsed: decodeFunctionResult({ ...used, data: isUsed.data }),
        isFunded: decodeFunctionResult({ ...balance, data: held.data }) >= BigInt(amount),
        executes: transferred?.ok === true
      }),
      catch: unavailable
    })
  })

/** Who has a say in a payment on Base besides the chain's state. */
export interface Says {
  /** Whoever is to settle it: whether it would be, at a fee in proportion. */
  readonly admit: (checked: CheckedPayment) => Effect.Effect<void, Refused>
  /**
   * Finds out why a transfer would not be executed, or whether one would be whose signature was not verified here. Asked
   * only then: it takes several reads.
   */
  readonly examine: (checked: CheckedPayment) => Effect.Effect<void, Refused>
}

const failureOf = (said: Either.Either<void, Refused>): Refused | undefined =>
  Either.isLeft(said) ? said.left : undefined

/**
 * Verifies a payment on Base: the chain's state and the transfer itself by our own reads, and what `says` adds. A nonce
 * that is used is looked up: the transfer it made is handed on, for whoever can recognise it.
 */
export const verifyOnBase =
  (rpc: Chain, lookup: Settle, says: Says) =>
  (checked: CheckedPayment): Effect.Effect<Verified, Refused> =>
    Effect.gen(function* () {
      const examined = Effect.either(says.examine(checked))
      const [state, admitted, unproven] = yield* Effect.all(
        [
          readState(rpc, checked),
          Effect.either(says.admit(checked)),
          checked.proven ? Effect.succeed(undefined) : examined
        ],
        { concurrency: 3 }
      )
      const { height } = state
      const isPlain = checked.proven && (state.executes || state.isUsed)
      const said = unproven ?? (isPlain ? admitted : yield* examined)
      const failure = failureOf(said) ?? failureOf(admitted)
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
