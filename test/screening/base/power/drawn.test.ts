import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Address, Hex } from "viem"
import { UpstreamError } from "../../../../src/domain/errors.ts"
import { known } from "../../../../src/domain/fact.ts"
import { ZERO_ADDRESS } from "../../../../src/screening/base/addresses.ts"
import { judgeDraws } from "../../../../src/screening/base/power/drawn.ts"
import { POOL, clean, harmlessCode } from "../../../support/base/fixtures.ts"

const FUND: Address = `0x${"1f".repeat(20)}`
const VAULT: Address = `0x${"2f".repeat(20)}`
const BUYER: Address = `0x${"3f".repeat(20)}`
const PAYS = "0x12345678"

const drawingOn = (...from: ReadonlyArray<Address>) => ({
  ...clean.code,
  findings: known({
    ...harmlessCode,
    leakingToken: { state: "found", selectors: [PAYS], note: "" } as const,
    proof: {
      ...harmlessCode.proof,
      conservation: {
        holes: [{ selector: PAYS, kind: "draws", privileged: true, why: "", heldBy: [], from } as const]
      }
    }
  })
})

const codes: Readonly<Record<Address, Hex>> = { [VAULT]: "0x6001" }
const reading = {
  inspect: (accounts: ReadonlyArray<{ readonly address: Address }>) =>
    Effect.succeed(accounts.map(({ address }) => ({ code: codes[address] ?? "0x", slots: [] })))
}
const silent = {
  inspect: () => Effect.fail(new UpstreamError({ upstream: "base-rpc", kind: "timeout", detail: "" }))
}

const seizure = (code: ReturnType<typeof drawingOn>, rpc: Parameters<typeof judgeDraws>[0] = reading) =>
  Effect.map(judgeDraws(rpc, [POOL, BUYER], 1n, code), ({ findings }) =>
    findings.known ? findings.value.balanceSeizure.state : undefined
  )

describe("a draw on an account that was named at birth", () => {
  it.effect("is no seizure where nobody else has a part in what it holds", () =>
    Effect.gen(function* () {
      expect(yield* seizure(drawingOn(FUND))).toBe("not-found")
    })
  )

  it.effect.each([
    ["a pool of the token", [POOL]],
    ["a buyer", [BUYER]],
    ["any contract", [VAULT]],
    ["nobody, who holds what was burnt", [ZERO_ADDRESS]],
    ["the project's account and a pool", [FUND, POOL]],
    ["an account that is not known", []]
  ] as const)("is a seizure where it is %s", ([, from]) =>
    Effect.gen(function* () {
      expect(yield* seizure(drawingOn(...from))).toBe("found")
    })
  )

  it.effect("is a seizure where the chain does not say what stands there", () =>
    Effect.gen(function* () {
      expect(yield* seizure(drawingOn(FUND), silent)).toBe("found")
    })
  )
})
