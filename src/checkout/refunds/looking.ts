import { Clock, Effect } from "effect"
import type { CheckoutTerms } from "../../domain/checkout.ts"
import { CheckoutConflict } from "../errors.ts"
import type { Transfer } from "../journal.ts"
import { makeRecordRefund } from "../paid-record.ts"
import type { Refund } from "./refund.ts"
import type { RefundCandidate, RefundChain, RefundLook } from "./refund-chain.ts"
import { RefundRepo } from "./refund-repo.ts"

/** A refund is looked for soon after it was prepared, and ever less often when nobody signs it. Milliseconds. */
const SOONEST = 15_000
const LATEST = 6 * 3_600_000
/** Looks at once for a refund that ended. Where they do not reach the chain's head, the next request goes on. */
const LATE_LOOKS = 10

export type Chains = Readonly<Record<CheckoutTerms["network"], RefundChain>>

/** When a refund is looked for again. */
export const nextLook = ({ preparedAt }: Refund, now: number): number =>
  now + Math.round(Math.min(LATEST, Math.max(SOONEST, (now - preparedAt) / 4)))

/** How refunds are brought up to what the chain knows. */
export const makeLooks = Effect.fnUntraced(function* (chains: Chains) {
  const refunds = yield* RefundRepo
  const recordRefund = yield* makeRecordRefund

  /** Whether a transfer is no other refund's: a merchant may put several into one transaction, which moves their sum. */
  const hasRoom = (refund: Refund, { amount, evidence }: Transfer) =>
    Effect.map(
      refunds.ofOthers(refund, evidence),
      (others) => others === 0n || amount - others >= refund.amount
    )

  /** Writes a candidate down; gives what stands in this order's journal of it. */
  const recordOwn = Effect.fnUntraced(function* ({ apart, ...whole }: RefundCandidate) {
    if (yield* recordRefund(whole)) return whole.transfer
    return apart !== undefined && (yield* recordRefund(apart)) ? apart.transfer : undefined
  })

  /** The first of them that stands in this order's journal, and that is no other refund's. */
  const firstOwn = Effect.fnUntraced(function* (refund: Refund, candidates: RefundLook["candidates"]) {
    for (const candidate of candidates) {
      const transfer = yield* recordOwn(candidate)
      if (transfer !== undefined && (yield* hasRoom(refund, transfer))) return transfer.evidence
    }
    return undefined
  })

  /** Brings one open refund up to what the chain knows. */
  const look = Effect.fnUntraced(function* (refund: Refund, terms: CheckoutTerms) {
    const { candidates, lookedTo, state } = yield* chains[terms.network].look(refund, terms)
    const evidence = yield* firstOwn(refund, candidates)
    const now = yield* Clock.currentTimeMillis
    const found =
      evidence === undefined ? { lookedTo, state } : ({ lookedTo, state: "seen", evidence } as const)
    yield* refunds.looked(refund, found, nextLook(refund, now))
  })

  /**
   * The same for one whose own transaction never lands, before another takes its place: a wallet that follows the link sends
   * the call with a nonce of its own, whenever it likes.
   */
  const lookLate = Effect.fnUntraced(function* (refund: Refund, terms: CheckoutTerms) {
    let sought = refund
    for (let looks = 0; looks < LATE_LOOKS; looks++) {
      const { candidates, isToHead, lookedTo } = yield* chains[terms.network].lookLate(sought, terms)
      const evidence = yield* firstOwn(refund, candidates)
      if (evidence !== undefined) return yield* refunds.lookedLate(refund, { lookedTo, evidence })
      yield* refunds.lookedLate(refund, { lookedTo })
      if (isToHead) return
      sought = { ...refund, lookedTo }
    }
    return yield* new CheckoutConflict({
      message: "an earlier refund of this checkout is still looked for; ask again"
    })
  })

  return { look, lookLate }
})
