import { Schema } from "effect"
import type { Hex, PublicClient } from "viem"
import { numberToHex } from "viem"
import { Count, Time, Word, decodedBy, lowerHex, malformed } from "./evm-wire.ts"

/** What a block's header says of it. */
export interface EvmBlock {
  readonly number: bigint
  /** Lower case. */
  readonly hash: Hex
  /** Unix seconds. */
  readonly timestamp: bigint
}

const METHOD = "eth_getBlockByNumber"
const header = decodedBy(Schema.Struct({ number: Count, hash: Word, timestamp: Time }), METHOD)

/**
 * A block by its height or by what a node calls it. Rejects with what the client throws, or with `UpstreamError` where the
 * node has no such block, or answers with something else or with another block: a header without a time is in no order
 * with any moment.
 */
export const askBlock = async (
  client: PublicClient,
  at: bigint | "latest" | "safe" | "finalized"
): Promise<EvmBlock> => {
  const tag = typeof at === "bigint" ? numberToHex(at) : at
  const { hash, number, timestamp } = header(await client.request({ method: METHOD, params: [tag, false] }))
  const block = { number: BigInt(number), hash: lowerHex(hash), timestamp: BigInt(timestamp) }
  if (typeof at === "bigint" && block.number !== at) throw malformed(`${METHOD}: another block`)
  return block
}
