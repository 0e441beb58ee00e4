import { describe, expect, it } from "@effect/vitest"
import Sqlite from "better-sqlite3"
import { Effect, Schema } from "effect"
import type { Answer, Screening } from "../support/calls.ts"
import { pay, receiptOf } from "../support/calls.ts"
import { run } from "../support/cli/run.ts"
import {
  cleanToken,
  expectSame,
  lookOf,
  networks,
  newPayment,
  sendOf,
  startProxies,
  through
} from "../support/payment/buying.ts"
import { movedSince, readBooks } from "../support/books.ts"
import { DEEP_PRICE } from "../support/prices.ts"
import { eventually, useStage } from "../support/stage.ts"

const stage = useStage()

const decodePayments = Schema.decodeSync(
  Schema.parseJson(Schema.Struct({ unresolved: Schema.Array(Schema.Unknown) }))
)

/** What `token-risk payments` shows its operator as begun and not ended. */
const unresolvedIn = async (database: string) => {
  const { code, err, out } = await Effect.runPromise(
    run(["payments", "--json"], { environment: { DATABASE_URL: database } })
  )
  if (code !== 0) throw new Error(err)
  return decodePayments(out).unresolved
}

describe("SIGKILL in mid-settlement, on both networks", () => {
  it("loses nothing and pays nothing twice: whoever asks gets the answer that was kept, and what nobody asks for is finished by the reconciler", async () => {
    const proxies = await startProxies(stage().run, stage().sandbox)
    const environment = {
      DATABASE_URL: stage().databaseFile(),
      CACHE_TTL: "1 millis",
      // How long a dead process's payments are left alone.
      PAYMENT_LEASE: "4 seconds",
      ...through(proxies)
    }
    const doomed = await stage().start(environment)
    const deep: Screening = {
      method: "POST",
      operation: "deep",
      chain: "base",
      address: cleanToken(stage(), "base")
    }
    const paymentsOf = () =>
      Promise.all(networks.map((network) => newPayment(stage(), doomed.url, deep, network)))
    const [asked, abandoned] = [await paymentsOf(), await paymentsOf()]
    const before = await readBooks(stage())
    // The transfers are sent, and neither that nor their outcome can be seen: the middle of a settlement.
    for (const network of networks) {
      proxies[network].faults.lostReplies.add(sendOf(network))
      proxies[network].faults.refusedMethods.add(lookOf(network))
    }
    let isDoomed = false
    /** As a payer does who is told to come again: on a busy machine a first call may end before anything was sent. */
    const insist = async (payment: string): Promise<Answer | undefined> => {
      const answer = await pay(doomed.url, deep, payment).catch(() => undefined)
      return answer?.status === 503 && !isDoomed ? insist(payment) : answer
    }
    const lost = [...asked, ...abandoned].map(insist)
    await eventually(
      () => movedSince(stage(), before),
      ({ base, solana }) => base === 2n * DEEP_PRICE && solana === 2n * DEEP_PRICE
    )
    const { sentOnBase } = await movedSince(stage(), before)
    isDoomed = true
    doomed.signal("SIGKILL")
    await Effect.runPromise(doomed.ended)
    for (const answer of await Promise.all(lost)) expect(answer?.status).not.toBe(200)
    for (const { faults } of Object.values(proxies)) {
      faults.lostReplies.clear()
      faults.refusedMethods.clear()
    }

    const heir = await stage().start(environment)
    // The dead process's lease has to run out; until then the only honest answer is "ask again".
    await Promise.all(
      asked.map(async (payment) => {
        const answer = await eventually(
          () => pay(heir.url, deep, payment),
          ({ headers, status }) => {
            if (status !== 200) expect([status, headers.has("retry-after")]).toEqual([503, true])
            return status === 200
          }
        )
        expectSame([answer, await pay(heir.url, deep, payment)])
        expect(receiptOf(answer).success).toBe(true)
      })
    )
    // Nobody has asked for the others: what is settled now, the reconciler has settled.
    const ledger = new Sqlite(environment.DATABASE_URL.replace(/^sqlite:/, ""), { readonly: true })
    await eventually(
      () => ledger.prepare("SELECT 1 FROM payments WHERE state <> 'settled'").all(),
      (unsettled) => unsettled.length === 0
    )
    ledger.close()
    expect(await unresolvedIn(environment.DATABASE_URL)).toEqual([])
    // With both chains out of reach, what answers now is the ledger.
    for (const network of networks) proxies[network].httpFaults.fault = "error"
    for (const payment of abandoned) {
      const answer = await pay(heir.url, deep, payment)
      expect([answer.status, receiptOf(answer).success]).toEqual([200, true])
    }
    expect(await movedSince(stage(), before)).toEqual({
      base: 2n * DEEP_PRICE,
      solana: 2n * DEEP_PRICE,
      sentOnBase,
      sentOnSolana: 2
    })
  })
})
