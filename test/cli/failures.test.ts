import { describe, expect, it } from "@effect/vitest"
import { NetworkError, Unavailable } from "../../src/client/errors.ts"
import { failureOf } from "../../src/cli/exit.ts"
import { describeFailure } from "../../src/cli/failures.ts"

describe("a failure", () => {
  it("is told in whole sentences, also where it is a question", () => {
    const asked = new NetworkError(
      "no answer from https://a.b: is the service running there?",
      false,
      undefined,
      0
    )
    expect(describeFailure(asked, 0n).message).toBe(
      "no answer from https://a.b: is the service running there? Nothing was charged."
    )
    const said = new Unavailable("a source is down.", null)
    expect(describeFailure(said, 0n).message).toMatch(/^a source is down\. It is not known/)
  })
})

describe("a failure that nobody foresaw", () => {
  it("proves nothing about money", () => {
    const failure = failureOf(describeFailure(new TypeError("a defect"), 0n))
    expect(failure).toMatchObject({ code: "failed", charged: null })
  })
})
