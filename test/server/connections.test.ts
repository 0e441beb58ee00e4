import { describe, expect, it } from "@effect/vitest"
import { ConfigProvider, Effect } from "effect"
import { Socket } from "node:net"
import { connectionLimitsConfig, DEFAULT_LIMITS, makeConnections } from "../../src/server/connections.ts"

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

describe("a peer that opens connections faster than it may", () => {
  const opened = (limits: { readonly total: number; readonly perPeer: number | undefined }) => {
    let millis = 0
    const { add } = makeConnections(limits, () => millis)
    /** How many of so many that are opened, and closed again at once, are taken. */
    const taken = (count: number): number => {
      const sockets = Array.from({ length: count }, () => new Socket())
      return sockets.filter((socket) => {
        add(socket)
        const isTaken = !socket.destroyed
        socket.destroy()
        socket.emit("close")
        return isTaken
      }).length
    }
    return { taken, pass: (seconds: number) => (millis += seconds * 1_000) }
  }

  it("has those beyond refused, however few are open, and gets a quarter back each second", () => {
    const { pass, taken } = opened({ total: 128, perPeer: 8 })
    expect(taken(20)).toBe(8)
    pass(1)
    expect(taken(20)).toBe(2)
    pass(60)
    expect(taken(20)).toBe(8)
  })

  it("is not refused where peers are proxies", () => {
    expect(opened({ total: 128, perPeer: undefined }).taken(1_000)).toBe(1_000)
  })
})
