import { Array as Arr, Effect, Option } from "effect"
import type { PublicClient } from "viem"
import { UpstreamError } from "../domain/errors.ts"
import type { BaseRpc } from "./chain-rpc.ts"
import { type EvmLog, type LogFilter, readLogs } from "./evm-logs.ts"

/** Both ends are known: a range without an end has no parts. */
export interface BoundedFilter extends LogFilter {
  readonly toBlock: bigint
}

/** Blocks of one question that nodes grant: reth unless told otherwise, hosted nodes, and Base's advice for its public one. */
export const SPANS = [100_000n, 9_500n, 2_000n]
/** Questions that one range may cost. */
const MOST_PARTS = 24n
const TOGETHER = 4

interface Part {
  readonly fromBlock: bigint
  readonly toBlock: bigint
}

const lengthOf = ({ fromBlock, toBlock }: Part): bigint => toBlock - fromBlock + 1n

/** The range in parts of so many blocks, the oldest first; only that one may be shorter. */
const partsOf = ({ fromBlock, toBlock }: Part, span: bigint): ReadonlyArray<Part> => {
  const parts: Array<Part> = []
  for (let end = toBlock; end >= fromBlock; end -= span) {
    const start = end - span + 1n
    parts.unshift({ fromBlock: start > fromBlock ? start : fromBlock, toBlock: end })
  }
  return parts
}

/** The longest span whose newest part this node serves, and its events: both ends of every smaller question. */
const longestServed = (client: PublicClient, filter: BoundedFilter) => {
  const spans = SPANS.filter((span) => lengthOf(filter) > span && lengthOf(filter) <= span * MOST_PARTS)
  return Effect.forEach(
    spans,
    (span) =>
      readLogs(client, { ...filter, fromBlock: filter.toBlock - span + 1n }).pipe(
        Effect.map((logs) => ({ span, logs })),
        Effect.option
      ),
    { concurrency: spans.length }
  ).pipe(
    Effect.map((served) => served.find(Option.isSome)),
    Effect.flatMap((found) => found ?? Option.none()),
    Effect.mapError(
      () =>
        new UpstreamError({ upstream: "base-rpc", kind: "rejected", detail: "eth_getLogs: no such range" })
    )
  )
}

/** One node's events of a range that it does not serve at once. What is behind `most` is not asked for. */
const readParts = Effect.fnUntraced(function* (client: PublicClient, filter: BoundedFilter, most: number) {
  const newest = yield* longestServed(client, filter)
  let found: ReadonlyArray<EvmLog> = []
  for (const group of Arr.chunksOf(partsOf(filter, newest.span).slice(0, -1), TOGETHER)) {
    if (found.length + newest.logs.length > most) break
    const answers = yield* Effect.forEach(group, (part) => readLogs(client, { ...filter, ...part }), {
      concurrency: TOGETHER
    })
    found = [...found, ...answers.flat()]
  }
  return [...found, ...newest.logs]
})

/**
 * Events of a range, in the chain's order, also from a node that lists only so many blocks or events at once: it is asked
 * for the range in parts then, all of them by itself, as another one may know of fewer blocks. Whoever gets more than `most`
 * has not got all. Fails where no node serves the range in 24 parts.
 */
export const readLogRange = (
  { client, nodes }: Pick<BaseRpc, "client" | "nodes">,
  filter: BoundedFilter,
  most: number
): Effect.Effect<ReadonlyArray<EvmLog>, UpstreamError> =>
  Effect.catchAll(readLogs(client, filter), (refused) =>
    lengthOf(filter) <= (SPANS.at(-1) ?? 0n) || nodes.length === 0
      ? Effect.fail(refused)
      : Effect.firstSuccessOf(nodes.map((node) => readParts(node.client, filter, most)))
  )
