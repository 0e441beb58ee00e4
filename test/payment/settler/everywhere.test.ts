import { describe, expect, it, layer } from "@effect/vitest"
import { Deferred, Effect, Redacted } from "effect"
import { type Hex, isHex, keccak256 } from "viem"
import { evmAccount } from "../../../scripts/sandbox/accounts.ts"
import { serveJson } from "../../../scripts/sandbox/json-server.ts"
import { makeBaseRpcWith } from "../../../src/chain/base-rpc.ts"
import { everywhere } from "../../../src/payment/settler/everywhere.ts"
import { journalAt, newPayment, settlingOn } from "../../support/payment/base-settling.ts"
import { LocalBase } from "../../support/sandbox.ts"

describe("what is handed to every node", () => {
  it.effect("is done as soon as one has taken it, and the others get it all the same", () =>
    Effect.gen(function* () {
      const [slow, got] = [yield* Deferred.make<void>(), yield* Deferred.make<string>()]
      const silent = Effect.as(
        Effect.zipRight(Deferred.await(slow), Deferred.succeed(got, "after all")),
        "taken later"
      )
      const answered = yield* everywhere([silent, Effect.fail("refused"), Effect.succeed("taken")])
      expect(answered).toBe("taken")
      yield* Deferred.succeed(slow, undefined)
      expect(yield* Deferred.await(got)).toBe("after all")
    })
  )

  it.effect("is refused where every one refuses it", () =>
    Effect.gen(function* () {
      expect(yield* Effect.flip(everywhere([Effect.fail("refused"), Effect.fail("refused")]))).toBe("refused")
    })
  )
})

const hashOf = (raw: unknown): Hex | undefined => (isHex(raw) ? keccak256(raw) : undefined)

/** A node that tells a transaction's hash, as if it had taken it, and keeps it for itself. */
const keepingAll = (upstream: string) =>
  serveJson(async ({ body }) => {
    const asked: unknown = JSON.parse(body)
    const { id, method, params }: { id?: unknown; method?: unknown; params?: ReadonlyArray<unknown> } =
      typeof asked === "object" && asked !== null && !Array.isArray(asked) ? asked : {}
    if (method === "eth_sendRawTransaction")
      return { status: 200, body: { jsonrpc: "2.0", id, result: hashOf(params?.[0]) } }
    const answer = await fetch(upstream, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body
    })
    return { status: 200, body: null, text: await answer.text() }
  })

describe("a preferred node on Base that takes transactions and passes none on", () => {
  layer(LocalBase.layer, { excludeTestServices: true, timeout: 60_000 })((it) => {
    it.scoped("stops no sale where there is a second one", () =>
      Effect.gen(function* () {
        const { url } = yield* LocalBase
        const urls = [(yield* keepingAll(url)).url, url].map((one) => Redacted.make(one))
        const rpc = yield* makeBaseRpcWith({ urls, timeout: "4 seconds", concurrency: 32 })
        const { settle } = yield* settlingOn(rpc, { accounts: [evmAccount("settler")] })
        const outcome = yield* settle(yield* newPayment, { transaction: null, since: 0 })
        expect(outcome.state).toBe("settled")
      }).pipe(Effect.provide(journalAt(":memory:")))
    )
  })
})
