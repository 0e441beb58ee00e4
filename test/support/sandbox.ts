/**
 * Local chains for tests, each a layer whose scope ends its processes and servers.
 * Share one per test file: `layer(LocalBase.layer, { excludeTestServices: true })("…", (it) => …)`.
 */
import { Context, Layer } from "effect"
import type { BaseChain } from "../../scripts/sandbox/base/base-chain.ts"
import { startBaseChain } from "../../scripts/sandbox/base/base-chain.ts"
import type { SolanaChain } from "../../scripts/sandbox/solana/solana-chain.ts"
import { startSolanaChain } from "../../scripts/sandbox/solana/solana-chain.ts"
import type { Sandbox } from "../../scripts/sandbox/sandbox.ts"
import { startSandbox } from "../../scripts/sandbox/sandbox.ts"

export { baseBuyer, smartWalletBuyer, solanaBuyer } from "../../scripts/sandbox/buyer.ts"
export { serviceEnvironment } from "../../scripts/sandbox/sandbox.ts"
export { startRpcProxy } from "../../scripts/sandbox/rpc-proxy.ts"
export { startService } from "../../scripts/sandbox/service.ts"

/** anvil with USDC, Uniswap and the sandbox's tokens. Starts in about a second, the second one of a process in a tenth of it. */
export class LocalBase extends Context.Tag("test/LocalBase")<LocalBase, BaseChain>() {
  static readonly layer = Layer.scoped(LocalBase, startBaseChain())
  /** For what reads balances of blocks before the test's own. */
  static readonly withPast = Layer.scoped(LocalBase, startBaseChain({ wholePast: true }))
}

/** A JSON-RPC node over litesvm with USDC, pools and the sandbox's tokens. Starts in about half a second. */
export class LocalSolana extends Context.Tag("test/LocalSolana")<LocalSolana, SolanaChain>() {
  static readonly layer = Layer.scoped(LocalSolana, startSolanaChain())
}

/** Both chains and the market-data services that answer from their state. */
export class LocalSandbox extends Context.Tag("test/LocalSandbox")<LocalSandbox, Sandbox>() {
  static readonly layer = Layer.scoped(LocalSandbox, startSandbox())
}
