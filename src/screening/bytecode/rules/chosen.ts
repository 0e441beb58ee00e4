import type { ContractModel } from "../contract.ts"
import type { Field } from "../location.ts"

/** Fields that somebody privileged sets to a value of their choice. */
export const chosenFields = (contract: ContractModel): ReadonlyArray<Field> =>
  [...contract.functions.values()].flatMap(({ paths }) =>
    paths
      .filter((path) => path.guards.length > 0)
      .flatMap((path) => path.others.filter(({ parts }) => parts.some((part) => part.op !== "const")))
  )
