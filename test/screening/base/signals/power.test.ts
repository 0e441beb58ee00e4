import { describe, expect, it } from "@effect/vitest"
import type { Hex } from "viem"
import { known, missing } from "../../../../src/domain/fact.ts"
import type { B20Evidence, PolicyEvidence } from "../../../../src/screening/base/b20/evidence.ts"
import type { BaseEvidence } from "../../../../src/screening/base/evidence.ts"
import type { Finding } from "../../../../src/screening/base/power/findings.ts"
import { nothingProven } from "../../../../src/screening/base/power/proof/prove.ts"
import { absent, clean, found, judgementOf, withPower } from "../../../support/base/fixtures.ts"

const finding = (...selectors: ReadonlyArray<Hex>): Finding => ({
  state: "found",
  selectors,
  note: "for the test"
})
const [FIRST, SECOND]: readonly [Hex, Hex] = ["0x11111111", "0x22222222"]
const UNDECIDED: Finding = { state: "undecided", why: "it was not read whole" }

describe.each([
  ["SELL_LIMIT_POWER", "limitingSell", "pause"],
  ["LEAK_POWER", "leakingToken", "balanceSeizure"]
] as const)("%s", (id, member, other) => {
  const judged = (one: Finding, beside: Finding) => {
    const judgement = judgementOf(id, withPower({ [member]: one, [other]: beside }))
    return [judgement?.state, /\((\d+ functions?)\)/.exec(judgement?.message ?? "")?.[1]]
  }

  it("counts the functions that are not judged as another power", () => {
    expect(judged(finding(FIRST), absent)).toEqual(["fail", "1 function"])
    expect(judged(finding(FIRST, SECOND), finding(FIRST))).toEqual(["fail", "1 function"])
    expect(judged(finding(FIRST, SECOND), absent)).toEqual(["fail", "2 functions"])
    expect(judged(finding(FIRST), finding(SECOND))).toEqual(["fail", "1 function"])
  })

  it("is none where all of them are", () => {
    expect(judged(finding(FIRST, SECOND), finding(SECOND, FIRST))).toEqual(["pass", undefined])
    expect(judged(absent, finding(FIRST))).toEqual(["pass", undefined])
  })

  it("stays what it is where the other one is undecided", () => {
    expect(judged(finding(FIRST), UNDECIDED)).toEqual(["fail", "1 function"])
    expect(judged(UNDECIDED, finding(FIRST))[0]).toBe("unknown")
  })
})

describe("a power that is undecided", () => {
  it("is not judged of an established issuer only", () => {
    const evidence = withPower({ hiddenMint: UNDECIDED })
    expect(judgementOf("MINT_POWER", evidence)?.state).toBe("unknown")
    expect(judgementOf("MINT_POWER", { ...evidence, established: true })?.state).toBe("pass")
  })
})

describe("a power that the proof alone excludes", () => {
  const excluded = withPower({ hiddenMint: { state: "not-found", proven: "conservation" } })
  const judged = (change: Partial<BaseEvidence>) =>
    judgementOf("MINT_POWER", { ...excluded, ...change })?.state

  it("is absent where the proof holds, and undecided where what it takes for granted does not", () => {
    expect(judged({})).toBe("pass")
    expect(judged({ shape: { ...excluded.shape, supply: 1n << 112n } })).toBe("unknown")
  })

  it("is undecided where holders sign for another contract's domain", () => {
    const { code } = excluded
    if (!code.findings.known) throw new Error("the fixture has findings")
    const domains = [{ hash: `0x${"11".repeat(32)}`, at: null }] as const
    const proof = { ...code.findings.value.proof, domains }
    const findings = known({ ...code.findings.value, proof })
    expect(judged({ code: { ...code, findings } })).toBe("unknown")
  })

  it("is undecided where nothing is proven of the code that runs", () => {
    const { code } = excluded
    if (!code.findings.known) throw new Error("the fixture has findings")
    const findings = known({ ...code.findings.value, proof: nothingProven("this is a test") })
    expect(judged({ code: { ...code, findings } })).toBe("unknown")
  })
})

describe("transfers that look at how they are called", () => {
  const judged = (change: Partial<BaseEvidence>) =>
    judgementOf("ENVIRONMENT_GATE", { ...withPower({ environmentGate: found }), ...change })

  it("weigh less of an established issuer", () => {
    expect(judged({})).toMatchObject({ state: "fail", points: 20 })
    expect(judged({ established: true })).toMatchObject({ state: "fail", points: 2 })
  })

  it("are not known where the code is not", () => {
    expect(judged({ code: { ...clean.code, findings: missing("it was not read") } })?.state).toBe("unknown")
  })
})

describe("Base's own tokens", () => {
  const free: B20Evidence = {
    supplyCap: null,
    transfersPaused: known(false),
    holders: new Map(),
    everybody: known(true),
    sealed: new Set(),
    policies: known([])
  }
  const judged = (change: Partial<B20Evidence>) =>
    judgementOf("NATIVE_TRANSFERS", { ...clean, native: { ...free, ...change } })?.state
  const policy = (gates: PolicyEvidence["gates"], allowsTrade: PolicyEvidence["allowsTrade"]) => ({
    gates,
    changers: known([]),
    allowsTrade
  })
  const silent = policy("transfer", missing("it did not answer"))
  const forbidding = policy("transfer", known(false))

  it("may be traded where nothing is paused and every policy of transfers lets strangers", () => {
    expect(judged({})).toBe("pass")
    expect(judgementOf("NATIVE_TRANSFERS", clean)?.state).toBe("pass")
  })

  it("may not where they are paused, whatever else is not known", () => {
    expect(judged({ transfersPaused: known(true), policies: missing("no answer") })).toBe("fail")
  })

  it("are not called free where the pause or the policies were not read", () => {
    expect(judged({ transfersPaused: missing("no answer") })).toBe("unknown")
    expect(judged({ policies: missing("no answer") })).toBe("unknown")
  })

  it("may not where a policy of transfers forbids strangers, whatever others say", () => {
    expect(judged({ policies: known([policy("transfer", known(true)), silent, forbidding]) })).toBe("fail")
    expect(judged({ policies: known([forbidding]), transfersPaused: missing("no answer") })).toBe("fail")
    expect(judged({ policies: known([policy("seizure", known(false))]) })).toBe("pass")
  })

  it("are not called free where a policy of transfers did not answer", () => {
    expect(judged({ policies: known([policy("transfer", known(true)), silent]) })).toBe("unknown")
    expect(judged({ policies: known([policy("seizure", missing("it did not answer"))]) })).toBe("pass")
  })
})
