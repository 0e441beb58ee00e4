import { expect, it } from "@effect/vitest"
import { compiled } from "../support/bytecode/artifacts.ts"

it.each([
  ["Tokens.sol", "artifacts.json"],
  ["Classes.sol", "classes.json"],
  ["Early.sol", "early.json"],
  ["Bounded.sol", "bounded.json"],
  ["Settled.sol", "settled.json"]
])("the artifacts of %s belong to the source", (source, artifacts) => {
  expect(compiled(source, artifacts).isCurrent).toBe(true)
})
