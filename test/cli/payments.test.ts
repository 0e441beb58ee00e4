import { expect, layer } from "@effect/vitest"
import Sqlite from "better-sqlite3"
import { Effect, Layer, Schema } from "effect"
import { join } from "node:path"
import { type Address, parseAbi } from "viem"
import { evmAccount, solanaSigner } from "../../scripts/sandbox/accounts.ts"
import type { BaseChain } from "../../scripts/sandbox/base/base-chain.ts"
import { USDC_MINT } from "../../scripts/sandbox/solana/addresses.ts"
import { BASE_NETWORK, BASE_USDC } from "../../src/domain/chain.ts"
import { LedgerLive } from "../../src/payment/ledger/ledger-live.ts"
import { Ledger, type NewClaim } from "../../src/payment/ledger/ledger.ts"
import { databaseAt } from "../../src/storage/database.ts"
import { run } from "../support/cli/run.ts"
import { baseBuyer, LocalSandbox, serviceEnvironment, solanaBuyer, startService } from "../support/sandbox.ts"
import { encode, pay, receiptOf, signFor } from "../support/calls.ts"
import { termsFor } from "../support/payment/terms.ts"
import { scopedFolder } from "../support/scoped-folder.ts"

const DAY = 86_400_000
const daysAgo = (days: number) => new Date(Date.now() - days * DAY).toISOString().slice(0, 10)
const today = () => daysAgo(0)

/** Says of every transfer in a ledger that it was written down so many days before. */
const recordedDaysAgo = (path: string, days: number) => {
  const ledger = new Sqlite(path)
  ledger.prepare("UPDATE payment_evidence SET created_at = created_at - ?").run(days * DAY)
  ledger.close()
}

const usdc = parseAbi([
  "function transfer(address to, uint256 value)",
  "function transferFrom(address from, address to, uint256 value)"
])

/** What brings an account no money: nothing, which anybody may send it in anybody's name, and what it sends to itself. */
const moveNothing = ({ accounts, devnet }: BaseChain, account: Address) =>
  Effect.promise(async () => {
    const { payer, trader } = accounts
    await devnet.write(trader.address, BASE_USDC, usdc, "transferFrom", [payer.address, account, 0n])
    await devnet.setBalance(account, 10n ** 18n)
    await devnet.write(account, BASE_USDC, usdc, "transfer", [account, 100n])
  })

const Network = Schema.Struct({
  network: Schema.String,
  inLedger: Schema.Struct({ transfers: Schema.Number, amount: Schema.String }),
  differences: Schema.Array(
    Schema.Struct({ kind: Schema.String, transaction: Schema.String, amount: Schema.String })
  )
})
const decodeDay = Schema.decodeUnknownSync(
  Schema.parseJson(
    Schema.Struct({
      networks: Schema.Array(Network),
      gas: Schema.Struct({
        transactions: Schema.Number,
        withoutReceipt: Schema.Number,
        wei: Schema.NumberFromString,
        ethPerUsdc: Schema.NullOr(Schema.Number)
      })
    })
  )
)

let sellers = 0
/** Addresses that nobody has paid: the chains keep what a test that is tried again was paid before. */
const newSeller = ({ solana }: LocalSandbox["Type"]) =>
  Effect.promise(async () => {
    const label = `seller ${(sellers += 1)}`
    const { address } = await solanaSigner(label)
    await solana.place.tokenAccount({ mint: USDC_MINT, owner: address, amount: 0n })
    return { onBase: evmAccount(label).address, onSolana: address }
  })

/** A ping on each network, bought from a service that is gone afterwards. */
const buyPings = ({ base, solana }: LocalSandbox["Type"], environment: Readonly<Record<string, string>>) =>
  Effect.gen(function* () {
    const { url } = yield* startService(environment, { output: "quiet" })
    const screening = {
      method: "GET",
      operation: "ping",
      chain: "base",
      address: base.tokens.clean.address
    } as const
    const buyers = [baseBuyer(base.accounts.payer), solanaBuyer(solana.accounts.payer, solana.url)]
    return yield* Effect.promise(() =>
      Promise.all(
        buyers.map(async (buyer) =>
          receiptOf(await pay(url, screening, encode(await signFor(url, screening, buyer))))
        )
      )
    )
  })

/** What a payment of 5,000 units leaves when it was begun, refused, and counted though it never was on chain. */
const plant = (payTo: string) =>
  Effect.gen(function* () {
    const ledger = yield* Ledger
    const claim = (authorizationKey: string): NewClaim => ({
      authorizationKey,
      fingerprint: authorizationKey,
      network: BASE_NETWORK,
      payer: "0x1111111111111111111111111111111111111111",
      amount: "5000",
      payload: "{}",
      requirements: termsFor(payTo, 5_000n),
      since: 1
    })
    yield* ledger.begin(claim("begun"), "answer")
    yield* ledger.begin(claim("refused"), "answer")
    const seen = { node: "node.example", height: 7 }
    yield* ledger.refused("refused", "invalid_valid_before", { kind: "window-closed", closed: 5, seen }, true)
    yield* ledger.begin(claim("imagined"), "answer")
    const { network, payer, amount } = claim("imagined")
    const settlement = { success: true, transaction: IMAGINED, network, payer }
    const place = { network, transaction: IMAGINED, index: 0, height: 7 }
    yield* ledger.settled("imagined", settlement, { ...place, payer, payTo: payTo.toLowerCase(), amount })
  })
const IMAGINED = `0x${"ab".repeat(32)}`

layer(LocalSandbox.layer, { excludeTestServices: true, timeout: 120_000 })(
  "the operator's commands",
  (it) => {
    it.scoped(
      "show a sale with its proof, and name every transfer the ledger did not sell for",
      () =>
        Effect.gen(function* () {
          const sandbox = yield* LocalSandbox
          const { base } = sandbox
          const directory = yield* scopedFolder
          const path = join(directory, "ledger.db")
          const seller = yield* newSeller(sandbox)
          const environment = serviceEnvironment(sandbox, {
            DATABASE_URL: `sqlite:${path}`,
            BASE_PAY_TO: seller.onBase,
            SOLANA_PAY_TO: seller.onSolana
          })
          const receipts = yield* Effect.scoped(buyPings(sandbox, environment))
          const settings = Object.fromEntries(
            Object.entries(environment).filter((entry): entry is [string, string] => entry[1] !== undefined)
          )
          for (const { transaction } of receipts) {
            const shown = yield* run(["payments", transaction], { environment: settings })
            expect(shown.code).toBe(0)
            expect(shown.out).toContain("settled")
            expect(shown.out).toContain(transaction)
          }
          const listed = yield* run(["payments", "--json"], { environment: settings })
          expect(JSON.parse(listed.out)).toEqual({ unresolved: [], refused: [], lost: [] })

          // Money that nobody was sold anything for.
          const gift = yield* base.mintUsdc(seller.onBase, 123n)
          expect(gift).toBeUndefined()
          yield* moveNothing(base, seller.onBase)
          const compared = yield* run(["reconcile", "--day", today(), "--json"], { environment: settings })
          expect(compared.code).toBe(1)
          const day = decodeDay(compared.out)
          expect(day.networks.map(({ inLedger }) => inLedger)).toEqual([
            { transfers: 1, amount: "5000" },
            { transfers: 1, amount: "5000" }
          ])
          expect(day.networks.flatMap(({ differences }) => differences)).toMatchObject([
            { kind: "not-in-ledger", amount: "123" }
          ])
          expect(day.gas).toMatchObject({ transactions: 1, withoutReceipt: 0 })
          expect(day.gas.ethPerUsdc).toBeCloseTo(day.gas.wei / 1e18 / 0.005)
          expect(day.gas.wei).toBeGreaterThan(0)

          // As after a process that was down over midnight, or a payment that came again days later.
          recordedDaysAgo(path, 3)
          const later = yield* run(["reconcile", "--day", today(), "--json"], { environment: settings })
          expect(decodeDay(later.out).networks.flatMap(({ differences }) => differences)).toMatchObject([
            { kind: "not-in-ledger", amount: "123" }
          ])
          const then = yield* run(["reconcile", "--day", daysAgo(3), "--json"], { environment: settings })
          expect(decodeDay(then.out).networks).toMatchObject([
            { inLedger: { transfers: 1 }, differences: [] },
            { inLedger: { transfers: 1 }, differences: [] }
          ])
          recordedDaysAgo(path, -3)

          yield* plant(seller.onBase).pipe(
            Effect.provide(LedgerLive.pipe(Layer.provide(databaseAt({ dialect: "sqlite", path }))))
          )
          const planted = yield* run(["payments", "--json"], { environment: settings })
          expect(JSON.parse(planted.out)).toMatchObject({
            unresolved: [{ key: "begun", state: "settling", transaction: null }],
            refused: [{ key: "refused", reason: "invalid_valid_before" }]
          })
          const told = yield* run(["payments"], { environment: settings })
          expect(told.out).toMatch(
            /\d{4}-\d\d-\d\dT[\d:.]+Z {2}base {4}0\.005 USD {2}0x1{40} {2}invalid_valid_before {2}refused\n/
          )
          const refused = yield* run(["payments", "refused"], { environment: settings })
          expect(refused.out).toMatch(/proof {2}.*window-closed.*node\.example/)
          const again = yield* run(["reconcile", "--day", today(), "--json"], { environment: settings })
          const second = decodeDay(again.out)
          expect(second.networks.flatMap(({ differences }) => differences)).toMatchObject([
            { kind: "not-in-ledger", amount: "123" },
            { kind: "not-on-chain", amount: "5000", transaction: IMAGINED }
          ])
          expect(second.gas).toMatchObject({ transactions: 1, withoutReceipt: 1, wei: day.gas.wei })
          expect((yield* run(["payments", "nothing"], { environment: settings })).code).toBe(4)
          expect(
            (yield* run(["payments"], { environment: { DATABASE_URL: "sqlite:/nowhere/at.db" } })).code
          ).toBe(2)
        }),
      180_000
    )
  }
)
