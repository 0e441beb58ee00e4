import { readFileSync } from "node:fs"
import { describe, expect, it } from "@effect/vitest"
import type { Hex } from "viem"
import { withoutPause } from "../../../../src/bytecode/evm/slices.ts"
import { noWayOutInSlices } from "../../../../src/screening/base/pools/way-out.ts"

const artifact = (name: string): Hex => {
  const url = new URL(`../../../../scripts/contracts/artifacts/${name}.json`, import.meta.url)
  return JSON.parse(readFileSync(url, "utf8")).deployedBytecode
}

const hasNoWayOut = (code: Hex, now = () => 0) => withoutPause(noWayOutInSlices(code, now))

describe("that liquidity has no way out", () => {
  it("is proven of a contract that only pays liquidity in", () => {
    expect(hasNoWayOut(artifact("V3Minter"))).toBe(true)
  })

  it("is proven by a machine that has other work, too: steps decide, not its time", () => {
    let looks = 0
    const busy = () => (looks++ === 0 ? 0 : 2_500)
    expect(hasNoWayOut(artifact("V3Minter"), busy)).toBe(true)
  })

  it("is not believed of a wallet that runs any call, of no code, or of code that cannot be followed", () => {
    expect(hasNoWayOut(artifact("SmartWallet"))).toBe(false)
    expect(hasNoWayOut("0x")).toBe(false)
    expect(hasNoWayOut(`0x${"5b".repeat(7000)}`)).toBe(false)
    // Delegates every call.
    expect(
      hasNoWayOut(
        "0x363d3d373d3d3d363d73aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa5af43d82803e903d91602b57fd5bf3"
      )
    ).toBe(false)
  })

  it("is not believed of a key whose code stands elsewhere, nor of code that a pool's `burn` leaves", () => {
    expect(hasNoWayOut(`0xef0100${"12".repeat(20)}`)).toBe(false)
    // Calls `burn(int24,int24,uint128)` at whoever calls.
    expect(hasNoWayOut("0x63a34123a760e01b5f525f5f60645f5f335af15000")).toBe(false)
  })

  it("is not believed of a `burn` that only a sum that wraps around leads to, or that stands at a stored place", () => {
    // if (x + 1 < x) burn
    expect(hasNoWayOut("0x5f358060010110600b57005b63a34123a760e01b5f525f5f60645f5f335af15000")).toBe(false)
    // mstore(0, transfer); mstore(sload(0), burn)
    expect(hasNoWayOut("0x63a9059cbb60e01b5f5263a34123a760e01b5f54525f5f60645f5f335af15000")).toBe(false)
    expect(hasNoWayOut("0x63a9059cbb60e01b5f525f5f60645f5f335af15000")).toBe(true)
  })
})
