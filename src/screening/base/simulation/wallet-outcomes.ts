import { Effect } from "effect"
import type { Hex } from "viem"
import type { BaseRpc } from "../../../chain/chain-rpc.ts"
import { type SimulatedBlock, type SimulatedOutcome, simulateBlocks } from "../../../chain/evm-simulation.ts"
import type { ActBlock } from "./wallet-plan.ts"

const TIMEOUT = "6 seconds"

/** How one transaction ended. */
export interface Outcome {
  readonly ok: boolean
  readonly data: Hex
  /** It left some event. */
  readonly told: boolean
}
/** By the tags of the acts. */
export type Outcomes = ReadonlyMap<string, Outcome>

/** Undefined of a transaction that passed where the node did not tell which events it left. */
const outcomeOf = ({ data, ok, told }: SimulatedOutcome): Outcome | undefined =>
  ok && told === null ? undefined : { ok, data, told: told === true }

/** By the tags of the acts. Null where the node answered for fewer transactions: that does not show that the others passed. */
const outcomesOf = (
  blocks: ReadonlyArray<ActBlock>,
  results: ReadonlyArray<ReadonlyArray<SimulatedOutcome>>
): Outcomes | null => {
  if (blocks.some(({ acts }, at) => results[at]?.length !== acts.length)) return null
  const outcomes = results.map((calls) => calls.map(outcomeOf))
  if (outcomes.flat().includes(undefined)) return null
  return new Map(
    blocks.flatMap(({ acts }, at) =>
      acts.flatMap(({ tag }, index) => {
        const outcome = outcomes[at]?.[index]
        return tag === undefined || outcome === undefined ? [] : [[tag, outcome] as const]
      })
    )
  )
}

/** Runs the acts in simulated blocks on top of one; null where the node does not, or does not tell how each ended. */
export const simulateActs = (
  rpc: BaseRpc,
  blockNumber: bigint,
  acts: ReadonlyArray<ActBlock>,
  blocks: ReadonlyArray<SimulatedBlock>
): Effect.Effect<Outcomes | null> =>
  Effect.tryPromise(() => simulateBlocks(rpc.client, blocks, blockNumber)).pipe(
    Effect.timeout(TIMEOUT),
    Effect.map((results) => outcomesOf(acts, results)),
    Effect.catchAll(() => Effect.succeed(null))
  )

/** A word of what a call answered; undefined where it failed or answered less. */
export const wordOf = (outcomes: Outcomes, tag: string, word = 0): bigint | undefined => {
  const outcome = outcomes.get(tag)
  const text = outcome?.data.slice(2 + 64 * word, 66 + 64 * word) ?? ""
  return outcome?.ok === true && text.length === 64 ? BigInt(`0x${text}`) : undefined
}
