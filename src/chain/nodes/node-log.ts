import { Effect, Layer } from "effect"
import { baseRpcConfig } from "../base-rpc.ts"
import { solanaRpcConfig } from "../solana-rpc.ts"
import { BASE_COMPLETE, reportBaseNodes } from "./base-node.ts"
import type { NodeReport } from "./node-question.ts"
import { SOLANA_COMPLETE, reportSolanaNodes } from "./solana-node.ts"

const told =
  (chain: string, complete: string) =>
  ({ host, missing, state }: NodeReport): Effect.Effect<void> => {
    const text = `${chain} node ${host}: ${missing.length === 0 ? complete : missing.join("; ")}`
    if (state === "foreign") return Effect.logError(text)
    return missing.length === 0 ? Effect.logInfo(text) : Effect.logWarning(text)
  }

/** The start itself must not compete with this for a limited node. */
const AFTER = "2 seconds"

/** Says once in the log of a started service what its nodes can do. */
export const NodesLive = Layer.scopedDiscard(
  Effect.gen(function* () {
    const [base, solana] = [yield* baseRpcConfig, yield* solanaRpcConfig]
    const tell = Effect.all(
      [
        Effect.flatMap(
          reportBaseNodes(base.urls),
          Effect.forEach(told("Base", BASE_COMPLETE), { discard: true })
        ),
        Effect.flatMap(
          reportSolanaNodes(solana.urls),
          Effect.forEach(told("Solana", SOLANA_COMPLETE), { discard: true })
        )
      ],
      { discard: true }
    )
    yield* Effect.forkScoped(Effect.delay(tell, AFTER))
  })
)
