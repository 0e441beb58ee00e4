import { describe, expect, it } from "@effect/vitest"
import { ConfigProvider, Effect, Exit, Logger, LogLevel, Random } from "effect"
import { defaultLimits, makeSolanaRpcWith } from "../../../src/chain/solana-rpc.ts"
import { breaksNothing, isAllowedOnlyWithout } from "../../support/chain/rubbish-properties.ts"
import { type Fault, startSpoilingNode } from "../../support/chain/spoiling-node.ts"
import { placeCleanToken } from "../../support/solana/clean-token.ts"
import { CLOCK_SYSVAR } from "../../../src/screening/solana/addresses.ts"
import { patch } from "../../support/solana/scenarios.ts"
import { fakeRpc, makeFakeWorld, screenBy } from "../../support/solana/fake-world.ts"
import { serveSolana } from "../../support/solana/loopback-node.ts"

/** Every choice of a screening's trials is the same in every run. */
const SEED = "rubbish"

describe("a Solana node that answers one question with rubbish", () => {
  const setUp = Effect.gen(function* () {
    const world = makeFakeWorld()
    const { mint } = yield* placeCleanToken(world)
    // These screenings run by our own clock.
    patch(world, CLOCK_SYSVAR, [[32, BigInt(Math.trunc(Date.now() / 1000))]])
    const node = yield* startSpoilingNode((yield* serveSolana(fakeRpc(world))).url)
    const screenWith = (fault?: Fault) =>
      Effect.gen(function* () {
        node.begin(fault)
        const config = ConfigProvider.fromMap(new Map([["SOLANA_RPC_URL", node.url]]))
        const rpc = yield* makeSolanaRpcWith(defaultLimits).pipe(Effect.withConfigProvider(config))
        const { safe, verdict } = yield* screenBy(rpc, world, mint)
        return { safe, verdict }
      }).pipe(
        Effect.withRandom(Random.make(SEED)),
        Logger.withMinimumLogLevel(LogLevel.None),
        Effect.exit,
        Effect.runPromise
      )
    const honest = yield* Effect.promise(() => screenWith())
    expect(honest).toEqual(Exit.succeed({ verdict: "allow", safe: true }))
    return { node, screenWith, questions: [...node.asked] }
  })

  it.scopedLive("is no defect, and an honest token is allowed only where that question matters nothing", () =>
    Effect.gen(function* () {
      const spoilable = yield* setUp
      expect(spoilable.questions.length).toBeGreaterThan(3)
      yield* Effect.promise(() => isAllowedOnlyWithout(spoilable))
    })
  )

  it.scopedLive("breaks nothing with rubbish in some place of its answer", () =>
    Effect.flatMap(setUp, (spoilable) => Effect.promise(() => breaksNothing(spoilable)))
  )
})
