import { Effect } from "effect"
import type { UpstreamError } from "../../../domain/errors.ts"
import type { SvmPayload } from "../../../domain/x402.ts"
import type { SettlementFate } from "../../verifier/payment-verifier.ts"
import type { SolanaNode } from "./node.ts"
import { type DecodedTransaction, decodeTransaction, messageHash } from "../../verifier/svm/transaction.ts"

type Fate = Effect.Effect<SettlementFate, UpstreamError>

const settled = (transaction: string): SettlementFate => ({ state: "settled", transaction })
const failed: SettlementFate = { state: "void", reason: "invalid_exact_svm_transaction_failed" }
const expired: SettlementFate = { state: "void", reason: "invalid_exact_svm_blockhash_expired" }
const open: SettlementFate = { state: "open" }

/** A transaction whose id we know: our own fee payer's signature, or one a facilitator named. */
const fateOf = (node: SolanaNode, signature: string, unseen: Fate): Fate =>
  Effect.flatMap(node.landing(signature), (landing): Fate => {
    switch (landing) {
      case "landed":
        return Effect.succeed(settled(signature))
      case "failed":
        return Effect.succeed(failed)
      case "pending":
        return Effect.succeed(open)
      case "unseen":
        return unseen
    }
  })

/** The account the money leaves; every transaction that moves it is listed there. */
const sourceOf = ({ message }: DecodedTransaction): string | undefined => {
  const index = message.instructions[2]?.accountIndices?.[0]
  return index === undefined ? undefined : message.staticAccounts[index]
}

/** Looks for the same message among the newest transactions of the payer's account: its fee payer is a stranger. */
const search = (node: SolanaNode, transaction: DecodedTransaction): Fate =>
  Effect.gen(function* () {
    const source = sourceOf(transaction)
    const hash = messageHash(transaction)
    for (const signature of source === undefined ? [] : yield* node.signaturesOf(source)) {
      const found = yield* node.transaction(signature)
      const decoded = found === undefined ? undefined : decodeTransaction(found.wire)
      if (found !== undefined && decoded !== undefined && messageHash(decoded) === hash) {
        return found.succeeded ? settled(signature) : failed
      }
    }
    return open
  })

/**
 * What became of a transfer. `signature` is its id where we know it. Void only when its blockhash was gone before the
 * chain was asked for the last time: a transaction cannot land on an expired blockhash.
 */
export const svmFate = (node: SolanaNode, payload: SvmPayload, signature: string | undefined): Fate => {
  const transaction = decodeTransaction(payload.transaction)
  if (transaction === undefined) return Effect.succeed(open)
  const find =
    signature === undefined ? search(node, transaction) : fateOf(node, signature, Effect.succeed(open))
  return Effect.gen(function* () {
    const first = yield* find
    if (first.state !== "open") return first
    if (yield* node.isBlockhashValid(transaction.message.lifetimeToken)) return open
    const last =
      signature === undefined ? yield* find : yield* fateOf(node, signature, Effect.succeed(expired))
    return signature === undefined && last.state === "open" ? expired : last
  })
}
