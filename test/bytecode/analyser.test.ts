import { readFileSync } from "node:fs"
import { expect, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { type Hex, isHex } from "viem"
import { analyseCode } from "../../src/screening/base/power/analyse.ts"
import { DEFAULT_ANALYSER, makeCodeAnalyser } from "../../src/screening/base/power/analyser.ts"

const HexText = Schema.String.pipe(Schema.filter((text): text is Hex => isHex(text)))
const Artifacts = Schema.parseJson(
  Schema.Struct({ ways: Schema.Struct({ plain: Schema.Record({ key: Schema.String, value: HexText }) }) })
)
const { plain } = Schema.decodeUnknownSync(Artifacts)(
  readFileSync(new URL("../support/bytecode/artifacts.json", import.meta.url), "utf8")
).ways
const codes = Object.values(plain)

it.live("gives the same findings as the analysis without pause", () =>
  Effect.gen(function* () {
    const analyser = yield* makeCodeAnalyser()
    for (const code of codes) expect(yield* analyser.findings(code)).toEqual(analyseCode(code))
  })
)

it.live("answers equal code with the findings it has", () =>
  Effect.gen(function* () {
    const analyser = yield* makeCodeAnalyser()
    const code = plain["Reflection"] ?? "0x"
    const [first, second] = yield* Effect.all([analyser.findings(code), analyser.findings(code)], {
      concurrency: "unbounded"
    })
    expect(second).toBe(first)
    expect(yield* analyser.findings(code)).toBe(first)
  })
)

it.live("gives the event loop back between two turns", () =>
  Effect.gen(function* () {
    const analyser = yield* makeCodeAnalyser({ ...DEFAULT_ANALYSER, turnMilliseconds: 0 })
    let served = 0
    const serve = (): NodeJS.Immediate =>
      setImmediate(() => {
        served++
        last = serve()
      })
    let last = serve()
    yield* analyser.findings(plain["Reflection"] ?? "0x")
    clearImmediate(last)
    expect(served).toBeGreaterThan(3)
  })
)
