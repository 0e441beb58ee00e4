import { Clock, Effect } from "effect"
import type { Network } from "../../domain/chain.ts"
import type { UpstreamError } from "../../domain/errors.ts"
import type { RecentEvidence } from "../../payment/ledger/ledger.ts"
import { Ledger } from "../../payment/ledger/ledger.ts"
import type { Evidence, VoidProof } from "../../payment/outcome.ts"
import { countEvent } from "../../payment/settler/metrics.ts"
import { CheckoutRepo } from "../checkout-repo.ts"
import { RefundRepo } from "../refunds/refund-repo.ts"
import { lossesAt } from "../paid-record.ts"
import { rowOf, Sightings } from "./sightings.ts"
import { UnassignedTransfers } from "./unassigned-transfers.ts"

/** Transfers that were written down before their blocks were final, and what becomes of them. */
export interface Kept {
  readonly recent: (network: Network) => Effect.Effect<ReadonlyArray<RecentEvidence>, UpstreamError>
  /** They stay in the chain for good. */
  readonly final: (transfers: ReadonlyArray<RecentEvidence>) => Effect.Effect<void, UpstreamError>
  readonly moved: (transfer: RecentEvidence, to: Evidence) => Effect.Effect<void, UpstreamError>
  /** False: another process has recorded it already. */
  readonly lost: (transfer: RecentEvidence, proof: VoidProof) => Effect.Effect<boolean, UpstreamError>
}

/** Transfers that paid for orders: the ledger keeps them. */
export const makeKeptPayments = Effect.map(Ledger, (ledger): Kept => ({
  recent: ledger.recentClaims,
  final: (transfers) => ledger.final(transfers.map(({ evidence }) => evidence)),
  moved: ({ authorizationKey, evidence }, to) => Effect.asVoid(ledger.moved(authorizationKey, evidence, to)),
  lost: ({ authorizationKey, evidence }, proof) =>
    Effect.tap(ledger.lost(authorizationKey, evidence, proof), (isLost) =>
      isLost ? countEvent("lost") : Effect.void
    )
}))

/** Refunds, which stand in the journal, and transfers without an order. */
export const makeKeptSightings = Effect.gen(function* () {
  const sightings = yield* Sightings
  const repo = yield* CheckoutRepo
  const refunds = yield* RefundRepo
  const unassigned = yield* UnassignedTransfers

  /** The evidence is removed last, so that a process that is cut off in between does all of this again. */
  const lost = Effect.fnUntraced(function* ({ authorizationKey: claimant }: RecentEvidence) {
    const { evidence, kind } = rowOf(claimant)
    const now = yield* Clock.currentTimeMillis
    if (kind === "stray") yield* unassigned.forget(evidence)
    else {
      yield* refunds.reopen(evidence, now)
      yield* repo.lose([claimant], now, lossesAt(now))
    }
    yield* sightings.forget([claimant])
    return true
  })

  return {
    recent: sightings.recent,
    final: (transfers) => sightings.forget(transfers.map(({ authorizationKey }) => authorizationKey)),
    moved: ({ authorizationKey }, to) => sightings.note(authorizationKey, to),
    lost
  } satisfies Kept
})
