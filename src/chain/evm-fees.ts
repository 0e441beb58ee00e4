import { Schema } from "effect"
import type { PublicClient } from "viem"
import { numberToHex } from "viem"
import { Count, Quantity, decodedBy, malformed } from "./evm-wire.ts"

/** What the next block asks for. */
export interface EvmFees {
  /** The newest block, whose successor is meant. */
  readonly height: bigint
  /** Wei per gas. */
  readonly baseFee: bigint
  /** Median tips of the last blocks, wei per gas; none where the node tells none. */
  readonly tips: ReadonlyArray<bigint>
}

const METHOD = "eth_feeHistory"

const history = decodedBy(
  Schema.Struct({
    oldestBlock: Count,
    baseFeePerGas: Schema.Array(Quantity),
    reward: Schema.optional(Schema.NullOr(Schema.Array(Schema.Array(Quantity))))
  }),
  METHOD
)

/**
 * The next block's base fee and the tips of the last `blocks` ones. Rejects with what the client throws, or with
 * `UpstreamError` where the answer is something else: without a base fee nothing is known of what sending costs.
 */
export const askFees = async (client: PublicClient, blocks: number): Promise<EvmFees> => {
  const answer: unknown = await client.request({
    method: METHOD,
    params: [numberToHex(blocks), "latest", [50]]
  })
  const { baseFeePerGas, oldestBlock, reward } = history(answer)
  // One more base fee than blocks: the last is the next block's.
  const seen = baseFeePerGas.length - 1
  const next = baseFeePerGas[seen]
  if (next === undefined || seen < 1 || seen > blocks) throw malformed(`${METHOD}: of other blocks`)
  return {
    height: BigInt(oldestBlock) + BigInt(seen) - 1n,
    baseFee: BigInt(next),
    tips: (reward ?? []).flat().map(BigInt)
  }
}
