import { describe, expect, it } from "@effect/vitest"
import { Effect, Either, Schema } from "effect"
import type { RpcCall } from "../../../../src/chain/rpc-call.ts"
import { UpstreamError } from "../../../../src/domain/errors.ts"
import { solanaNode } from "../../../../src/payment/verifier/svm/node.ts"

/** A node that gives this answer to every question. */
const answering = (answer: unknown) => {
  const call: RpcCall = (method, _params, result) =>
    Effect.mapError(
      Schema.decodeUnknown(result)(answer),
      () => new UpstreamError({ upstream: "solana-rpc", kind: "malformed", detail: method })
    )
  return solanaNode({ host: "node", call })
}

const inContext = (value: unknown) => ({ context: { slot: 1_000 }, value })
const MALFORMED = { _tag: "Left", left: { kind: "malformed" } }
const LANDED = { slot: 990, confirmationStatus: "confirmed" }

describe("what a node leaves out of an answer", () => {
  it.effect("is no success: a status, a trial and a transaction say by null that nothing failed", () =>
    Effect.gen(function* () {
      const status = (one: object) => Effect.either(answering(inContext([one])).status("id"))
      expect(yield* status({ ...LANDED, err: null })).toMatchObject({ right: { state: "landed" } })
      expect(yield* status({ ...LANDED, err: { InstructionError: [2, "Custom"] } })).toMatchObject({
        right: { state: "failed" }
      })
      expect(yield* status(LANDED)).toMatchObject(MALFORMED)
      // Who is left out of the list was not looked for, and is not unseen.
      expect(yield* Effect.either(answering(inContext([])).status("id"))).toMatchObject(MALFORMED)
      expect(yield* Effect.either(answering(inContext([null])).status("id"))).toMatchObject({
        right: { state: "unseen" }
      })

      const trial = (value: object) => Effect.either(answering(inContext(value)).simulate("wire"))
      expect(yield* trial({ err: null })).toMatchObject({ right: { succeeds: true } })
      for (const [err, isOfFeePayer] of [
        [{ InstructionError: [2, { Custom: 1 }] }, false],
        ["BlockhashNotFound", false],
        [{ InsufficientFundsForRent: { account_index: 1 } }, false],
        [{ InsufficientFundsForRent: { account_index: 0 } }, true],
        ["AccountNotFound", true]
      ] as const)
        expect(yield* trial({ err })).toMatchObject({ right: { succeeds: false, isOfFeePayer } })
      for (const err of ["BlockhashNotFound", "AlreadyProcessed", null])
        expect(yield* trial({ err })).toMatchObject({
          right: { isOfBlockhash: err === "BlockhashNotFound" }
        })
      expect(yield* trial({ logs: [] })).toMatchObject(MALFORMED)

      const transaction = (meta: unknown) =>
        Effect.either(answering({ slot: 990, transaction: ["wire", "base64"], meta }).transaction("id"))
      expect(yield* transaction({ err: null })).toMatchObject({ right: { succeeded: true } })
      expect(yield* transaction({ fee: 5_000 })).toMatchObject(MALFORMED)
      // A node without the outcome of what it holds has not said that it failed.
      expect(yield* transaction(null)).toEqual(Either.right(undefined))
    })
  )
})
