import { describe, expect, it } from "@effect/vitest"
import type { Hex } from "viem"
import { analyseCode } from "../../src/screening/base/power/analyse.ts"
import type { CodeFindings } from "../../src/screening/base/power/findings.ts"
import { beheaded, compiled, HEAD, isHonest } from "../support/bytecode/artifacts.ts"

const traps = compiled("Traps.sol", "traps.json")
const quiet = compiled("Quiet.sol", "quiet.json")
const answers = compiled("Answers.sol", "answers.json")
const loose = compiled("Loose.sol", "loose.json")
const votes = compiled("Votes.sol", "votes.json")
const { codeOf } = traps

const isProven = ({ proof }: CodeFindings): boolean =>
  proof.transferPath.holes.length === 0 && proof.conservation.holes.length === 0

describe.each([
  ["Traps.sol", traps],
  ["Quiet.sol", quiet],
  ["Answers.sol", answers],
  ["Loose.sol", loose]
] as const)("%s", (_, set) => {
  const { names, ways } = set

  it("has the artifacts that belong to it", () => {
    expect(set.isCurrent).toBe(true)
  })

  describe.each(ways)("compiled %s", (way) => {
    it.each(names.filter(isHonest))("%s is proven", (name) => {
      expect(analyseCode(set.codeOf(way, name)).proof).toMatchObject({
        transferPath: { holes: [] },
        conservation: { holes: [] }
      })
    })

    it.each(names.filter((name) => !isHonest(name)))("%s is not proven", (name) => {
      expect(isProven(analyseCode(set.codeOf(way, name)))).toBe(false)
    })
  })
})

describe("Votes.sol", () => {
  it("has the artifacts that belong to it", () => {
    expect(votes.isCurrent).toBe(true)
  })

  // Without the optimizer a checkpoint is written in two steps, which stays undecided.
  describe.each(["optimized", "viaIr"])("compiled %s", (way) => {
    it.each(votes.names.filter(isHonest))(
      "%s is proven, if the chain shows what it was born with",
      (name) => {
        const { proof } = analyseCode(votes.codeOf(way, name))
        expect(proof).toMatchObject({ transferPath: { holes: [] }, conservation: { holes: [] } })
        expect(proof.votes?.told).toBe(true)
        expect(proof.votes?.lists.map(BigInt)).toContain(7n)
      }
    )
  })

  it.each(votes.names.filter((name) => !isHonest(name)))("%s is not proven", (name) => {
    const findings = analyseCode(votes.codeOf("optimized", name))
    expect(isProven(findings) && findings.proof.votes?.told === true).toBe(false)
  })
})

describe("what the proof comes upon", () => {
  it("is shut by the slot of the owner that gave up, if nobody can fill it again", () => {
    const code = codeOf("optimized", "OwnerMints")
    const slot = `0x${"0".repeat(64)}`
    const { conservation, settledBy, transferPath } = analyseCode(code).proof
    expect(transferPath.holes).toEqual([])
    expect(conservation.holes).toMatchObject([{ kind: "creates", privileged: true }])
    expect(settledBy).toContain(slot)
    const held = analyseCode(code, { state: [{ slot, value: 1n << 150n }] }).proof
    expect(held.conservation.holes).toMatchObject([{ kind: "creates", privileged: true }])
    const given = analyseCode(code, { state: [{ slot, value: 0n }] }).proof
    expect(given.conservation.holes).toEqual([])
  })

  it("shows powers that are told by what they do to balances", () => {
    const found = (name: string): ReadonlyArray<string> => {
      const findings = analyseCode(codeOf("optimized", name))
      return (["hiddenMint", "limitingSell", "leakingToken"] as const).filter(
        (rule) => findings[rule].state === "found"
      )
    }
    expect(found("StoredPocket")).toEqual(["leakingToken"])
    expect(found("Errand")).toEqual(["leakingToken"])
    expect(found("Elsewhere")).toEqual(["hiddenMint", "limitingSell", "leakingToken"])
  })

  it("is nothing where the budget does not suffice", () => {
    const { proof } = analyseCode(codeOf("plain", "Honest"), { budget: { steps: 900, milliseconds: 1_000 } })
    expect(proof.transferPath.holes).not.toEqual([])
    expect(proof.whole).toBe(false)
  })
})

/** The code with other instructions in the place of the marked word, filled up with `JUMPDEST`. */
const marked = (way: string, name: string, instructions: string): Hex => {
  const mark = `7f${"1122334455667788".repeat(4)}`
  const code = answers.codeOf(way, name)
  expect(code.split(mark)).toHaveLength(2)
  expect(instructions.length).toBeLessThanOrEqual(mark.length)
  return `0x${code.slice(2).replace(mark, instructions.padEnd(mark.length, "5b"))}`
}

const ZERO = "5f"
const ANSWER_TRUE = "60015f5260205ff3"

describe.each(answers.ways)("raw instructions, compiled %s", (way) => {
  it("that do nothing change nothing", () => {
    expect(isProven(analyseCode(marked(way, "HonestMark", ZERO)))).toBe(true)
  })

  it.each([
    ["take more from the stack than is on it", `${"50".repeat(24)}${ANSWER_TRUE}`],
    ["are none that anybody knows", `0c${ANSWER_TRUE}`],
    ["are none yet", `5f1e50${ANSWER_TRUE}`],
    ["count leading zeros of nothing", `1e${ANSWER_TRUE}`]
  ])("that %s keep a transfer from being proven", (_, instructions) => {
    expect(isProven(analyseCode(marked(way, "HonestSwitch", instructions)))).toBe(false)
  })

  it.each([
    ["count leading zeros", "5f1e"],
    ["are none that anybody knows", `e65f`]
  ])("that %s end no path", (_, instructions) => {
    expect(isProven(analyseCode(marked(way, "MarkedTake", instructions)))).toBe(false)
  })
})

describe.each(answers.ways)("a stack that overflows, compiled %s", (way) => {
  it("keeps a transfer from being proven", () => {
    const code = marked(way, "HonestSwitch", ZERO)
    const full = `${ZERO.repeat(1_025)}${ANSWER_TRUE}`
    const at = (code.length - 2) / 2
    const jump = `61${at.toString(16).padStart(4, "0")}56`
    expect(isProven(analyseCode(`${marked(way, "HonestSwitch", jump)}5b${full}`))).toBe(false)
  })
})

describe.each(answers.ways)("a switch before any function is chosen, compiled %s", (way) => {
  it("keeps a transfer from being proven", () => {
    const { rest, end } = beheaded(answers.codeOf(way, "HonestSwitch"))
    const hex = (n: number): string => n.toString(16).padStart(4, "0")
    // Where slot 4 is not zero, all ends; else the code goes on behind its head.
    const gate = `5b60045415${`61${hex(end + 13)}57`}5f5ffd5b${HEAD.slice(2)}600456`
    expect(isProven(analyseCode(`0x61${hex(end)}565b${rest}${gate}`))).toBe(false)
  })
})

describe.each(loose.ways)("a switch for one function, before any is chosen, compiled %s", (way) => {
  it("keeps a transfer from being proven, however the function is told", () => {
    const { rest, end } = beheaded(loose.codeOf(way, "HonestBase"))
    const hex = (n: number, bytes: number): string => n.toString(16).padStart(2 * bytes, "0")
    const selector = 0xa9059cbb
    const key = 0x11223344
    // Ends the call where the selector, mixed with a key, is that of a transfer, and slot 5 is empty.
    const test = `5b5f3560e01c63${hex(key, 4)}1863${hex((selector ^ key) >>> 0, 4)}14600554151615`
    const on = end + test.length / 2 + 7
    const gate = `${test}61${hex(on, 2)}575f5ffd5b${HEAD.slice(2)}600456`
    expect(isProven(analyseCode(`0x61${hex(end, 2)}565b${rest}5b${HEAD.slice(2)}600456`))).toBe(true)
    expect(isProven(analyseCode(`0x61${hex(end, 2)}565b${rest}${gate}`))).toBe(false)
  })
})

describe.each(loose.ways)("a switch for a product that is longer than a word, compiled %s", (way) => {
  it("keeps a transfer from being proven, before its function is chosen", () => {
    const { rest, end } = beheaded(loose.codeOf(way, "HonestBase"))
    const hex = (n: number): string => n.toString(16).padStart(4, "0")
    // The selector at the top of a word, times 2^40, modulo 2^256 - 1: nothing is left of it in one word.
    const product = "5f196501000000000060e05f35901c60e01b09"
    const test = `5b${product}15156005541615`
    const on = end + test.length / 2 + 7
    const gate = `${test}61${hex(on)}575f5ffd5b${HEAD.slice(2)}600456`
    expect(isProven(analyseCode(`0x61${hex(end)}565b${rest}${gate}`))).toBe(false)
  })
})
