import { Effect, Layer } from "effect"
import { baseRpcConfig, makeBaseRpc } from "./base-rpc.ts"
import { ChainRpc } from "./chain-rpc.ts"
import { logNodes } from "./node-report.ts"
import { makeSolanaRpc } from "./solana-rpc.ts"

/** The start itself must not compete with this for a limited node. */
const REPORT_AFTER = "2 seconds"

/** Both chains over JSON-RPC, from `BASE_RPC_URL` and `SOLANA_RPC_URL`; says in the log what Base's nodes can do. */
export const ChainRpcLive = Layer.scoped(
  ChainRpc,
  Effect.gen(function* () {
    const [base, solana] = yield* Effect.all([makeBaseRpc, makeSolanaRpc])
    const { urls } = yield* baseRpcConfig
    yield* Effect.forkScoped(Effect.delay(logNodes(urls), REPORT_AFTER))
    return ChainRpc.of({ base, solana })
  })
)
