import { describe, expect, it } from "@effect/vitest"
import { choose, type Terms } from "../../../../src/payment/settler/evm/choice.ts"
import type { Job } from "../../../../src/payment/settler/evm/job.ts"
import { jobOf } from "../../../support/payment/jobs.ts"

const market = { baseFee: 1_000_000n, tip: 1_000_000n, height: 1, dataFee: 0n }
const terms: Terms = { market, price: 3_000_000_000n }

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
})
