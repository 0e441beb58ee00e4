import { getBase58Decoder } from "@solana/kit"
import { expect, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { makeTrace } from "../../../src/checkout/solana/trace.ts"
import { SOLANA_NETWORK, SOLANA_USDC } from "../../../src/domain/chain.ts"
import { UpstreamError } from "../../../src/domain/errors.ts"
import { SOLANA_MERCHANT } from "../../support/checkout/shop.ts"
import { firstPageOf, pageOf } from "../../support/solana/listing.ts"

const signature = (n: number) => getBase58Decoder().decode(new Uint8Array(64).fill(n))
const SOUGHT = signature(1)

const evidence = {
  network: SOLANA_NETWORK,
  transaction: SOUGHT,
  index: 1,
  height: 5_000,
  payer: "buyer",
  payTo: SOLANA_MERCHANT,
  amount: "1"
} as const

interface Listed {
  readonly signature: string
  readonly slot: number
  readonly err: unknown
}

/** What a node lists of the merchant's account, newest first, and how far its list of the mint has come. */
interface Node {
  readonly listed: ReadonlyArray<Listed>
  readonly indexed?: number | null
  readonly first?: number
  /** How many it lists at once. */
  readonly most?: number
  /** Where a list goes on it does not know. */
  readonly isForgetful?: boolean
}

const nodeOf = ({ first = 0, indexed = 6_000, isForgetful = false, listed, most }: Node) => {
  const answer = (method: string, [account, options]: ReadonlyArray<unknown>): unknown => {
    if (method === "getFirstAvailableBlock") return first
    if (account === SOLANA_USDC)
      return indexed === null ? [] : [{ signature: signature(9), slot: indexed, err: null }]
    return (isForgetful ? firstPageOf : pageOf)(listed, options, most)
  }
  return {
    host: "node",
    call: <A, I>(method: string, params: ReadonlyArray<unknown>, result: Schema.Schema<A, I>) =>
      Schema.decodeUnknown(result)(answer(method, params)).pipe(
        Effect.mapError(
          () => new UpstreamError({ upstream: "solana-rpc", kind: "malformed", detail: method })
        )
      )
  }
}

const traced = (node: Node) => makeTrace({ nodes: [nodeOf(node)] })(evidence, { head: 6_000, final: 5_900 })

const landed = (n: number, slot: number, err: unknown = null): Listed => ({
  signature: signature(n),
  slot,
  err
})
const absent = { absent: { node: "node", height: 5_900 } }

/** Distinct transactions newer than the one that is sought, as many as asked for. */
const crowd = (count: number): ReadonlyArray<Listed> =>
  Array.from({ length: count }, (_, at) => {
    const bytes = new Uint8Array(64).fill(7)
    new DataView(bytes.buffer).setUint32(0, at)
    return { signature: getBase58Decoder().decode(bytes), slot: 5_950, err: null }
  })

it.effect.each<[name: string, node: Node, where: unknown]>([
  ["in another slot is there", { listed: [landed(1, 5_003)] }, { ...evidence, height: 5_003 }],
  [
    "behind a page of newer ones is found",
    { listed: [...crowd(1_200), landed(1, 4_990)] },
    { ...evidence, height: 4_990 }
  ],
  [
    "behind a page that is shorter than was asked for is found",
    { listed: [...crowd(3), landed(1, 4_990)], most: 2 },
    { ...evidence, height: 4_990 }
  ],
  [
    "on a node that does not know where its list goes on is unknown",
    { listed: [...crowd(3), landed(1, 4_990)], most: 2, isForgetful: true },
    undefined
  ],
  ["in a whole list that does not have it is absent", { listed: [landed(2, 5_001)] }, absent],
  ["that landed with an error moved nothing", { listed: [landed(1, 5_002, "failed")] }, absent],
  ["on a node without lists by account is unknown", { listed: [], indexed: null }, undefined],
  ["on a node whose lists lag is unknown", { listed: [], indexed: 4_999 }, undefined],
  // A later slot, into which it may have moved, is not in them yet.
  [
    "on a node whose lists have not come to the final slot is unknown",
    { listed: [], indexed: 5_500 },
    undefined
  ],
  ["on a node that began later is unknown", { listed: [], first: 5_001 }, undefined],
  ["on a node that began where it may have moved to is unknown", { listed: [], first: 4_500 }, undefined],
  ["behind more than is read is unknown", { listed: crowd(11_000) }, undefined]
])("a transfer %s", ([, node, where]) =>
  Effect.gen(function* () {
    expect(yield* traced(node)).toEqual(where)
  })
)
