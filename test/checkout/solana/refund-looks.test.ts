/** What a look for a prepared refund concludes on Solana when a node says too little, too late, or what strangers wrote. */
import { describe, expect, it } from "@effect/vitest"
import { getBase58Decoder } from "@solana/kit"
import { Effect, Schema } from "effect"
import type { Refund } from "../../../src/checkout/refunds/refund.ts"
import { makeSolanaRefunds } from "../../../src/checkout/refunds/solana-refunds.ts"
import { UpstreamError } from "../../../src/domain/errors.ts"
import { SOLANA_NETWORK, SOLANA_USDC } from "../../../src/domain/chain.ts"
import { refundReferenceOf } from "../../../src/checkout/solana/solana-pay.ts"
import { firstPageOf, pageOf } from "../../support/solana/listing.ts"
import { termsOn, refund } from "../../support/checkout/refund-looks.ts"

const SOLANA_MERCHANT = "9hBtedmwk3FAmsvWvdTQQ7ejbM1R7gatBMQZhHTSYMiS"

/**
 * A Solana node at final slot 10,000 whose listing of the refund's key holds so many strangers' transactions, and which
 * lists what accounts did up to a slot; `null` where it keeps no listings.
 * @param most transactions that it lists at once
 */
const solanaNode = (listed: number, indexed: number | null = 10_000, most?: number, list = pageOf) => {
  const answer = (method: string, params: ReadonlyArray<unknown>): unknown => {
    switch (method) {
      case "getSlot":
      case "getBlockHeight":
        return 10_000
      case "getSignaturesForAddress": {
        const entry = (at: number) => ({
          signature: getBase58Decoder().decode(Buffer.alloc(64, `${at};`)),
          slot: params[0] === SOLANA_USDC ? indexed : 5,
          err: null,
          blockTime: 5
        })
        const isReference = params[0] === refundReferenceOf(refund.id)
        const length = isReference ? listed : indexed === null ? 0 : 1
        const entries = Array.from({ length }, (_, at) => entry(at))
        return list(entries, params[1], most)
      }
      case "getTransaction":
        return {
          slot: 5,
          blockTime: 5,
          transaction: {
            signatures: [params[0]],
            message: { accountKeys: [SOLANA_MERCHANT], instructions: [] }
          },
          meta: { err: null, preTokenBalances: [], postTokenBalances: [] }
        }
      default:
        return undefined
    }
  }
  const call = <A, I>(method: string, params: ReadonlyArray<unknown>, result: Schema.Schema<A, I>) =>
    Schema.decodeUnknown(result)(answer(method, params)).pipe(
      Effect.mapError(() => new UpstreamError({ upstream: "solana-rpc", kind: "malformed", detail: method }))
    )
  const getAccounts = () => Effect.succeed({ slot: 1n, accounts: [] })
  return { call, getAccounts, nodes: [{ host: "one", call }] }
}

describe("a look for a refund on Solana", () => {
  const spent: Refund = { ...refund, payer: SOLANA_MERCHANT, lifetime: "1", validUntil: 100 }
  const terms = termsOn(SOLANA_NETWORK, SOLANA_MERCHANT)

  it.effect("is void once nothing can land any more and everything that names it was read", () =>
    Effect.gen(function* () {
      expect(
        (yield* makeSolanaRefunds(solanaNode(3), () => Effect.succeed([])).look(spent, terms)).state
      ).toBe("void")
      expect(
        (yield* makeSolanaRefunds(solanaNode(0), () => Effect.succeed([])).look(spent, terms)).state
      ).toBe("void")
    })
  )

  it.effect("stays open as long as a fork could carry it, which is some blocks more than its own time", () =>
    Effect.gen(function* () {
      const { look } = makeSolanaRefunds(solanaNode(0), () => Effect.succeed([]))
      // The node's final height is 10,000.
      for (const [validUntil, state] of [
        [9_936, "open"],
        [9_935, "void"]
      ] as const)
        expect((yield* look({ ...spent, validUntil }, terms)).state).toBe(state)
    })
  )

  it.effect("stays open where nobody knows until when it could land", () =>
    Effect.gen(function* () {
      const timeless = { ...spent, validUntil: null }
      expect(
        (yield* makeSolanaRefunds(solanaNode(0), () => Effect.succeed([])).look(timeless, terms)).state
      ).toBe("open")
    })
  )

  it.effect(
    "stays open at a node that lists nothing of anybody: it would not have shown the refund either",
    () =>
      Effect.gen(function* () {
        expect(
          (yield* makeSolanaRefunds(solanaNode(0, null), () => Effect.succeed([])).look(spent, terms)).state
        ).toBe("open")
      })
  )

  it.effect(
    "stays open while its node's listing ends before the final slot: the refund may land in between",
    () =>
      Effect.gen(function* () {
        const late = solanaNode(0, 9_999)
        expect((yield* makeSolanaRefunds(late, () => Effect.succeed([])).look(spent, terms)).state).toBe(
          "open"
        )
        const both = { ...late, nodes: [...late.nodes, ...solanaNode(0).nodes] }
        expect((yield* makeSolanaRefunds(both, () => Effect.succeed([])).look(spent, terms)).state).toBe(
          "void"
        )
      })
  )

  it.effect("stays open where the node that would have it void lists one that was not read", () =>
    Effect.gen(function* () {
      const mixed = { ...solanaNode(0), nodes: solanaNode(1).nodes }
      expect((yield* makeSolanaRefunds(mixed, () => Effect.succeed([])).look(spent, terms)).state).toBe(
        "open"
      )
    })
  )

  it.effect("stays open where the node lists fewer than it was asked for: the refund may stand below", () =>
    Effect.gen(function* () {
      const looked = (most: number, list = pageOf) =>
        makeSolanaRefunds(solanaNode(4, 10_000, most, list), () => Effect.succeed([])).look(spent, terms)
      expect((yield* looked(3)).state).toBe("open")
      // Nor does the list end where the node does not know where it goes on.
      expect((yield* looked(3, firstPageOf)).state).toBe("open")
      expect((yield* looked(4)).state).toBe("void")
    })
  )

  it.effect(
    "stays open behind a crowd of strangers' transactions that name it: the refund may be among them",
    () =>
      Effect.gen(function* () {
        for (const crowd of [25, 5_000])
          expect(
            (yield* makeSolanaRefunds(solanaNode(crowd), () => Effect.succeed([])).look(spent, terms)).state
          ).toBe("open")
      })
  )
})
