import { expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import { type BaseRpc, type BatchRead, type EvmReadResult, readsOf } from "../../../src/chain/chain-rpc.ts"
import { WETH } from "../../../src/screening/base/addresses.ts"
import { UNISWAP_V3_ROW, V2_FACTORIES } from "../../../src/screening/base/pools/registry/exchanges.ts"
import { SandboxWorld, screen, stateOf } from "../../support/base/sandbox-world.ts"

/** A call, by whom it asks and with what; of a pool that the same batch finds the address is not known yet. */
type Asked = (to: string, data: string) => boolean

const FAILED: EvmReadResult = { ok: false, data: "0x" }

const spoiled = (reads: ReadonlyArray<BatchRead>, results: ReadonlyArray<EvmReadResult>, fails: Asked) =>
  results.map((result, index): EvmReadResult => {
    const read = reads[index]
    if (read === undefined) return result
    if ("to" in read) return fails(read.to, read.data ?? "") ? FAILED : result
    const inner = "alike" in read ? readsOf(read) : "ofFound" in read ? read.ofFound : []
    return result.found === undefined ? result : { ...result, found: spoiled(inner, result.found, fails) }
  })

/** A node that answers all but some calls, which it lets fail. */
const silentOn = (rpc: BaseRpc, fails: Asked): BaseRpc => ({
  ...rpc,
  readAll: (reads, at) =>
    Effect.map(rpc.readAll(reads, at), (batch) => ({
      ...batch,
      results: spoiled(reads, batch.results, fails)
    }))
})

const GET_RESERVES = "0x0902f1ac"
const SLOT0 = "0x3850c7bd"
const BALANCE_OF = "0x70a08231"

layer(SandboxWorld.layer, { excludeTestServices: true, timeout: "2 minutes" })(
  "a Base node that lets single calls fail",
  (it) => {
    const screenWith = (name: "clean" | "concentrated", fails: Asked) =>
      Effect.gen(function* () {
        const { parts, tokens } = yield* SandboxWorld
        const { screening, assessment } = yield* screen(
          { ...parts, rpc: silentOn(parts.rpc, fails) },
          tokens[name].address
        )
        return { ...assessment, unread: stateOf(screening.signals, "UNREAD_VENUE") }
      })

    it.effect("is nothing to the verdict where none does", () =>
      Effect.gen(function* () {
        const honest = yield* screenWith("clean", () => false)
        expect(honest).toMatchObject({ verdict: "allow", safe: true, unread: "pass" })
      })
    )

    it.effect("may hide a pool where a factory did not say whether it has one", () =>
      Effect.gen(function* () {
        const [first] = V2_FACTORIES.slice(1)
        for (const factory of [first?.address, UNISWAP_V3_ROW.address]) {
          const silent = yield* screenWith(
            "clean",
            (to, data) => to === factory && data.includes(WETH.slice(2))
          )
          expect(silent).toMatchObject({ verdict: "caution", safe: null, unread: "unknown" })
        }
      })
    )

    it.effect("leaves a market unread where a pool that its factory names does not tell its state", () =>
      Effect.gen(function* () {
        const { safe, unread, verdict } = yield* screenWith("clean", (_, data) =>
          data.startsWith(GET_RESERVES)
        )
        expect({ safe, unread, verdict }).toEqual({ safe: null, unread: "unknown", verdict: "caution" })
        expect((yield* screenWith("concentrated", (_, data) => data.startsWith(SLOT0))).unread).toBe(
          "unknown"
        )
      })
    )

    it.effect(
      "leaves a market unread where the token does not say what a concentrated pool holds of it",
      () =>
        Effect.gen(function* () {
          const { tokens } = yield* SandboxWorld
          const token = tokens.concentrated.address.toLowerCase()
          const silent = yield* screenWith(
            "concentrated",
            (to, data) => to.toLowerCase() === token && data.startsWith(BALANCE_OF)
          )
          expect(silent.safe).not.toBe(true)
          expect(silent.unread).toBe("unknown")
        })
    )
  }
)
