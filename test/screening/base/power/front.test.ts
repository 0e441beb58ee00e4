import { describe, expect, it } from "@effect/vitest"
import type { Address, Hex } from "viem"
import { behindFront, isFaithful } from "../../../../src/screening/base/power/front.ts"
import { PROXY_SLOTS } from "../../../../src/screening/base/power/proxy-slots.ts"
import { clean } from "../../../support/base/fixtures.ts"

const IMPLEMENTATION: Address = `0x${"11".repeat(20)}`
const ADMIN: Address = `0x${"22".repeat(20)}`
const word = (text: string): Hex => `0x${text.padStart(64, "0")}`
const SLOTS = [word(IMPLEMENTATION.slice(2)), word(""), word(""), word("")]
const proxy = (admin: Address | null) =>
  ({ kind: "upgradeable", implementation: IMPLEMENTATION, admin }) as const

/**
 * A proxy as compilers write it: input copied, handed on, the answer copied and handed back.
 * @param before instructions that begin at byte 5
 * @param masked what is done to the slot's word
 */
const proxyOf = (slot: string, before = "", masked = ""): Hex => {
  const call = `6080604052${before}365f5f375f5f365f7f${slot.slice(2)}54${masked}5af43d5f5f3e`
  const end = (call.length / 2 + 6).toString(16).padStart(2, "0")
  return `0x${call}60${end}573d5ffd5b3d5ff3`
}

const { admin, implementation, zos } = PROXY_SLOTS

/** Lets whoever a slot names put another code in the implementation's place. */
const upgradedBy = (slot: string): string =>
  `337f${slot.slice(2)}541415605357${`6004357f${implementation.slice(2)}5500`}5b`

/** The same for whoever's last byte is that of the account it names. */
const upgradedByOneOfMany = (slot: string): string =>
  `3360ff167f${slot.slice(2)}5460ff1614156059576004357f${implementation.slice(2)}55005b`

describe("a proxy's own code", () => {
  it("is faithful where it hands all on and all back, but for its administrator", () => {
    expect(isFaithful(proxyOf(implementation), proxy(null), SLOTS)).toBe(true)
    expect(isFaithful(proxyOf(implementation, upgradedBy(admin)), proxy(ADMIN), SLOTS)).toBe(true)
  })

  it.each([
    ["refuses by a switch", "60045415600f575f5ffd5b"],
    ["answers by a switch", "6004541560145760015f5260205ff35b"],
    ["writes a balance", "6001600255"],
    ["lets somebody else name the code", upgradedBy(zos)],
    ["takes others for its administrator", upgradedByOneOfMany(admin)],
    ["uses memory as storage says", "5f60045452"],
    ["asks another contract", "5f5f5f5f5f335af150"],
    ["asks another contract to look", "5f5f5f5f335afa50"]
  ])("is none that %s", (_, before) => {
    expect(isFaithful(proxyOf(implementation, before), proxy(null), SLOTS)).toBe(false)
  })

  it("is none that runs what another slot, nothing, or a part of its slot names", () => {
    expect(isFaithful(proxyOf(implementation, "", "60ff16"), proxy(null), SLOTS)).toBe(false)
    expect(isFaithful(proxyOf(zos), proxy(null), SLOTS)).toBe(false)
    expect(isFaithful("0x60015f5260205ff3", proxy(null), SLOTS)).toBe(false)
    expect(isFaithful("0x", proxy(null), SLOTS)).toBe(false)
  })
})

describe("what was read behind a proxy", () => {
  const code = { ...clean.code, proxy: proxy(null), upgrader: { kind: "nobody" } } as const
  it("holds of a token that runs nothing else", () => {
    expect(behindFront(proxyOf(implementation), SLOTS, code)).toBe(code)
  })

  it("proves nothing of a token that only names it, nor that nobody can name another", () => {
    const judged = behindFront("0x60015f5260205ff3", SLOTS, code)
    expect(judged.upgrader.kind).toBe("unidentified")
    expect(judged.findings.known && judged.findings.value.proof.transferPath.holes).toHaveLength(1)
    expect(judged.findings.known && judged.findings.value.proof.conservation.holes).toHaveLength(1)
  })
})
