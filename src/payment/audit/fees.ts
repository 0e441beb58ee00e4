import { Effect } from "effect"
import type { BaseRpc } from "../../chain/chain-rpc.ts"
import { BASE_NETWORK } from "../../domain/chain.ts"
import { UpstreamError } from "../../domain/errors.ts"
import { dataFeeIn } from "../settler/evm/node.ts"
import { asHex } from "../verifier/evm/usdc.ts"
import type { EvidenceRecord } from "./records.ts"

/** Receipts asked for at once. */
const CONCURRENCY = 8

/** What the transactions of these transfers cost on Base, by their receipts: execution and, where it is told, L1 data. */
export const settlementFees = (rpc: Pick<BaseRpc, "client">, evidence: ReadonlyArray<EvidenceRecord>) =>
  Effect.gen(function* () {
    const onBase = evidence.filter(({ network }) => network === BASE_NETWORK)
    const transactions = [...new Set(onBase.map(({ transaction }) => transaction))]
    const fees = yield* Effect.forEach(
      transactions,
      (hash) =>
        Effect.tryPromise({
          try: async () => {
            const receipt = await rpc.client.getTransactionReceipt({ hash: asHex(hash) })
            return receipt.gasUsed * receipt.effectiveGasPrice + dataFeeIn(receipt)
          },
          catch: () => new UpstreamError({ upstream: "base-rpc", kind: "malformed", detail: "a receipt" })
        }),
      { concurrency: CONCURRENCY }
    )
    return {
      transactions: transactions.length,
      wei: fees.reduce((sum, fee) => sum + fee, 0n),
      /** Smallest units of USDC. */
      earned: onBase.reduce((sum, { amount }) => sum + BigInt(amount), 0n)
    }
  })
