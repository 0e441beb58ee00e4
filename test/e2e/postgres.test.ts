import { SqlClient } from "@effect/sql"
import { PgClient } from "@effect/sql-pg"
import { beforeAll, describe, expect, it } from "@effect/vitest"
import { Effect, Fiber, Redacted } from "effect"
import { LATEST } from "../../src/storage/migrations.ts"
import type { ServiceProcess } from "../../scripts/sandbox/service.ts"
import type { Answer } from "../support/calls.ts"
import { ask, challengeOf, encode, pay, receiptOf, screen } from "../support/calls.ts"
import {
  expectSame,
  expectUnknown,
  networks,
  newPayment,
  onceOnBoth,
  pingOf
} from "../support/payment/buying.ts"
import { sharedPostgres } from "../support/postgres.ts"
import { baseBuyer, startRpcProxy } from "../support/sandbox.ts"
import { movedSince, NOTHING, readBooks } from "../support/books.ts"
import { PING_PRICE } from "../support/prices.ts"
import { eventually, newBasePayer, useStage } from "../support/stage.ts"

const stage = useStage()

const PAYMENTS = 40
/** Milliseconds to the node. */
const DISTANCE = 60

let groups: ReadonlyArray<ServiceProcess> = []
let environment = {}
let url = Redacted.make("")

/** The group that answers the n-th request. */
const groupFor = (n: number): string => groups[n % groups.length]?.url ?? ""

const ping = () => pingOf(stage())

/** What a payer hears who is to send the same payment again: nobody is asked to sign another. */
const expectAgain = ({ headers, status }: Answer) => {
  expect(status).toBe(503)
  expect(Number(headers.get("retry-after"))).toBeGreaterThan(0)
  expect(headers.has("payment-required")).toBe(false)
}

/** The answer to a payment that is sent again for as long as it is told to. */
const insist = (group: string, payment: string) =>
  eventually(
    () => pay(group, ping(), payment),
    (answer) => {
      if (answer.status !== 200) expectAgain(answer)
      return answer.status === 200
    }
  )

/** Somebody else at the same database. */
const inDatabase = <A>(effect: Effect.Effect<A, unknown, SqlClient.SqlClient>): Promise<A> =>
  Effect.runPromise(Effect.orDie(Effect.provide(effect, PgClient.layer({ url, maxConnections: 1 }))))

/** The transactions that the ledger has evidence of, one for each payment. */
const evidence = async (): Promise<ReadonlyArray<string>> => {
  const rows = await inDatabase(
    Effect.flatMap(
      SqlClient.SqlClient,
      (sql) => sql<{ transaction_id: string }>`SELECT transaction_id FROM payment_evidence`
    )
  )
  return rows.map((row) => row.transaction_id)
}

beforeAll(async () => {
  const { run, sandbox, start } = stage()
  const node = await run(startRpcProxy(sandbox.base.url))
  node.httpFaults.delayMs = DISTANCE
  const database = await run(Effect.flatMap(sharedPostgres, (postgres) => postgres.database("groups")))
  if (database.dialect !== "postgres") throw new Error("a PostgreSQL")
  url = database.url
  environment = {
    DATABASE_URL: Redacted.value(url),
    BASE_RPC_URL: node.url,
    PAYMENT_LEASE: "4 seconds"
  }
  // Both find an empty database.
  groups = await Promise.all([start({ ...environment, WORKERS: "2" }), start(environment)])
})

describe("two process groups on one PostgreSQL, 60 ms from their node,", () => {
  it("migrate it once when they start together, and are ready", async () => {
    for (const { url } of groups) expect((await ask(`${url}/readyz`)).status).toBe(200)
    const [row] = await inDatabase(
      Effect.flatMap(
        SqlClient.SqlClient,
        (sql) => sql<{ latest: number }>`SELECT MAX(migration_id) AS latest FROM effect_sql_migrations`
      )
    )
    expect(row?.latest).toBe(LATEST)
  })

  it("answer what comes to both at once with one settling key, each payment by its own transfer", async () => {
    const buyer = baseBuyer(await newBasePayer(stage()))
    const challenges = await Promise.all(
      groups.map(async ({ url: at }) => challengeOf(await screen(at, ping())))
    )
    const payments = await Promise.all(
      Array.from({ length: PAYMENTS }, async (_, n) => {
        const challenge = challenges[n % challenges.length] ?? expect.fail("a challenge")
        return encode(await buyer.client.createPaymentPayload(challenge))
      })
    )
    const before = await readBooks(stage())
    const known = new Set(await evidence())
    const answers = await Promise.all(payments.map((payment, n) => insist(groupFor(n), payment)))
    expect((await movedSince(stage(), before)).base).toBe(BigInt(PAYMENTS) * PING_PRICE)
    expect((await evidence()).filter((transaction) => !known.has(transaction)).toSorted()).toEqual(
      answers.map((answer) => receiptOf(answer).transaction).toSorted()
    )
  })

  it("sell each payment once while their connections to it are cut again and again", async () => {
    const buyer = baseBuyer(await newBasePayer(stage()))
    const challenge = challengeOf(await screen(groupFor(0), ping()))
    const payments = await Promise.all(
      Array.from({ length: 12 }, async () => encode(await buyer.client.createPaymentPayload(challenge)))
    )
    const before = await readBooks(stage())
    const known = new Set(await evidence())
    const cut = Effect.flatMap(
      SqlClient.SqlClient,
      (sql) => sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid() AND state <> 'idle'`
    )
    const cutting = Effect.runFork(
      Effect.forever(Effect.delay(cut, "200 millis")).pipe(
        Effect.provide(PgClient.layer({ url, maxConnections: 1 }))
      )
    )
    const answers = await Promise.all(payments.map((payment, n) => insist(groupFor(n), payment)))
    await Effect.runPromise(Fiber.interrupt(cutting))
    expect((await movedSince(stage(), before)).base).toBe(BigInt(payments.length) * PING_PRICE)
    expect((await evidence()).filter((transaction) => !known.has(transaction)).toSorted()).toEqual(
      answers.map((answer) => receiptOf(answer).transaction).toSorted()
    )
  })

  it("sell one payment once, whichever of them is asked", async () => {
    const payments = await Promise.all(
      networks.map((network) => newPayment(stage(), groupFor(0), ping(), network))
    )
    const before = await readBooks(stage())
    const answers = await Promise.all(
      payments.map((payment) =>
        Promise.all(Array.from({ length: 8 }, (_, n) => insist(groupFor(n), payment)))
      )
    )
    answers.forEach(expectSame)
    expect(await movedSince(stage(), before)).toEqual(onceOnBoth(PING_PRICE))
  })

  it("say 503 and charge nothing while somebody holds the ledger locked, and sell when it is free", async () => {
    const payment = await newPayment(stage(), groupFor(0), ping(), "solana")
    const before = await readBooks(stage())
    await inDatabase(
      Effect.flatMap(SqlClient.SqlClient, (sql) =>
        sql.withTransaction(
          Effect.gen(function* () {
            yield* sql`LOCK TABLE payments IN ACCESS EXCLUSIVE MODE`
            const answer = yield* Effect.promise(() => pay(groupFor(1), ping(), payment))
            expectUnknown(answer)
          })
        )
      )
    )
    expect(await movedSince(stage(), before)).toEqual(NOTHING)
    await insist(groupFor(1), payment)
    expect((await movedSince(stage(), before)).solana).toBe(PING_PRICE)
  })

  it("go on selling when one that has just sold is killed, with the key they share", async () => {
    // One more, that the others may be asked again, in any order.
    const doomed = await stage().start(environment)
    const [sold, payment] = await Promise.all([
      newPayment(stage(), doomed.url, ping(), "base"),
      newPayment(stage(), groupFor(1), ping(), "base")
    ])
    const before = await readBooks(stage())
    await insist(doomed.url, sold)
    doomed.signal("SIGKILL")
    await insist(groupFor(1), payment)
    expect((await movedSince(stage(), before)).base).toBe(2n * PING_PRICE)
  })
})
