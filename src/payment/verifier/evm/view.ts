import { Effect } from "effect"
import { askBlock } from "../../../chain/evm-blocks.ts"
import { UpstreamError } from "../../../domain/errors.ts"
import type { ChainView } from "../payment-verifier.ts"
import type { BaseNode } from "./lookup.ts"
import { describe } from "./rpc-error.ts"

/** Headers asked for at once: they travel together. */
const CONCURRENCY = 10

const read = <A>(request: () => Promise<A>): Effect.Effect<A, UpstreamError> =>
  Effect.tryPromise({
    try: request,
    catch: (error) => new UpstreamError({ upstream: "base-rpc", kind: "transport", detail: describe(error) })
  })

const viewOf = ({ client }: BaseNode): Effect.Effect<ChainView, UpstreamError> =>
  Effect.map(
    Effect.all([read(() => askBlock(client, "latest")), read(() => askBlock(client, "safe"))], {
      concurrency: 2
    }),
    ([head, safe]): ChainView => ({
      head: Number(head.number),
      final: Number(safe.number),
      holds: Effect.fnUntraced(function* (evidence) {
        const heights = [...new Set(evidence.map(({ height }) => height))]
        const hashes = new Map(
          yield* Effect.forEach(
            heights,
            (height) =>
              Effect.map(
                Effect.option(read(() => askBlock(client, BigInt(height)))),
                (block) => [height, block._tag === "Some" ? block.value.hash : undefined] as const
              ),
            { concurrency: CONCURRENCY }
          )
        )
        // A block's hash commits to every transaction in it: the same hash holds the same transfers.
        return evidence.map(({ blockHash, height }) => {
          const hash = hashes.get(height)
          // A transfer that only a facilitator has reported has no block hash: it is in no block yet.
          return hash === undefined ? undefined : hash === blockHash
        })
      })
    })
  )

/** Base as seen by the first node that tells its newest and its safe block. One header covers a block's transfers. */
export const viewOfBase = (nodes: ReadonlyArray<BaseNode>): Effect.Effect<ChainView, UpstreamError> =>
  Effect.suspend(() => Effect.firstSuccessOf(nodes.map(viewOf)))
