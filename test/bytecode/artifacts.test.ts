import { expect, it } from "@effect/vitest"
import { readFileSync, readdirSync } from "node:fs"
import { join } from "node:path"
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

/** `npm run test:code` finds by this word the claims that are made of code compiled in several ways. */
it("whatever is claimed of each way of compiling says so", () => {
  const files = readdirSync(import.meta.dirname).map((name) =>
    readFileSync(join(import.meta.dirname, name), "utf8")
  )
  const uses = files.flatMap((text) => text.match(/(?:each\(|\bof )(?:\w+\.)?ways\b[^"]*"[^"]*"/g) ?? [])
  expect(uses.length).toBeGreaterThan(20)
  for (const use of uses) expect(use).toMatch(/each\((?:\w+\.)?ways\)\(\s*"[^"]*\bcompiled %s/)
})
