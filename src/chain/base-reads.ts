import { Effect, Random, Ref, Schema } from "effect"
import type { Address, Hex } from "viem"
import { concatHex, numberToHex, pad } from "viem"
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
import { decodeAggregate, decodeDeployless, encodeAggregate, ofBlock, packDeployless } from "./evm-batch.ts"
import { Bytes, Quantity, lowerHex, malformed } from "./evm-wire.ts"
import type { JsonRpcPool, RpcRequest } from "./json-rpc.ts"
import type { RpcReply } from "./json-rpc-answer.ts"
import { code as slotReaderCode } from "./slot-reader.artifact.ts"
import { span } from "../domain/span.ts"

const isBytes = Schema.is(Bytes)
const decodeHex = (reply: unknown): Effect.Effect<Hex, UpstreamError> =>
  isBytes(reply) ? Effect.succeed(lowerHex(reply)) : Effect.fail(malformed("not hex data"))
/** A word of storage, which some nodes write without its leading zeros. */
const decodeWord = (reply: unknown) =>
  Effect.map(decodeQuantity(reply), (value) => numberToHex(value, { size: 32 }))
export const decodeQuantity = (reply: unknown) =>
  Schema.decodeUnknown(Quantity)(reply).pipe(
    Effect.map(BigInt),
    Effect.mapError(() => malformed("not a hex quantity"))
  )

const blockTag = (blockNumber: bigint | undefined): string =>
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

export const callResult = (reply: RpcReply): Effect.Effect<EvmReadResult, UpstreamError> =>
  Effect.map(decodeHex(reply.executed ? reply.result : reply.data), (data) => ({ ok: reply.executed, data }))

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

const reading = (
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
        Effect.flatMap(decodeHex(answered[at]), (data) =>
          attempt(() => ofBlock(block, decodeDeployless(data, own)))
        )
      )
      const [first] = batches
      if (first === undefined) return null
      return batches.every(({ blockNumber }) => blockNumber === first.blockNumber)
        ? { ...first, results: batches.flatMap(({ results }) => results) }
        : { ...first, results: [] }
    })
  }
}

const runReader = (
  rpc: Sender,
  items: ReadonlyArray<BatchRead>,
  block: bigint | undefined
): Effect.Effect<EvmBatch | null, UpstreamError> =>
  Effect.gen(function* () {
    const { requests, decode } = reading(items, block)
    const batch = yield* Effect.flatMap(rpc.send(requests), decode)
    // Evidence must be of one block: what straddles two is read once more, at the first of them.
    return batch === null || batch.results.length === items.length
      ? batch
      : yield* runReader(rpc, items, batch.blockNumber)
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
    const batch = yield* attempt(() => ofBlock(block, decodeAggregate(data)))
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
    return (yield* runReader(rpc, reads, block)) ?? (yield* readThroughMulticall(rpc, reads, block))
  }, span("BaseRpc.readAll"))

type Asked = Parameters<BaseRpc["inspect"]>[0]

const getSlots = Effect.fnUntraced(function* (rpc: Sender, accounts: Asked, block: bigint | undefined) {
  const requests = accounts.flatMap(({ address, slots = [] }) =>
    slots.map((slot) => ({ method: "eth_getStorageAt", params: [address, slot, blockTag(block)] }))
  )
  const replies = yield* rpc.send(requests)
  const values = yield* Effect.forEach(replies, (reply) => Effect.flatMap(result(reply), decodeWord))
  let at = 0
  return accounts.map(({ slots = [] }) => values.slice(at, (at += slots.length)))
})

const words = (data: Hex): ReadonlyArray<Hex> =>
  (data.slice(2).match(/.{64}/g) ?? []).map((text): Hex => `0x${text}`)

/**
 * All slots in one call: a reader stands in each account's place. The first answer comes from an address that had no
 * code before: where it is missing, the node has replaced nothing.
 */
const slotReading = (accounts: Asked, witness: Address, block: bigint | undefined) => {
  const asked = accounts.filter(({ slots = [] }) => slots.length > 0)
  const reads = [
    { to: witness, data: pad("0x00", { size: 32 }) },
    ...asked.map(({ address, slots = [] }) => ({
      to: address,
      data: concatHex(slots.map((slot) => pad(slot, { size: 32 })))
    }))
  ]
  const override = reads.map(({ to }): AccountOverride => ({ address: to, code: slotReaderCode }))
  const { requests, decode } = reading(reads, block, override)
  return {
    requests,
    decode: (replies: ReadonlyArray<RpcReply>) =>
      Effect.map(decode(replies), (batch) => {
        const found = batch?.results.map(({ data }) => words(data)) ?? []
        if (found[0]?.length !== 1) return null
        let at = 0
        const slots = accounts.map(({ slots: own = [] }) => (own.length === 0 ? [] : (found[++at] ?? [])))
        const isWhole = slots.every(({ length }, index) => length === (accounts[index]?.slots?.length ?? 0))
        return isWhole ? slots : null
      })
  }
}

const getCodes = (rpc: Sender, accounts: Asked, block: bigint | undefined) =>
  rpc
    .send(accounts.map(({ address }) => ({ method: "eth_getCode", params: [address, blockTag(block)] })))
    .pipe(Effect.flatMap(Effect.forEach((reply) => Effect.flatMap(result(reply), decodeHex))))

/** Code by the batch reader, slots by one that stands in the accounts' places, together in one exchange. */
const inspectByCalls = Effect.fnUntraced(
  function* (rpc: Sender, accounts: Asked, block: bigint | undefined) {
    const witness: Address = `0x${(yield* Random.nextIntBetween(1, 2 ** 31)).toString(16).padStart(40, "5")}`
    const codes = reading(
      accounts.map(({ address }) => ({ codeOf: address })),
      block
    )
    const hasSlots = accounts.some(({ slots = [] }) => slots.length > 0)
    const slots = slotReading(accounts, witness, block)
    const replies = yield* rpc.send([...codes.requests, ...(hasSlots ? slots.requests : [])])
    const batch = yield* codes.decode(replies.slice(0, codes.requests.length))
    const values = hasSlots
      ? yield* slots.decode(replies.slice(codes.requests.length))
      : accounts.map((): ReadonlyArray<Hex> => [])
    if (batch === null || values === null || batch.results.length < accounts.length) return null
    const { blockNumber, blockTime, results } = batch
    return accounts.map((_, index) => ({
      code: results[index]?.data ?? "0x",
      slots: values[index] ?? [],
      at: { blockNumber, blockTime }
    }))
  },
  Effect.catchIf(
    ({ kind }) => kind === "rejected",
    () => Effect.succeed(null)
  )
)

/** Where a node runs no such calls, one request for every code and slot. */
const inspectOneByOne = Effect.fnUntraced(function* (
  rpc: Sender,
  accounts: Asked,
  block: bigint | undefined
) {
  const [codes, slots] = yield* Effect.all([getCodes(rpc, accounts, block), getSlots(rpc, accounts, block)], {
    concurrency: 2
  })
  return accounts.map((_, index) => ({ code: codes[index] ?? "0x", slots: slots[index] ?? [] }))
})

export const makeInspect = (rpc: Sender, oneByOne: Ref.Ref<boolean>): BaseRpc["inspect"] =>
  Effect.fn("BaseRpc.inspect")(function* (accounts, options) {
    if (accounts.length === 0) return []
    const block = options?.blockNumber
    const found = (yield* Ref.get(oneByOne)) ? null : yield* inspectByCalls(rpc, accounts, block)
    if (found !== null) return found
    yield* Ref.set(oneByOne, true)
    return yield* inspectOneByOne(rpc, accounts, block)
  })
