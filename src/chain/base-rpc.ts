import { Config, Duration, Effect, Redacted, Ref, Schema } from "effect"
import type { Chain, Hex } from "viem"
import { createPublicClient, fallback, http, numberToHex } from "viem"
import { base } from "viem/chains"
import { UpstreamError } from "../domain/errors.ts"
import type { AccountOverride, BaseRpc, EvmCall, EvmRead, EvmReadResult } from "./chain-rpc.ts"
import {
  decodeAggregate,
  decodeDeployless,
  encodeAggregate,
  multicall3,
  packDeployless
} from "./evm-batch.ts"
import type { JsonRpcOptions, RpcReply, RpcRequest } from "./evm-json-rpc.ts"
import { makeJsonRpc } from "./evm-json-rpc.ts"

export { baseRoundTrips } from "./evm-json-rpc.ts"

const HttpUrls = Schema.Config(
  "BASE_RPC_URL",
  Schema.Redacted(
    Schema.String.pipe(
      Schema.filter((text) =>
        splitUrls(text).length > 0 && splitUrls(text).every(isHttpUrl)
          ? undefined
          : "must be http(s) URLs, comma-separated"
      )
    )
  )
)

const splitUrls = (text: string): ReadonlyArray<string> =>
  text
    .split(",")
    .map((url) => url.trim())
    .filter((url) => url !== "")

const isHttpUrl = (text: string): boolean => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)

/**
 * `BASE_RPC_URL`: comma-separated, first preferred, redacted because providers put keys in URLs.
 * `BASE_RPC_TIMEOUT`: for one HTTP exchange. `BASE_RPC_CONCURRENCY`: HTTP exchanges at once.
 */
export const baseRpcConfig = Config.all({
  urls: HttpUrls.pipe(
    Config.withDefault(Redacted.make("https://mainnet.base.org")),
    Config.map((urls) => splitUrls(Redacted.value(urls)).map((url) => Redacted.make(url)))
  ),
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

/** The reads over given URLs. `makeBaseRpc` is the same from configuration. */
export const makeBaseRpcWith = (options: JsonRpcOptions): Effect.Effect<BaseRpc> =>
  Effect.gen(function* () {
    const rpc = yield* makeJsonRpc(options)
    const withoutMulticall = yield* Ref.make(false)
    const one = (request: RpcRequest) =>
      rpc
        .send([request])
        .pipe(
          Effect.flatMap(([reply]) =>
            reply === undefined ? Effect.fail(malformed("no reply")) : Effect.succeed(reply)
          )
        )

    const readDeployless = (
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
          return yield* readDeployless(reads, first.blockNumber)
        }
        return { ...first, results: batches.flatMap(({ results }) => results) }
      })

    const readAll: BaseRpc["readAll"] = Effect.fn("BaseRpc.readAll")(function* (reads, readOptions) {
      const block = readOptions?.blockNumber
      if (yield* Ref.get(withoutMulticall)) return yield* readDeployless(reads, block)
      const reply = yield* one(
        callRequest({ to: multicall3, data: encodeAggregate(reads), ...pinned(block) })
      )
      const { ok, data } = yield* callResult(reply)
      if (!ok) {
        // aggregate3 itself reverts only when it runs out of gas: a hostile contract ate it. The reader caps each read.
        return yield* readDeployless(reads, block)
      }
      if (data !== "0x") {
        const batch = yield* attempt(() => decodeAggregate(data))
        return batch.results.length === reads.length
          ? batch
          : yield* Effect.fail(malformed("batch is incomplete"))
      }
      const batch = yield* readDeployless(reads, block)
      yield* Ref.set(withoutMulticall, true)
      return batch
    })

    const inspect: BaseRpc["inspect"] = Effect.fn("BaseRpc.inspect")(function* (accounts) {
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

    const callAll: BaseRpc["callAll"] = Effect.fn("BaseRpc.callAll")(function* (calls) {
      return yield* Effect.flatMap(rpc.send(calls.map(callRequest)), Effect.forEach(callResult))
    })

    return {
      client: makeClient(options),
      readAll,
      inspect,
      callAll,
      call: Effect.fn("BaseRpc.call")(function* (call: EvmCall) {
        return yield* Effect.flatMap(one(callRequest(call)), callResult)
      }),
      blockNumber: one({ method: "eth_blockNumber", params: [] }).pipe(
        Effect.flatMap(result),
        Effect.flatMap(decodeQuantity),
        Effect.withSpan("BaseRpc.blockNumber")
      )
    }
  })

const pinned = (blockNumber: bigint | undefined) => (blockNumber === undefined ? {} : { blockNumber })

// Without the OP formatters the client is a plain PublicClient, which is what the x402 schemes take.
const chain: Chain = base

const makeClient = ({ urls, timeout }: JsonRpcOptions): BaseRpc["client"] =>
  createPublicClient({
    chain,
    transport: fallback(
      urls.map((url) => http(Redacted.value(url), { timeout: Duration.toMillis(timeout), retryCount: 1 }))
    )
  })

/** Base reads from `BASE_RPC_URL`; see `baseRpcConfig`. */
export const makeBaseRpc = Effect.flatMap(baseRpcConfig, makeBaseRpcWith)
