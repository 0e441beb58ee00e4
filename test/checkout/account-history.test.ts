import { expect, layer } from "@effect/vitest"
import {
  AccountRole,
  appendTransactionMessageInstructions,
  address,
  blockhash,
  createTransactionMessage,
  getBase64EncodedWireTransaction,
  pipe,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners
} from "@solana/kit"
import { ConfigProvider, Effect, Layer } from "effect"
import { ChainRpcLive } from "../../src/chain/chain-rpc-live.ts"
import { AccountHistory, AccountHistoryLive } from "../../src/checkout/account-history.ts"
import { usdcAccountOf } from "../../src/checkout/merchant-account.ts"
import { memoCodeOf, referenceOf } from "../../src/checkout/solana-pay.ts"
import { SOLANA_USDC } from "../../src/domain/chain.ts"
import { LocalSolana } from "../support/sandbox.ts"

const TOKEN_PROGRAM = address("TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA")
/** Instruction number. Source: SPL Token. */
const TRANSFER_CHECKED = 12
const MEMO = address("MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr")

interface Paying {
  readonly reference: string
  readonly memo: string
  readonly amount: bigint
}

/** What a wallet sends after it has scanned the code: a transfer with the reference, and a memo. */
const walletPays = ({ amount, memo, reference }: Paying) =>
  Effect.gen(function* () {
    const { accounts, url } = yield* LocalSolana
    const { payer, shop: merchant } = accounts
    const call = (method: string, params: ReadonlyArray<unknown>) =>
      Effect.promise(async () => {
        const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params })
        const answer = await fetch(url, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body
        })
        return (await answer.json()).result
      })
    const [source, destination] = yield* Effect.promise(() =>
      Promise.all([usdcAccountOf(payer.address), usdcAccountOf(merchant.address)])
    )
    const { value } = yield* call("getLatestBlockhash", [])
    const lifetime = {
      blockhash: blockhash(String(value.blockhash)),
      lastValidBlockHeight: BigInt(value.lastValidBlockHeight)
    }
    const data = Buffer.alloc(10)
    data.writeUInt8(TRANSFER_CHECKED, 0)
    data.writeBigUInt64LE(amount, 1)
    data.writeUInt8(6, 9)
    const transfer = {
      programAddress: TOKEN_PROGRAM,
      data: new Uint8Array(data),
      accounts: [
        { address: address(source ?? ""), role: AccountRole.WRITABLE },
        { address: address(SOLANA_USDC), role: AccountRole.READONLY },
        { address: address(destination ?? ""), role: AccountRole.WRITABLE },
        { address: payer.address, role: AccountRole.READONLY_SIGNER, signer: payer },
        { address: address(reference), role: AccountRole.READONLY }
      ]
    } as const
    const note = { programAddress: MEMO, data: new TextEncoder().encode(memo) }
    const signed = yield* Effect.promise(() =>
      pipe(
        createTransactionMessage({ version: 0 }),
        (message) => setTransactionMessageFeePayerSigner(payer, message),
        (message) => setTransactionMessageLifetimeUsingBlockhash(lifetime, message),
        (message) => appendTransactionMessageInstructions([note, transfer], message),
        signTransactionMessageWithSigners
      )
    )
    return yield* call("sendTransaction", [getBase64EncodedWireTransaction(signed), { encoding: "base64" }])
  })

const LocalHistory = Layer.unwrapEffect(
  Effect.map(LocalSolana, ({ url }) =>
    AccountHistoryLive.pipe(
      Layer.provide(ChainRpcLive),
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
  )
).pipe(Layer.provideMerge(LocalSolana.layer))

layer(LocalHistory, { excludeTestServices: true, timeout: 60_000 })("a merchant's account", (it) => {
  it.effect("is read from the cursor on, with memo, reference, amount and the owner who paid", () =>
    Effect.gen(function* () {
      const { accounts } = yield* LocalSolana
      const history = yield* AccountHistory
      const owner = accounts.shop.address
      const id = `chk_${"01".repeat(16)}`
      const before = yield* history.balances([owner, accounts.merchant.address])
      expect(before.time).toBeGreaterThan(Date.now() - 60_000)
      const range = { owner, cursor: null, from: Date.now() - 60_000, slot: before.slot }
      const start = yield* history.since(range)
      const transaction = yield* walletPays({
        reference: referenceOf(id),
        memo: memoCodeOf(id),
        amount: 750_000n
      })
      const after = yield* history.balances([owner])
      expect((after.amounts[0] ?? 0n) - (before.amounts[0] ?? 0n)).toBe(750_000n)
      const { changes, cursor, isComplete } = yield* history.since({ ...range, cursor: start.cursor })
      expect(changes).toMatchObject([{ transaction, change: 750_000n, counterparty: accounts.payer.address }])
      expect(changes[0]?.references).toEqual(expect.arrayContaining([referenceOf(id), memoCodeOf(id)]))
      expect([cursor, isComplete]).toEqual([transaction, true])
      expect((yield* history.since({ ...range, cursor })).changes).toEqual([])
    })
  )
})
