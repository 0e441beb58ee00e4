import { beforeAll, describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import type { ServiceProcess } from "../../scripts/sandbox/service.ts"
import type { Answer, Screening } from "../support/calls.ts"
import { ask, pay, toHttp } from "../support/calls.ts"
import {
  cleanToken,
  expectSame,
  type Network,
  networks,
  newPayment,
  onceOnBoth
} from "../support/payment/buying.ts"
import { movedSince, NOTHING, readBooks } from "../support/books.ts"
import { DEEP_PRICE } from "../support/prices.ts"
import { useStage } from "../support/stage.ts"

const stage = useStage()

const deepOn = (chain: Network): Screening => ({
  method: "POST",
  operation: "deep",
  chain,
  address: cleanToken(stage(), chain)
})

/** The same on both networks at once: their books are apart. */
const onBoth = <A>(play: (network: Network) => Promise<A>): Promise<ReadonlyArray<A>> =>
  Promise.all(networks.map(play))

// One story, told in order: what was bought before a restart is asked for after it.
describe("the same payment for the same request, on either network", { shuffle: false }, () => {
  let database = {}
  let service: ServiceProcess | undefined
  let kept: ReadonlyArray<{ readonly payment: string; readonly answers: ReadonlyArray<Answer> }> = []
  const running = () => {
    if (service === undefined) throw new Error("the service starts before the tests")
    return service
  }
  beforeAll(async () => {
    database = { DATABASE_URL: stage().databaseFile(), CACHE_TTL: "1 millis" }
    service = await stage().start(database)
  })

  it("sent twenty times at once, is one transfer and twenty equal answers", async () => {
    const { url } = running()
    const payments = await onBoth((network) => newPayment(stage(), url, deepOn("solana"), network))
    const before = await readBooks(stage())
    // Work that took longer than an unpaid payment may hold us is 503 for everybody who waited for it, and for nobody alone.
    const twentyTimes = async (payment: string): Promise<ReadonlyArray<Answer>> => {
      const answers = await Promise.all(Array.from({ length: 20 }, () => pay(url, deepOn("solana"), payment)))
      return answers.every(({ status }) => status === 503) ? twentyTimes(payment) : answers
    }
    const answers = await Promise.all(payments.map(twentyTimes))
    answers.forEach(expectSame)
    expect(await movedSince(stage(), before)).toEqual(onceOnBoth(DEEP_PRICE))
  })

  it("gets the same bytes and receipt again", async () => {
    const { url } = running()
    const payments = await onBoth((network) => newPayment(stage(), url, deepOn("base"), network))
    const before = await readBooks(stage())
    kept = await Promise.all(
      payments.map(async (payment) => ({
        payment,
        answers: [
          await pay(url, deepOn("base"), payment),
          await pay(url, deepOn("base"), payment),
          await pay(url, { ...deepOn("base"), method: "GET" }, payment)
        ]
      }))
    )
    for (const { answers } of kept) expectSame(answers)
    expect(await movedSince(stage(), before)).toEqual(onceOnBoth(DEEP_PRICE))
  })

  describe("after a restart, and sent to two processes on one port,", () => {
    beforeAll(async () => {
      const first = running()
      first.signal("SIGTERM")
      expect(await Effect.runPromise(first.ended)).toBe(0)
      service = await stage().start({ ...database, WORKERS: "2" })
    })

    it("gets the same bytes and receipt again, for no second transfer", async () => {
      const before = await readBooks(stage())
      expect(kept).toHaveLength(networks.length)
      for (const { answers, payment } of kept)
        expectSame([...answers, await pay(running().url, deepOn("base"), payment)])
      expect(await movedSince(stage(), before)).toEqual(NOTHING)
    })

    it("at once is one transfer and no second report", async () => {
      const { url } = running()
      const payments = await onBoth((network) => newPayment(stage(), url, deepOn("base"), network))
      const before = await readBooks(stage())
      await Promise.all(
        payments.map(async (payment) => {
          const headers = { "payment-signature": payment, connection: "close" }
          const [target, init] = toHttp(url, deepOn("base"), headers)
          // A 503 says that the outcome is open, also where work or a block took longer than a caller waits.
          const insist = async (): Promise<Answer> => {
            const answer = await ask(target, init)
            return answer.status === 503 ? insist() : answer
          }
          const answers = await Promise.all(Array.from({ length: 20 }, insist))
          expectSame([...answers, await pay(url, deepOn("base"), payment)])
        })
      )
      expect(await movedSince(stage(), before)).toEqual(onceOnBoth(DEEP_PRICE))
    })
  })
})
