import { expect, layer } from "@effect/vitest"
import { Effect, Exit, Logger, LogLevel, Random, Redacted } from "effect"
import { makeBaseRpcWith } from "../../../src/chain/base-rpc.ts"
import { MULTICALL3 } from "../../../src/domain/base-contracts.ts"
import { SandboxWorld, screen } from "../../support/base/sandbox-world.ts"
import { breaksNothing, isAllowedOnlyWithout } from "../../support/chain/rubbish-properties.ts"
import { type Fault, type SpoilingNode, startSpoilingNode } from "../../support/chain/spoiling-node.ts"

/** Every choice of a screening's trials is the same in every run. */
const SEED = "rubbish"

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
        const { devnet, parts, tokens, url } = yield* SandboxWorld
        // Questions name a block: while the chain goes on, none is asked again as it was, and no fault would meet one.
        yield* Effect.promise(() => devnet.request("evm_setIntervalMining", [0]))
        const node = yield* startSpoilingNode(url, "eth_blockNumber")
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
            const { node, questions, ...rest } = yield* setUp(name)
            yield* Effect.promise(() =>
              isAllowedOnlyWithout({ node, questions, ...rest }, (question) =>
                isReadElsewhere(question, node, questions)
              )
            )
          })
      )

      it.scoped(
        `breaks nothing with rubbish in some place of its answer, of the honest token "${name}"`,
        () => Effect.flatMap(setUp(name), (spoilable) => Effect.promise(() => breaksNothing(spoilable)))
      )
    }
  }
)
