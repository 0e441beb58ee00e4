import { describe, expect, it } from "@effect/vitest"
import { Cause, ConfigProvider, Effect, Exit, Logger, LogLevel, Random } from "effect"
import fc from "fast-check"
import { defaultLimits, makeSolanaRpcWith } from "../../../src/chain/solana-rpc.ts"
import { partlySpoiled, whollySpoiled } from "../../support/chain/rubbish.ts"
import { type Fault, startSpoilingNode } from "../../support/chain/spoiling-node.ts"
import { placeCleanToken } from "../../support/solana/clean-token.ts"
import { fakeRpc, makeFakeWorld, screenBy } from "../../support/solana/fake-world.ts"
import { serveSolana } from "../../support/solana/loopback-node.ts"

/** Every choice of a screening's trials is the same in every run. */
const SEED = "rubbish"
const RUNS = 30

describe("a Solana node that answers one question with rubbish", () => {
  const setUp = Effect.gen(function* () {
    const world = makeFakeWorld()
    const { mint } = yield* placeCleanToken(world)
    const node = yield* startSpoilingNode((yield* serveSolana(fakeRpc(world))).url)
    const screenWith = (fault?: Fault) =>
      Effect.gen(function* () {
        node.begin(fault)
        const config = ConfigProvider.fromMap(new Map([["SOLANA_RPC_URL", node.url]]))
        const rpc = yield* makeSolanaRpcWith(defaultLimits).pipe(Effect.withConfigProvider(config))
        const { safe, verdict } = yield* screenBy(rpc, world, mint, "deep")
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
      const { node, questions, screenWith } = yield* setUp
      expect(questions.length).toBeGreaterThan(3)
      const matters = new Map<string, boolean>()
      /** It is not allowed where the node refuses to answer this. */
      const isNeeded = async (question: string): Promise<boolean> => {
        const exit = await screenWith({ question, by: "refused" })
        const needed = node.said() !== undefined && !(Exit.isSuccess(exit) && exit.value.verdict === "allow")
        matters.set(question, needed)
        return needed
      }
      yield* Effect.promise(() =>
        fc.assert(
          fc.asyncProperty(fc.constantFrom(...questions), whollySpoiled, async (question, by) => {
            const exit = await screenWith({ question, by })
            const said = node.said()
            const what = `${question.slice(0, 300)} ${JSON.stringify(by)}: ${said?.slice(0, 300) ?? ""}`
            if (Exit.isFailure(exit)) {
              expect([what, Cause.pretty(exit.cause), Cause.isDie(exit.cause)]).toEqual([
                what,
                expect.any(String),
                false
              ])
              return
            }
            const { safe, verdict } = exit.value
            if (said === undefined || (verdict !== "allow" && safe !== true)) return
            expect([what, matters.get(question) ?? (await isNeeded(question))]).toEqual([what, false])
          }),
          { numRuns: RUNS }
        )
      )
    })
  )

  it.scopedLive("breaks nothing with rubbish in some place of its answer", () =>
    Effect.gen(function* () {
      const { node, questions, screenWith } = yield* setUp
      yield* Effect.promise(() =>
        fc.assert(
          fc.asyncProperty(fc.constantFrom(...questions), partlySpoiled, async (question, by) => {
            const exit = await screenWith({ question, by })
            const cause = Exit.isFailure(exit) ? exit.cause : Cause.empty
            const what = `${question.slice(0, 300)}: ${node.said()?.slice(0, 300) ?? ""}`
            expect([what, Cause.pretty(cause), Cause.isDie(cause)]).toEqual([what, expect.any(String), false])
          }),
          { numRuns: RUNS }
        )
      )
    })
  )
})
