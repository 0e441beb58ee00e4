import { Effect } from "effect"
import type { BaseRpc } from "../../chain/chain-rpc.ts"
import { askReceipt } from "../../chain/evm-logs.ts"
import { sum } from "../../domain/bigint.ts"
import { BASE_NETWORK } from "../../domain/chain.ts"
import { UpstreamError } from "../../domain/errors.ts"
import { asHex } from "../verifier/evm/usdc.ts"
import type { EvidenceRecord } from "./records.ts"

/** Receipts asked for at once. */
const CONCURRENCY = 8

/**
 * What the transactions of these transfers cost on Base, by their receipts: execution and, where it is told, L1 data. One
 * without a receipt, which the chain may have lost, is only counted.
 */
export const settlementFees = Effect.fnUntraced(function* (
  rpc: Pick<BaseRpc, "client">,
  evidence: ReadonlyArray<EvidenceRecord>
) {
  const onBase = evidence.filter(({ network }) => network === BASE_NETWORK)
  const transactions = [...new Set(onBase.map(({ transaction }) => transaction))]
  const fees = yield* Effect.forEach(
    transactions,
    (hash) =>
      Effect.tryPromise({
        try: async () => {
          const receipt = await askReceipt(rpc.client, asHex(hash))
          return receipt && receipt.gasUsed * receipt.gasPrice + receipt.dataFee
        },
        catch: () => new UpstreamError({ upstream: "base-rpc", kind: "malformed", detail: "a receipt" })
      }),
    { concurrency: CONCURRENCY }
  )
  const paid = fees.filter((fee) => fee !== undefined)
  return {
    transactions: paid.length,
    withoutReceipt: fees.length - paid.length,
    wei: sum(paid),
    /** Smallest units of USDC. */
    earned: sum(onBase.map(({ amount }) => BigInt(amount)))
  }
})
