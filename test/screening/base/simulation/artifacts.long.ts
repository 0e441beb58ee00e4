import { expect, it } from "@effect/vitest"
import { staleArtifacts } from "../../../../scripts/probe/compile.ts"

it("the committed code of probe, spender and batch reader is what their sources compile to", async () => {
  expect(await staleArtifacts()).toEqual([])
})
