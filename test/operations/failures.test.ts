import { describe, expect, it } from "@effect/vitest"
import { ScreeningUnavailable, UpstreamError } from "../../src/domain/errors.ts"
import { describeCheckoutFailure, describeOperationFailure } from "../../src/operations/failures.ts"

const outage = new UpstreamError({ upstream: "database", kind: "transport", detail: "gone" })

describe("the words of an outage", () => {
  // Free calls, merchants and who asks for terms meet it like those who pay: nobody is told of a payment that he never made.
  it.each([
    ["an operation", describeOperationFailure(outage)],
    ["a checkout", describeCheckoutFailure(outage)],
    ["a screening", describeOperationFailure(new ScreeningUnavailable({ upstream: "base-rpc" }))]
  ])("of %s say what to do with a payment, and do not say that there was one", (_, { text }) => {
    expect(text).toContain(
      "repeat the request, with the same payment if it carried one, never with a new one"
    )
    expect(text).not.toContain("send the same payment again")
  })
})
