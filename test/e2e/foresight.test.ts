import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { serviceEnvironment } from "../../scripts/sandbox/sandbox.ts"
import { startService } from "../../scripts/sandbox/service.ts"
import { screen } from "../support/calls.ts"
import { useStage } from "../support/stage.ts"

const stage = useStage()

/** A generator of which everybody knows what it gives: the one that the library begins its own with. */
const FORESEEN = ["--import", "data:text/javascript,Math.random = () => 0.5"]

/** The seed of everything that wallets did in a trial, which a report names. */
const seedOfTrial = Effect.gen(function* () {
  const { sandbox } = stage()
  const { url } = yield* startService(serviceEnvironment(sandbox, { ADDRESS_LIMITS: "off" }), {
    nodeArguments: FORESEEN
  })
  const { address } = sandbox.base.tokens.clean
  const { status, text } = yield* Effect.promise(() =>
    screen(url, { method: "GET", operation: "deep", chain: "base", address }, { "x-client-id": "seer" })
  )
  expect(status).toBe(200)
  return /\(seed (0x[0-9a-f]+)\)/.exec(text)?.[1]
}).pipe(Effect.scoped)

describe("the wallets of a trial", () => {
  // Who foresees them writes a token that knows them: it lets them sell, and nobody else.
  it("are foreseen by nobody who knows how the service's process began", async () => {
    const [one, other] = [await Effect.runPromise(seedOfTrial), await Effect.runPromise(seedOfTrial)]
    expect(one).toMatch(/^0x[0-9a-f]{32}$/)
    expect(other).toMatch(/^0x[0-9a-f]{32}$/)
    expect(one).not.toBe(other)
  })
})
