import { describe, expect, it, layer } from "@effect/vitest"
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
import { ConfigProvider, Effect, Layer, Option } from "effect"
import { ChainRpcLive } from "../../src/chain/chain-rpc-live.ts"
import { referenceOf } from "../../src/checkout/solana-pay.ts"
import { Checkouts } from "../../src/checkout/checkouts.ts"
import { usdcAccountOf } from "../../src/checkout/merchant-account.ts"
import { WalletTransfers, WalletTransfersLive } from "../../src/checkout/wallet-transfers.ts"
import { SOLANA_NETWORK, SOLANA_USDC } from "../../src/domain/chain.ts"
import type { CheckoutTerms } from "../../src/domain/checkout.ts"
import { LocalSolana } from "../support/sandbox.ts"
import { Chain, createCheckout, shop, SOLANA_MERCHANT, statusOf } from "../support/checkout/shop.ts"

const TOKEN_PROGRAM = address("TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA")
/** Instruction number. Source: SPL Token. */
const TRANSFER_CHECKED = 12
const MEMO = address("MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr")

const termsOf = (payTo: string, id: string, expiresAt: number): CheckoutTerms => ({
  scheme: "exact",
  network: SOLANA_NETWORK,
  amount: "750000",
  asset: SOLANA_USDC,
  payTo,
  memo: "order",
  checkoutId: id,
  maxTimeoutSeconds: 300,
  expiresAt: new Date(expiresAt).toISOString(),
  extra: {},
  url: "https://risk.test/x"
})

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

const LocalTransfers = Layer.unwrapEffect(
  Effect.map(LocalSolana, ({ url }) =>
    WalletTransfersLive.pipe(
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

layer(LocalTransfers, { excludeTestServices: true, timeout: 60_000 })("a wallet's own transfer", (it) => {
  const find = (terms: CheckoutTerms) => Effect.flatMap(WalletTransfers, (transfers) => transfers.find(terms))
  const soon = () => Date.now() + 3_600_000

  it.effect("is found by its reference, memo and amount", () =>
    Effect.gen(function* () {
      const { accounts } = yield* LocalSolana
      const id = `chk_${"01".repeat(16)}`
      const terms = termsOf(accounts.shop.address, id, soon())
      expect(Option.isNone(yield* find(terms))).toBe(true)
      const transaction = yield* walletPays({ reference: referenceOf(id), memo: id, amount: 750_000n })
      expect(yield* find(terms)).toEqual(Option.some({ transaction, payer: accounts.payer.address }))
      // In time is what the block says.
      expect(Option.isNone(yield* find({ ...terms, expiresAt: new Date(0).toISOString() }))).toBe(true)
      expect(Option.isNone(yield* find({ ...terms, payTo: accounts.merchant.address }))).toBe(true)
      expect(Option.isNone(yield* find({ ...terms, amount: "750001" }))).toBe(true)
    })
  )

  it.effect("with the memo of another order pays neither", () =>
    Effect.gen(function* () {
      const { accounts } = yield* LocalSolana
      const [a, b] = [`chk_${"0a".repeat(16)}`, `chk_${"0b".repeat(16)}`]
      yield* walletPays({ reference: referenceOf(a), memo: b, amount: 750_000n })
      expect(Option.isNone(yield* find(termsOf(accounts.shop.address, a, soon())))).toBe(true)
      expect(Option.isNone(yield* find(termsOf(accounts.shop.address, b, soon())))).toBe(true)
    })
  )
})

describe("a checkout whose page was opened", () => {
  it.live("is paid by the wallet's transfer, once", () =>
    Effect.gen(function* () {
      const chain = yield* Chain
      const checkouts = yield* Checkouts
      const terms = yield* createCheckout({ network: SOLANA_NETWORK, merchantPayTo: SOLANA_MERCHANT })
      chain.wallets.set(terms.checkoutId, { transaction: "5sig", payer: "wallet" })
      expect(yield* checkouts.findTransfers).toBe(0)
      yield* checkouts.watch(terms.checkoutId)
      expect(yield* checkouts.findTransfers).toBe(1)
      expect(yield* checkouts.findTransfers).toBe(0)
      expect((yield* statusOf(terms.checkoutId)).receipt).toMatchObject({
        status: "paid",
        transaction: "5sig",
        payer: "wallet",
        binding: "memo"
      })
    }).pipe(Effect.provide(shop()))
  )
})
