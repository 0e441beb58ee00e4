import { Effect } from "effect"
import type { UpstreamError } from "../../../domain/errors.ts"
import type { ChainView } from "../payment-verifier.ts"
import type { SolanaNode } from "./node.ts"

const viewOf = (node: SolanaNode): Effect.Effect<ChainView, UpstreamError> =>
  Effect.map(
    Effect.all([node.slot("confirmed"), node.slot("finalized")], { concurrency: 2 }),
    ([head, final]): ChainView => ({
      head,
      final,
      holds: (evidence) =>
        Effect.map(node.statuses(evidence.map(({ transaction }) => transaction)), (statuses) =>
          statuses.map(({ seenAt, slot, state }, at) => {
            const height = evidence[at]?.height ?? 0
            // It landed once more in a later slot, after a fork had lost it: that is not where it was recorded.
            if (state === "landed") return slot === undefined || slot <= height
            return state === "failed" || (state === "unseen" && seenAt >= height) ? false : undefined
          })
        )
    })
  )

/** Solana as seen by the first node that tells its slots. */
export const viewOfSolana = (nodes: ReadonlyArray<SolanaNode>): Effect.Effect<ChainView, UpstreamError> =>
  Effect.suspend(() => Effect.firstSuccessOf(nodes.map(viewOf)))
