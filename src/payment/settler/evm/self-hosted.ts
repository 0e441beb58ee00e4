import { Effect, Redacted } from "effect"
import type { Hex, PublicClient, TransactionReceipt } from "viem"
import { privateKeyToAccount } from "viem/accounts"
import { open, type SettlementOutcome } from "../../outcome.ts"
import type { CheckedPayment } from "../../verifier/checked-payment.ts"
import { unwrap } from "../../verifier/evm/judge.ts"
import { type BaseNode, outcomeOnBase } from "../../verifier/evm/lookup.ts"
import { asHex, transferCall } from "../../verifier/evm/usdc.ts"
import type { Begun, Settle } from "../../verifier/payment-verifier.ts"
import { makeLane, type Sent } from "./lane.ts"

/** Settlement of EIP-3009 payments with our own key. `lookup` says what became of what we did not see ourselves. */
export const makeSelfHostedEvm = (
  client: PublicClient,
  node: BaseNode,
  key: Redacted.Redacted<Hex>,
  lookup: Settle
) =>
  Effect.gen(function* () {
    const lane = yield* makeLane(client, privateKeyToAccount(Redacted.value(key)))

    const conclude = (checked: CheckedPayment, begun: Begun, receipt: TransactionReceipt) =>
      Effect.flatMap(outcomeOnBase(node, checked, receipt), (outcome) =>
        outcome === undefined
          ? lookup(checked, { ...begun, transaction: receipt.transactionHash })
          : Effect.succeed(outcome)
      )

    const confirm = (checked: CheckedPayment, begun: Begun, sent: Sent): Effect.Effect<SettlementOutcome> =>
      Effect.flatMap(lane.confirm(sent), (receipt) =>
        receipt === undefined ? Effect.succeed(open(sent.hash)) : conclude(checked, begun, receipt)
      )

    const settle: Settle = (checked, begun) => {
      const { payment, requirements } = checked
      if (payment.scheme !== "eip3009") return Effect.succeed(open())
      return lane.send({ to: asHex(requirements.asset), data: transferCall(unwrap(payment.evm)) }).pipe(
        Effect.tapErrorTag("CannotSend", ({ detail }) => Effect.logError("cannot settle on Base", detail)),
        Effect.matchEffect({
          onSuccess: (sent) => confirm(checked, begun, sent),
          // Nothing was sent. A refusal may mean that somebody else's transaction did it.
          onFailure: () => lookup(checked, begun)
        }),
        Effect.withSpan("EvmSettler.settle")
      )
    }

    return { settle }
  })
