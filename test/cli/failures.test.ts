import { describe, expect, it } from "@effect/vitest"
import { NetworkError, SigningFailed, Unavailable } from "../../src/client/errors.ts"
import { failureOf } from "../../src/cli/exit.ts"
import { Effect } from "effect"
import { run } from "../support/cli/run.ts"
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

describe("a command line that cannot work", () => {
  const ADDRESS = "0x4200000000000000000000000000000000000006"
  it.effect("is told by the option and the variable that are wrong, and never with a key", () =>
    Effect.gen(function* () {
      const ping = (environment: Readonly<Record<string, string>>) =>
        Effect.map(run(["ping", "base", ADDRESS, "--yes"], { environment }), ({ err }) => err)
      expect(yield* ping({ TOKEN_RISK_URL: "risk.example" })).toContain(
        "(--url or TOKEN_RISK_URL) must be an http or https URL, such as https://risk.example"
      )
      const base = yield* ping({ TOKEN_RISK_BASE_KEY: "geheim" })
      expect(base).toContain("(TOKEN_RISK_BASE_KEY, --base-key-file)")
      const solana = yield* ping({ TOKEN_RISK_SOLANA_KEY: "geheim" })
      expect(solana).toContain("(TOKEN_RISK_SOLANA_KEY, --solana-key-file)")
      expect(base + solana).not.toContain("geheim")
    })
  )

  it("says where to look when the wallet could not sign, and quotes nothing of it", () => {
    const { message } = describeFailure(new SigningFailed(new Error("geheim")), 0n)
    expect(message).toContain("SOLANA_RPC_URL")
    expect(message).not.toContain("geheim")
  })
})

describe("a failure that nobody foresaw", () => {
  it("proves nothing about money", () => {
    const failure = failureOf(describeFailure(new TypeError("a defect"), 0n))
    expect(failure).toMatchObject({ code: "failed", charged: null })
  })
})
