import { getBase58Decoder } from "@solana/kit"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { numberToHex, pad } from "viem"
import { TRANSFER } from "../../../src/chain/evm-events.ts"
import type { RpcCall } from "../../../src/chain/rpc-call.ts"
import { BASE_USDC, SOLANA_USDC } from "../../../src/domain/chain.ts"
import { UpstreamError } from "../../../src/domain/errors.ts"
import { broughtOnBase, broughtOnSolana, inflowOnSolana } from "../../../src/payment/audit/inflow.ts"
import { clientOver } from "../../support/chain/client-over.ts"
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

const HASH = `0x${"ab".repeat(32)}`
const ON_BASE = "0x1111111111111111111111111111111111111111"

/** The same on Base, in a block of this time. */
const onBaseAt = (seconds: number) => {
  const place = { transactionHash: HASH, blockHash: HASH, blockNumber: "0x7" }
  const log = {
    ...place,
    address: BASE_USDC,
    topics: [TRANSFER, pad("0x22"), pad(ON_BASE)],
    data: numberToHex(10_000n, { size: 32 }),
    logIndex: "0x0"
  }
  const receipt = { ...place, status: "0x1", gasUsed: "0x1", effectiveGasPrice: "0x1", logs: [log] }
  const block = { number: "0x7", hash: HASH, timestamp: numberToHex(seconds) }
  const client = clientOver((method) =>
    Promise.resolve(method === "eth_getTransactionReceipt" ? receipt : block)
  )
  return broughtOnBase({ client }, ON_BASE, DAY, [HASH])
}

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

describe("what transactions brought that are not in the list of a day", () => {
  const SIGNATURE = entry(9).signature
  const at = (blockTime: number | null) =>
    broughtOnSolana(
      nodeWith(() => [], { blockTime, meta: { ...landed(PAY_TO).meta, err: null } }),
      PAY_TO,
      DAY,
      [SIGNATURE]
    )

  it.effect("is told of another day, on Solana and on Base", () =>
    Effect.gen(function* () {
      expect(yield* at(DAY.from - 1)).toMatchObject([{ transaction: SIGNATURE, amount: "10000" }])
      expect(yield* onBaseAt(DAY.to)).toMatchObject([{ transaction: HASH, amount: "10000" }])
    })
  )

  it.effect("shows of that day, or of one that no node tells, that the list is not whole", () =>
    Effect.gen(function* () {
      for (const asked of [at(DAY.from), at(null), onBaseAt(DAY.to - 1)])
        expect(yield* Effect.flip(asked)).toMatchObject({
          kind: "malformed",
          detail: "a list without a transfer of its time"
        })
    })
  )
})
