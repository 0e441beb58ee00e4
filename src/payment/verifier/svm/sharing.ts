import { Effect, Either } from "effect"
import { gathering } from "../../../domain/gathering.ts"
import { incomplete, type SolanaNode } from "./node.ts"

/** Signatures of one question. Source: agave. */
const MOST = 256

/**
 * A node whose statuses are asked for together: a sale asks twice at least, and all that is asked in one turn of the event
 * loop shares one call.
 */
export const sharingStatuses = <N extends Pick<SolanaNode, "statuses">>(
  node: N
): N & Pick<SolanaNode, "status"> => ({
  ...node,
  status: gathering({
    pause: Effect.yieldNow(),
    most: MOST,
    answer: (signatures: ReadonlyArray<string>) => {
      const distinct = [...new Set(signatures)]
      return Effect.map(node.statuses(distinct), (statuses) => {
        const known = new Map(distinct.map((signature, at) => [signature, statuses[at]]))
        return signatures.map((signature) => Either.fromNullable(known.get(signature), incomplete))
      })
    }
  })
})
