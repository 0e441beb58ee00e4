import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { choose, type Terms } from "../../../../src/payment/settler/evm/choice.ts"
import type { Job } from "../../../../src/payment/settler/evm/job.ts"
import { SettlementJournal } from "../../../../src/payment/settler/evm/journal.ts"
import { journalAt } from "../../../support/payment/base-settling.ts"
import { HASH, jobOf, KEY } from "../../../support/payment/jobs.ts"

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

  it.effect(
    "is nothing with what is handed over again: what failed beside others goes alone from then on",
    () =>
      Effect.gen(function* () {
        const journal = yield* SettlementJournal
        yield* journal.hold(KEY)
        yield* journal.adoptNonce(KEY, 0)
        const job = jobOf("payment")
        const attempt = { hash: HASH, raw: HASH, kind: "payment", maxFee: 1n, tip: 1n } as const
        const preparation = { address: KEY, nonce: 0, gas: 1n, bound: 1n, windowEnd: 0, attempt, mostFee: 0n }
        yield* journal.prepare({ ...preparation, entries: [{ job, stored: false }] })
        const result = { state: "failed", reason: "it was beside another" } as const
        const inclusion = { address: KEY, nonce: 0, hash: HASH, height: 1, blockHash: HASH, feeMicros: 1n }
        const results = [{ authorizationKey: "payment", result }]
        yield* journal.include({ ...inclusion, isFinal: false, results })
        yield* journal.offer(job)
        const { jobs } = yield* journal.waiting(undefined)
        expect(jobs).toEqual([{ ...job, apart: true }])
      }).pipe(Effect.provide(journalAt(":memory:")))
  )
})
