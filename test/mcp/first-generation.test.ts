import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import * as modern from "@modelcontextprotocol/client"
import { expect } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { PaymentRequired } from "../../src/domain/x402.ts"
import { MCP_PATH } from "../../src/domain/catalog.ts"
import { baseBuyer } from "../support/sandbox.ts"
import { againstService, RunningService } from "../support/service.ts"

const TOOLS = ["check_token_safety_ping", "check_token_risk_deep"] as const
const decodeTerms = Schema.decodeUnknownSync(PaymentRequired)

interface Caller {
  readonly list: () => Promise<unknown>
  readonly call: (
    name: string,
    args: Record<string, unknown>,
    meta?: Record<string, unknown>
  ) => Promise<{ readonly [key: string]: unknown }>
  readonly close: () => Promise<void>
}

/** The two generations of the official SDK. Both check what they get against the schemas of the tools they listed. */
const GENERATIONS: ReadonlyArray<readonly [string, (url: URL) => Promise<Caller>]> = [
  [
    "v1",
    async (url) => {
      const client = new Client({ name: "agent", version: "1" })
      const transport = new StreamableHTTPClientTransport(url)
      // The SDK's own transport does not fit its own interface under `exactOptionalPropertyTypes`.
      await Promise.resolve(Reflect.apply(client.connect, client, [transport]))
      return {
        list: () => client.listTools(),
        call: (name, args, meta = {}) => client.callTool({ name, arguments: args, _meta: meta }),
        close: () => client.close()
      }
    }
  ],
  [
    "v2",
    async (url) => {
      const client = new modern.Client({ name: "agent", version: "1" })
      await client.connect(new modern.StreamableHTTPClientTransport(url))
      return {
        list: () => client.listTools(),
        call: (name, args, meta = {}) => client.callTool({ name, arguments: args, _meta: meta }),
        close: () => client.close()
      }
    }
  ]
]

const open = (connect: (url: URL) => Promise<Caller>, url: string) =>
  Effect.acquireRelease(
    Effect.promise(() => connect(new URL(url + MCP_PATH))),
    (caller) => Effect.promise(() => caller.close())
  )

againstService("a client that lists the tools before it calls one", (it) => {
  for (const [generation, connect] of GENERATIONS) {
    it.scoped(`of SDK ${generation} reads the terms of an unpaid call, pays them, and reads the result`, () =>
      Effect.gen(function* () {
        const { sandbox, service } = yield* RunningService
        const caller = yield* open(connect, service.url)
        yield* Effect.promise(caller.list)
        const args = { chain: "base", address: sandbox.base.tokens.clean.address }
        for (const name of TOOLS) {
          const unpaid = yield* Effect.promise(() => caller.call(name, args))
          expect(unpaid["isError"]).toBe(true)
          const terms = decodeTerms(unpaid["structuredContent"])
          expect(unpaid["content"]).toMatchObject([
            { type: "text", text: JSON.stringify(terms) },
            { type: "text", text: expect.stringContaining("Payment required") }
          ])
          expect(unpaid["_meta"]).toMatchObject({ "x402/error": { x402Version: 2 } })
          const { client } = baseBuyer(sandbox.base.accounts.payer)
          const payment = yield* Effect.promise(() =>
            client.createPaymentPayload(JSON.parse(JSON.stringify(terms)))
          )
          const paid = yield* Effect.promise(() => caller.call(name, args, { "x402/payment": payment }))
          expect(paid["isError"]).toBeFalsy()
          expect(paid["structuredContent"]).toMatchObject({ cacheHit: expect.any(Boolean) })
          expect(paid["_meta"]).toMatchObject({ "x402/payment-response": { success: true } })
        }
        const wrong = yield* Effect.promise(() =>
          caller.call(TOOLS[0], { chain: "ethereum", address: "0x1" })
        )
        expect(wrong["isError"]).toBe(true)
        expect(JSON.stringify(wrong["content"])).toContain("solana")
      })
    )
  }
})
