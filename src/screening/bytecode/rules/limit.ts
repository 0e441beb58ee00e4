import type { Expr } from "../evm/expression.ts"
import type { ContractModel } from "../contract.ts"
import { stripped } from "../guard.ts"
import { type Field, overlaps, readsOf } from "../location.ts"
import { type PathSummary, isAmount } from "../summary.ts"

/** The address comparisons on the transfer path tell who trades, they do not limit by themselves. */
const isAddressTest = (expr: Expr): boolean => {
  const [a, b] = expr.args
  if (expr.op !== "eq" || a === undefined || b === undefined) return false
  return [a, b].some((side) => {
    const word = stripped(side)
    return word.op === "sload" && side.bits <= 160 && side.bits > 8
  })
}

/** The storage fields whose value can make a transfer fail. */
export const limitingFields = (contract: ContractModel): ReadonlyArray<Field> => {
  const fields: Array<Field> = []
  for (const { expr } of contract.gates) {
    if (isAddressTest(expr)) continue
    for (const field of readsOf(expr)) if (!isAmount(contract.model, field.location.base)) fields.push(field)
  }
  return fields
}

/** A privileged path that writes one of the fields. */
export const writersOf = (
  contract: ContractModel,
  fields: ReadonlyArray<Field>
): ReadonlyArray<PathSummary> =>
  [...contract.functions.values()].flatMap((f) =>
    f.paths.filter(
      (path) =>
        path.guards.length > 0 &&
        path.others.some((change) => fields.some((field) => overlaps(field, change)))
    )
  )

export interface LimitPaths {
  readonly all: ReadonlyArray<PathSummary>
  /** Writers of tables keyed by an account of the transfer. */
  readonly blacklist: ReadonlyArray<PathSummary>
  /** Writers of plain switches. */
  readonly pause: ReadonlyArray<PathSummary>
  readonly fee: ReadonlyArray<PathSummary>
}

/** The paths by which somebody privileged can make transfers fail. */
export const limitPaths = (contract: ContractModel): LimitPaths => {
  const fields = limitingFields(contract)
  const perAccount = fields.filter(({ location }) => location.keys.length > 0)
  const switches = fields.filter(({ location, mask }) => location.keys.length === 0 && isFlag(mask))
  return {
    all: writersOf(contract, fields),
    blacklist: writersOf(contract, perAccount),
    pause: writersOf(contract, switches),
    fee: []
  }
}

const isFlag = (mask: bigint): boolean => {
  let bits = 0
  for (let left = mask; left > 0n; left >>= 1n) if ((left & 1n) === 1n) bits++
  return bits <= 8
}
