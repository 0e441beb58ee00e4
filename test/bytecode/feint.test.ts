import { describe, expect, it } from "@effect/vitest"
import { type Address, type Hex, concat, keccak256, pad, stringToHex, toHex } from "viem"
import { known } from "../../src/domain/fact.ts"
import type { BaseEvidence } from "../../src/screening/base/evidence.ts"
import { analyseCode } from "../../src/screening/base/power/analyse.ts"
import { hasOwnDomains } from "../../src/screening/base/power/domain.ts"
import { openHole } from "../../src/screening/base/power/power.ts"
import { clean as evidence, harmlessCode } from "../support/base/fixtures.ts"
import { compiled, isHonest } from "../support/bytecode/artifacts.ts"

const feint = compiled("Feint.sol", "feint.json")

/** The code fixes the domain, so that it remains to be seen whose it is. */
const namesDomain = (name: string): boolean => ["DomainOfAnother", "DomainOfAnAccount"].includes(name)

describe("Feint.sol", () => {
  it("has the artifacts that belong to it", () => {
    expect(feint.isCurrent).toBe(true)
  })

  describe.each(feint.ways)("compiled %s", (way) => {
    it.each(feint.names.filter(isHonest))("%s is proven", (name) => {
      expect(analyseCode(feint.codeOf(way, name)).proof).toMatchObject({
        transferPath: { holes: [] },
        conservation: { holes: [] },
        domains: []
      })
    })

    it.each(feint.names.filter(namesDomain))("%s is told by the domain it fixes", (name) => {
      const { domains } = analyseCode(feint.codeOf(way, name)).proof
      expect(domains).toHaveLength(1)
    })

    it.each(feint.names.filter((name) => !isHonest(name) && !namesDomain(name)))(
      "%s is not proven",
      (name) => {
        const { conservation, transferPath } = analyseCode(feint.codeOf(way, name)).proof
        expect([...transferPath.holes, ...conservation.holes]).not.toEqual([])
      }
    )
  })
})

describe("a domain that the code fixes", () => {
  const domainOf = (name: string, version: string | undefined, chainId: number, contract: Address): Hex => {
    const texts = [name, ...(version === undefined ? [] : [version])]
    const type = `EIP712Domain(string name,${version === undefined ? "" : "string version,"}uint256 chainId,address verifyingContract)`
    return keccak256(
      concat([
        ...[type, ...texts].map((text) => keccak256(stringToHex(text))),
        toHex(chainId, { size: 32 }),
        pad(contract, { size: 32 })
      ])
    )
  }
  const named = { ...evidence, shape: { ...evidence.shape, nameHash: keccak256(stringToHex("Coin")) } }
  const isOwn = (hash: Hex, of: BaseEvidence = named, at: Address | null = null) =>
    hasOwnDomains(of, { ...harmlessCode.proof, domains: [{ hash, at }] })

  it.each(["1", "2", undefined])("is the token's own in version %s", (version) => {
    expect(isOwn(domainOf("Coin", version, 8453, evidence.token))).toBe(true)
  })

  it("is not that of the code behind a proxy: every other proxy in front of it takes the same signatures", () => {
    const implementation: Address = "0x00000000000000000000000000000000000abcde"
    const domain = domainOf("Coin", "1", 8453, implementation)
    const behind = { ...named, code: { ...named.code, implementation } }
    expect(isOwn(domain, behind)).toBe(false)
    expect(isOwn(domain, behind, implementation)).toBe(true)
    expect(isOwn(domain, behind, evidence.token)).toBe(false)
  })

  it("is not another contract's, another chain's or another name's", () => {
    expect(isOwn(domainOf("Coin", "1", 8453, "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913"))).toBe(false)
    expect(isOwn(domainOf("Coin", "1", 1, evidence.token))).toBe(false)
    expect(isOwn(domainOf("Coins", "1", 8453, evidence.token))).toBe(false)
    expect(isOwn(domainOf("Coin", "1", 8453, evidence.token), evidence)).toBe(false)
  })

  it("leaves nothing proven where it is not the token's", () => {
    const hash = domainOf("USD Coin", "2", 1, evidence.token)
    const proof = { ...harmlessCode.proof, domains: [{ hash, at: null }] }
    const code = { ...evidence.code, findings: known({ ...harmlessCode, proof }) }
    expect(openHole({ ...evidence, code }, ({ conservation }) => conservation)).toMatch(/other contracts/)
    expect(openHole(evidence, ({ conservation }) => conservation)).toBeUndefined()
  })
})
