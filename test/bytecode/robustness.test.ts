import { describe, expect, it } from "@effect/vitest"
import fc from "fast-check"
import type { Hex } from "viem"
import { bytesOfHex, decode } from "../../src/bytecode/evm/code.ts"
import { type Budget, isOver } from "../../src/bytecode/evm/explore.ts"
import { Arena, type Expr } from "../../src/bytecode/evm/expression.ts"
import type { Condition } from "../../src/bytecode/evm/path.ts"
import { withoutPause } from "../../src/bytecode/evm/slices.ts"
import { readExactly } from "../../src/bytecode/exact/functions.ts"
import { emptyState } from "../../src/bytecode/dispatch.ts"
import { Facts, sumOf } from "../../src/bytecode/exact/linear.ts"
import { type Head, passHead } from "../../src/bytecode/exact/loop.ts"
import { ExactMachine } from "../../src/bytecode/exact/machine.ts"
import { leavesOf } from "../../src/bytecode/exact/tree.ts"
import { SELECTOR } from "../../src/bytecode/selector.ts"
import { DEFAULT_BUDGET, analyseCode, analyseInSlices } from "../../src/screening/base/power/analyse.ts"
import { HEAD, beheaded, compiled } from "../support/bytecode/artifacts.ts"

const doubled = compiled("Doubled.sol", "doubled.json")
const BUDGET = { steps: 20_000, milliseconds: 2_000 }

const hexOf = (bytes: Uint8Array): Hex => `0x${Buffer.from(bytes).toString("hex")}`

/** Bytes that are mostly instructions, with jump destinations, forks and storage among them. */
const instructions = fc.array(
  fc.oneof(
    fc.integer({ min: 0, max: 255 }),
    fc.constantFrom(
      0x5b,
      0x57,
      0x56,
      0x54,
      0x55,
      0x35,
      0x33,
      0x14,
      0x20,
      0x52,
      0x51,
      0x60,
      0x80,
      0x90,
      0x15,
      0xf1,
      0x37
    )
  ),
  { maxLength: 600 }
)

/** What came before, and that one word is less than another. */
const below = (arena: Arena, low: Expr, high: Expr, before: Condition | undefined): Condition => ({
  expr: arena.node("lt", [low, high]),
  holds: true,
  pc: 0,
  context: 0,
  before,
  keptId: 0
})

describe("hostile code", () => {
  it("never makes the analysis throw or overrun its steps", () => {
    fc.assert(
      fc.property(instructions, (bytes) => {
        const { steps } = analyseCode(hexOf(Uint8Array.from(bytes)), { budget: BUDGET })
        expect(steps).toBeLessThanOrEqual(BUDGET.steps)
      }),
      { numRuns: 300 }
    )
  })

  it("cannot overflow the stack with words nested thousands deep", () => {
    for (const operator of ["01", "02", "18", "0a", "1b", "04"]) {
      // CALLER, then 8,000 times (CALLDATALOAD(0), operator), then a branch on it and a store of it.
      const code: Hex = `0x33${`5f35${operator}`.repeat(8_000)}8015615dd257805f555b00`
      expect(analyseCode(code).hiddenMint.state).toBe("undecided")
    }
  })

  it("cannot make words grow exponentially by doubling them", () => {
    for (const operator of ["01", "02", "17", "18", "03"]) {
      const code: Hex = `0x5f35${`80${operator}5f3590${operator}80600190${operator}`.repeat(2_000)}5f5500`
      expect(analyseCode(code).hiddenMint.state).toBe("undecided")
    }
  })

  it("has the artifacts that belong to it", () => {
    expect(doubled.isCurrent).toBe(true)
  })

  it.each(doubled.ways)(
    "cannot make words that proofs compare grow exponentially either, compiled %s",
    (way) => {
      for (const name of doubled.names) {
        const { proof } = analyseCode(doubled.codeOf(way, name))
        expect(proof.conservation.holes, `contract ${name}`).not.toEqual([])
      }
    }
  )

  it("cannot have it look for longer than its steps at functions that only answer", () => {
    const ruse = compiled("Ruse.sol", "ruse.json")
    const { rest, end } = beheaded(ruse.codeOf("optimized", "HonestRuse"))
    const hex = (n: number): string => n.toString(16).padStart(4, "0")
    const selectors = Array.from({ length: 50 }, (_, index) => (0xe0000000 + index).toString(16))
    const chosen = (at: number): string =>
      `5b5f3560e01c${selectors.map((one) => `8063${one}1461${hex(at)}57`).join("")}50${HEAD.slice(2)}600456`
    const at = end + chosen(0).length / 2
    // A branch on nothing, never taken: whoever walks the function ends there.
    const code: Hex = `0x61${hex(end)}565b${rest}${chosen(at)}5b5f61${hex(at + 7)}57005b${"5b".repeat(2_000)}00`
    expect(analyseCode(code).proof).toMatchObject({ whole: true, conservation: { holes: [] } })
    expect(analyseCode(code, { budget: BUDGET }).proof.whole).toBe(false)
  })

  it("cannot have it try every way in which comparisons follow from one another", () => {
    const arena = new Arena(true)
    const layers = Array.from({ length: 4 }, () => Array.from({ length: 10 }, () => arena.unknown()))
    let conditions: Condition | undefined
    for (const [index, layer] of layers.slice(1).entries())
      for (const low of layers[index] ?? [])
        for (const high of layer) conditions = below(arena, low, high, conditions)
    const [[first = arena.zero] = []] = layers
    // Each try asks how large the factor is.
    const share = arena.node("div", [arena.node("mul", [arena.unknown(), arena.unknown()]), arena.one])
    let tries = 0
    const facts = new Facts(
      conditions,
      () => undefined,
      () => {
        tries++
        return undefined
      }
    )
    tries = 0
    expect(
      facts.atLeastZero({
        terms: new Map([
          [first, -1n],
          [share, -1n]
        ]),
        constant: 0n
      })
    ).toBe(false)
    expect(tries).toBeGreaterThan(0)
    expect(tries).toBeLessThan(1_000)
  })

  it("cannot have it take words apart for ever that are sums of sums", () => {
    const arena = new Arena(true)
    let [low, high] = [arena.unknown(), arena.unknown()]
    for (let i = 0; i < 6; i++) {
      low = arena.node("add", [low, high])
      high = arena.node("add", [high, low])
    }
    let parts = 0
    sumOf(high, () => {
      parts++
      return undefined
    })
    expect(high.size).toBeGreaterThan(700)
    expect(parts).toBeLessThan(700)
  })

  it("cannot have it work out for longer than there is effort left what the branches of a path say", () => {
    const arena = new Arena(true)
    const words = Array.from({ length: 40 }, () => arena.unknown())
    let conditions: Condition | undefined
    for (const [index, low] of words.entries())
      for (const high of words.slice(index + 1)) conditions = below(arena, low, high, conditions)
    const [low = arena.zero, high = arena.zero] = words.slice(-2)
    // What only the last of them says.
    const grown = { terms: new Map([...sumOf(high).terms, [low, -1n]]), constant: 0n }
    const effort = (steps: number): Budget => ({ steps, deadline: 1, now: () => 0 })
    const [plenty, little] = [effort(100_000), effort(100)]
    const factsWith = (budget: Budget): Facts => new Facts(conditions, () => undefined, undefined, budget)
    expect(factsWith(plenty).atLeastZero(grown)).toBe(true)
    expect(factsWith(little).atLeastZero(grown)).toBe(false)
    expect([isOver(plenty), isOver(little)]).toEqual([false, true])
    let asked = 0
    const late: Budget = { steps: 100, deadline: 0, now: () => 1 }
    const nothing = new Facts(
      conditions,
      () => {
        asked++
        return undefined
      },
      undefined,
      late
    )
    expect([nothing.atLeastZero(grown), asked, isOver(late)]).toEqual([false, 0, true])
  })

  it("cannot hold it for longer than a branch or two while it looks at what stands in a transfer's way", () => {
    const code = compiled("Votes.sol", "votes.json").codeOf("plain", "HonestVotes")
    const budget = { steps: 800_000, deadline: 1, now: () => 0 }
    const contract = withoutPause(readExactly(decode(bytesOfHex(code)), budget))
    const paths = [SELECTOR.transfer, SELECTOR.transferFrom].flatMap((selector) =>
      withoutPause(contract.walk(selector)).flatMap(leavesOf)
    )
    let slices = 0
    for (const work = analyseInSlices(code, DEFAULT_BUDGET, () => 0); work.next().done !== true;) slices++
    expect(paths.length).toBeGreaterThan(80)
    expect(slices).toBeGreaterThan(paths.length)
  })

  it("cannot have it look at more buckets of a table than there are steps for", () => {
    // The selector's remainder by one number after the other, each of which would be a table of its own.
    const remainders = Array.from(
      { length: 200 },
      (_, index) => `8060${(33 + (index % 30)).toString(16)}900650`
    )
    const { proof, steps } = analyseCode(`0x5f3560e01c${remainders.join("")}00`, { budget: BUDGET })
    expect(steps).toBeLessThanOrEqual(BUDGET.steps)
    expect(proof.whole).toBe(false)
  })

  it("cannot have it ask for longer than its steps what of storage nobody changes any more", () => {
    const { rest, end } = beheaded(compiled("Ruse.sol", "ruse.json").codeOf("optimized", "HonestRuse"))
    const hex = (n: number, bytes = 1): string => n.toString(16).padStart(2 * bytes, "0")
    const slots = Array.from({ length: 24 }, (_, index) => 10 + index)
    /** What is done where a word is not zero. */
    const where = (at: number, word: string, done: string): string =>
      `${word}1561${hex(at + (word.length + done.length) / 2 + 5, 2)}57${done}5b`
    /** Six times something is written to a table, or is not. */
    const choosing = (at: number): string => {
      let text = ""
      for (let bit = 0; bit < 6; bit++)
        text += where(
          at + text.length / 2,
          `60${hex(1 << bit)}60043516`,
          "6004355f52602860205260243560405f2055"
        )
      return text
    }
    const bodies: ReadonlyArray<(at: number) => string> = [
      // Whoever finds something in a slot fills the one before: what is settled shrinks by one slot a round.
      ...slots.map((slot) => (at: number) => where(at, `60${hex(slot + 1)}54`, `60043560${hex(slot)}55`)),
      () => "600435602255",
      (at) => where(at, "600a54", `335f5260016020527f${"00".repeat(15)}${"ff".repeat(17)}60405f2055`),
      ...Array.from({ length: 20 }, () => choosing)
    ]
    let text = ""
    const places = bodies.map((body) => {
      const at = end + text.length / 2
      text += `5b${body(at + 1)}00`
      return at
    })
    const head = places.map((at, index) => `8063${hex(0xe0000000 + index, 4)}1461${hex(at, 2)}57`).join("")
    const begin = end + text.length / 2
    const code: Hex = `0x61${hex(begin, 2)}565b${rest}${text}5b5f3560e01c${head}50${HEAD.slice(2)}600456`
    const state = [...slots, 34].map((slot) => ({ slot: `0x${hex(slot, 32)}`, value: 0n }))
    const budget = { steps: 100_000, milliseconds: 1_000 }
    expect(analyseCode(code, { budget }).proof.whole).toBe(true)
    expect(analyseCode(code, { budget, state }).proof.whole).toBe(false)
  })

  it("cannot have it look back at every place of a path that only goes on", () => {
    const machine = new ExactMachine(decode(bytesOfHex("0x5b5b5b00")), new Arena(true))
    const pass = (passed: Head | undefined, pc: number): Head => {
      const met = passHead(machine, passed, { ...emptyState(), pc })
      return "begin" in met ? met.begin : met
    }
    const first = pass(undefined, 0)
    let looks = 0
    const watched = Object.defineProperty({ ...pass(first, 1) }, "before", {
      get: () => {
        looks++
        return first
      }
    })
    expect(pass(watched, 2)).toMatchObject({ visits: 1 })
    expect(looks).toBe(0)
    expect(pass(watched, 0)).toMatchObject({ visits: 2 })
    expect(looks).toBeGreaterThan(0)
  })

  it("cannot keep it busy with an endless loop", () => {
    const { steps } = analyseCode("0x5b5f35600101565b5f56", { budget: BUDGET })
    expect(steps).toBeLessThanOrEqual(BUDGET.steps)
  })
})
