import { describe, expect, it } from "@effect/vitest"
import { type Hex, concatHex, keccak256, toFunctionSelector } from "viem"
import { withoutPause } from "../../../../../src/bytecode/evm/slices.ts"
import { hookInSlices } from "../../../../../src/screening/base/pools/hook/analyse.ts"
import { V4 } from "../../../../../src/screening/base/pools/factories.ts"
import { hookInPool } from "../../../../../src/screening/base/pools/hook/findings.ts"
import type { SlotValue } from "../../../../../src/screening/base/power/proof/slot-value.ts"
import codes from "../../../../support/base/hook-codes.json" with { type: "json" }

const OWNER = 0x7d289ee045071ed7f56b11eda1720c5dde386fb0n
const hookOf = (name: keyof typeof codes, state: ReadonlyArray<SlotValue> = []) =>
  withoutPause(hookInSlices(`0x${codes[name].slice(2)}`, () => 0, state))

const BEFORE = "0x1000000000000000000000000000000000000080"
const AFTER = "0x1000000000000000000000000000000000000040"
const BEFORE_TAKES = "0x1000000000000000000000000000000000000088"
const BOTH = "0x10000000000000000000000000000000000000c0"
const AFTER_TAKES = "0x1000000000000000000000000000000000000044"
const NO_PART = "0x1000000000000000000000000000000000001000"

const inPool = (
  name: keyof typeof codes,
  hook: Hex,
  dynamicFee = false,
  state: ReadonlyArray<SlotValue> = []
) => hookInPool(hook, hookOf(name, state), { dynamicFee, native: true }, 1_800_000_000n)
const doubtsOf = (...how: Parameters<typeof inPool>) =>
  inPool(...how).doubts.map(({ kind, why }) => `${kind}: ${why}`)

const slot = (value: bigint): SlotValue => ({ slot: `0x${"0".repeat(64)}`, value })

const POOL = 0x706f6f6cn
const word = (value: bigint): Hex => `0x${value.toString(16).padStart(64, "0")}`
/** The pool's entry in a hook's table. */
const entry = (table: bigint, value: bigint): SlotValue => ({
  slot: keccak256(concatHex([word(POOL), word(table)])),
  table: word(table),
  value
})
const STOPS = "power: can stop swaps by a stored switch, number or list"

describe("a hook that counts for each of its pools", () => {
  it("names the tables in which it does", () => {
    expect(hookOf("Counter").countedIn).toEqual([word(0n)])
    expect(hookOf("CountsEverything").countedIn).toEqual([word(0n), word(1n)])
    expect(hookOf("CountsAll").countedIn).toEqual([])
  })

  it("does nothing to swaps where the pool's own numbers are small", () => {
    expect(doubtsOf("Counter", AFTER)).toEqual([STOPS])
    expect(doubtsOf("Counter", AFTER, false, [entry(0n, 7n)])).toEqual([])
    expect(doubtsOf("CountsEverything", BOTH, false, [entry(0n, 0n), entry(1n, 1n << 60n)])).toEqual([])
  })

  it("may stop them where one is not, was not read, or is another pool's as well", () => {
    for (const state of [
      [entry(0n, 1n << 255n)],
      [entry(0n, 7n), { ...entry(0n, 1n << 200n), slot: word(5n) }]
    ])
      expect(doubtsOf("Counter", AFTER, false, state)).toEqual([STOPS])
    expect(doubtsOf("CountsEverything", BOTH, false, [entry(0n, 0n)])).toEqual([STOPS])
  })

  it("may stop them where the numbers are written otherwise, or are not the pool's", () => {
    for (const name of ["CountsDownApart", "CountsBesideNotes", "CountsByPlace", "CountsSenders"] as const)
      for (const table of [0n, 1n])
        expect([name, doubtsOf(name, AFTER, false, [entry(table, 7n)])]).toEqual([name, [STOPS]])
  })
})

describe("what a hook's code can do to swaps", () => {
  it("is nothing where it only looks on, counts or writes down", () => {
    for (const name of ["LooksOn", "Oracle"] as const)
      expect([name, doubtsOf(name, AFTER)]).toEqual([name, []])
    expect(doubtsOf("CountsAll", AFTER, false, [slot(7n)])).toEqual([])
  })

  it("is a known share where it keeps one, before a swap or after it, as a payment or as a claim", () => {
    expect(inPool("OnePercent", AFTER_TAKES)).toEqual({ doubts: [], takesBps: 100, feePips: null })
    expect(inPool("HalfPercentBefore", BEFORE_TAKES)).toEqual({ doubts: [], takesBps: 50, feePips: null })
    expect(inPool("SaleTaker", AFTER_TAKES)).toEqual({ doubts: [], takesBps: 9000, feePips: null })
  })

  it("is a fee of one percent at most where every way to set it is bounded", () => {
    const state = [slot((3000n << 160n) | OWNER)]
    expect(inPool("BoundedFee", BEFORE, true, state)).toEqual({ doubts: [], takesBps: 0, feePips: 10_000 })
    expect(doubtsOf("NamedFee", BEFORE, true, state)).toEqual([
      "power: names a fee for each swap that a stored number without a bound decides"
    ])
    expect(doubtsOf("NamedFee", BEFORE, false, state)).toEqual([])
  })

  it("asks for the storage that could settle more", () => {
    expect(hookOf("BoundedFee").settledBy).toEqual([slot(0n).slot])
    expect(doubtsOf("GivenUp", BEFORE, false, [slot(0n)])).toEqual([])
    expect(doubtsOf("GivenUp", BEFORE, false, [slot(OWNER)])).toEqual([
      "power: can stop swaps by a stored switch, number or list"
    ])
  })

  it("counts at the most that any trader, price of gas, time, router or code elsewhere can bring about", () => {
    for (const name of ["ByOrigin", "ByGasPrice", "ByTime", "ByGas", "KnowsRouter", "ByCode"] as const)
      expect([name, inPool(name, AFTER_TAKES).takesBps]).toEqual([name, 9500])
  })

  it("is a power where a switch, the time or replaced code stops swaps", () => {
    expect(doubtsOf("ListOnly", BEFORE)).toEqual(["power: can stop swaps by a stored switch, number or list"])
    // Its last block stands in the code from birth on; here it is block zero.
    expect(doubtsOf("ClosesByBlock", BEFORE)).toEqual(["power: refuses every swap in one direction"])
    expect(doubtsOf("Replaceable", AFTER)).toContain("power: runs code that can be replaced")
  })

  it("is a power where a bounded number of its owner's makes a product too much for a word", () => {
    const state = [slot(OWNER), { slot: `0x${"1".padStart(64, "0")}`, value: 1n } as const]
    expect(doubtsOf("Overflows", BEFORE, false, state)).toEqual([
      "power: can stop swaps by a stored switch, number or list"
    ])
  })

  it("is a power where its owner's number may be put below nothing", () => {
    const state = [slot(OWNER), { slot: `0x${"1".padStart(64, "0")}`, value: 0n } as const]
    expect(doubtsOf("BelowNothing", BEFORE, false, state)).toEqual([
      "power: can stop swaps by a stored switch, number or list"
    ])
  })

  it("is a power where it refuses large sales, of as much as the PoolManager can book", () => {
    expect(doubtsOf("CapsSales", BEFORE, false, [slot(OWNER)])).toHaveLength(1)
  })

  it("is a refusal where it asks how long the PoolManager's code is", () => {
    expect(doubtsOf("MeasuresCode", BEFORE, false, [slot(OWNER)])).toEqual([
      "unproven: asks another contract before it lets a swap through"
    ])
  })

  it("is not proven where it asks the PoolManager with too little gas or too few words", () => {
    const state = [slot(OWNER), { slot: `0x${"1".padStart(64, "0")}`, value: 100_000n } as const]
    for (const name of ["LooksWithGas", "LooksForNothing"] as const)
      expect(doubtsOf(name, BEFORE, false, state)).toContain(
        "unproven: asks the PoolManager in a way that it may refuse"
      )
  })

  it("is not proven where it pays whom its owner names, in whatever currency", () => {
    const state = [slot(OWNER), { slot: `0x${"1".padStart(64, "0")}`, value: OWNER } as const]
    const found = hookOf("PaysWhomever", state)
    const inMoney = hookInPool(AFTER_TAKES, found, { dynamicFee: false, native: false }, 1_800_000_000n)
    expect(inMoney.doubts).toHaveLength(1)
    const fixed = codes.PaysTreasury.slice(2).replaceAll(
      `7f${"0".repeat(64)}`,
      `7f${"0".repeat(24)}${"a1".repeat(20)}`
    )
    const one = withoutPause(hookInSlices(`0x${fixed}`, () => 0))
    expect(hookInPool(AFTER_TAKES, one, { dynamicFee: false, native: false }, 1_800_000_000n).doubts).toEqual(
      []
    )
    expect(
      hookInPool(AFTER_TAKES, one, { dynamicFee: false, native: true }, 1_800_000_000n).doubts
    ).toHaveLength(1)
  })

  it.each(["33", "34", "36", "46", "5f"])(
    "is a power where a switch leaves no room on the stack for 0x%s",
    (op) => {
      const hex = (n: number): string => n.toString(16).padStart(4, "0")
      const selector = toFunctionSelector(
        "beforeSwap(address,(address,address,uint24,int24,address),(bool,int256,uint160),bytes)"
      ).slice(2)
      const answer = `63${selector}60e01b5f5260605ff3`
      /** Whoever is not the PoolManager sets slot 1 in the owner's name; it decides how full a stack is. */
      const codeWith = (words: number): Hex => {
        const chosen = `3373${V4.poolManager.slice(2)}1461${hex(46)}57335f541461${hex(38)}575f5ffd`
        const set = "5b60043560015500"
        const asked = `5b60015461${hex(46 + 8 + answer.length / 2)}57${answer}`
        return `0x${chosen}${set}${asked}5b${"5f".repeat(words)}${op}${"50".repeat(9)}${answer}`
      }
      const found = (words: number) =>
        hookInPool(
          BEFORE,
          withoutPause(
            hookInSlices(codeWith(words), () => 0, [
              slot(OWNER),
              { slot: `0x${"1".padStart(64, "0")}`, value: 0n }
            ])
          ),
          { dynamicFee: false, native: true },
          1_800_000_000n
        ).doubts.map(({ kind }) => kind)
      expect(found(1_023)).toEqual([])
      expect(found(1_024)).toEqual(["power"])
    }
  )

  it("is not proven where a loop or a precompiled contract may take all gas there is", () => {
    const state = [slot(OWNER), { slot: `0x${"1".padStart(64, "0")}`, value: 0n } as const]
    expect(doubtsOf("CountsFirst", BEFORE, false, state)).toEqual([
      "unproven: repeats something without a bound"
    ])
    expect(doubtsOf("HashesFirst", BEFORE, false, state)).toEqual([
      "unproven: asks another contract during a swap"
    ])
  })

  it("stops nobody any more by a date that has passed", () => {
    const born = 1_790_000_000
    const immutable = `7f${born.toString(16).padStart(64, "0")}`
    const code = codes.FallingFee.slice(2).replaceAll(`7f${"0".repeat(64)}`, immutable)
    const found = withoutPause(hookInSlices(`0x${code}`, () => 0))
    const at = (now: number) => hookInPool(BEFORE, found, { dynamicFee: true, native: true }, BigInt(now))
    expect(at(born)).toEqual({ doubts: [], takesBps: 0, feePips: 10_000 })
    expect(at(born - 1).doubts).toHaveLength(1)
  })

  it("is a power where it does in a swap what its pool does not let it do", () => {
    const fails = "power: does in a swap what the pool does not let it do, so that the swap fails"
    expect(doubtsOf("Refused", AFTER)).toContain(fails)
    expect(doubtsOf("Debtor", AFTER)).toContain(fails)
    expect(doubtsOf("OnePercent", AFTER)).toContain(fails)
  })

  it("is not proven where it asks others, may set any fee, or began to count near the end of its numbers", () => {
    expect(doubtsOf("Puppet", AFTER_TAKES)).not.toEqual([])
    expect(doubtsOf("PaysTreasury", AFTER_TAKES)).not.toEqual([])
    expect(doubtsOf("Caller", NO_PART, true)).not.toEqual([])
    expect(doubtsOf("Caller", NO_PART)).toEqual([])
    expect(doubtsOf("CountsAll", AFTER, false, [slot(2n ** 256n - 60n)])).not.toEqual([])
    expect(doubtsOf("CountsDownApart", AFTER)).not.toEqual([])
  })

  it("is not proven where a counter may be written under another name", () => {
    const counter = "0xdc686ec4a0ff239c70e7c7c36e8f853eced3bc8618f48d2b816da2a74311237e"
    expect(doubtsOf("CountsByAnotherName", AFTER, false, [{ slot: counter, value: 7n }])).not.toEqual([])
  })

  it("is everything where there is no code, or code that stands elsewhere", () => {
    for (const code of ["0x", `0xef0100${"12".repeat(20)}`] as const) {
      const found = withoutPause(hookInSlices(code, () => 0))
      expect(found.before.stops.length + found.after.stops.length).toBe(2)
    }
  })
})
