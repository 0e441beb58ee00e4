import { describe, expect, it } from "@effect/vitest"
import { Effect, Fiber, TestClock } from "effect"
import { UpstreamError } from "../../../../src/domain/errors.ts"
import { sharingStatuses } from "../../../../src/payment/verifier/svm/sharing.ts"

/** A node that has seen one signature, at a slot that rises with every call; or that fails. */
const node = (fails = false) => {
  const asked: Array<ReadonlyArray<string>> = []
  const shared = sharingStatuses({
    statuses: (signatures) =>
      Effect.suspend(() => {
        asked.push(signatures)
        if (fails) return new UpstreamError({ upstream: "solana-rpc", kind: "timeout", detail: "" })
        return Effect.succeed(
          signatures.map((signature) => ({
            state: signature === "seen" ? ("landed" as const) : ("unseen" as const),
            isFinal: false,
            seenAt: asked.length
          }))
        )
      })
  })
  return { asked, status: shared.status }
}

/** What becomes of questions that are asked at once. */
const together = (status: ReturnType<typeof node>["status"], signatures: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const fibers = yield* Effect.forEach(signatures, (one) => Effect.fork(Effect.either(status(one))))
    yield* TestClock.adjust("1 second")
    return yield* Effect.forEach(fibers, Fiber.join)
  })

describe("questions about signatures", () => {
  it.effect("of one moment share a call, and each gets the answer to its own", () =>
    Effect.gen(function* () {
      const { asked, status } = node()
      expect(yield* together(status, ["one", "seen", "other", "one"])).toMatchObject(
        ["unseen", "landed", "unseen", "unseen"].map((state) => ({ right: { state, seenAt: 1 } }))
      )
      expect(asked).toEqual([["one", "seen", "other"]])
      // What was said before the question is no answer to it.
      expect(yield* together(status, ["one"])).toMatchObject([{ right: { seenAt: 2 } }])
    })
  )

  it.effect("are never more than a node takes in one call", () =>
    Effect.gen(function* () {
      const { asked, status } = node()
      const many = Array.from({ length: 600 }, (_, at) => `signature ${at}`)
      expect(yield* together(status, many)).toHaveLength(600)
      expect(asked.map(({ length }) => length)).toEqual([256, 256, 88])
    })
  )

  it.effect("fail all together where the call does", () =>
    Effect.gen(function* () {
      const failed = { left: { _tag: "UpstreamError", kind: "timeout" } }
      expect(yield* together(node(true).status, ["one", "other"])).toMatchObject([failed, failed])
    })
  )
})
