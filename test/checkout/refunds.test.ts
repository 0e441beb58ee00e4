import { expect, layer } from "@effect/vitest"
import { getBase64Encoder, getTransactionDecoder, partiallySignTransaction } from "@solana/kit"
import { getBase64EncodedWireTransaction } from "@solana/kit"
import { Effect, Layer, Schema } from "effect"
import { join } from "node:path"
import { parseTransaction } from "viem"
import { evmAccount } from "../../scripts/sandbox/accounts.ts"
import * as abi from "../../scripts/sandbox/base/abi.ts"
import { USDC } from "../../scripts/sandbox/base/addresses.ts"
import { CheckoutRepo } from "../../src/checkout/checkout-repo.ts"
import { CheckoutRepoLive } from "../../src/checkout/checkout-repo-live.ts"
import { journalOf } from "../../src/checkout/journal.ts"
import { memoCodeOf } from "../../src/checkout/solana/solana-pay.ts"
import { BASE_NETWORK, SOLANA_NETWORK } from "../../src/domain/chain.ts"
import type { CheckoutTerms } from "../../src/domain/checkout.ts"
import { PreparedRefund } from "../../src/domain/refund.ts"
import { databaseAt } from "../../src/storage/database.ts"
import { refundTerms } from "../support/checkout/refund-terms.ts"
import { callSolana, walletPays } from "../support/checkout/solana-wallet.ts"
import { run } from "../support/cli/run.ts"
import { LocalSandbox, serviceEnvironment } from "../support/sandbox.ts"
import { scopedFolder } from "../support/scoped-folder.ts"

const HOUR = 3_600_000
const decode = Schema.decodeUnknownSync(Schema.parseJson(PreparedRefund))

const termsOf = (id: string, network: CheckoutTerms["network"], payTo: string): CheckoutTerms =>
  refundTerms(network, payTo, {
    checkoutId: id,
    expiresAt: new Date(Date.now() + HOUR).toISOString(),
    extra: { memo: memoCodeOf(id) }
  })

/** A database with one checkout and what came in for it, and the command line that reads it. */
const withPaid = (
  terms: CheckoutTerms,
  paid: ReadonlyArray<{ readonly payer: string; readonly amount: bigint }>
) =>
  Effect.gen(function* () {
    const sandbox = yield* LocalSandbox
    const directory = yield* scopedFolder
    const path = join(directory, "service.db")
    const at = Date.now()
    const id = terms.checkoutId
    const repo = Effect.provide(
      Effect.gen(function* () {
        const checkouts = yield* CheckoutRepo
        yield* checkouts.insert(
          {
            id,
            status: "open",
            merchant: `${terms.network}:${terms.payTo}`,
            caller: "address:x",
            metadata: null,
            terms,
            createdAt: at,
            expiresAt: at + HOUR,
            requestDigest: "",
            webhook: null,
            idempotencyKey: null,
            references: []
          },
          { createsPerMinute: 10, maxOpen: 10 }
        )
        for (const [index, { amount, payer }] of paid.entries()) {
          const transfer = {
            evidence: `paid ${index}`,
            checkoutId: id,
            via: "wallet" as const,
            transaction: "t",
            payer,
            amount,
            at
          }
          yield* checkouts.record(transfer, at, () => ({ paid: null, messages: [] }))
        }
      }),
      CheckoutRepoLive.pipe(Layer.provide(databaseAt({ dialect: "sqlite", path })))
    )
    yield* Effect.orDie(repo)
    const environment = serviceEnvironment(sandbox, { DATABASE_URL: `sqlite:${path}` })
    const refund = (...options: ReadonlyArray<string>) =>
      run(["refund", id, "--json", ...options], { environment })
    const prepared = (...options: ReadonlyArray<string>) =>
      Effect.map(refund(...options), ({ out }) => decode(out))
    const journal = Effect.flatMap(CheckoutRepo, (checkouts) => checkouts.transfers(id)).pipe(
      Effect.map((transfers) => journalOf(terms, transfers)),
      Effect.provide(CheckoutRepoLive.pipe(Layer.provide(databaseAt({ dialect: "sqlite", path })))),
      Effect.orDie
    )
    return { sandbox, environment, refund, prepared, journal }
  })

let merchants = 0
/** A merchant on Base with ether and no dollars. */
const newMerchant = Effect.gen(function* () {
  const { base } = yield* LocalSandbox
  const merchant = evmAccount(`refunding merchant ${(merchants += 1)}`)
  yield* Effect.promise(() => base.devnet.setBalance(merchant.address, 10n ** 18n))
  return merchant
})

layer(LocalSandbox.layer, { excludeTestServices: true, timeout: 120_000 })("token-risk refund", (it) => {
  it.scoped(
    "on Base: the merchant signs it as it is, the payer has the money, the row closes, and no second one",
    () =>
      Effect.gen(function* () {
        const { base } = yield* LocalSandbox
        const merchant = yield* newMerchant
        const payer = base.accounts.trader.address
        const id = `chk_${"ba".repeat(16)}`
        const terms = termsOf(id, BASE_NETWORK, merchant.address)
        const { journal, prepared, refund } = yield* withPaid(terms, [
          { payer: payer.toLowerCase(), amount: 1_000_000n },
          { payer: payer.toLowerCase(), amount: 250_000n }
        ])
        const poor = yield* refund()
        expect([poor.code, poor.out]).toEqual([3, expect.stringContaining("does not hold enough USDC")])
        yield* base.mintUsdc(merchant.address, 5_000_000n)
        const tooMuch = yield* refund("--amount", "1.250001")
        expect([tooMuch.code, tooMuch.out]).toEqual([3, expect.stringContaining("must be at most 1.25")])

        const first = yield* prepared()
        expect(first).toMatchObject({ from: merchant.address, to: payer.toLowerCase(), amount: "1250000" })
        const again = yield* prepared()
        expect(again.refundId).toBe(first.refundId)
        expect((yield* refund("--amount", "1")).code).toBe(3)

        const unsigned = (hex: string | null) => parseTransaction(`0x${(hex ?? "").slice(2)}`)
        const [one, two] = [unsigned(first.transaction), unsigned(again.transaction)]
        expect([one.nonce, one.chainId]).toEqual([two.nonce, 8453])
        expect(first.call?.uri).toContain(`@8453/transfer?address=${payer}&uint256=1250000`)
        const before = yield* base.usdcBalance(payer)
        yield* Effect.promise(async () => {
          const signed = await merchant.signTransaction({
            type: "eip1559",
            chainId: one.chainId ?? 0,
            nonce: one.nonce ?? 0,
            to: one.to ?? null,
            data: one.data ?? "0x",
            gas: one.gas ?? 0n,
            maxFeePerGas: one.maxFeePerGas ?? 0n,
            maxPriorityFeePerGas: one.maxPriorityFeePerGas ?? 0n
          })
          const hash = await base.devnet.client.sendRawTransaction({ serializedTransaction: signed })
          await base.devnet.client.waitForTransactionReceipt({ hash, pollingInterval: 50 })
        })
        expect((yield* base.usdcBalance(payer)) - before).toBe(1_250_000n)
        const third = yield* refund()
        expect([third.code, third.out]).toEqual([3, expect.stringContaining("was refunded")])
        const refunds = (yield* journal).entries.filter(({ kind }) => kind === "refunded")
        expect(refunds).toMatchObject([{ amount: 1_250_000n }])
      })
  )

  it.scoped("on Base: a nonce spent on something else frees the way for a new one, once that is final", () =>
    Effect.gen(function* () {
      const { base } = yield* LocalSandbox
      const merchant = base.accounts.merchant.address
      const payer = base.accounts.trader.address
      yield* base.mintUsdc(merchant, 5_000_000n)
      const terms = termsOf(`chk_${"bb".repeat(16)}`, BASE_NETWORK, merchant)
      const { prepared } = yield* withPaid(terms, [{ payer, amount: 1_000_000n }])
      const first = yield* prepared()
      yield* Effect.promise(() => base.devnet.send(merchant, payer, "0x", 1n))
      expect((yield* prepared()).refundId).toBe(first.refundId)
      yield* Effect.promise(() => base.devnet.request("anvil_mine", ["0x80"]))
      expect((yield* prepared()).refundId).not.toBe(first.refundId)
    })
  )

  it.scoped("on Base: to a payer on USDC's blacklist is no outage, and is prepared once he is off it", () =>
    Effect.gen(function* () {
      const { base } = yield* LocalSandbox
      const merchant = yield* newMerchant
      const { address: payer } = evmAccount("refunded and blacklisted")
      const list = (functionName: "blacklist" | "unBlacklist") =>
        Effect.promise(() =>
          base.devnet.write(base.accounts.deployer.address, USDC, abi.usdc, functionName, [payer])
        )
      yield* base.mintUsdc(merchant.address, 5_000_000n)
      const terms = termsOf(`chk_${"bd".repeat(16)}`, BASE_NETWORK, merchant.address)
      const { prepared, refund } = yield* withPaid(terms, [{ payer, amount: 1_000_000n }])
      yield* list("blacklist")
      const refused = yield* refund()
      expect([refused.code, refused.out]).toEqual([3, expect.stringContaining("USDC refuses this refund")])
      yield* list("unBlacklist")
      expect(yield* prepared()).toMatchObject({ amount: "1000000" })
    })
  )

  it.scoped(
    "on Solana: the same bytes while they may land, to a payer whose account is gone, and closes the row",
    () =>
      Effect.gen(function* () {
        const { solana } = yield* LocalSandbox
        const { merchant, payer, shop } = solana.accounts
        const id = `chk_${"50".repeat(16)}`
        const terms = termsOf(id, SOLANA_NETWORK, payer.address)
        // Here the sandbox's rich wallet is the merchant, and the wallet of another seller had paid.
        const { journal, prepared, refund } = yield* withPaid(terms, [
          { payer: merchant.address, amount: 600_000n },
          { payer: shop.address, amount: 500_000n }
        ])
        const several = yield* refund()
        expect([several.code, several.out]).toEqual([3, expect.stringContaining("several accounts paid")])
        expect((yield* refund("--payer", payer.address)).out).toContain("must be an account that paid")
        const first = yield* prepared("--payer", shop.address)
        expect(first).toMatchObject({ to: shop.address, amount: "500000", memo: memoCodeOf(id) })
        expect((yield* prepared("--payer", shop.address)).transaction).toBe(first.transaction)

        const before = yield* solana.usdcBalance(shop.address)
        yield* Effect.promise(async () => {
          const wire = getTransactionDecoder().decode(getBase64Encoder().encode(first.transaction ?? ""))
          const signed = await partiallySignTransaction([payer.keyPair], wire)
          const params = [getBase64EncodedWireTransaction(signed), { encoding: "base64" }]
          await Effect.runPromise(callSolana(solana.url, "sendTransaction", params))
        })
        expect((yield* solana.usdcBalance(shop.address)) - before).toBe(500_000n)
        const second = yield* refund("--payer", shop.address)
        expect([second.code, second.out]).toEqual([3, expect.stringContaining("was refunded")])
        expect((yield* journal).refunded).toBe(500_000n)

        // A transaction nobody sent is void once its blockhash is, and only then is there another.
        const unsent = yield* prepared("--payer", merchant.address)
        // With a third of its life left nobody is given it to sign, nor another in its place.
        yield* Effect.sync(() => solana.ledger.clock.advance(110))
        const dying = yield* refund("--payer", merchant.address)
        expect([dying.code, dying.out]).toEqual([3, expect.stringContaining("Ask again in a minute")])
        yield* Effect.sync(() => solana.ledger.clock.advance(900))
        // As long as the node lists nothing so late, it may not have listed the refund either.
        const late = yield* refund("--payer", merchant.address)
        expect([late.code, late.out]).toEqual([3, expect.stringContaining("Ask again in a minute")])
        // Somebody always pays on Solana. Here a busy machine may see the chain move on between payment and look, and again.
        const anew = yield* walletPays(solana, {
          amount: 1n,
          reference: merchant.address,
          memo: "another order"
        }).pipe(
          Effect.zipRight(refund("--payer", merchant.address)),
          Effect.repeat({ until: ({ code }) => code === 0, times: 50 }),
          Effect.map(({ out }) => decode(out))
        )
        expect(anew.refundId).not.toBe(unsent.refundId)
        expect(anew.transaction).not.toBe(unsent.transaction)
      })
  )

  it.scoped("says to people that of the transaction and the link only one is to be used", () =>
    Effect.gen(function* () {
      const { base } = yield* LocalSandbox
      const { merchant, trader } = base.accounts
      yield* base.mintUsdc(merchant.address, 5_000_000n)
      const terms = termsOf(`chk_${"be".repeat(16)}`, BASE_NETWORK, merchant.address)
      const { environment } = yield* withPaid(terms, [{ payer: trader.address, amount: 1_000_000n }])
      const { out } = yield* run(["refund", terms.checkoutId], { environment })
      expect(out).toContain("Sign this transaction")
      expect(out).toMatch(/one of the two: both would be two refunds/)
    })
  )

  it.scoped("says that nothing was received, or that there is no such checkout", () =>
    Effect.gen(function* () {
      const { base } = yield* LocalSandbox
      const terms = termsOf(`chk_${"bc".repeat(16)}`, BASE_NETWORK, base.accounts.merchant.address)
      const { refund } = yield* withPaid(terms, [])
      const none = yield* refund()
      expect([none.code, none.out]).toEqual([3, expect.stringContaining("nothing was received")])
      expect((yield* run(["refund", "chk_x"], { environment: {} })).code).toBe(2)
    })
  )
})
