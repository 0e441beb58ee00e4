import { HttpServerRequest } from "@effect/platform"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { makeDocsPage } from "../../src/http/docs.ts"

const openapi = { openapi: "3.1.0", info: { title: "Token risk", version: "1" }, paths: {} }
const request = HttpServerRequest.fromWeb(new Request("http://localhost/docs/api"))

describe("the page of the API", () => {
  it.live("is there for everybody else where the first who asked for it hung up", () =>
    Effect.gen(function* () {
      const page = Effect.provideService(
        yield* makeDocsPage(openapi),
        HttpServerRequest.HttpServerRequest,
        request
      )
      const first = yield* Effect.fork(page)
      yield* Effect.yieldNow()
      yield* Fiber.interruptFork(first)
      expect((yield* page).status).toBe(200)
    })
  )
})
