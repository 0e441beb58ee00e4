import { describe, expect, it, layer } from "@effect/vitest"
import { getBase58Decoder } from "@solana/kit"
import { ConfigProvider, Effect, Layer, Predicate } from "effect"
import { ChainRpc } from "../../../src/chain/chain-rpc.ts"
import { ChainRpcLive } from "../../../src/chain/chain-rpc-live.ts"
import type { RpcCall } from "../../../src/chain/rpc-call.ts"
import { AccountHistory, AccountHistoryLive } from "../../../src/checkout/solana/account-history.ts"
import { memoCodeOf, referenceOf } from "../../../src/checkout/solana/solana-pay.ts"
import { usdcAccountOf } from "../../../src/chain/usdc-account.ts"
import { SOLANA_USDC } from "../../../src/domain/chain.ts"
import { SOLANA_PROGRAMS } from "../../../src/domain/solana-programs.ts"
import { makeNode } from "../../support/chain/rpc-double.ts"
import { walletPays } from "../../support/checkout/solana-wallet.ts"
import { LocalSolana } from "../../support/sandbox.ts"
import { firstPageOf, pageOf } from "../../support/solana/listing.ts"

const MEMO = "MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr"
const MERCHANT = "7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV"
const PROGRAMS = [SOLANA_PROGRAMS.token, SOLANA_PROGRAMS.computeBudget]
const ID = `chk_${"01".repeat(16)}`

const chainAt = (url: string) =>
  ChainRpcLive.pipe(
    Layer.provide(
      Layer.setConfigProvider(
        ConfigProvider.fromMap(
          new Map([
            ["SOLANA_RPC_URL", url],
            ["BASE_RPC_URL", "http://127.0.0.1:1"]
          ])
        )
      )
    )
  )

const historyAt = (url: string) => AccountHistoryLive.pipe(Layer.provide(chainAt(url)))

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

const signature = (n: number) => getBase58Decoder().decode(new Uint8Array(64).fill(n))
const balance = (accountIndex: number, owner: string, amount: string) => ({
  accountIndex,
  mint: SOLANA_USDC,
  owner,
  uiTokenAmount: { amount }
})

/** A wallet program pays: transfer and memo are called by it, and the reference comes from an address table. */
const paidByProgram = {
  slot: 9,
  blockTime: 1_800_000_000,
  transaction: {
    message: {
      accountKeys: ["payer", "payerTokens", "merchantTokens", "walletProgram", MEMO],
      instructions: [{ programIdIndex: 3, accounts: [0, 1, 2], data: "" }]
    }
  },
  meta: {
    err: null,
    preTokenBalances: [balance(1, "owner", "5000000"), balance(2, MERCHANT, "0")],
    postTokenBalances: [balance(1, "owner", "4000000"), balance(2, MERCHANT, "1000000")],
    loadedAddresses: { writable: [], readonly: [referenceOf(ID)] },
    innerInstructions: [
      {
        index: 0,
        instructions: [
          { programIdIndex: 4, accounts: [], data: getBase58Decoder().decode(Buffer.from(memoCodeOf(ID))) }
        ]
      }
    ]
  }
}

/** A transaction under the name that it was asked for by. */
const named = (given: unknown, id: string): unknown => {
  const { transaction } = Object(given)
  return Predicate.hasProperty(transaction, "message")
    ? { ...Object(given), transaction: { signatures: [id], ...transaction } }
    : given
}

/**
 * A node that lists these transactions and gives what it has of them.
 * @param most transactions that it lists at once
 */
const nodeWith = (
  count: number,
  give: (id: string, maxVersion: number) => unknown,
  most?: number,
  list = pageOf
) =>
  makeNode((calls, isBatch) => {
    const replies = calls.map(({ id, method, params }) => {
      const [what, options] = params
      if (method === "getSignaturesForAddress") {
        const listed = Array.from({ length: count }, (_, n) => ({
          signature: signature(n + 1),
          slot: 9,
          err: null,
          blockTime: 1_800_000_000
        }))
        return { jsonrpc: "2.0", id, result: list(listed, options, most) }
      }
      const version = Object(options)["maxSupportedTransactionVersion"]
      const given = give(String(what), version)
      const answer =
        given === "refused"
          ? {
              error: {
                code: -32015,
                message: "Transaction version (1) is not supported by the requesting client"
              }
            }
          : { result: named(given, String(what)) }
      return { jsonrpc: "2.0", id, ...answer }
    })
    return { body: isBatch ? replies : replies[0] }
  })

const WHOLE = { owner: MERCHANT, cursor: null, before: null, from: 0, since: 0, wantsLeft: true }

const pageFrom = (url: string) =>
  Effect.flatMap(AccountHistory, (history) => history.page({ ...WHOLE, slot: 1n, final: 1_000n })).pipe(
    Effect.provide(historyAt(url))
  )

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
