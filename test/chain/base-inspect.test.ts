import { expect, it } from "@effect/vitest"
import { Effect, TestClock } from "effect"
import { makeInspect } from "../../src/chain/base-inspect.ts"
import type { Sender } from "../../src/chain/base-reads.ts"
import { UpstreamError } from "../../src/domain/errors.ts"

const CODE = "0x6001"
const rejected = new UpstreamError({ upstream: "base-rpc", kind: "rejected", detail: "init code" })

/** A node that gives code one by one and refuses every call; which methods it was asked for. */
const refusing = () => {
  const methods: Array<string> = []
  const send: Sender["send"] = (requests) => {
    methods.push(...requests.map(({ method }) => method))
    return requests.some(({ method }) => method === "eth_call")
      ? Effect.fail(rejected)
      : Effect.succeed(requests.map(() => ({ executed: true, result: CODE })))
  }
  const one: Sender["one"] = () => Effect.fail(rejected)
  return { methods, sender: { send, one } }
}

it.effect("a node that refused calls once is asked one by one for a while, and then by a call again", () =>
  Effect.gen(function* () {
    const { methods, sender } = refusing()
    const inspect = yield* makeInspect(sender)
    const asked = Effect.map(
      inspect([{ address: "0x4200000000000000000000000000000000000006" }]),
      ([one]) => {
        expect(one?.code).toBe(CODE)
        return methods.splice(0)
      }
    )
    expect(yield* asked).toEqual(["eth_call", "eth_getCode"])
    yield* TestClock.adjust("59 seconds")
    expect(yield* asked).toEqual(["eth_getCode"])
    yield* TestClock.adjust("1 second")
    expect(yield* asked).toEqual(["eth_call", "eth_getCode"])
    expect(yield* asked).toEqual(["eth_getCode"])
  })
)
