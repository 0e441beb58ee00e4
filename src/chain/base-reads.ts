import { Effect, Schema } from "effect"
import type { Hex } from "viem"
import { numberToHex } from "viem"
import { MULTICALL3 } from "../domain/base-contracts.ts"
import type { UpstreamError } from "../domain/errors.ts"
import type {
  AccountOverride,
  BaseRpc,
  BatchRead,
  EvmBatch,
  EvmCall,
  EvmRead,
  EvmReadResult
} from "./chain-rpc.ts"
import { readsOf } from "./chain-rpc.ts"
import { decodeAggregate, decodeDeployless, encodeAggregate, packDeployless } from "./evm-batch.ts"
import { Bytes, Quantity, lowerHex, malformed } from "./evm-wire.ts"
import type { JsonRpcPool, RpcRequest } from "./json-rpc.ts"
import type { RpcReply } from "./json-rpc-answer.ts"
import { span } from "../domain/span.ts"

const isBytes = Schema.is(Bytes)
/** Bytes as hex, in lower case. Fails where a node answers anything else. */
export const decodeHex = (reply: unknown): Effect.Effect<Hex, UpstreamError> =>
  isBytes(reply) ? Effect.succeed(lowerHex(reply)) : Effect.fail(malformed("not hex data"))
/** A whole number. Fails where a node answers anything but a hex quantity. */
export const decodeQuantity = (reply: unknown) =>
  Schema.decodeUnknown(Quantity)(reply).pipe(
    Effect.map(BigInt),
    Effect.mapError(() => malformed("not a hex quantity"))
  )

/** How a block is named in a request: the newest where none is given. */
export const blockTag = (blockNumber: bigint | undefined): string =>
  blockNumber === undefined ? "latest" : numberToHex(blockNumber)

const quantity = (value: bigint | undefined): Hex | undefined =>
  value === undefined ? undefined : numberToHex(value)

const accountOverride = ({ balance, code, stateDiff }: AccountOverride) => ({
  balance: quantity(balance),
  code,
  stateDiff:
    stateDiff === undefined
      ? undefined
      : Object.fromEntries(stateDiff.map(({ slot, value }) => [slot, value]))
})

const blockOverride = (block: NonNullable<EvmCall["blockOverride"]>) => ({
  time: quantity(block.time),
  number: quantity(block.number),
  feeRecipient: block.feeRecipient,
  baseFeePerGas: quantity(block.baseFeePerGas)
})

// JSON leaves out undefined members; absent trailing parameters must be left out too, because old nodes count them.
export const callRequest = (call: EvmCall): RpcRequest => {
  const transaction = {
    from: call.from,
    to: call.to,
    data: call.data,
    gas: quantity(call.gas),
    gasPrice: quantity(call.gasPrice),
    value: quantity(call.value)
  }
  const state = Object.fromEntries(
    (call.stateOverride ?? []).map((entry) => [entry.address, accountOverride(entry)])
  )
  const params: Array<unknown> = [transaction, blockTag(call.blockNumber)]
  if (call.stateOverride !== undefined || call.blockOverride !== undefined) params.push(state)
  if (call.blockOverride !== undefined) params.push(blockOverride(call.blockOverride))
  return { method: "eth_call", params }
}

/** What a call gave back, or reverted with. */
export const callResult = (reply: RpcReply): Effect.Effect<EvmReadResult, UpstreamError> =>
  Effect.map(decodeHex(reply.executed ? reply.result : reply.data), (data) => ({ ok: reply.executed, data }))

/** The result of a method that executes nothing, and so cannot revert. */
export const result = (reply: RpcReply): Effect.Effect<unknown, UpstreamError> =>
  reply.executed
    ? Effect.succeed(reply.result)
    : Effect.fail(malformed("execution failed where nothing is executed"))

const attempt = <A>(decode: () => A): Effect.Effect<A, UpstreamError> =>
  Effect.try({ try: decode, catch: () => malformed("batch does not decode") })

const pinned = (blockNumber: bigint | undefined) => (blockNumber === undefined ? {} : { blockNumber })

/** What the reads need of the pool. */
export interface Sender {
  readonly send: (
    requests: ReadonlyArray<RpcRequest>
  ) => Effect.Effect<ReadonlyArray<RpcReply>, UpstreamError>
  readonly one: (request: RpcRequest) => Effect.Effect<RpcReply, UpstreamError>
}

/** Sends through the pool, and fails with its errors alone. */
export const senderOf = (pool: JsonRpcPool): Sender => {
  const send: Sender["send"] = (requests) => Effect.mapError(pool.send(requests), ({ error }) => error)
  const one: Sender["one"] = (request) =>
    Effect.flatMap(send([request]), ([reply]) =>
      reply === undefined ? Effect.fail(malformed("no reply")) : Effect.succeed(reply)
    )
  return { send, one }
}

interface Reading {
  readonly requests: ReadonlyArray<RpcRequest>
  /** `null` where the node does not run init code that answers by reverting. */
  readonly decode: (replies: ReadonlyArray<RpcReply>) => Effect.Effect<EvmBatch | null, UpstreamError>
}

/** The requests that read these items through our own reader, and how its replies are read; `block` as in `blockTag`. */
export const reading = (
  items: ReadonlyArray<BatchRead>,
  block: bigint | undefined,
  stateOverride?: ReadonlyArray<AccountOverride>
): Reading => {
  const chunks = packDeployless(items)
  const overrides = stateOverride === undefined ? {} : { stateOverride }
  return {
    requests: chunks.map(({ data }) => callRequest({ data, ...pinned(block), ...overrides })),
    decode: Effect.fnUntraced(function* (replies) {
      const answered = replies.flatMap((reply) => (reply.executed || reply.data === "0x" ? [] : [reply.data]))
      if (answered.length < chunks.length) return null
      const batches = yield* Effect.forEach(chunks, ({ items: own }, at) =>
        Effect.flatMap(decodeHex(answered[at]), (data) => attempt(() => decodeDeployless(data, own)))
      )
      const [first] = batches
      if (first === undefined) return null
      return batches.every(({ blockNumber }) => blockNumber === first.blockNumber)
        ? { ...first, results: batches.flatMap(({ results }) => results) }
        : { ...first, results: [] }
    })
  }
}

export const OF_SEVERAL_BLOCKS = malformed("eth_call: of several blocks")
const ANOTHER_BLOCK = "eth_call: of another block"

/**
 * A node may take its next block while it answers, as development nodes do: asked once more it stays at the one that was
 * named. Where none was, what straddles two blocks is asked a second time anyway.
 */
export const onceMore = <A>(
  block: bigint | undefined,
  read: Effect.Effect<A, UpstreamError>
): Effect.Effect<A, UpstreamError> =>
  block === undefined
    ? read
    : Effect.retry(read, { times: 1, while: ({ detail }) => detail === ANOTHER_BLOCK })

/**
 * Evidence must be of the block that it is taken for: a node that looks only at its newest one would show what is held now
 * for what was held a month ago.
 */
export const ofBlock = <A extends Pick<EvmBatch, "blockNumber">>(
  block: bigint | undefined,
  batch: A
): Effect.Effect<A, UpstreamError> =>
  block === undefined || batch.blockNumber === block
    ? Effect.succeed(batch)
    : Effect.fail(malformed(ANOTHER_BLOCK))

const runReader = (
  rpc: Sender,
  items: ReadonlyArray<BatchRead>,
  block: bigint | undefined
): Effect.Effect<EvmBatch | null, UpstreamError> =>
  Effect.gen(function* () {
    const { requests, decode } = reading(items, block)
    const batch = yield* Effect.flatMap(rpc.send(requests), decode)
    if (batch === null) return null
    yield* ofBlock(block, batch)
    if (batch.results.length === items.length) return batch
    // Evidence must be of one block: what straddles two is read once more, at the first of them.
    return block === undefined
      ? yield* runReader(rpc, items, batch.blockNumber)
      : yield* Effect.fail(OF_SEVERAL_BLOCKS)
  })

const UNREAD: EvmReadResult = { ok: false, data: "0x" }

const isRead = (item: BatchRead): item is EvmRead => "to" in item

/** Multicall3 only makes calls to known addresses: codes and what is read of found ones stay unread. */
const readThroughMulticall = (
  rpc: Sender,
  items: ReadonlyArray<BatchRead>,
  block: bigint | undefined
): ReturnType<BaseRpc["readAll"]> =>
  Effect.gen(function* () {
    const reads = items
      .flatMap((item): ReadonlyArray<BatchRead> => ("alike" in item ? readsOf(item) : [item]))
      .filter(isRead)
    const reply = yield* rpc.one(
      callRequest({ to: MULTICALL3, data: encodeAggregate(reads), ...pinned(block) })
    )
    const { ok, data } = yield* callResult(reply)
    if (!ok || data === "0x") return yield* Effect.fail(malformed("no batch reader runs"))
    const batch = yield* Effect.flatMap(
      attempt(() => decodeAggregate(data)),
      (batch) => ofBlock(block, batch)
    )
    if (batch.results.length !== reads.length) return yield* Effect.fail(malformed("batch is incomplete"))
    const answers = batch.results.values()
    const answerTo = (item: BatchRead): EvmReadResult =>
      "alike" in item
        ? { ok: true, data: "0x", found: item.alike.map(answerTo) }
        : isRead(item)
          ? (answers.next().value ?? UNREAD)
          : UNREAD
    return { ...batch, results: items.map(answerTo) }
  })

/**
 * Through our own reader, whose calls are a tenth of Multicall3's size; through Multicall3 where a node runs no init
 * code.
 */
export const makeReadAll = (rpc: Sender): BaseRpc["readAll"] =>
  Effect.fnUntraced(function* (reads, readOptions) {
    const block = readOptions?.blockNumber
    const run = Effect.flatMap(runReader(rpc, reads, block), (batch) =>
      batch === null ? readThroughMulticall(rpc, reads, block) : Effect.succeed(batch)
    )
    return yield* onceMore(block, run)
  }, span("BaseRpc.readAll"))
