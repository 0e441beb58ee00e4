import { Config, Duration, Effect, Ref, Schema } from "effect"
import type { Hex } from "viem"
import { numberToHex } from "viem"
import { UpstreamError } from "../domain/errors.ts"
import type { AccountOverride, BaseRpc, EvmCall, EvmRead, EvmReadResult } from "./chain-rpc.ts"
import {
  decodeAggregate,
  decodeDeployless,
  encodeAggregate,
  multicall3,
  packDeployless
} from "./evm-batch.ts"
import { evmDialect } from "./evm-dialect.ts"
import { endpointUrls, hostOf } from "./endpoint-urls.ts"
import type { JsonRpcPool, PoolOptions, RpcRequest } from "./json-rpc.ts"
import { makeJsonRpcPool } from "./json-rpc.ts"
import type { RpcReply } from "./json-rpc-answer.ts"
import { viemClient } from "./viem-client.ts"

/** Where and how to ask. */
export interface BaseRpcOptions extends Pick<PoolOptions, "urls" | "concurrency" | "fetch"> {
  /** For one HTTP exchange including its body. */
  readonly timeout: Duration.DurationInput
}

/** Time-outs that one call may take in all, with other endpoints and repeats. */
const CALL_TIMEOUTS = 3
const MAX_RESPONSE_BYTES = 8 * 1024 * 1024
const COOLDOWN = "10 seconds"

/**
 * `BASE_RPC_URL`: comma-separated, first preferred, redacted because providers put keys in URLs.
 * `BASE_RPC_TIMEOUT`: for one HTTP exchange. `BASE_RPC_CONCURRENCY`: HTTP exchanges at once.
 */
export const baseRpcConfig = Config.all({
  urls: endpointUrls("BASE_RPC_URL", "https://mainnet.base.org"),
  timeout: Config.duration("BASE_RPC_TIMEOUT").pipe(Config.withDefault("4 seconds")),
  concurrency: Config.integer("BASE_RPC_CONCURRENCY").pipe(
    Config.validate({ message: "must be positive", validation: (value) => value > 0 }),
    Config.withDefault(32)
  )
})

const HexData = Schema.TemplateLiteral("0x", Schema.String).pipe(Schema.pattern(/^0x(?:[0-9a-fA-F]{2})*$/))
const HexQuantity = Schema.TemplateLiteral("0x", Schema.String).pipe(Schema.pattern(/^0x[0-9a-fA-F]{1,64}$/))

const malformed = (detail: string) => new UpstreamError({ upstream: "base-rpc", kind: "malformed", detail })
const decodeHex = (reply: unknown) =>
  Schema.decodeUnknown(HexData)(reply).pipe(Effect.mapError(() => malformed("not hex data")))
const decodeQuantity = (reply: unknown) =>
  Schema.decodeUnknown(HexQuantity)(reply).pipe(
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

// Undefined members vanish in JSON; absent trailing parameters must vanish too, since old nodes count them.
const callRequest = (call: EvmCall): RpcRequest => {
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

const callResult = (reply: RpcReply): Effect.Effect<EvmReadResult, UpstreamError> =>
  Effect.map(decodeHex(reply.executed ? reply.result : reply.data), (data) => ({ ok: reply.executed, data }))

const result = (reply: RpcReply): Effect.Effect<unknown, UpstreamError> =>
  reply.executed
    ? Effect.succeed(reply.result)
    : Effect.fail(malformed("execution failed where nothing is executed"))

const attempt = <A>(decode: () => A): Effect.Effect<A, UpstreamError> =>
  Effect.try({ try: decode, catch: () => malformed("batch does not decode") })

const pinned = (blockNumber: bigint | undefined) => (blockNumber === undefined ? {} : { blockNumber })

/** What the reads need of the pool. */
interface Sender {
  readonly send: (
    requests: ReadonlyArray<RpcRequest>
  ) => Effect.Effect<ReadonlyArray<RpcReply>, UpstreamError>
  readonly one: (request: RpcRequest) => Effect.Effect<RpcReply, UpstreamError>
}

const senderOf = (pool: JsonRpcPool): Sender => {
  const send: Sender["send"] = (requests) => Effect.mapError(pool.send(requests), ({ error }) => error)
  const one: Sender["one"] = (request) =>
    Effect.flatMap(send([request]), ([reply]) =>
      reply === undefined ? Effect.fail(malformed("no reply")) : Effect.succeed(reply)
    )
  return { send, one }
}

/** Reads where Multicall3 does not exist, or where a hostile contract ate its gas. */
const readDeployless = (
  rpc: Sender,
  reads: ReadonlyArray<EvmRead>,
  block: bigint | undefined
): ReturnType<BaseRpc["readAll"]> =>
  Effect.gen(function* () {
    const chunks = packDeployless(reads)
    const replies = yield* rpc.send(chunks.map(({ data }) => callRequest({ data, ...pinned(block) })))
    const batches = yield* Effect.forEach(chunks, ({ count }, at) => {
      const reply = replies[at]
      if (reply === undefined || reply.executed) return Effect.fail(malformed("batch reader did not run"))
      return Effect.flatMap(decodeHex(reply.data), (data) => attempt(() => decodeDeployless(data, count)))
    })
    const [first] = batches
    if (first === undefined) return yield* Effect.fail(malformed("no batch"))
    // Chunks of one HTTP batch can straddle a new block; evidence must be of one block.
    if (batches.some(({ blockNumber }) => blockNumber !== first.blockNumber)) {
      return yield* readDeployless(rpc, reads, first.blockNumber)
    }
    return { ...first, results: batches.flatMap(({ results }) => results) }
  })

const makeReadAll = (rpc: Sender, withoutMulticall: Ref.Ref<boolean>): BaseRpc["readAll"] =>
  Effect.fn("BaseRpc.readAll")(function* (reads, readOptions) {
    const block = readOptions?.blockNumber
    if (yield* Ref.get(withoutMulticall)) return yield* readDeployless(rpc, reads, block)
    const reply = yield* rpc.one(
      callRequest({ to: multicall3, data: encodeAggregate(reads), ...pinned(block) })
    )
    const { ok, data } = yield* callResult(reply)
    // aggregate3 itself reverts only when it runs out of gas: a hostile contract ate it. The reader caps each read.
    if (!ok) return yield* readDeployless(rpc, reads, block)
    if (data !== "0x") {
      const batch = yield* attempt(() => decodeAggregate(data))
      return batch.results.length === reads.length
        ? batch
        : yield* Effect.fail(malformed("batch is incomplete"))
    }
    const batch = yield* readDeployless(rpc, reads, block)
    yield* Ref.set(withoutMulticall, true)
    return batch
  })

const makeInspect = (rpc: Sender): BaseRpc["inspect"] =>
  Effect.fn("BaseRpc.inspect")(function* (accounts) {
    const requests = accounts.map(({ address, slots = [] }): ReadonlyArray<RpcRequest> => [
      { method: "eth_getCode", params: [address, "latest"] },
      ...slots.map((slot) => ({ method: "eth_getStorageAt", params: [address, slot, "latest"] }))
    ])
    const replies = yield* rpc.send(requests.flat())
    const values = yield* Effect.forEach(replies, (reply) => Effect.flatMap(result(reply), decodeHex))
    let at = 0
    return requests.map(({ length }) => {
      const [code = "0x", ...slots] = values.slice(at, (at += length))
      return { code, slots }
    })
  })

/** The reads over given URLs. `makeBaseRpc` is the same from configuration. */
export const makeBaseRpcWith = (options: BaseRpcOptions): Effect.Effect<BaseRpc> =>
  Effect.gen(function* () {
    const pool = yield* makeJsonRpcPool({
      ...options,
      dialect: evmDialect,
      attemptTimeout: options.timeout,
      callTimeout: Duration.times(options.timeout, CALL_TIMEOUTS),
      maxResponseBytes: MAX_RESPONSE_BYTES,
      cooldown: COOLDOWN
    })
    const rpc = senderOf(pool)
    return {
      client: viemClient(pool),
      nodes: options.urls.map((url, endpoint) => ({ host: hostOf(url), client: viemClient(pool, endpoint) })),
      readAll: makeReadAll(rpc, yield* Ref.make(false)),
      inspect: makeInspect(rpc),
      callAll: Effect.fn("BaseRpc.callAll")(function* (calls) {
        return yield* Effect.flatMap(rpc.send(calls.map(callRequest)), Effect.forEach(callResult))
      }),
      call: Effect.fn("BaseRpc.call")(function* (call: EvmCall) {
        return yield* Effect.flatMap(rpc.one(callRequest(call)), callResult)
      }),
      blockNumber: rpc
        .one({ method: "eth_blockNumber", params: [] })
        .pipe(Effect.flatMap(result), Effect.flatMap(decodeQuantity), Effect.withSpan("BaseRpc.blockNumber"))
    }
  })

/** Base reads from `BASE_RPC_URL`; see `baseRpcConfig`. */
export const makeBaseRpc = Effect.flatMap(baseRpcConfig, makeBaseRpcWith)
