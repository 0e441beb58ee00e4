import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Address, Hex } from "viem"
import { withoutPause } from "../../../../src/bytecode/evm/slices.ts"
import { begin } from "../../../../src/screening/base/analysis/tasks.ts"
import { faithfulInSlices } from "../../../../src/screening/base/power/faithful.ts"
import { behindFront } from "../../../../src/screening/base/power/front.ts"
import { PROXY_SLOT_LIST, PROXY_SLOTS } from "../../../../src/screening/base/power/proxy-slots.ts"
import { clean } from "../../../support/base/fixtures.ts"

const IMPLEMENTATION: Address = `0x${"11".repeat(20)}`
const ADMIN: Address = `0x${"22".repeat(20)}`
const word = (text: string): Hex => `0x${text.padStart(64, "0")}`
const SLOTS = [word(IMPLEMENTATION.slice(2)), word(""), word(""), word("")]
/** What the proxy slots hold, with this account as administrator. */
const wordsOf = (admin: Address | null) =>
  PROXY_SLOT_LIST.map((slot, index) => ({
    slot,
    value: BigInt(slot === PROXY_SLOTS.admin && admin !== null ? admin : (SLOTS[index] ?? 0))
  }))
const proxy = (admin: Address | null) =>
  ({ kind: "upgradeable", implementation: IMPLEMENTATION, admin }) as const

const hex = (byte: number): string => byte.toString(16).padStart(2, "0")

/**
 * A proxy as compilers write it: input copied, handed on, the answer copied and handed back.
 * @param before instructions that begin at byte 5
 * @param masked what is done to the slot's word
 */
const proxyOf = (slot: string, before = "", masked = ""): Hex => {
  const call = `6080604052${before}365f5f375f5f365f7f${slot.slice(2)}54${masked}5af43d5f5f3e`
  const end = hex(call.length / 2 + 6)
  return `0x${call}60${end}573d5ffd5b3d5ff3`
}

const { admin, implementation, zos } = PROXY_SLOTS

/** Lets whoever a slot names put another code in the implementation's place. */
const upgradedBy = (slot: string): string =>
  `337f${slot.slice(2)}541415605357${`6004357f${implementation.slice(2)}5500`}5b`

/** The same for whoever's last byte is that of the account it names. */
const upgradedByOneOfMany = (slot: string): string =>
  `3360ff167f${slot.slice(2)}5460ff1614156059576004357f${implementation.slice(2)}55005b`

const isFaithful = (code: Hex, admin: Address | null = null): boolean =>
  withoutPause(faithfulInSlices(code, () => 0, wordsOf(admin)))

describe("a proxy's own code", () => {
  it("is faithful where it hands all on and all back, but for its administrator", () => {
    expect(isFaithful(proxyOf(implementation))).toBe(true)
    expect(isFaithful(proxyOf(implementation, upgradedBy(admin)), ADMIN)).toBe(true)
  })

  it.each([
    ["refuses by a switch", "60045415600f575f5ffd5b"],
    ["answers by a switch", "6004541560145760015f5260205ff35b"],
    ["writes a balance", "6001600255"],
    ["lets somebody else name the code", upgradedBy(zos)],
    ["takes others for its administrator", upgradedByOneOfMany(admin)],
    ["uses memory as storage says", "5f60045452"],
    ["tells something, by a switch, of which a look at a balance dies", "60045415600f575f5fa05b"],
    ["writes down something passing, of which it dies as well", "60045415600f575f5f5d5b"],
    ["asks another contract", "5f5f5f5f5f335af150"],
    ["asks another contract to look", "5f5f5f5f335afa50"]
  ])("is none that %s", (_, before) => {
    expect(isFaithful(proxyOf(implementation, before))).toBe(false)
  })

  it("is none that burns more gas by a switch than anybody has", () => {
    const burn = (times: number): string => "620100005f2050".repeat(times)
    // A switch in front of some hundred hashes of 64 KB.
    const switched = (times: number): string =>
      `6004541561${(13 + 7 * times).toString(16).padStart(4, "0")}57${burn(times)}5b`
    expect(isFaithful(proxyOf(implementation, switched(0)))).toBe(true)
    expect(isFaithful(proxyOf(implementation, switched(20)))).toBe(false)
  })

  it("is none that runs what another slot, nothing, or a part of its slot names", () => {
    expect(isFaithful(proxyOf(implementation, "", "60ff16"))).toBe(false)
    expect(isFaithful(proxyOf(zos))).toBe(false)
    expect(isFaithful("0x60015f5260205ff3")).toBe(false)
    expect(isFaithful("0x")).toBe(false)
  })
})

describe("a proxy's code that costs its author's budget", () => {
  // Asks twelve switches first, each on a way of its own: four thousand paths.
  const forks = Array.from({ length: 12 }, (_, index) => `60${hex(index)}5460${hex(11 + 7 * index)}575b`)
  const costly = proxyOf(implementation, forks.join(""))

  it("is read in turns of the thread, and proves nothing", () => {
    const goOn = begin(
      "faithful",
      costly,
      wordsOf(null),
      {},
      () => false,
      () => 0
    )
    let turns = 1
    let answer = goOn(0)
    for (; answer === undefined; turns += 1) answer = goOn(0)
    expect(turns).toBeGreaterThan(2)
    expect(answer.result).toBe(false)
  })
})

describe("what was read behind a proxy", () => {
  const code = { ...clean.code, proxy: proxy(null), upgrader: { kind: "nobody" } } as const
  const own = proxyOf(implementation)

  /** Judged by what the analyser says of the token's own code; what it was asked. */
  const judge = (faithful: boolean, evidence: Parameters<typeof behindFront>[3] = code) => {
    const asked: Array<unknown> = []
    const isFaithful = (...question: ReadonlyArray<unknown>) =>
      Effect.sync(() => (asked.push(question), faithful))
    return { asked, judged: Effect.runSync(behindFront({ isFaithful }, own, SLOTS, evidence)) }
  }

  it("holds of a token that runs nothing else, as the analyser of code says", () => {
    const { asked, judged } = judge(true)
    expect(judged).toBe(code)
    expect(asked).toEqual([[own, wordsOf(null)]])
  })

  it("proves nothing of a token that only names it, nor that nobody can name another", () => {
    const { judged } = judge(false)
    expect(judged.upgrader.kind).toBe("unidentified")
    expect(judged.findings.known && judged.findings.value.proof.transferPath.holes).toHaveLength(1)
    expect(judged.findings.known && judged.findings.value.proof.conservation.holes).toHaveLength(1)
  })

  it("excludes no power in a token that only names it", () => {
    const { judged } = judge(false)
    const findings = judged.findings.known ? judged.findings.value : undefined
    expect(findings?.hiddenMint.state).toBe("undecided")
    expect(findings?.balanceSeizure.state).toBe("undecided")
    expect(findings?.environmentGate.state).toBe("undecided")
  })

  it("proves nothing behind a beacon, and all behind a minimal proxy, without a look at the token's own code", () => {
    const beacon = judge(true, { ...code, proxy: { kind: "beacon", beacon: ADMIN } })
    expect(beacon.judged.upgrader.kind).toBe("unidentified")
    const minimal = { ...code, proxy: { kind: "minimal", implementation: IMPLEMENTATION } } as const
    const behindMinimal = judge(false, minimal)
    expect(behindMinimal.judged).toBe(minimal)
    expect([...beacon.asked, ...behindMinimal.asked]).toEqual([])
  })
})
