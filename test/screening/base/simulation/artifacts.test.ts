import { expect, it } from "@effect/vitest"
import { staleArtifacts } from "../../../../scripts/probe/compile.ts"

// The compiler is itself a compiled WebAssembly program and takes its time beside other tests.
const timeout = 120_000

it(
  "the committed code of probe, spender and batch reader is what their sources compile to",
  async () => {
    expect(await staleArtifacts()).toEqual([])
  },
  timeout
)
