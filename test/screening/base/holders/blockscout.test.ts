import { createServer } from "node:http"
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { makeHolderIndex } from "../../../../src/screening/base/holders/blockscout.ts"
import { OWNER, POOL, TOKEN } from "../../../support/base/fixtures.ts"

/** The shapes of a Blockscout instance, v2 of its API, cut to what is read and a little more. */
const recorded: Readonly<Record<string, unknown>> = {
  [`/api/v2/tokens/${TOKEN}/holders`]: {
    items: [
      { address: { hash: OWNER, is_contract: false, name: null }, token_id: null, value: "9000000" },
      { address: { hash: POOL, is_contract: true, name: "Pair" }, token_id: null, value: "1000000" },
      { address: { hash: "no address", is_contract: false }, value: "1" }
    ],
    next_page_params: null
  },
  [`/api/v2/addresses/${TOKEN}`]: {
    hash: TOKEN,
    creator_address_hash: OWNER,
    creation_transaction_hash: `0x${"12".repeat(32)}`,
    is_contract: true
  }
}

const serve = (answer: (path: string) => { readonly status: number; readonly body: string }) =>
  Effect.acquireRelease(
    Effect.async<{ readonly url: string; readonly close: () => void }>((resume) => {
      const server = createServer((request, response) => {
        const { status, body } = answer(request.url ?? "")
        response.writeHead(status, { "content-type": "application/json" }).end(body)
      })
      server.listen(0, "127.0.0.1", () => {
        const at = server.address()
        const port = typeof at === "object" && at !== null ? at.port : 0
        resume(Effect.succeed({ url: `http://127.0.0.1:${port}`, close: () => server.close() }))
      })
    }),
    ({ close }) => Effect.sync(close)
  )

describe("an index of holders", () => {
  it.scopedLive("names holders and creator, and nothing that is no address", () =>
    Effect.gen(function* () {
      const { url } = yield* serve((path) => ({ status: 200, body: JSON.stringify(recorded[path] ?? {}) }))
      expect(yield* makeHolderIndex(url)(TOKEN)).toEqual({ holders: [OWNER, POOL], creator: OWNER })
    })
  )

  it.scopedLive("that fails, lies about its shape or says nothing names nobody", () =>
    Effect.gen(function* () {
      for (const answer of [
        { status: 500, body: "{}" },
        { status: 200, body: "not JSON" },
        { status: 200, body: '{"items":7}' },
        { status: 404, body: "" }
      ]) {
        const { url } = yield* serve(() => answer)
        expect(yield* makeHolderIndex(url)(TOKEN)).toEqual({ holders: [], creator: null })
      }
    })
  )
})
