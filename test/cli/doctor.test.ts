import { describe, expect, it } from "@effect/vitest"
import { ConfigProvider, Effect } from "effect"
import { checkDocuments } from "../../src/cli/doctor/documents.ts"
import { checkNodes } from "../../src/cli/doctor/nodes.ts"
import type { Site } from "../../src/cli/doctor/site.ts"

/** A deployment that lives and answers this when it is asked whether it can sell. */
const siteWhose = (readiness: unknown): Site => ({
  origin: "https://risk.test",
  ask: (path) =>
    Effect.succeed({
      status: path === "/readyz" ? 503 : 200,
      headers: new Headers(),
      text: "",
      json: path === "/readyz" ? readiness : undefined
    })
})

const healthOf = (readiness: unknown) =>
  Effect.map(checkDocuments(siteWhose(readiness)), (found) => found.find(({ name }) => name === "health"))

describe("what doctor says of a deployment that cannot sell", () => {
  it.effect("is why it cannot, in its own words", () =>
    Effect.gen(function* () {
      expect(yield* healthOf({ error: "cannot sell: base: no node answers" })).toMatchObject({
        state: "fail",
        detail: "/healthz 200, /readyz 503 (cannot sell: base: no node answers)"
      })
    })
  )

  it.effect("is its status where it gives no reason", () =>
    Effect.gen(function* () {
      for (const readiness of [undefined, null, { error: 1 }, "no"])
        expect(yield* healthOf(readiness)).toMatchObject({ detail: "/healthz 200, /readyz 503" })
    })
  )
})

it.effect("doctor says what is wrong with the variable that names the nodes", () =>
  Effect.gen(function* () {
    const nodes = [
      ["BASE_RPC_URL", "http://node.test,http://node.test"],
      ["SOLANA_RPC_URL", "node.test"]
    ] as const
    const found = yield* Effect.withConfigProvider(checkNodes, ConfigProvider.fromMap(new Map(nodes)))
    expect(found).toMatchObject([
      { name: "Base nodes", state: "fail", detail: "BASE_RPC_URL must not name a node twice" },
      {
        name: "Solana nodes",
        state: "fail",
        detail: expect.stringContaining("SOLANA_RPC_URL must be http://")
      }
    ])
  })
)
