import type { ContractModel } from "../../../../bytecode/contract.ts"
import type { Guard } from "../../../../bytecode/guard.ts"
import type { Change } from "../../../../bytecode/location.ts"
import type { PathSummary } from "../../../../bytecode/summary.ts"

const slotsOf = (guards: ReadonlyArray<Guard>): ReadonlySet<bigint> => {
  const slots = new Set<bigint>()
  for (const guard of guards)
    if (guard.kind === "stored" && guard.field.location.slot !== undefined)
      slots.add(guard.field.location.slot)
  return slots
}

/** Giving a gate up (writing zero) opens nothing. */
const fills = (change: Change, slot: bigint): boolean =>
  change.location.slot === slot && change.parts.length > 0

/** Paths on which a gate can be given a new holder although its present one is nobody. */
const refillsOf = (contract: ContractModel, slot: bigint): ReadonlyArray<PathSummary> =>
  [...contract.functions.values()].flatMap(({ paths }) =>
    paths.filter(
      (path) => path.others.some((change) => fills(change, slot)) && !slotsOf(path.guards).has(slot)
    )
  )

/**
 * The plain slots that gate every dangerous path, together with the gates of whatever can refill them (a previous
 * owner who may unlock, a pending owner who may accept): when all of them hold nobody, the powers are gone. Empty as
 * soon as one such path is open through anything else, since then no read of slots can prove that.
 */
export const gateSlots = (
  contract: ContractModel,
  dangerous: ReadonlyArray<PathSummary>
): ReadonlyArray<string> => {
  const slots = new Set<bigint>()
  const open = [...dangerous]
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    const own = slotsOf(path.guards)
    if (own.size === 0) return []
    for (const slot of own) {
      if (slots.has(slot)) continue
      slots.add(slot)
      open.push(...refillsOf(contract, slot))
    }
  }
  return [...slots]
    .toSorted((a, b) => (a < b ? -1 : 1))
    .map((slot) => `0x${slot.toString(16).padStart(64, "0")}`)
}
