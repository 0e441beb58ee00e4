import type { ContractModel } from "../../../../bytecode/contract.ts"
import { SELECTOR } from "../../../../bytecode/selector.ts"
import { type Change, type Field, overlaps } from "../../../../bytecode/location.ts"
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

/** Privileged paths outside the ordinary functions that make such a change. */
export const privilegedPaths = (
  contract: ContractModel,
  makes: (path: PathSummary, change: Change) => boolean
): ReadonlyArray<PathSummary> =>
  [...contract.functions.values()]
    .filter(({ selector }) => !ORDINARY.has(selector))
    .flatMap(({ paths }) =>
      paths.filter((path) => path.guards.length > 0 && path.others.some((change) => makes(path, change)))
    )
