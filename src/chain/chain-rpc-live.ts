import { Effect, Layer } from "effect"
import { makeBaseRpc } from "./base-rpc.ts"
import { ChainRpc } from "./chain-rpc.ts"
import { makeSolanaRpc } from "./solana-rpc.ts"

/** Both chains over JSON-RPC, from `BASE_RPC_URL` and `SOLANA_RPC_URL`. */
export const ChainRpcLive = Layer.scoped(
  ChainRpc,
  Effect.map(Effect.all([makeBaseRpc, makeSolanaRpc]), ([base, solana]) => ChainRpc.of({ base, solana }))
)
