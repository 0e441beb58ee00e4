import { expect, it } from "@effect/vitest"
import { Effect, TestClock } from "effect"
import { makeEndpointRest } from "../../src/chain/endpoint-rest.ts"
import { NOW } from "../support/now.ts"

it.effect(
  "an endpoint that failed comes last until it has rested, and no longer where the clock is set back",
  () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(NOW)
      const { order, rest } = yield* makeEndpointRest(2, "10 seconds")
      yield* rest(0, "eth_call", "endpoint")
      expect(yield* order(["eth_call"])).toEqual([1, 0])
      yield* TestClock.setTime(NOW - 3_600_000)
      expect(yield* order(["eth_call"])).toEqual([0, 1])
    })
)
