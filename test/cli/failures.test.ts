import { describe, expect, it } from "@effect/vitest"
import { failureOf } from "../../src/cli/exit.ts"
import { describeFailure } from "../../src/cli/failures.ts"

describe("a failure that nobody foresaw", () => {
  it("proves nothing about money", () => {
    const failure = failureOf(describeFailure(new TypeError("a defect"), 0n))
    expect(failure).toMatchObject({ code: "failed", charged: null })
  })
})
