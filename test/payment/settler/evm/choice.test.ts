import { describe, expect, it } from "@effect/vitest"
import { boundFor, choose, mostFeeOf, type Terms } from "../../../../src/payment/settler/evm/choice.ts"
import type { Job } from "../../../../src/payment/settler/evm/job.ts"
import { jobOf } from "../../../support/payment/jobs.ts"

const market = { baseFee: 1_000_000n, tip: 1_000_000n, height: 1, dataFee: 0n }
const terms: Terms = { market, price: 3_000_000_000n }

/** Under these a wei is a millionth of a dollar, as an amount's smallest unit is. */
const dear: Terms = { market: { baseFee: 1n, tip: 1n, height: 1, dataFee: 11n }, price: 10n ** 18n }

const chosen = (jobs: ReadonlyArray<Job>, under: Terms = terms) =>
  choose(
    jobs.map((job) => ({ job, stored: true })),
    under,
    (amount) => amount
  )?.entries.map(({ job }) => job.authorizationKey)

describe("what shares a transaction", () => {
  it("are payments that failed in none before", () => {
    const [first, failed, third] = [jobOf("first"), jobOf("failed", { apart: true }), jobOf("third")]
    expect(chosen([first, failed, third])).toEqual(["first", "third"])
    expect(chosen([failed, first, third])).toEqual(["failed"])
  })

  it("is nothing while each is to go by itself", () =>
    expect(chosen([jobOf("first"), jobOf("second")], { ...terms, mostTogether: 1 })).toEqual(["first"]))

  it("are twenty at most, the oldest", () => {
    const names = Array.from({ length: 25 }, (_, at) => `payment-${at}`)
    expect(chosen(names.map((name) => jobOf(name)))).toEqual(names.slice(0, 20))
  })
})

describe("the most that a transaction may cost", () => {
  it("is its gas at the highest price it offers, and what publishing each of its payments costs", () => {
    const wei = 300_000n * 7n + 11n + 22n
    const jobs = [
      jobOf("short", { data: `0x${"00".repeat(356)}` }),
      jobOf("long", { data: `0x${"00".repeat(700)}` })
    ]
    expect(mostFeeOf(jobs, 300_000n, { maxFee: 7n }, dear)).toBe(wei)
  })

  it("leaves of what a payment may cost what its publication does", () => {
    expect(boundFor(jobOf("one", { gas: 10n }), dear, 1_011n)).toBe(100n)
  })

  it("is as high as the smallest of its payments allows", () => {
    for (const amounts of [
      [3_000n, 1_000n, 2_000n],
      [1_000n, 2_000n, 3_000n],
      [2_000n, 3_000n, 1_000n]
    ]) {
      const entries = amounts.map((amount) => ({
        job: jobOf(String(amount), { gas: 10n, amount }),
        stored: true
      }))
      expect(choose(entries, dear, (amount) => amount + 11n)).toMatchObject({ bound: 100n })
    }
  })
})
