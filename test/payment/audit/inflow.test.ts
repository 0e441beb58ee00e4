import { getBase58Decoder } from "@solana/kit"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import type { RpcCall } from "../../../src/chain/rpc-call.ts"
import { SOLANA_USDC } from "../../../src/domain/chain.ts"
import { UpstreamError } from "../../../src/domain/errors.ts"
import { inflowOnSolana } from "../../../src/payment/audit/inflow.ts"
import { firstPageOf, pageOf } from "../../support/solana/listing.ts"

const PAY_TO = "7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV"
const DAY = { from: 1_800_000_000, to: 1_800_086_400 }

const entry = (n: number) => ({
  signature: getBase58Decoder().decode(new Uint8Array(64).fill(n)),
  err: null,
  blockTime: DAY.from + 10 - n
})
const LISTED = [entry(1), entry(2), entry(3)]

/** Each transaction brings one cent. */
const landed = (owner?: string) => ({
  meta: {
    preTokenBalances: [],
    postTokenBalances: [
      { mint: SOLANA_USDC, ...(owner === undefined ? {} : { owner }), uiTokenAmount: { amount: "10000" } }
    ]
  }
})

/** A node that answers so when it is asked for a list, and for any transaction. */
const nodeWith = (
  list: (options: unknown) => unknown,
  transaction: unknown = landed(PAY_TO)
): { readonly call: RpcCall } => ({
  call: (method, [, options], result) =>
    Schema.decodeUnknown(result)(method === "getTransaction" ? transaction : list(options)).pipe(
      Effect.mapError(() => new UpstreamError({ upstream: "solana-rpc", kind: "malformed", detail: method }))
    )
})

const inflow = (list: (options: unknown) => unknown) => inflowOnSolana(nodeWith(list), PAY_TO, DAY)

describe("what a day brought on Solana", () => {
  it.effect("is whole at a node that lists fewer than it was asked for", () =>
    Effect.gen(function* () {
      const found = yield* inflow((options) => pageOf(LISTED, options, 2))
      expect(found.map(({ transaction }) => transaction)).toEqual(LISTED.map(({ signature }) => signature))
    })
  )

  it.effect(
    "is not told by a node that gives the same page again: it would count twice, and hide the rest",
    () =>
      Effect.gen(function* () {
        expect(yield* Effect.flip(inflow(() => LISTED))).toMatchObject({
          upstream: "solana-rpc",
          detail: expect.stringContaining("the same page again")
        })
      })
  )

  it.effect("is not told by a node that does not know where its list goes on", () =>
    Effect.gen(function* () {
      expect(yield* Effect.flip(inflow((options) => firstPageOf(LISTED, options, 2)))).toMatchObject({
        upstream: "solana-rpc"
      })
    })
  )

  it.effect("is not told by a node that does not say whose the money was", () =>
    Effect.gen(function* () {
      const node = nodeWith((options) => pageOf(LISTED, options), landed())
      expect(yield* Effect.flip(inflowOnSolana(node, PAY_TO, DAY))).toMatchObject({
        detail: expect.stringContaining("without an owner")
      })
    })
  )

  it.effect("is hidden by no transaction of a version that we do not know", () =>
    Effect.gen(function* () {
      const { call } = nodeWith((options) => pageOf(LISTED, options))
      const isNew = ([signature, options]: ReadonlyArray<unknown>): boolean =>
        signature === LISTED[1]?.signature && Number(Object(options)["maxSupportedTransactionVersion"]) < 1
      const node: { readonly call: RpcCall } = {
        call: (method, params, result) =>
          method === "getTransaction" && isNew(params)
            ? Effect.fail(new UpstreamError({ upstream: "solana-rpc", kind: "rejected", detail: "version" }))
            : call(method, params, result)
      }
      const found = yield* inflowOnSolana(node, PAY_TO, DAY)
      expect(found.map(({ amount }) => amount)).toEqual(["10000", "10000", "10000"])
    })
  )

  it.effect("is not told by a node that does not say how a transaction ended", () =>
    Effect.gen(function* () {
      const endless = LISTED.map(({ blockTime, signature }) => ({ blockTime, signature }))
      expect(yield* Effect.flip(inflow((options) => pageOf(endless, options)))).toMatchObject({
        kind: "malformed"
      })
    })
  )
})
