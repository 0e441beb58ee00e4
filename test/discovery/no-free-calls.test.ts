import { describe, expect, it } from "@effect/vitest"
import { OPERATIONS } from "../../src/domain/catalog.ts"
import { llmsTxt, x402Manifest } from "../../src/http/discovery.ts"
import { toolsFor } from "../../src/mcp/tools.ts"
import { Offers } from "../../src/operations/offers.ts"

const offersWith = (freeTier: string | undefined) =>
  Offers.of({
    publicUrl: "https://risk.test",
    freeTier,
    priceUsd: () => "0.04",
    accepts: () => [],
    resourceUrl: (id) => `https://risk.test${OPERATIONS[id].path}`,
    challenge: () => {
      throw new Error("no document asks for a challenge")
    }
  })

const publisherOf = (freeTier: string | undefined) => ({
  offers: offersWith(freeTier),
  contact: undefined,
  checkoutService: "checkout",
  checkoutOperations: [],
  updated: "2026-11-29T00:00:00.000Z"
})

const DEEP = OPERATIONS.check_token_risk_deep.id

const saidOf = (freeTier: string | undefined) => ({
  manifest: x402Manifest(publisherOf(freeTier)).items.map(({ metadata }) => metadata.freeTier),
  forModels: llmsTxt(publisherOf(freeTier)),
  tool: toolsFor(offersWith(freeTier)).find(({ name }) => name === DEEP)?.description
})

describe("what machines read of free calls", () => {
  it("names them where there are some", () => {
    const { forModels, manifest, tool } = saidOf("3 calls a day")
    expect(manifest).toEqual([null, "3 calls a day"])
    expect(forModels).toContain("0.04 USD, 3 calls a day free. Returns verdict")
    expect(tool).toContain("are free")
  })

  it("is nothing where nobody has any", () => {
    const { forModels, manifest, tool } = saidOf(undefined)
    expect(manifest).toEqual([null, null])
    expect(forModels).toContain("same body: 0.04 USD. Returns verdict")
    expect(forModels).not.toContain("undefined")
    expect(tool).toContain("Price: 0.04 USD per call. Payment is")
  })
})
