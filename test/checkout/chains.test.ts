import { SqlClient } from "@effect/sql"
import { describe, expect, layer } from "@effect/vitest"
import { Context, Effect, Layer, Option, Schema } from "effect"
import type { x402Client } from "@x402/core/client"
import { join } from "node:path"
import { CheckoutReceipt, CheckoutStatus, CheckoutTerms } from "../../src/domain/checkout.ts"
import { databaseAt } from "../../src/storage/database.ts"
import type { ServiceProcess } from "../../scripts/sandbox/service.ts"
import { baseBuyer, LocalSandbox, serviceEnvironment, solanaBuyer, startService } from "../support/sandbox.ts"
import { eventually } from "../support/hostile/clients.ts"
import { scopedFolder } from "../support/scoped-folder.ts"

const decodeTerms = Schema.decodeUnknownSync(CheckoutTerms)
const decodeReceipt = Schema.decodeUnknownSync(Schema.parseJson(CheckoutReceipt))
const decodeStatus = Schema.decodeUnknownSync(CheckoutStatus)

/** The official client pays at most one dollar unless it is told otherwise. */
const AMOUNT = 750_000n
const SLOTS_OF_A_NEW_BLOCKHASH = 10

type ChainName = "base" | "solana"

const open = (chain: ChainName) =>
  Effect.gen(function* () {
    const { base, solana } = yield* LocalSandbox
    const payTo = chain === "base" ? base.accounts.shop.address : solana.accounts.shop.address
    const buyer =
      chain === "base" ? baseBuyer(base.accounts.payer) : solanaBuyer(solana.accounts.payer, solana.url)
    const balance =
      chain === "base"
        ? base.usdcBalance(base.accounts.shop.address)
        : solana.usdcBalance(solana.accounts.shop.address)
    // The memo is fixed, so within one blockhash a second payment would be the first one, byte for byte.
    const newBlockhash = Effect.sync(() => solana.ledger.clock.advance(SLOTS_OF_A_NEW_BLOCKHASH))
    return { chain, payTo, buyer, balance, newBlockhash }
  })

const post = (url: string, body: unknown) =>
  Effect.promise(() =>
    fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body)
    })
  )

const create = (url: string, network: ChainName, merchantPayTo: string) =>
  Effect.gen(function* () {
    const body = { network, merchantPayTo, amountUsd: "0.75", memo: "order-1" }
    const answer = yield* post(`${url}/api/checkout/v1/checkout/create`, body)
    expect(answer.status).toBe(200)
    return decodeTerms(yield* Effect.promise(() => answer.json()))
  })

/** The terms, given to the official client as they are. */
const signTerms = (client: x402Client, terms: CheckoutTerms) =>
  Effect.promise(async () => {
    const resource = { url: terms.url, description: "checkout", mimeType: "application/json" }
    const payload = await client.createPaymentPayload({ x402Version: 2, resource, accepts: [{ ...terms }] })
    return Buffer.from(JSON.stringify(payload), "utf8").toString("base64")
  })

const verify = (terms: CheckoutTerms, paymentSignature: string) =>
  Effect.flatMap(post(`${terms.url}/verify`, { paymentSignature }), (answer) =>
    Effect.map(
      Effect.promise(() => answer.text()),
      (text) => ({ status: answer.status, text })
    )
  )

const service = (overrides: Readonly<Record<string, string>> = {}) =>
  Effect.flatMap(LocalSandbox, (sandbox) =>
    startService(serviceEnvironment(sandbox, overrides), { output: "quiet" })
  )

const LogLine = Schema.parseJson(
  Schema.Struct({
    message: Schema.Literal("request"),
    annotations: Schema.Struct({
      path: Schema.String,
      status: Schema.Number,
      paid: Schema.Boolean,
      costUsd: Schema.String,
      transaction: Schema.optional(Schema.String),
      reason: Schema.optional(Schema.String)
    })
  })
)
const decodeLine = Schema.decodeUnknownOption(LogLine)

/** What a service has logged of requests. */
const linesOf = (output: string) =>
  output
    .split("\n")
    .flatMap((line) =>
      Option.match(decodeLine(line), { onNone: () => [], onSome: ({ annotations }) => [annotations] })
    )

const isVerifyOf = (path: string, all: ReadonlyArray<CheckoutTerms>): boolean =>
  all.some(({ checkoutId }) => path.endsWith(`/${checkoutId}/verify`))

const newFile = Effect.map(scopedFolder, (folder) => join(folder, "service.db"))

/** Networks on which broadcasting for checkouts without a token stands in the books (the sandbox's SOL has no price). */
const feesBooked = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ network: string }>`SELECT network FROM settlement_fees
    WHERE purse = 'checkout-anonymous'`
  return rows.map(({ network }) => network)
})

/** One process for the tests that do not kill it, and where its database is. */
class Service extends Context.Tag("test/Service")<Service, ServiceProcess & { readonly path: string }>() {
  static readonly layer = Layer.provideMerge(
    Layer.scoped(
      Service,
      Effect.gen(function* () {
        const path = yield* newFile
        return { ...(yield* service({ DATABASE_URL: `sqlite:${path}` })), path }
      })
    ),
    LocalSandbox.layer
  )
}

/** Sends the same payment again, as the answer says, until its outcome is known. */
const verifyUntilKnown = (
  terms: CheckoutTerms,
  payment: string
): Effect.Effect<{ readonly status: number; readonly text: string }> =>
  Effect.flatMap(verify(terms, payment), (answer) =>
    answer.status === 503
      ? Effect.zipRight(Effect.sleep("500 millis"), verifyUntilKnown(terms, payment))
      : Effect.succeed(answer)
  )

layer(Service.layer, { excludeTestServices: true, timeout: 120_000 })("on local chains", (it) => {
  describe("an official x402 client", () => {
    it.scoped.each(["base", "solana"] as const)("pays a checkout on %s with the terms as they are", (chain) =>
      Effect.gen(function* () {
        const { output, path, url } = yield* Service
        const { balance, buyer, newBlockhash, payTo } = yield* open(chain)
        const terms = yield* create(url, chain, payTo)
        const before = yield* balance
        const payment = yield* signTerms(buyer.client, terms)
        const answers = yield* Effect.all(
          Array.from({ length: 50 }, () => verify(terms, payment)),
          { concurrency: "unbounded" }
        )
        expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
        const receipt = decodeReceipt(answers[0]?.text ?? "")
        expect(receipt).toMatchObject({ status: "paid", binding: chain === "base" ? "server" : "memo" })
        expect((yield* balance) - before).toBe(AMOUNT)
        const database = databaseAt({ dialect: "sqlite", path })
        expect(yield* Effect.provide(feesBooked, database)).toContain(terms.network)

        yield* newBlockhash
        const second = yield* verify(terms, yield* signTerms(buyer.client, terms))
        expect(second.status).toBe(409)
        const [other, third] = [yield* create(url, chain, payTo), yield* create(url, chain, payTo)]
        expect((yield* verify(other, payment)).status).toBe(409)
        expect((yield* verify(third, yield* signTerms(buyer.client, other))).status).toBe(402)
        expect((yield* balance) - before).toBe(AMOUNT)
        // Which transactions of our settling key were whose, and why somebody was not taken, the log alone tells later.
        const lines = yield* eventually(
          Effect.sync(() => linesOf(output()).filter(({ path }) => isVerifyOf(path, [terms, other, third]))),
          ({ length }) => length >= answers.length + 3
        )
        expect(lines.filter(({ status }) => status === 200)).toHaveLength(answers.length)
        for (const line of lines.filter(({ status }) => status === 200))
          expect(line).toMatchObject({ transaction: receipt.transaction, paid: false, costUsd: "0" })
        expect(lines.find(({ status }) => status === 402)?.reason).toMatch(/^checkout_/)
        const status = decodeStatus(yield* Effect.promise(async () => (await fetch(terms.url)).json()))
        expect(status.status).toBe("paid")
      })
    )

    it.scoped.each(["base", "solana"] as const)(
      "pays the verify address on %s like any x402 resource",
      (chain) =>
        Effect.gen(function* () {
          const { url } = yield* Service
          const { balance, buyer, payTo } = yield* open(chain)
          const before = yield* balance
          const terms = yield* create(url, chain, payTo)
          const answer = yield* Effect.promise(() => buyer.fetch(`${terms.url}/verify`, { method: "POST" }))
          expect(answer.status).toBe(200)
          expect(answer.headers.get("payment-response")).not.toBeNull()
          expect((yield* balance) - before).toBe(AMOUNT)
        })
    )
  })

  it.scoped(
    "a process killed between broadcasting and recording loses nothing and pays once",
    () =>
      Effect.gen(function* () {
        const { solana } = yield* LocalSandbox
        const { balance, buyer, payTo } = yield* open("solana")
        // How long a dead process's payments are left alone.
        const settings = { DATABASE_URL: `sqlite:${yield* newFile}`, PAYMENT_LEASE: "4 seconds" }
        const first = yield* service(settings)
        const terms = yield* create(first.url, "solana", payTo)
        const before = yield* balance
        const payment = yield* signTerms(buyer.client, terms)
        const sent = () => solana.requests.get("sendTransaction") ?? 0
        const sentBefore = sent()
        solana.faults.confirmMs = 1_500
        const cut = yield* Effect.fork(Effect.exit(verify(terms, payment)))
        while (sent() === sentBefore) yield* Effect.sleep("10 millis")
        first.signal("SIGKILL")
        yield* first.ended
        yield* cut.await
        solana.faults.confirmMs = 0

        const next = yield* service(settings)
        const moved = { ...terms, url: terms.url.replace(first.url, next.url) }
        const answer = yield* verifyUntilKnown(moved, payment)
        expect(answer.status).toBe(200)
        expect(decodeReceipt(answer.text).status).toBe("paid")
        expect((yield* verify(moved, payment)).text).toBe(answer.text)
        expect((yield* balance) - before).toBe(AMOUNT)
      }),
    120_000
  )

  it.scoped("a merchant without a token account on Solana is told so at create", () =>
    Effect.gen(function* () {
      const { url } = yield* Service
      const body = {
        network: "solana",
        merchantPayTo: "7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV",
        amountUsd: "1"
      }
      const answer = yield* post(`${url}/api/checkout/v1/checkout/create`, body)
      expect(answer.status).toBe(400)
      expect(yield* Effect.promise(() => answer.text())).toContain("USDC token account")
    })
  )
})
