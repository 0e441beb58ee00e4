import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { AccountHistory } from "../../../src/checkout/solana/account-history.ts"
import { makeNode } from "../../support/chain/rpc-double.ts"
import { firstPageOf, pageOf } from "../../support/solana/listing.ts"
import {
  historyAt,
  signature,
  paidByProgram,
  named,
  nodeWith,
  WHOLE,
  pageFrom
} from "../../support/checkout/account-node.ts"

/** When the blocks of `pruned` begin. */
const KEPT = 1_799_000_000

/** A node that lists these transactions, newest first, and has kept nothing before a slot. */
const pruned = (
  listed: ReadonlyArray<number>,
  first: number | "refused",
  time: number | null = KEPT,
  failed: ReadonlyArray<number> = []
) =>
  makeNode((calls, isBatch) => {
    const entries = listed.map((n) => ({
      signature: signature(n),
      slot: n,
      err: failed.includes(n) ? { InstructionError: [0, "Custom"] } : null,
      blockTime: 1_800_000_000
    }))
    const answers: Readonly<Record<string, unknown>> = {
      getFirstAvailableBlock: first,
      getBlockTime: time
    }
    const replies = calls.map(({ id, method, params: [what, options] }) => {
      const given = answers[method] ?? named(paidByProgram, String(what))
      return answers[method] === "refused"
        ? { jsonrpc: "2.0", id, error: { code: -32601, message: "Method not found" } }
        : {
            jsonrpc: "2.0",
            id,
            result: method === "getSignaturesForAddress" ? pageOf(entries, options) : given
          }
    })
    return { body: isBatch ? replies : replies[0] }
  })

/** What is known of the time between the cursor, the first transaction, and the page that these nodes list. */
const knownBy = (...urls: ReadonlyArray<string>) =>
  Effect.flatMap(AccountHistory, (history) =>
    history.page({ ...WHOLE, cursor: signature(1), since: 1_000, slot: 1n, final: 1_000n })
  ).pipe(Effect.provide(historyAt(urls.join())))

describe("a node that lists fewer than it was asked for", () => {
  it.scopedLive("has not come to the end of the list", () =>
    Effect.gen(function* () {
      const short = yield* nodeWith(5, () => paidByProgram, 3)
      const page = yield* pageFrom(short.url)
      expect(page).toMatchObject({ isLast: false, oldest: signature(3) })
      expect(page.changes).toHaveLength(3)
    })
  )

  it.scopedLive("tells nothing where it does not know where its list goes on", () =>
    Effect.gen(function* () {
      const forgetful = yield* nodeWith(5, () => paidByProgram, 3, firstPageOf)
      expect(yield* Effect.flip(pageFrom(forgetful.url))).toMatchObject({ kind: "malformed" })
    })
  )
})

describe("a list that ends above the cursor", () => {
  it.scopedLive("has not shown what lies between: it is known from where the node's own record begins", () =>
    Effect.gen(function* () {
      const forgetful = yield* pruned([3, 2], 2)
      const page = yield* knownBy(forgetful.url)
      expect(page).toMatchObject({ isLast: true, knownSince: KEPT * 1_000, left: null })
      expect(page.changes).toHaveLength(2)
    })
  )

  it.scopedLive("is asked of the other nodes, and the one that has kept the cursor shows the rest", () =>
    Effect.gen(function* () {
      const forgetful = yield* pruned([3], 3)
      const whole = yield* pruned([3, 2, 1], 0)
      expect(yield* knownBy(forgetful.url, whole.url)).toMatchObject({
        isLast: true,
        knownSince: 0,
        oldest: signature(2)
      })
    })
  )

  it.scopedLive.each([
    ["does not say what it has kept", "refused", KEPT],
    ["does not say since when", 3, null]
  ] as const)("of a node that %s shows nothing of what is below", ([, first, time]) =>
    Effect.gen(function* () {
      const silent = yield* pruned([3], first, time)
      expect(yield* knownBy(silent.url)).toMatchObject({ isLast: true, knownSince: null })
    })
  )

  it.scopedLive("shows nothing of what is below while another node, which may know, does not answer", () =>
    Effect.gen(function* () {
      const forgetful = yield* pruned([3], 3)
      expect(yield* knownBy(forgetful.url, "http://127.0.0.1:1")).toMatchObject({ knownSince: null })
    })
  )

  it.scopedLive("down to the cursor, where everything below failed, does not show what was left before", () =>
    Effect.gen(function* () {
      const node = yield* pruned([2, 1], 0, KEPT, [1])
      expect(yield* knownBy(node.url)).toMatchObject({ isLast: true, knownSince: 0, left: null })
    })
  )

  it.scopedLive("of a node that has kept everything shows that nothing was ever left", () =>
    Effect.gen(function* () {
      const node = yield* pruned([2], 0)
      expect(yield* knownBy(node.url)).toMatchObject({ isLast: true, knownSince: 0, left: 0n })
    })
  )
})
