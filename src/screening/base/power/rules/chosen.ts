import type { ContractModel } from "../../../../bytecode/contract.ts"
import { listed } from "../../../../bytecode/evm/path.ts"
import { stripped } from "../../../../bytecode/guard.ts"
import { SELECTOR } from "../../../../bytecode/selector.ts"
import { type Change, type Field, overlaps, readsOf } from "../../../../bytecode/location.ts"
import type { PathSummary } from "../../../../bytecode/summary.ts"

/** Fields that somebody privileged sets to a value of their choice. */
export const chosenFields = (contract: ContractModel): ReadonlyArray<Field> =>
  [...contract.functions.values()].flatMap(({ paths }) =>
    paths
      .filter((path) => path.guards.length > 0)
      .flatMap((path) => path.others.filter(({ parts }) => parts.some((part) => part.op !== "const")))
  )

/** Functions in which everybody moves and lends what is their own. */
export const ORDINARY: ReadonlySet<string> = new Set([
  SELECTOR.transfer,
  SELECTOR.transferFrom,
  SELECTOR.approve
])

/** Fields that somebody privileged writes at all, outside the ordinary functions. */
export const privilegedFields = (contract: ContractModel): ReadonlyArray<Field> =>
  [...contract.functions.values()].flatMap(({ selector, paths }) =>
    ORDINARY.has(selector) ? [] : paths.flatMap(({ guards, others }) => (guards.length > 0 ? others : []))
  )

/** The privileged paths that set one of the fields to a value of their choice. */
export const settersOf = (
  contract: ContractModel,
  fields: ReadonlyArray<Field>
): ReadonlyArray<PathSummary> =>
  [...contract.functions.values()].flatMap(({ paths }) =>
    paths.filter(
      (path) =>
        path.guards.length > 0 &&
        path.others.some(
          (change) =>
            change.parts.some((part) => part.op !== "const") &&
            fields.some((field) => overlaps(field, change))
        )
    )
  )

/** The path asks that an account's entry is set, which somebody privileged alone sets, and changes an entry of that account. */
const isOrdered = (path: PathSummary, change: Change, ordered: ReadonlyArray<Field>): boolean =>
  [...listed(path.outcome.conditions)].some(({ expr, holds }) => {
    const [entry] = holds && stripped(expr).op === "sload" ? readsOf(expr) : []
    return (
      entry !== undefined &&
      entry.location.keys.some((key) => change.location.keys.includes(key)) &&
      ordered.some((field) => overlaps(field, entry))
    )
  })

/** Fields of tables that nobody but somebody privileged fills. */
const orderedFields = (contract: ContractModel): ReadonlyArray<Field> => {
  const open = [...contract.functions.values()].flatMap(({ paths }) =>
    paths.flatMap(({ guards, others }) =>
      guards.length > 0 ? [] : others.filter(({ parts }) => parts.length > 0)
    )
  )
  return privilegedFields(contract).filter(
    (field) => field.location.keys.length > 0 && !open.some((one) => overlaps(one, field))
  )
}

/** Privileged paths outside the ordinary functions that make such a change, or that carry out what somebody privileged ordered. */
export const privilegedPaths = (
  contract: ContractModel,
  makes: (path: PathSummary, change: Change) => boolean
): ReadonlyArray<PathSummary> => {
  const ordered = orderedFields(contract)
  return [...contract.functions.values()]
    .filter(({ selector }) => !ORDINARY.has(selector))
    .flatMap(({ paths }) =>
      paths.filter((path) =>
        path.others.some(
          (change) => (path.guards.length > 0 || isOrdered(path, change, ordered)) && makes(path, change)
        )
      )
    )
}
