import { Effect } from "effect"
import { fingerprintDigest } from "../fingerprint.ts"
import { type Evidence, evidenceKey, unseenIndex } from "../outcome.ts"
import type { Moves } from "./moves.ts"

/**
 * Makes room for a transfer where another one was recorded that is not there any more: a batch came back from a
 * reorganisation in another block, without one of its transfers, and those behind it moved up. A position of a
 * transaction belongs to one authorization in one block, so a payment that was recorded there by another block is a
 * transfer without a place: it is looked for like every other that a reorganisation took away. What holds for good, or
 * was recorded for something without an authorization of its own, keeps its place.
 */
export const makeDisplace = ({ sql }: Moves) =>
  Effect.fnUntraced(function* (evidence: Evidence, by: string) {
    const { blockHash, network, transaction } = evidence
    const place = evidenceKey(evidence)
    if (blockHash === undefined) return false
    const [gone] = yield* sql<{ claimed_by: string }>`SELECT claimed_by FROM payment_evidence
      WHERE evidence_key = ${place} AND claimed_by <> ${by} AND standing <> 'final' AND block_hash <> ${blockHash}
        AND EXISTS (SELECT 1 FROM payments WHERE authorization_key = claimed_by)
        AND EXISTS (SELECT 1 FROM payments WHERE authorization_key = ${by})`
    if (gone === undefined) return false
    const index = unseenIndex(fingerprintDigest(gone.claimed_by))
    yield* sql`UPDATE payment_evidence
      SET evidence_key = ${evidenceKey({ network, transaction, index })}, position = ${index}, block_hash = NULL
      WHERE evidence_key = ${place} AND claimed_by = ${gone.claimed_by}`
    return true
  })
