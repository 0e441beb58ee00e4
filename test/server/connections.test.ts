import { describe, expect, it } from "@effect/vitest"
import { ConfigProvider, Effect } from "effect"
import { connectionLimitsConfig, DEFAULT_LIMITS } from "../../src/server/connections.ts"

const limitsWith = (environment: Readonly<Record<string, string>>) =>
  Effect.withConfigProvider(
    connectionLimitsConfig,
    ConfigProvider.fromMap(new Map(Object.entries(environment)))
  )

describe("the limit of connections per peer", () => {
  it.effect("holds by default", () =>
    Effect.gen(function* () {
      expect(yield* limitsWith({})).toEqual(DEFAULT_LIMITS)
      expect(DEFAULT_LIMITS.perPeer).toBeLessThan(DEFAULT_LIMITS.total)
    })
  )

  it.effect.each([{ ADDRESS_LIMITS: "off" }, { TRUST_PROXY: "true" }, { TRUST_PROXY: "10.0.0.0/8" }])(
    "is lifted with %o, and the one over all peers stays",
    (environment) =>
      Effect.gen(function* () {
        expect(yield* limitsWith(environment)).toEqual({ total: DEFAULT_LIMITS.total, perPeer: undefined })
      })
  )
})
