import { describe, expect, it, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { ChainRpc } from "../../../src/chain/chain-rpc.ts"
import type { RpcCall } from "../../../src/chain/rpc-call.ts"
import { AccountHistory, AccountHistoryLive } from "../../../src/checkout/solana/account-history.ts"
import { memoCodeOf, referenceOf } from "../../../src/checkout/solana/solana-pay.ts"
import { usdcAccountOf } from "../../../src/chain/usdc-account.ts"
import { SOLANA_PROGRAMS } from "../../../src/domain/solana-programs.ts"
import { makeNode } from "../../support/chain/rpc-double.ts"
import { walletPays } from "../../support/checkout/solana-wallet.ts"
import { LocalSolana } from "../../support/sandbox.ts"
import {
  MERCHANT,
  ID,
  chainAt,
  historyAt,
  signature,
  balance,
  paidByProgram,
  nodeWith,
  WHOLE,
  pageFrom
} from "../../support/checkout/account-node.ts"

const PROGRAMS = [SOLANA_PROGRAMS.token, SOLANA_PROGRAMS.computeBudget]

const SLOTS_OF_A_NEW_BLOCKHASH = 10

const LocalHistory = Layer.unwrapEffect(Effect.map(LocalSolana, ({ url }) => historyAt(url))).pipe(
  Layer.provideMerge(LocalSolana.layer)
)

layer(LocalHistory, { excludeTestServices: true, timeout: 60_000 })("a merchant's account", (it) => {
  it.effect("is read from the cursor on, with memo, reference, amount and the owner who paid", () =>
    Effect.gen(function* () {
      const chain = yield* LocalSolana
      const { accounts } = chain
      // A payment that is tried again is the first one, byte for byte, until there is another blockhash.
      chain.ledger.clock.advance(SLOTS_OF_A_NEW_BLOCKHASH)
      const history = yield* AccountHistory
      const owner = accounts.shop.address
      const before = yield* history.balances([owner, accounts.merchant.address])
      expect(before.time).toBeGreaterThan(Date.now() - 60_000)
      const [{ slot }, from] = [before, Date.now() - 60_000]
      const range = {
        owner,
        cursor: null,
        before: null,
        from,
        since: from,
        slot,
        final: slot + 10n,
        wantsLeft: true
      }
      const start = yield* history.page(range)
      const transaction = yield* walletPays(chain, {
        reference: referenceOf(ID),
        memo: memoCodeOf(ID),
        amount: 750_000n
      })
      const after = yield* history.balances([owner])
      expect((after.amounts[0] ?? 0n) - (before.amounts[0] ?? 0n)).toBe(750_000n)
      const page = yield* history.page({ ...range, cursor: start.newest })
      expect(page.changes).toMatchObject([
        {
          transaction,
          change: 750_000n,
          counterparty: accounts.payer.address,
          feePayer: accounts.payer.address
        }
      ])
      expect(page.changes[0]?.references).toEqual(expect.arrayContaining([referenceOf(ID), memoCodeOf(ID)]))
      expect(page).toMatchObject({ newest: transaction, isLast: true, isWhole: true })
      // The cursor itself is seen in the list, and what it left.
      expect(yield* history.page({ ...range, cursor: transaction })).toMatchObject({
        changes: [],
        knownSince: 0,
        left: after.amounts[0]
      })
    })
  )
})

describe("a transaction of an unusual form", () => {
  it.scopedLive("is read like any other: inner memo, reference from a table, a newer version", () =>
    Effect.gen(function* () {
      const node = yield* nodeWith(1, (_id, version) => (version > 0 ? paidByProgram : "refused"))
      const { changes, isWhole } = yield* pageFrom(node.url)
      expect(isWhole).toBe(true)
      expect(changes).toMatchObject([
        { transaction: signature(1), change: 1_000_000n, counterparty: "owner", at: 1_800_000_000_000 }
      ])
      expect(changes[0]?.references).toEqual(expect.arrayContaining([memoCodeOf(ID), referenceOf(ID)]))
    })
  )

  it.scopedLive(
    "is known by the transfer itself, as a sale knows it, whatever names the account before it",
    () =>
      Effect.gen(function* () {
        const { meta, transaction } = paidByProgram
        const keys = [...transaction.message.accountKeys.slice(0, 2), usdcAccountOf(MERCHANT), ...PROGRAMS]
        const budget = { programIdIndex: 4, accounts: [2], data: "" }
        const transfer = { programIdIndex: 3, accounts: [1, 2, 0], data: "" }
        const message = { accountKeys: keys, instructions: [budget, budget, transfer] }
        const landed = {
          ...paidByProgram,
          transaction: { message },
          meta: { ...meta, innerInstructions: [] }
        }
        const node = yield* nodeWith(1, () => landed)
        expect((yield* pageFrom(node.url)).changes).toMatchObject([{ change: 1_000_000n, index: 2 }])
      })
  )

  it.scopedLive(
    "that several owners paid in names none of them as payer: money would go back to the wrong one",
    () =>
      Effect.gen(function* () {
        const { meta } = paidByProgram
        const others = (amount: string) => [balance(3, "another", amount), balance(4, "third", "0")]
        const together = {
          ...paidByProgram,
          meta: {
            ...meta,
            preTokenBalances: [...meta.preTokenBalances, ...others("9000000")],
            postTokenBalances: [
              ...meta.postTokenBalances,
              balance(3, "another", "4000000"),
              balance(4, "third", "5000000")
            ]
          }
        }
        const node = yield* nodeWith(1, () => together)
        expect((yield* pageFrom(node.url)).changes).toMatchObject([
          { change: 1_000_000n, counterparty: null }
        ])
      })
  )

  it.scopedLive("that is another one than was asked for, or does not say how it ended, moved nothing", () =>
    Effect.gen(function* () {
      const { err: _err, ...endless } = paidByProgram.meta
      for (const given of [
        { ...paidByProgram, transaction: { signatures: [signature(3)], ...paidByProgram.transaction } },
        { ...paidByProgram, meta: endless }
      ]) {
        const node = yield* nodeWith(2, (id) => (id === signature(1) ? given : paidByProgram))
        const page = yield* pageFrom(node.url)
        expect(page.changes.map(({ transaction }) => transaction)).toEqual([signature(2)])
        expect(page.isWhole).toBe(false)
      }
    })
  )

  it.scopedLive.each([
    ["is not there yet", null],
    ["has no effects", { ...paidByProgram, meta: null }],
    [
      "does not tell of tokens",
      { ...paidByProgram, meta: { ...paidByProgram.meta, preTokenBalances: null, postTokenBalances: null } }
    ],
    [
      "tells of tokens at one end alone",
      { ...paidByProgram, meta: { ...paidByProgram.meta, postTokenBalances: undefined } }
    ],
    ["has a form nobody knows", { ...paidByProgram, transaction: ["AQ==", "base64"] }],
    ["is refused in every version", "refused"]
  ])("that %s hides no other, and the page is not whole", ([, given]) =>
    Effect.gen(function* () {
      const node = yield* nodeWith(2, (id) => (id === signature(1) ? given : paidByProgram))
      const page = yield* pageFrom(node.url)
      expect(page.changes.map(({ transaction }) => transaction)).toEqual([signature(2)])
      expect(page).toMatchObject({ isWhole: false, isLast: true, newest: signature(1), oldest: signature(2) })
    })
  )
})

/** The chain of these nodes, with how many transactions it was asked for at once. */
const countedAt = (url: string, counted: { now: number; most: number }) =>
  AccountHistoryLive.pipe(
    Layer.provide(
      Layer.effect(
        ChainRpc,
        Effect.map(ChainRpc, ({ base, solana }) => {
          const call: RpcCall = (method, params, result) => {
            const asked = solana.call(method, params, result)
            if (method !== "getTransaction") return asked
            const begin = Effect.sync(() => {
              counted.now += 1
              counted.most = Math.max(counted.most, counted.now)
            })
            return Effect.acquireUseRelease(
              begin,
              () => asked,
              () => Effect.sync(() => (counted.now -= 1))
            )
          }
          return { base, solana: { ...solana, call } }
        })
      )
    ),
    Layer.provide(chainAt(url))
  )

describe("accounts in which a lot happens", () => {
  it.scopedLive("are read with room left for sales, however many there are: anybody can name them", () =>
    Effect.gen(function* () {
      const node = yield* nodeWith(60, () => paidByProgram)
      const counted = { now: 0, most: 0 }
      const pages = Effect.flatMap(AccountHistory, ({ page }) =>
        Effect.all(
          Array.from({ length: 4 }, () => page({ ...WHOLE, slot: 1n, final: 1_000n })),
          { concurrency: "unbounded" }
        )
      )
      const read = yield* Effect.provide(pages, countedAt(node.url, counted))
      expect(read.map(({ changes }) => changes.length)).toEqual([60, 60, 60, 60])
      expect(counted.most).toBeGreaterThan(1)
      expect(counted.most).toBeLessThanOrEqual(8)
    })
  )
})

it.scopedLive("a final slot that is no whole number is an outage, and no bug of ours", () =>
  Effect.gen(function* () {
    for (const slot of [1.5, -1, "1.5", "-1", "NaN"]) {
      const node = yield* makeNode(([call]) => ({ body: { jsonrpc: "2.0", id: call?.id, result: slot } }))
      const asked = Effect.flatMap(AccountHistory, ({ finalSlot }) => finalSlot)
      expect(yield* Effect.flip(Effect.provide(asked, historyAt(node.url)))).toMatchObject({
        upstream: "solana-rpc",
        kind: "malformed"
      })
    }
  })
)
