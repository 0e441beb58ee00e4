import { Effect, Schema } from "effect"
import type { Address, Hex, PublicClient } from "viem"
import { numberToHex } from "viem"
import { UpstreamError } from "../domain/errors.ts"
import { Account, Bytes, Count, Quantity, Word, decodedBy, lowerHex, malformed } from "./evm-wire.ts"

/** Events of given contracts in given blocks, both ends included. */
export interface LogFilter {
  readonly address: Address | ReadonlyArray<Address>
  /** By position: this topic, one of these, or null for whatever stands there. */
  readonly topics?: ReadonlyArray<Wanted>
  readonly fromBlock: bigint
  readonly toBlock: bigint | "latest"
}

/** One event as the chain keeps it, all hex in lower case. */
export interface EvmLog {
  readonly address: Address
  readonly topics: ReadonlyArray<Hex>
  readonly data: Hex
  readonly transactionHash: Hex
  readonly blockNumber: bigint
  readonly blockHash: Hex
  /** Position among all logs of its block. */
  readonly logIndex: bigint
}

/** More than any node that limits its answers gives at once. */
export const MAX_LOGS = 10_000

const Logs = Schema.Array(
  Schema.Struct({
    address: Account,
    topics: Schema.Array(Word).pipe(Schema.maxItems(4)),
    data: Bytes,
    transactionHash: Word,
    blockNumber: Count,
    blockHash: Word,
    logIndex: Count,
    // What a reorganisation took away is no event.
    removed: Schema.optional(Schema.Literal(false))
  })
).pipe(Schema.maxItems(MAX_LOGS))
type Wire = (typeof Logs.Type)[number]

const toLog = ({
  address,
  blockHash,
  blockNumber,
  data,
  logIndex,
  topics,
  transactionHash
}: Wire): EvmLog => ({
  address: lowerHex(address),
  topics: topics.map(lowerHex),
  data: lowerHex(data),
  transactionHash: lowerHex(transactionHash),
  blockNumber: BigInt(blockNumber),
  blockHash: lowerHex(blockHash),
  logIndex: BigInt(logIndex)
})

const inOrder = (a: EvmLog, b: EvmLog): number =>
  Number(a.blockNumber === b.blockNumber ? a.logIndex - b.logIndex : a.blockNumber - b.blockNumber)

const isSame = (a: EvmLog, b: EvmLog | undefined): boolean =>
  b !== undefined && a.blockNumber === b.blockNumber && a.logIndex === b.logIndex

/** Events in the chain's order. One listed twice would be counted twice. */
const ordered = (logs: ReadonlyArray<EvmLog>, method: string): ReadonlyArray<EvmLog> => {
  const sorted = logs.toSorted(inOrder)
  if (sorted.some((log, at) => isSame(log, sorted[at + 1]))) throw malformed(`${method}: an event twice`)
  return sorted
}

type Wanted = Hex | ReadonlyArray<Hex> | null
/** What is asked for in one place, in lower case; null for whatever stands there. */
const asSet = (wanted: Wanted): ReadonlySet<Hex> | null =>
  wanted === null ? null : new Set((typeof wanted === "string" ? [wanted] : wanted).map(lowerHex))

const isAsked = ({ address, fromBlock, toBlock, topics = [] }: LogFilter): ((log: EvmLog) => boolean) => {
  const contracts = asSet(address)
  const words = topics.map(asSet)
  return (log) =>
    contracts?.has(log.address) === true &&
    log.blockNumber >= fromBlock &&
    (toBlock === "latest" || log.blockNumber <= toBlock) &&
    log.topics.length >= words.length &&
    words.every((wanted, at) => wanted === null || wanted.has(log.topics[at] ?? "0x"))
}

const listed = decodedBy(Logs, "eth_getLogs")

/**
 * Events by `eth_getLogs`, at most `MAX_LOGS`, in the chain's order. Rejects with what the client throws, or with
 * `UpstreamError` where the answer is no list of whole events, or holds one that was not asked for or one twice: whoever
 * counts or follows events would count what never was. None found proves nothing: a node that keeps no old events
 * answers the same.
 */
export const askLogs = async (client: PublicClient, filter: LogFilter): Promise<ReadonlyArray<EvmLog>> => {
  const { address, fromBlock, toBlock, topics } = filter
  const answer: unknown = await client.request({
    method: "eth_getLogs",
    params: [
      {
        address: typeof address === "string" ? address : [...address],
        ...(topics === undefined
          ? {}
          : { topics: topics.map((one) => (one === null || typeof one === "string" ? one : [...one])) }),
        fromBlock: numberToHex(fromBlock),
        toBlock: toBlock === "latest" ? toBlock : numberToHex(toBlock)
      }
    ]
  })
  const logs = listed(answer).map(toLog)
  if (!logs.every(isAsked(filter))) throw malformed("eth_getLogs: an event that was not asked for")
  return ordered(logs, "eth_getLogs")
}

const asUpstream = (method: string) => (cause: unknown) =>
  cause instanceof UpstreamError
    ? cause
    : new UpstreamError({ upstream: "base-rpc", kind: "rejected", detail: `${method}: not served` })

/** The same as an effect. */
export const readLogs = (
  client: PublicClient,
  filter: LogFilter
): Effect.Effect<ReadonlyArray<EvmLog>, UpstreamError> =>
  Effect.tryPromise({ try: () => askLogs(client, filter), catch: asUpstream("eth_getLogs") })

/** A transaction that is on the chain: where, whether it passed, and its events. */
export interface EvmReceipt {
  readonly transactionHash: Hex
  readonly blockHash: Hex
  readonly blockNumber: bigint
  readonly passed: boolean
  readonly gasUsed: bigint
  /** Wei per gas that was paid. */
  readonly gasPrice: bigint
  /** Wei that publishing it on Ethereum cost; zero where the chain publishes nothing. */
  readonly dataFee: bigint
  /** In the transaction's own order. */
  readonly logs: ReadonlyArray<EvmLog>
}

const RECEIPT = "eth_getTransactionReceipt"

const Receipt = Schema.Struct({
  transactionHash: Word,
  blockHash: Word,
  blockNumber: Count,
  status: Schema.Literal("0x0", "0x1"),
  gasUsed: Quantity,
  effectiveGasPrice: Quantity,
  l1Fee: Schema.optional(Schema.NullOr(Quantity)),
  logs: Logs
})
const receiptOrNone = decodedBy(Schema.NullOr(Receipt), RECEIPT)

/**
 * A transaction's receipt; undefined where the node has none. Rejects with what the client throws, or with
 * `UpstreamError` where it is no receipt, or another transaction's, or holds an event of another one, or leaves one out.
 */
export const askReceipt = async (client: PublicClient, hash: Hex): Promise<EvmReceipt | undefined> => {
  const receipt = receiptOrNone(await client.request({ method: RECEIPT, params: [hash] }))
  if (receipt === null) return undefined
  const transactionHash = lowerHex(receipt.transactionHash)
  const [blockNumber, blockHash] = [BigInt(receipt.blockNumber), lowerHex(receipt.blockHash)]
  const logs = ordered(receipt.logs.map(toLog), RECEIPT)
  const isOwn = (log: EvmLog) =>
    log.transactionHash === transactionHash && log.blockNumber === blockNumber && log.blockHash === blockHash
  if (transactionHash !== lowerHex(hash) || !logs.every(isOwn)) {
    throw malformed(`${RECEIPT}: of another transaction`)
  }
  // One event follows another without a gap: what stands next to which tells what a payment was for.
  if (logs.some(({ logIndex }, at) => logIndex !== (logs[0]?.logIndex ?? 0n) + BigInt(at))) {
    throw malformed(`${RECEIPT}: an event left out`)
  }
  return {
    transactionHash,
    blockHash,
    blockNumber,
    passed: receipt.status === "0x1",
    gasUsed: BigInt(receipt.gasUsed),
    gasPrice: BigInt(receipt.effectiveGasPrice),
    dataFee: BigInt(receipt.l1Fee ?? 0),
    logs
  }
}

/** The same as an effect. */
export const readReceipt = (
  client: PublicClient,
  hash: Hex
): Effect.Effect<EvmReceipt | undefined, UpstreamError> =>
  Effect.tryPromise({ try: () => askReceipt(client, hash), catch: asUpstream(RECEIPT) })
