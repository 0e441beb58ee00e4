import { describe, expect, it } from "@effect/vitest"
import { analyseCode } from "../../src/screening/base/power/analyse.ts"
import { compiled, isHonest } from "../support/bytecode/artifacts.ts"

const ruse = compiled("Ruse.sol", "ruse.json")

describe("Ruse.sol", () => {
  it("has the artifacts that belong to it", () => {
    expect(ruse.isCurrent).toBe(true)
  })

  describe.each(ruse.ways)("compiled %s", (way) => {
    it.each(ruse.names.filter(isHonest))("%s is proven", (name) => {
      expect(analyseCode(ruse.codeOf(way, name)).proof).toMatchObject({
        transferPath: { holes: [] },
        conservation: { holes: [] }
      })
    })

    it.each(ruse.names.filter((name) => !isHonest(name) && name !== "DomainAnywhere"))(
      "%s is not proven",
      (name) => {
        const { conservation, transferPath } = analyseCode(ruse.codeOf(way, name)).proof
        expect([...transferPath.holes, ...conservation.holes]).not.toEqual([])
      }
    )

    it.each([
      ["HonestDomained", "0x00000000000000000000000000000000000abcde"],
      ["DomainAnywhere", null]
    ])("%s takes the domain that it fixes at %s", (name, at) => {
      expect(analyseCode(ruse.codeOf(way, name)).proof.domains).toMatchObject([{ at }])
    })

    it.each([
      ["HonestRuse", true],
      ["HonestOwnFed", true],
      ["HonestOwnCleared", false],
      ["HonestOwnAllowed", false],
      ["HonestOwnCalled", false],
      ["GrantsInClaim", false]
    ])("%s keeps what the contract holds: %s", (name, keeps) => {
      expect(analyseCode(ruse.codeOf(way, name)).proof.keepsOwn).toBe(keeps)
    })
  })
})
