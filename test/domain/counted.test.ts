import { describe, expect, it } from "@effect/vitest"
import { counted } from "../../src/domain/counted.ts"

describe("a number with its noun", () => {
  it("is in the singular for one alone", () => {
    expect([0, 1, 2].map((count) => counted(count, "transfer"))).toEqual([
      "0 transfers",
      "1 transfer",
      "2 transfers"
    ])
    expect([1, 2].map((count) => counted(count, "reply", "replies"))).toEqual(["1 reply", "2 replies"])
  })
})
