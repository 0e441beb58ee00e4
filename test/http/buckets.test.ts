import { describe, expect, it } from "vitest"
import { makeBuckets } from "../../src/http/admission/buckets.ts"

const HOUR = 3_600_000

describe("an address whose bucket is empty", () => {
  it("has one again after its wait, also where the clock ran an hour ahead when it was emptied", () => {
    const buckets = makeBuckets({ burst: 2, perSecond: 1 })
    for (let taken = 0; taken < 2; taken++) expect(buckets.take("a", HOUR)).toBe(0)
    expect(buckets.peek("a", 0)).toBe(1_000)
    expect(buckets.peek("a", 1_000)).toBe(0)
  })

  it("gets nothing by a clock that is set back", () => {
    const buckets = makeBuckets({ burst: 2, perSecond: 1 })
    for (let taken = 0; taken < 2; taken++) buckets.take("a", HOUR)
    for (const now of [HOUR - 1, HOUR - 2, HOUR - 3]) expect(buckets.take("a", now)).toBeGreaterThan(0)
  })
})
