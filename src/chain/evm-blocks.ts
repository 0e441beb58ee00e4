import { Schema } from "effect"
import type { Address, Hex, PublicClient } from "viem"
import { numberToHex } from "viem"
import { Account, Bytes, Count, Time, Word, decodedBy, lowerHex, malformed } from "./evm-wire.ts"

/** What a block's header says of it. */
export interface EvmBlock {
  readonly number: bigint
  /** Lower case. */
  readonly hash: Hex
  /** Unix seconds. */
  readonly timestamp: bigint
}

const METHOD = "eth_getBlockByNumber"
const Header = Schema.Struct({ number: Count, hash: Word, timestamp: Time })
const header = decodedBy(Header, METHOD)

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

/** A transaction in a block. Hex in lower case. */
export interface EvmTransaction {
  readonly hash: Hex
  readonly from: Address
  /** Null where it made a contract. */
  readonly to: Address | null
  readonly input: Hex
  /** Null where the node tells none: a deposit from Ethereum is nobody's turn. */
  readonly nonce: bigint | null
}

const Sent = Schema.Struct({
  hash: Word,
  from: Account,
  to: Schema.optional(Schema.NullOr(Account)),
  input: Bytes,
  nonce: Schema.optional(Schema.NullOr(Count))
})
const whole = decodedBy(Schema.Struct({ ...Header.fields, transactions: Schema.Array(Sent) }), METHOD)

const toTransaction = ({ from, hash, input, nonce, to }: typeof Sent.Type): EvmTransaction => ({
  hash: lowerHex(hash),
  from: lowerHex(from),
  to: to == null ? null : lowerHex(to),
  input: lowerHex(input),
  nonce: nonce == null ? null : BigInt(nonce)
})

/** Every transaction of the block at a height. Rejects like `askBlock`, also where one of them is something else. */
export const askTransactions = async (
  client: PublicClient,
  height: bigint
): Promise<ReadonlyArray<EvmTransaction>> => {
  const answer: unknown = await client.request({ method: METHOD, params: [numberToHex(height), true] })
  const { number, transactions } = whole(answer)
  if (BigInt(number) !== height) throw malformed(`${METHOD}: another block`)
  return transactions.map(toTransaction)
}
