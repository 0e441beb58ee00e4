import { describe, expect, it } from "@effect/vitest"
import { periodOf } from "../../src/cli/reconcile.ts"

describe("the day that is compared", () => {
  it("is one of the calendar: a slip of the pen compares no other day in its place", () => {
    for (const day of ["2026-02-29", "2026-02-31", "2026-04-31", "2026-13-01", "2026-1-1", "today"])
      expect(periodOf(day)).toBeUndefined()
    const from = Date.UTC(2028, 1, 29) / 1_000
    expect(periodOf("2028-02-29")).toEqual({ from, to: from + 86_400 })
  })
})
