import { expect, it } from "@effect/vitest"
import { readdirSync } from "node:fs"
import { keyOf } from "../../../support/solidity/compile.ts"
import { fileOf, KEPT } from "../../../support/solidity/kept.ts"
import { keptSets } from "../../../support/solidity/sets.ts"

// `npm run check` proves that it is what they compile to.
it("what tests deploy is kept compiled from the sources as they stand, and nothing else is kept", () => {
  const names = keptSets().map(({ paths, settings }) => fileOf(keyOf(paths, settings)))
  expect(readdirSync(KEPT).toSorted()).toEqual(names.toSorted())
})
