import { describe, expect, layer } from "@effect/vitest"
import { Context, Effect, Layer, Redacted } from "effect"
import { type Address, type Hex, concat, parseEther, toHex } from "viem"
import { type Stage, addV2, balanceOf, people, startStage } from "../../../scripts/attacks/stage.ts"
import { makeBaseRpcWith } from "../../../src/chain/base-rpc.ts"
import { normalizeEvmAddress } from "../../../src/domain/address.ts"
import { analyseCode } from "../../../src/screening/base/power/analyse.ts"
import { makeBasePlan } from "../../../src/screening/base/plan.ts"
import { compiled } from "../../support/bytecode/artifacts.ts"
import { planParts } from "../../support/base/plan-parts.ts"
import { heldBack } from "../../support/base/waves.ts"

const asking = compiled("Asking.sol", "asking.json")
const ASKED = "0xa5ceda5ceda5ceda5ceda5ceda5ceda5ceda5ced"
const SUPPLY = parseEther("1000000")

/** Code that gives the supply to whoever deploys it: slot 0, and his entry in slot 1. */
const born = (runtime: Hex): Hex => {
  const supply = toHex(SUPPLY, { size: 32 })
  const length = toHex((runtime.length - 2) / 2, { size: 2 })
  const head: ReadonlyArray<Hex> = ["0x7f", supply, "0x5f55", "0x335f5260016020527f", supply]
  const parts: ReadonlyArray<Hex> = [...head, "0x60405f2055", "0x61", length, "0x8061"]
  const offset = parts.reduce((sum, part) => sum + (part.length - 2) / 2, 0) + 2 + 5
  return concat([...parts, toHex(offset, { size: 2 }), "0x5f395ff3fe", runtime])
}

class Listed extends Context.Tag("test/Asking")<
  Listed,
  { readonly stage: Stage; readonly token: Address }
>() {
  static readonly layer = Layer.scoped(
    Listed,
    Effect.gen(function* () {
      const stage = yield* startStage
      const { devnet } = stage
      const token = yield* Effect.promise(async () => {
        await devnet.setCode(ASKED, asking.codeOf("optimized", "PureAsked"))
        const made = await devnet.deploy(people.deployer, born(asking.codeOf("optimized", "AsksLeave")))
        const all = await balanceOf(devnet, made, people.deployer)
        await addV2(stage, made, all, { ether: parseEther("30") }, "burned")
        return made
      })
      return { stage, token }
    })
  )
}

const proofWith = (standing: string) =>
  Effect.gen(function* () {
    const { stage, token } = yield* Listed
    yield* Effect.promise(() => stage.devnet.setCode(ASKED, asking.codeOf("optimized", standing)))
    const { asked, fetch } = heldBack()
    const rpc = yield* makeBaseRpcWith({
      urls: [Redacted.make(stage.url)],
      timeout: "20 seconds",
      concurrency: 32,
      fetch
    })
    /** Answered when what was read is put together with the code. */
    let waves = -1
    const parts = planParts(rpc, (code) => analyseCode(code))
    const plan = makeBasePlan({
      ...parts,
      analyser: {
        ...parts.analyser,
        settled: (code, state, around) =>
          Effect.sync(() => {
            waves = asked().length
            return analyseCode(code, { state, ...around })
          })
      }
    })
    const address = normalizeEvmAddress(token)
    if (address === undefined) return yield* Effect.dieMessage("no address")
    const { signals } = yield* plan.screen({ chain: "base", address })
    return {
      waves,
      state: signals.find(({ id }) => id === "TRANSFER_PROVEN")?.state
    }
  })

describe("a token that asks a contract at a fixed address", () => {
  layer(Listed.layer, { excludeTestServices: true, timeout: "1 minute" })((it) => {
    it.effect("is proven by that contract's code, read in the wave that reads its own storage", () =>
      Effect.gen(function* () {
        expect(yield* proofWith("PureAsked")).toEqual({ waves: 2, state: "pass" })
      })
    )

    it.effect("is not proven where what stands there can refuse", () =>
      Effect.gen(function* () {
        for (const standing of ["StoredAsked", "GreedyAsked", "CallingAsked", "ProxyAsked"])
          expect((yield* proofWith(standing)).state).toBe("unknown")
      })
    )
  })
})
