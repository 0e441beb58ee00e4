import { expect, layer } from "@effect/vitest"
import { Context, Effect, Layer, Redacted } from "effect"
import { encodeAbiParameters, parseEther } from "viem"
import type { Address } from "viem"
import { addV2, balanceOf, people, startStage } from "../../../scripts/attacks/stage.ts"
import { ownArtifact } from "../../../scripts/sandbox/artifacts.ts"
import { makeBaseRpcWith } from "../../../src/chain/base-rpc.ts"
import { normalizeEvmAddress } from "../../../src/domain/address.ts"
import { analyseCode } from "../../../src/screening/base/power/analyse.ts"
import { makeBasePlan } from "../../../src/screening/base/plan.ts"
import { assess } from "../../../src/screening/risk-scorer-live.ts"
import { planParts } from "../../support/base/plan-parts.ts"
import { heldBack } from "../../support/base/waves.ts"

interface Chain {
  readonly url: string
  readonly token: Address
}

class Listed extends Context.Tag("test/Listed")<Listed, Chain>() {
  static readonly layer = Layer.scoped(
    Listed,
    Effect.gen(function* () {
      const stage = yield* startStage
      const token = yield* Effect.promise(async () => {
        const parameters = [{ type: "string" }, { type: "string" }, { type: "uint256" }] as const
        const supply = parseEther("1000000")
        const made = await stage.devnet.deploy(
          people.deployer,
          ownArtifact("PlainToken").bytecode,
          encodeAbiParameters(parameters, ["Harbour Light", "HRBLT", supply])
        )
        await addV2(
          stage,
          made,
          await balanceOf(stage.devnet, made, people.deployer),
          { ether: parseEther("30") },
          "burned"
        )
        return made
      })
      return { url: stage.url, token }
    })
  )
}

/** Longest batch that Base's public endpoint takes, and requests it answers in a second. */
const LIMITS = { batch: 10, perSecond: 10 }

/** A wire with the public endpoint's manners. */
const publicEndpoint = (): typeof globalThis.fetch => {
  const times: Array<number> = []
  const refuse = (body: unknown, status: number) => new Response(JSON.stringify(body), { status })
  return async (input, init) => {
    const json: unknown = JSON.parse(String(init?.body ?? ""))
    if (Array.isArray(json) && json.length > LIMITS.batch)
      return refuse({ jsonrpc: "2.0", id: null, error: { code: -32014, message: "batch too large" } }, 200)
    const now = performance.now()
    if (times.filter((time) => now - time < 1000).length >= LIMITS.perSecond)
      return refuse({ jsonrpc: "2.0", id: null, error: { code: -32016, message: "over rate limit" } }, 429)
    times.push(now)
    return globalThis.fetch(input, init)
  }
}

/** A cold deep screening over that wire. */
const screenOver = (fetch: typeof globalThis.fetch) =>
  Effect.gen(function* () {
    const { token, url } = yield* Listed
    const rpc = yield* makeBaseRpcWith({
      urls: [Redacted.make(url)],
      timeout: "8 seconds",
      concurrency: 8,
      fetch
    })
    const plan = makeBasePlan(planParts(rpc, (code) => analyseCode(code)))
    const address = normalizeEvmAddress(token)
    if (address === undefined) return yield* Effect.dieMessage("no address")
    const { signals } = yield* plan.screen({ chain: "base", address })
    return { signals, assessment: assess({ signals }) }
  })

layer(Listed.layer, { excludeTestServices: true, timeout: "1 minute" })("a cold deep report", (it) => {
  it.effect("takes at most four waves and 250 KB", () =>
    Effect.gen(function* () {
      const { asked, fetch } = heldBack()
      const { assessment } = yield* screenOver(fetch)
      expect(assessment.verdict).toBe("allow")
      expect(asked().length).toBeLessThanOrEqual(4)
      expect(asked().flat().join("").length).toBeLessThanOrEqual(250_000)
    })
  )

  it.effect("is the same and complete where batches end at ten and ten requests are answered a second", () =>
    Effect.gen(function* () {
      const free = yield* screenOver(globalThis.fetch)
      const limited = yield* screenOver(publicEndpoint())
      const states = (all: typeof free.signals) => all.map(({ id, state }) => `${id} ${state}`)
      expect(states(limited.signals)).toEqual(states(free.signals))
      expect(limited.assessment.verdict).toBe(free.assessment.verdict)
    })
  )
})
