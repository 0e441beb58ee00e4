import { Schema } from "effect"
import type { Address, Hex, PublicClient } from "viem"
import { numberToHex, pad } from "viem"
import type { AccountOverride } from "./chain-rpc.ts"
import { Bytes, Count, decodedBy, malformed } from "./evm-wire.ts"

/** One transaction of a simulated block. Amounts in wei. */
export interface SimulatedCall {
  readonly from: Address
  readonly to: Address
  readonly data: Hex
  readonly value: bigint
  readonly gas: bigint
  readonly gasPrice: bigint
}

/** One block as it is to be: its fields, what accounts are given before it, and its transactions. */
export interface SimulatedBlock {
  /** Unix seconds. */
  readonly time: bigint
  readonly baseFeePerGas: bigint
  readonly feeRecipient: Address
  readonly prevRandao: bigint
  readonly stateOverride: ReadonlyArray<AccountOverride>
  readonly calls: ReadonlyArray<SimulatedCall>
}

/** What a transaction of a simulated block came to. */
export interface SimulatedOutcome {
  readonly ok: boolean
  readonly data: Hex
  /** Whether it left an event; null where the node did not say. */
  readonly told: boolean | null
}

/** The library's own looks at sizes and signs for each, which a story of two hundred transactions has six of. */
const quantity = (value: bigint): Hex => `0x${value.toString(16)}`

const stateOf = ({ balance, stateDiff }: AccountOverride) => ({
  ...(balance === undefined ? {} : { balance: quantity(balance) }),
  ...(stateDiff === undefined
    ? {}
    : { stateDiff: Object.fromEntries(stateDiff.map(({ slot, value }) => [pad(slot), pad(value)])) })
})

const blockCalls = (block: SimulatedBlock) => ({
  blockOverrides: {
    time: quantity(block.time),
    baseFeePerGas: quantity(block.baseFeePerGas),
    feeRecipient: block.feeRecipient,
    prevRandao: numberToHex(block.prevRandao, { size: 32 })
  },
  stateOverrides: Object.fromEntries(block.stateOverride.map((one) => [one.address, stateOf(one)])),
  calls: block.calls.map(({ data, from, gas, gasPrice, to, value }) => ({
    from,
    to,
    data,
    gas: quantity(gas),
    gasPrice: quantity(gasPrice),
    value: quantity(value)
  }))
})

const absent = <A, I>(schema: Schema.Schema<A, I>) => Schema.optional(Schema.NullOr(schema))

const simulated = decodedBy(
  Schema.Array(
    Schema.Struct({
      number: Count,
      calls: Schema.Array(
        Schema.Struct({
          status: Schema.Literal("0x0", "0x1"),
          returnData: Bytes,
          error: absent(Schema.Struct({ data: absent(Bytes) })),
          logs: absent(Schema.Array(Schema.Unknown))
        })
      )
    })
  ),
  "eth_simulateV1"
)

/** Nodes number the first block as the next one, anvil as the one it follows: the others follow without a gap. */
const follow = (numbers: ReadonlyArray<bigint>, blockNumber: bigint): boolean =>
  [blockNumber, blockNumber + 1n].some((first) =>
    numbers.every((number, at) => number === first + BigInt(at))
  )

/**
 * What transactions come to in blocks that follow one another (`eth_simulateV1`), block by block. Rejects with what the
 * client throws, or with `UpstreamError` where the answer is no list of blocks with the outcomes of their transactions, or
 * follows another block; that it is about as many as were asked for is left to the caller.
 */
export const simulateBlocks = async (
  client: PublicClient,
  blocks: ReadonlyArray<SimulatedBlock>,
  blockNumber: bigint
): Promise<ReadonlyArray<ReadonlyArray<SimulatedOutcome>>> => {
  const answer: unknown = await client.request({
    method: "eth_simulateV1",
    params: [{ blockStateCalls: blocks.map(blockCalls) }, numberToHex(blockNumber)]
  })
  const simulation = simulated(answer)
  if (
    !follow(
      simulation.map(({ number }) => BigInt(number)),
      blockNumber
    )
  )
    throw malformed("eth_simulateV1: of another block")
  return simulation.map(({ calls }) =>
    calls.map(({ error, logs, returnData, status }) => ({
      ok: status === "0x1",
      data: error?.data ?? returnData,
      told: logs === undefined || logs === null ? null : logs.length > 0
    }))
  )
}
