import { expect, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { run } from "../support/cli/run.ts"
import { baseBuyer, LocalSandbox, serviceEnvironment, solanaBuyer, startService } from "../support/sandbox.ts"
import { encode, pay, receiptOf, signFor } from "../support/calls.ts"

const today = () => new Date().toISOString().slice(0, 10)

const Network = Schema.Struct({
  network: Schema.String,
  inLedger: Schema.Struct({ transfers: Schema.Number, amount: Schema.String }),
  differences: Schema.Array(
    Schema.Struct({ kind: Schema.String, transaction: Schema.String, amount: Schema.String })
  )
})
const decodeDay = Schema.decodeUnknownSync(
  Schema.parseJson(
    Schema.Struct({ networks: Schema.Array(Network), gas: Schema.Struct({ transactions: Schema.Number }) })
  )
)

layer(LocalSandbox.layer, { excludeTestServices: true, timeout: 120_000 })(
  "the operator's commands",
  (it) => {
    it.scoped(
      "show a sale with its proof, and name every transfer the ledger did not sell for",
      () =>
        Effect.gen(function* () {
          const sandbox = yield* LocalSandbox
          const { base, solana } = sandbox
          const directory = yield* Effect.acquireRelease(
            Effect.sync(() => mkdtempSync(join(tmpdir(), "token-risk-cli-"))),
            (made) => Effect.sync(() => rmSync(made, { recursive: true, force: true }))
          )
          const environment = serviceEnvironment(sandbox, {
            DATABASE_URL: `sqlite:${join(directory, "ledger.db")}`
          })
          const { url } = yield* startService(environment, { output: "quiet" })
          const screening = {
            method: "GET",
            operation: "ping",
            chain: "base",
            address: base.tokens.clean.address
          } as const
          const receipts = yield* Effect.promise(async () => {
            const buyers = [baseBuyer(base.accounts.payer), solanaBuyer(solana.accounts.payer, solana.url)]
            return Promise.all(
              buyers.map(async (buyer) =>
                receiptOf(await pay(url, screening, encode(await signFor(url, screening, buyer))))
              )
            )
          })
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
          const gift = yield* base.mintUsdc(base.accounts.merchant.address, 123n)
          expect(gift).toBeUndefined()
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
          expect(day.gas.transactions).toBe(1)
          expect((yield* run(["payments", "nothing"], { environment: settings })).code).toBe(4)
          expect(
            (yield* run(["payments"], { environment: { DATABASE_URL: "sqlite:/nowhere/at.db" } })).code
          ).toBe(2)
        }),
      120_000
    )
  }
)
