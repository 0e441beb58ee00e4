import { describe, expect, it } from "@effect/vitest"
import { createPublicClient, custom, encodeFunctionData, type Hex, numberToHex, parseAbi } from "viem"
import { dataFeeOf, readDataFee } from "../../../../src/payment/settler/evm/data-fee.ts"

const clientThat = (answers: Readonly<Record<string, unknown>>) =>
  createPublicClient({
    transport: custom(
      {
        request: ({ method }: { method: string }) =>
          method in answers ? Promise.resolve(answers[method]) : Promise.reject(new Error("not answered"))
      },
      { retryCount: 0 }
    )
  })

const fee = numberToHex(123_456n, { size: 32 })

describe("what publishing a transfer on Ethereum costs", () => {
  it("is what Base's oracle says", async () => {
    expect(await readDataFee(clientThat({ eth_call: fee }))).toBe(123_456n)
  })

  it("is asked for a transfer with all that is signed beside it", async () => {
    const asked: Array<unknown> = []
    const request = ({ params }: { readonly params?: unknown }) => Promise.resolve((asked.push(params), fee))
    await readDataFee(createPublicClient({ transport: custom({ request }) }))
    const data = encodeFunctionData({
      abi: parseAbi(["function getL1FeeUpperBound(uint256 unsignedTxSize) view returns (uint256)"]),
      args: [420n]
    })
    expect(asked).toEqual([[{ to: "0x420000000000000000000000000000000000000f", data }, "latest"]])
  })

  it("is nothing on a development chain, which has no oracle and says what it is", async () => {
    const anvil = clientThat({ eth_call: "0x", web3_clientVersion: "anvil/v1.7.1" })
    expect(await readDataFee(anvil)).toBe(0n)
  })

  it.each<readonly [string, Readonly<Record<string, unknown>>]>([
    ["a node of a real chain that has no oracle", { eth_call: "0x", web3_clientVersion: "Geth/v1.15" }],
    ["a node that does not say what it is", { eth_call: "0x" }],
    ["an answer that is no number", { eth_call: "0x1234", web3_clientVersion: "anvil/v1.7.1" }],
    ["no answer", {}]
  ])("is not known, which is no small fee, from %s", async (_, answers) => {
    await expect(readDataFee(clientThat(answers))).rejects.toThrow()
  })

  it("grows with a signature's length", () => {
    const data = (bytes: number): Hex => `0x${"00".repeat(bytes)}`
    expect([0, 356, 357, 1_000].map((bytes) => dataFeeOf(10n, data(bytes)))).toEqual([10n, 10n, 20n, 30n])
  })
})
