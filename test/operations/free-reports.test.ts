import { describe, expect, it } from "@effect/vitest"
import { Effect, Layer, Option } from "effect"
import { FailureBudget, FailureBudgetLive } from "../../src/free-tier/failure-budget.ts"
import type { FreeCaller } from "../../src/free-tier/free-tier-store.ts"
import { FreeTierStore } from "../../src/free-tier/free-tier-store.ts"
import { makeFreeReports } from "../../src/operations/free-reports.ts"
import type { KnownReport } from "../../src/operations/operations.ts"
import { mockFreeTierStore } from "../support/mocks.ts"
import { TOKEN } from "../support/screening/screenings.ts"

const report: KnownReport = {
  operation: "check_token_risk_deep",
  chain: "base",
  cacheHit: true,
  verdict: "allow",
  text: "{}"
}
const ip = "192.0.2.1"

/** Free reports where only `agent-…` has free calls, and what became of them. */
const makeCounter = Effect.gen(function* () {
  const released: Array<string> = []
  const store = mockFreeTierStore({
    reserveAll: (callers: ReadonlyArray<FreeCaller>) =>
      Effect.succeed(
        callers.map(({ clientId }) =>
          clientId.startsWith("agent") ? Option.some(`of ${clientId}`) : Option.none()
        )
      ),
    release: (id) => Effect.sync(() => void released.push(id))
  })
  const services = yield* Layer.build(Layer.merge(store, FailureBudgetLive))
  const parts = yield* Effect.provide(
    Effect.all({ freeTier: FreeTierStore, failures: FailureBudget }),
    services
  )
  const reports = makeFreeReports({
    ...parts,
    work: { run: () => Effect.dieMessage("worked"), knownFree: () => report }
  })
  const ended: Array<string> = []
  const call = (clientId: string, isThere = true) => ({
    caller: { clientId, ip },
    report,
    deliver: () => {
      ended.push(`${isThere ? "delivered to" : "missed"} ${clientId}`)
      return isThere
    },
    refuse: () => void ended.push(`refused ${clientId}`)
  })
  return { ...parts, reports, released, ended, call }
})

describe("free calls whose report is known", () => {
  it.scoped("are delivered to those who have one left, and counted for those who were there", () =>
    Effect.gen(function* () {
      const { call, ended, released, reports } = yield* makeCounter
      yield* reports.give([call("agent-1"), call("stranger"), call("agent-2", false)])
      expect(ended).toEqual(["delivered to agent-1", "refused stranger", "missed agent-2"])
      expect(released).toEqual(["of agent-2"])
    })
  )

  it.scoped("are none for an address that has hung up too often", () =>
    Effect.gen(function* () {
      const { call, reports } = yield* makeCounter
      expect(reports.find("check_token_risk_deep", TOKEN, ip, 0)).toBe(report)
      expect(reports.find("check_token_safety_ping", TOKEN, ip, 0)).toBeUndefined()
      yield* reports.give(Array.from({ length: 30 }, () => call("agent", false)))
      expect(reports.find("check_token_risk_deep", TOKEN, ip, 0)).toBeUndefined()
      expect(reports.find("check_token_risk_deep", TOKEN, "192.0.2.2", 0)).toBe(report)
    })
  )
})
