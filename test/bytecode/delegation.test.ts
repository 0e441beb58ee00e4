import { describe, expect, it } from "@effect/vitest"
import type { Hex } from "viem"
import { proxyTarget } from "../../src/bytecode/delegation.ts"

const TARGET = "bebebebebebebebebebebebebebebebebebebebe"
const IMPLEMENTATION_SLOT = "360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc"
const BEACON_SLOT = "a3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50"

/** Finds a target (left on the stack), passes the whole input on to it, and answers with its answer. */
const proxy = (findTarget: string): Hex => `0x${findTarget}365f5f375f5f365f845af43d5f5f3e3d5ff3`

describe("proxyTarget", () => {
  it("reads the target of a minimal proxy out of its code", () => {
    for (const code of [
      `0x363d3d373d3d3d363d73${TARGET}5af43d82803e903d91602b57fd5bf3`,
      `0x365f5f375f5f365f73${TARGET}5af43d5f5f3e5f3d91602a57fd5bf3`
    ] as const)
      expect(proxyTarget(code)).toEqual({ kind: "fixed", target: `0x${TARGET}` })
  })

  it("names the slot of an upgradeable proxy, standard or not", () => {
    expect(proxyTarget(proxy(`7f${IMPLEMENTATION_SLOT}54`))).toEqual({
      kind: "slot",
      slot: `0x${IMPLEMENTATION_SLOT}`
    })
    expect(proxyTarget(proxy("600754"))).toEqual({ kind: "slot", slot: `0x${"7".padStart(64, "0")}` })
  })

  it("names the slot of the beacon that is asked", () => {
    const ask = `635c60da1b60e01b5f5260205f60045f7f${BEACON_SLOT}545afa505f51`
    expect(proxyTarget(proxy(ask))).toEqual({ kind: "beacon", slot: `0x${BEACON_SLOT}` })
  })

  it("knows a table of facets by the selector it is keyed with", () => {
    const look = "5f3560e01c5f52600360205260405f2054"
    expect(proxyTarget(proxy(look))).toEqual({ kind: "table" })
  })

  it("is no proxy that calls a library with an input of its own", () => {
    expect(proxyTarget(`0x631234567860e01b5f525f5f60045f73${TARGET}5af45000`)).toBeUndefined()
    expect(proxyTarget("0x60015f5260205ff3")).toBeUndefined()
  })
})
