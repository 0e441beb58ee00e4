import { describe, expect, it } from "@effect/vitest"
import { explorerUrl } from "../../src/cli/explorer.ts"

const HASH = `0x${"ab".repeat(32)}`
const SIGNATURE = "5".repeat(88)
const receipt = (network: string, transaction: string) => ({ success: true, network, transaction })
const BASE = "eip155:8453"
const SOLANA = "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp"

describe("where to look at what was paid", () => {
  it("is the network's explorer", () => {
    const service = "https://risk.example"
    expect(explorerUrl(receipt(BASE, HASH), service)).toBe(`https://basescan.org/tx/${HASH}`)
    expect(explorerUrl(receipt(SOLANA, SIGNATURE), service)).toBe(`https://solscan.io/tx/${SIGNATURE}`)
  })

  it("is nowhere for what is no transaction of that network", () => {
    for (const odd of [SIGNATURE, "0x12", `${HASH}/../evil`])
      expect(explorerUrl(receipt(BASE, odd), "https://risk.example")).toBeUndefined()
    expect(explorerUrl(receipt("eip155:1", HASH), "https://risk.example")).toBeUndefined()
  })

  it("is nowhere where the service runs on this machine: its chains may, too", () => {
    for (const local of [
      "http://127.0.0.1:3402",
      "http://localhost:3402",
      "http://[::1]:3402",
      "http://127.8.0.1",
      "http://sandbox.localhost"
    ])
      expect(explorerUrl(receipt(BASE, HASH), local)).toBeUndefined()
    expect(explorerUrl(receipt(BASE, HASH), "https://localhost.example")).toBeDefined()
    expect(explorerUrl(receipt(BASE, HASH), "https://127.0.0.1.example")).toBeDefined()
  })
})
