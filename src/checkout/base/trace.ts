import { Effect } from "effect"
import type { Evidence } from "../../payment/outcome.ts"
import type { Trace } from "../watch/standing.ts"
import { MOST_MOVED } from "../watch/standing.ts"
import type { Inflow, Inflows, Span } from "./usdc-inflow.ts"
import { SPAN } from "./usdc-inflow.ts"
import type { UpstreamError } from "../../domain/errors.ts"

const spansOf = (owner: string, first: number, last: number): ReadonlyArray<Span> =>
  Array.from({ length: Math.ceil((last - first) / SPAN) }, (_, at) => ({
    owner,
    from: first + at * SPAN,
    to: Math.min(last, first + (at + 1) * SPAN)
  }))

/** Refunds, and what an older version wrote down, are named by the transfer's own log, which is nobody's authorization. */
const isAt = (inflow: Inflow, { index, transaction }: Evidence): boolean =>
  inflow.transaction === transaction && (inflow.index === index || inflow.position === index)

const movedTo = (evidence: Evidence, { blockHash, height }: Inflow): Evidence => ({
  ...evidence,
  blockHash,
  height
})

/**
 * Where a plain transfer is now, by lists that make up the account's balance. That it is in none of them is known only
 * where one node gave all lists: a transfer that moved between the reads of two nodes is in neither list.
 */
export const makeTrace =
  (readInflows: (span: Span) => Effect.Effect<Inflows, UpstreamError>): Trace =>
  (evidence, { final, head }) =>
    Effect.gen(function* () {
      const { height, payTo } = evidence
      const nodes = new Set<string>()
      for (const span of spansOf(payTo, Math.max(0, height - MOST_MOVED), head)) {
        const { host, inflows } = yield* readInflows(span)
        const found = inflows.find((one) => isAt(one, evidence))
        if (found !== undefined) return movedTo(evidence, found)
        nodes.add(host)
      }
      const [node, other] = nodes
      return node === undefined || other !== undefined ? undefined : { absent: { node, height: final } }
    })
