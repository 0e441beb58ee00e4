import { Effect } from "effect"
import type { Evidence } from "../../payment/outcome.ts"
import { Sightings, strayClaimant } from "./sightings.ts"
import type { Unassigned } from "./unassigned-transfers.ts"
import { UnassignedTransfers } from "./unassigned-transfers.ts"

/** Writes a transfer without an order down, where it is wanted, and has it looked after until its block is final. */
export const makeNoteStray = Effect.gen(function* () {
  const unassigned = yield* UnassignedTransfers
  const sightings = yield* Sightings
  return Effect.fnUntraced(function* (transfer: Unassigned, place: Evidence) {
    if (!(yield* unassigned.isWanted(transfer))) return
    // Noted before the row itself, so that every row is looked after from its first moment.
    yield* sightings.note(strayClaimant(transfer.evidence), place)
    yield* unassigned.note(transfer)
  })
})
