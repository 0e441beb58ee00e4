/** Nodes of Solana that list what an account did, and the account's history as read from them. */
import { getBase58Decoder } from "@solana/kit"
import { ConfigProvider, Effect, Layer, Predicate } from "effect"
import { ChainRpcLive } from "../../../src/chain/chain-rpc-live.ts"
import { AccountHistory, AccountHistoryLive } from "../../../src/checkout/solana/account-history.ts"
import { memoCodeOf, referenceOf } from "../../../src/checkout/solana/solana-pay.ts"
import { SOLANA_USDC } from "../../../src/domain/chain.ts"
import { makeNode } from "../chain/rpc-double.ts"
import { pageOf } from "../solana/listing.ts"

const MEMO = "MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr"
export const MERCHANT = "7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV"
export const ID = `chk_${"01".repeat(16)}`

export const chainAt = (url: string) =>
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

export const historyAt = (url: string) => AccountHistoryLive.pipe(Layer.provide(chainAt(url)))

export const signature = (n: number) => getBase58Decoder().decode(new Uint8Array(64).fill(n))
export const balance = (accountIndex: number, owner: string, amount: string) => ({
  accountIndex,
  mint: SOLANA_USDC,
  owner,
  uiTokenAmount: { amount }
})

/** A wallet program pays: transfer and memo are called by it, and the reference comes from an address table. */
export const paidByProgram = {
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
export const named = (given: unknown, id: string): unknown => {
  const { transaction } = Object(given)
  return Predicate.hasProperty(transaction, "message")
    ? { ...Object(given), transaction: { signatures: [id], ...transaction } }
    : given
}

/**
 * A node that lists these transactions and gives what it has of them.
 * @param most transactions that it lists at once
 */
export const nodeWith = (
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

export const WHOLE = { owner: MERCHANT, cursor: null, before: null, from: 0, since: 0, wantsLeft: true }

export const pageFrom = (url: string) =>
  Effect.flatMap(AccountHistory, (history) => history.page({ ...WHOLE, slot: 1n, final: 1_000n })).pipe(
    Effect.provide(historyAt(url))
  )
