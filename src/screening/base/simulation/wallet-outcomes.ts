import { Effect, Schema } from "effect"
import type { Hex } from "viem"
import type { BaseRpc } from "../../../chain/chain-rpc.ts"
import { Bytes } from "../../../chain/evm-wire.ts"
import type { ActBlock } from "./wallet-plan.ts"
import type { blocksOf } from "./wallet-world.ts"

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

/** What one transaction of a simulated block came to, as viem hands on what the node said. */
interface Call {
  readonly status: string
  readonly data: unknown
  readonly logs?: ReadonlyArray<unknown> | undefined
}

const isBytes = Schema.is(Bytes)

/** Undefined where the node did not tell what a transaction answered, or of one that passed not which events it left. */
const outcomeOf = ({ data, logs, status }: Call): Outcome | undefined => {
  const ok = status === "success"
  return !isBytes(data) || (ok && logs === undefined)
    ? undefined
    : { ok, data, told: (logs ?? []).length > 0 }
}

/** By the tags of the acts. Null where the node answered for fewer transactions: that does not show that the others passed. */
const outcomesOf = (
  blocks: ReadonlyArray<ActBlock>,
  results: ReadonlyArray<{ readonly calls: ReadonlyArray<Call> }>
): Outcomes | null => {
  if (blocks.some(({ acts }, at) => results[at]?.calls.length !== acts.length)) return null
  const outcomes = results.map(({ calls }) => calls.map(outcomeOf))
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
  blocks: ReturnType<typeof blocksOf>
): Effect.Effect<Outcomes | null> =>
  Effect.tryPromise(() => rpc.client.simulateBlocks({ blocks, blockNumber })).pipe(
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
