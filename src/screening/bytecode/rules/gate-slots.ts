import type { Guard } from "../guard.ts"
import type { PathSummary } from "../summary.ts"

const slotsOf = (guards: ReadonlyArray<Guard>): ReadonlySet<bigint> => {
  const slots = new Set<bigint>()
  for (const guard of guards)
    if (guard.kind === "stored" && guard.field.location.slot !== undefined)
      slots.add(guard.field.location.slot)
  return slots
}

/**
 * The plain slots that gate every dangerous path: empty as soon as one such path is open through anything else, since
 * then no read of these slots can prove the power gone. A path behind two gates is closed by either.
 */
export const gateSlots = (paths: ReadonlyArray<PathSummary>): ReadonlyArray<string> => {
  const slots = new Set<bigint>()
  for (const path of paths) {
    const own = slotsOf(path.guards)
    if (own.size === 0) return []
    for (const slot of own) slots.add(slot)
  }
  return [...slots].sort((a, b) => (a < b ? -1 : 1)).map((slot) => `0x${slot.toString(16).padStart(64, "0")}`)
}
