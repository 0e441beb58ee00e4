/** The plan over the local Solana and its market data, through the real clients: nothing in between is a fake. */
import { FetchHttpClient } from "@effect/platform"
import { ConfigProvider, Context, Effect, Layer } from "effect"
import type { LocalMarket } from "../../../scripts/sandbox/market/market-data.ts"
import { startMarketData } from "../../../scripts/sandbox/market/market-data.ts"
import type { SolanaChain } from "../../../scripts/sandbox/solana/solana-chain.ts"
import { startSolanaChain } from "../../../scripts/sandbox/solana/solana-chain.ts"
import { ChainRpcLive } from "../../../src/chain/chain-rpc-live.ts"
import { SolanaAddress } from "../../../src/domain/address.ts"
import type { TokenRef } from "../../../src/domain/token.ts"
import { MarketDataLive } from "../../../src/market/market-data-live.ts"
import { assess } from "../../../src/screening/risk-scorer-live.ts"
import { SolanaPlan } from "../../../src/screening/screener.ts"
import { SolanaPlanLive } from "../../../src/screening/solana/plan.ts"

export class LocalWorld extends Context.Tag("test/LocalWorld")<
  LocalWorld,
  { readonly chain: SolanaChain; readonly market: LocalMarket; readonly plan: typeof SolanaPlan.Service }
>() {
  static readonly layer = Layer.scoped(
    LocalWorld,
    Effect.gen(function* () {
      const chain = yield* startSolanaChain()
      const market = yield* startMarketData({ solana: chain })
      const config = ConfigProvider.fromMap(
        new Map([
          ["SOLANA_RPC_URL", chain.url],
          ["BASE_RPC_URL", "http://127.0.0.1:9"],
          // The chain runs in this very process, which may have to share its core.
          ["SOLANA_RPC_TIMEOUT", "60 seconds"],
          ["DEXSCREENER_URL", market.dexScreenerUrl],
          ["RUGCHECK_URL", market.rugCheckUrl],
          ["EXTRA_LP_LOCKERS", LOCKER]
        ])
      )
      const layer = SolanaPlanLive.pipe(
        Layer.provide(Layer.merge(ChainRpcLive, MarketDataLive.pipe(Layer.provide(FetchHttpClient.layer)))),
        Layer.provide(Layer.setConfigProvider(config))
      )
      const plan = Context.get(yield* Layer.build(layer), SolanaPlan)
      return { chain, market, plan }
    })
  )
}

/** A locker the operator of this world trusts. */
export const LOCKER = "4ckerLPvau1t11111111111111111111111111111111"

export const solanaToken = (address: string): TokenRef => ({
  chain: "solana",
  address: SolanaAddress.make(address)
})

/** A screening with what the scorer makes of it. */
export const screen = (address: string) =>
  Effect.gen(function* () {
    const { plan } = yield* LocalWorld
    const screening = yield* plan.screen(solanaToken(address))
    return { screening, assessment: assess(screening) }
  })
