import { describe, expect, it } from "@effect/vitest"
import { Config, ConfigProvider, Effect } from "effect"
import { describeConfigError } from "../../src/server/config-errors.ts"

describe("configuration errors", () => {
  it.effect("name every missing and every wrong variable at once", () =>
    Effect.gen(function* () {
      const config = Config.all({
        again: Config.port("WRONG_PORT"),
        a: Config.nonEmptyString("MISSING_ONE"),
        b: Config.port("WRONG_PORT"),
        c: Config.nonEmptyString("MISSING_TWO")
      })
      const provider = ConfigProvider.fromMap(new Map([["WRONG_PORT", "eighty"]]))
      const error = yield* Effect.flip(Effect.withConfigProvider(config, provider))
      const lines = describeConfigError(error)
      expect(lines).toHaveLength(3)
      for (const name of ["MISSING_ONE", "WRONG_PORT", "MISSING_TWO"]) {
        expect(lines.some((line) => line.startsWith(`${name}: `))).toBe(true)
      }
    })
  )
})
