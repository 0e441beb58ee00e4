import { describe, expect, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import type { RpcCall } from "../../../../src/chain/rpc-call.ts"
import { SOLANA_NETWORK } from "../../../../src/domain/chain.ts"
import { UpstreamError } from "../../../../src/domain/errors.ts"
import { solanaNode } from "../../../../src/payment/verifier/svm/node.ts"
import { viewOfSolana } from "../../../../src/payment/verifier/svm/view.ts"

interface Status {
  readonly slot: number
  readonly err: unknown
  readonly confirmationStatus: string
}

const RECORDED = 100

const evidence = {
  network: SOLANA_NETWORK,
  transaction: "signature",
  index: 2,
  height: RECORDED,
  payer: "payer",
  payTo: "shop",
  amount: "5000"
} as const

/** Whether a transfer that was recorded at slot 100 is there, by a node that knows this much of it. */
const isHeld = (status: Status | null, seenAt: number) => {
  const answers = (method: string): unknown =>
    method === "getSlot" ? seenAt : { context: { slot: seenAt }, value: [status] }
  const call: RpcCall = (method, _, result) =>
    Effect.mapError(
      Schema.decodeUnknown(result)(answers(method)),
      () => new UpstreamError({ upstream: "solana-rpc", kind: "malformed", detail: method })
    )
  return Effect.gen(function* () {
    const view = yield* viewOfSolana([solanaNode({ host: "node", call })])
    const [held] = yield* view.holds([evidence])
    return held
  })
}

const at = (slot: number, confirmationStatus = "confirmed", err: unknown = null): Status => ({
  slot,
  err,
  confirmationStatus
})

describe("a recorded transfer on Solana", () => {
  it.effect("is held in its slot, and not in a later one where it landed again after a fork", () =>
    Effect.gen(function* () {
      expect(yield* isHeld(at(RECORDED), 200)).toBe(true)
      expect(yield* isHeld(at(RECORDED, "finalized"), 200)).toBe(true)
      // Found again there, it is recorded anew: left undecided, it would be looked at for ever.
      expect(yield* isHeld(at(RECORDED + 7), 200)).toBe(false)
    })
  )

  it.effect(
    "is not held when it failed, or a node past its slot has not seen it; else nothing is known",
    () =>
      Effect.gen(function* () {
        expect(yield* isHeld(at(RECORDED, "confirmed", { InstructionError: [2, {}] }), 200)).toBe(false)
        expect(yield* isHeld(null, 200)).toBe(false)
        expect(yield* isHeld(null, RECORDED - 1)).toBeUndefined()
        expect(yield* isHeld(at(RECORDED, "processed"), 200)).toBeUndefined()
      })
  )

  it.effect("is final from the slot on that its node calls finalized, not where it is confirmed", () =>
    Effect.gen(function* () {
      const call: RpcCall = (_, [options], result) =>
        Effect.mapError(
          Schema.decodeUnknown(result)(JSON.stringify(options ?? {}).includes("finalized") ? 168 : 200),
          () => new UpstreamError({ upstream: "solana-rpc", kind: "malformed", detail: "getSlot" })
        )
      expect(yield* viewOfSolana([solanaNode({ host: "node", call })])).toMatchObject({
        head: 200,
        final: 168
      })
    })
  )
})
