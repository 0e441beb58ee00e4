/**
 * The engine alone, in a process of its own with the service's scheduler: it is told by its parent which token to screen
 * as a ping, and answers how long that took and what it took of the processor.
 */
import { NodeHttpClient } from "@effect/platform-node"
import { Duration, Effect, Layer, Runtime, Schema } from "effect"
import { ChainRpcLive } from "../../src/chain/chain-rpc-live.ts"
import { TokenRef } from "../../src/domain/token.ts"
import { MarketDataLive } from "../../src/market/market-data-live.ts"
import { BasePlanLive } from "../../src/screening/base/plan.ts"
import { Screener } from "../../src/screening/screener.ts"
import { ScreenerLive } from "../../src/screening/screener-live.ts"
import { SolanaPlanLive } from "../../src/screening/solana/plan.ts"
import { makeTurnScheduler, nodeLoop } from "../../src/server/turn-scheduler.ts"
import { collectWhenIdle } from "../../src/server/minor-collection.ts"
import { DirectAnalyserLive } from "../eval/direct-analyser.ts"

const engine = ScreenerLive.pipe(
  Layer.provide([BasePlanLive, SolanaPlanLive]),
  Layer.provide(DirectAnalyserLive),
  Layer.provide([ChainRpcLive, MarketDataLive]),
  Layer.provide(NodeHttpClient.layerUndici),
  // As the service runs that tells no collector of its spans.
  Layer.provideMerge(Layer.setTracerEnabled(false))
)

const screened = (asked: unknown) =>
  Effect.gen(function* () {
    const token = yield* Schema.decodeUnknown(TokenRef)(asked)
    const { screen } = yield* Screener
    const before = process.cpuUsage()
    const [took] = yield* Effect.timed(screen(token))
    const { system, user } = process.cpuUsage(before)
    return { millis: Duration.toMillis(took), cpuMillis: (system + user) / 1_000 }
  })

const program = Effect.gen(function* () {
  const run = Runtime.runPromise(yield* Effect.runtime<Screener>())
  process.on("message", (asked) => void run(screened(asked)).then((told) => process.send?.(told)))
  process.send?.("ready")
  return yield* Effect.never
}).pipe(Effect.provide(engine))

void Effect.runPromise(Effect.withScheduler(program, makeTurnScheduler(nodeLoop(collectWhenIdle()))))
