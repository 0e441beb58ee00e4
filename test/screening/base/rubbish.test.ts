import { expect, layer } from "@effect/vitest"
import { Cause, Effect, Exit, Logger, LogLevel, Random, Redacted } from "effect"
import fc from "fast-check"
import { makeBaseRpcWith } from "../../../src/chain/base-rpc.ts"
import { MULTICALL3 } from "../../../src/domain/base-contracts.ts"
import { SandboxWorld, screen } from "../../support/base/sandbox-world.ts"
import { partlySpoiled, whollySpoiled } from "../../support/chain/rubbish.ts"
import { type Fault, type SpoilingNode, startSpoilingNode } from "../../support/chain/spoiling-node.ts"

/** Every choice of a screening's trials is the same in every run. */
const SEED = "rubbish"
const RUNS = 30

/** The two that are allowed: liquidity in a V2-type pool, and in a V3 position whose holder cannot take it out. */
const NAMES = ["clean", "concentrated"] as const

/** Reads that go to Multicall3 where our own reader, which is no contract's, does not run. */
const isReadElsewhere = (question: string, { asked }: SpoilingNode, honest: ReadonlyArray<string>): boolean =>
  question.startsWith('eth_call [{"data"') &&
  [...asked].some((one) => !honest.includes(one) && one.includes(`"to":"${MULTICALL3}"`))

layer(SandboxWorld.layer, { excludeTestServices: true, timeout: "5 minutes" })(
  "a Base node that answers one question with rubbish",
  (it) => {
    const setUp = (name: (typeof NAMES)[number]) =>
      Effect.gen(function* () {
        const { parts, tokens, url } = yield* SandboxWorld
        const node = yield* startSpoilingNode(url)
        const screenWith = (fault?: Fault) =>
          Effect.gen(function* () {
            node.begin(fault)
            const rpc = yield* makeBaseRpcWith({
              urls: [Redacted.make(node.url)],
              timeout: "10 seconds",
              concurrency: 8
            })
            const { assessment } = yield* screen({ ...parts, rpc }, tokens[name].address)
            return assessment
          }).pipe(
            Effect.withRandom(Random.make(SEED)),
            Logger.withMinimumLogLevel(LogLevel.None),
            Effect.exit,
            Effect.runPromise
          )
        const honest = yield* Effect.promise(() => screenWith())
        expect(honest).toMatchObject(Exit.succeed({ verdict: "allow", safe: true }))
        return { node, screenWith, questions: [...node.asked] }
      })

    for (const name of NAMES) {
      it.scoped(
        `is no defect, and the honest token "${name}" is allowed only where that question matters nothing`,
        () =>
          Effect.gen(function* () {
            const { node, questions, screenWith } = yield* setUp(name)
            const matters = new Map<string, boolean>()
            /** It is not allowed where the node refuses to answer this. */
            const isNeeded = async (question: string): Promise<boolean> => {
              const exit = await screenWith({ question, by: "refused" })
              const needed =
                node.said() !== undefined && !(Exit.isSuccess(exit) && exit.value.verdict === "allow")
              matters.set(question, needed)
              return needed
            }
            yield* Effect.promise(() =>
              fc.assert(
                fc.asyncProperty(fc.constantFrom(...questions), whollySpoiled, async (question, by) => {
                  const exit = await screenWith({ question, by })
                  const said = node.said()
                  const what = `${question.slice(0, 300)}: ${said?.slice(0, 300) ?? ""}`
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
                  if (isReadElsewhere(question, node, questions)) return
                  expect([what, matters.get(question) ?? (await isNeeded(question))]).toEqual([what, false])
                }),
                { numRuns: RUNS }
              )
            )
          })
      )

      it.scoped(
        `breaks nothing with rubbish in some place of its answer, of the honest token "${name}"`,
        () =>
          Effect.gen(function* () {
            const { node, questions, screenWith } = yield* setUp(name)
            yield* Effect.promise(() =>
              fc.assert(
                fc.asyncProperty(fc.constantFrom(...questions), partlySpoiled, async (question, by) => {
                  const exit = await screenWith({ question, by })
                  const cause = Exit.isFailure(exit) ? exit.cause : Cause.empty
                  const what = `${question.slice(0, 300)}: ${node.said()?.slice(0, 300) ?? ""}`
                  expect([what, Cause.pretty(cause), Cause.isDie(cause)]).toEqual([
                    what,
                    expect.any(String),
                    false
                  ])
                }),
                { numRuns: RUNS }
              )
            )
          })
      )
    }
  }
)
