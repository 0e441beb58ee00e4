import { describe, expect, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { type Address, type Hex, createPublicClient, custom, numberToHex } from "viem"
import { type SimulatedBlock, simulateBlocks } from "../../src/chain/evm-simulation.ts"

const hexOf = (bytes: number) =>
  fc
    .uint8Array({ minLength: bytes, maxLength: bytes })
    .map((some): Hex => `0x${Buffer.from(some).toString("hex")}`)
const address: fc.Arbitrary<Address> = hexOf(20)
const uint = (bits: number) => fc.bigInt({ min: 0n, max: 2n ** BigInt(bits) - 1n })

const call = fc.record({
  from: address,
  to: address,
  data: hexOf(36),
  value: uint(128),
  gas: uint(32),
  gasPrice: uint(64)
})
const override = fc.record({
  address,
  balance: uint(128),
  stateDiff: fc.array(fc.record({ slot: hexOf(32), value: hexOf(32) }), { minLength: 1, maxLength: 3 })
})
const block: fc.Arbitrary<SimulatedBlock> = fc.record({
  time: uint(40),
  baseFeePerGas: uint(40),
  feeRecipient: address,
  prevRandao: fc.bigInt({ min: 2n ** 252n, max: 2n ** 256n - 1n }),
  stateOverride: fc.uniqueArray(override, { minLength: 1, maxLength: 3, selector: (one) => one.address }),
  calls: fc.array(call, { maxLength: 4 })
})

/** A node that keeps what it was asked, and answers every transaction alike. */
const nodeThat = (answer: Readonly<Record<string, unknown>>, numbered = (next: bigint) => next) => {
  const asked: Array<unknown> = []
  const request = async ({
    params
  }: {
    params: readonly [{ readonly blockStateCalls: ReadonlyArray<{ calls: ReadonlyArray<unknown> }> }, Hex]
  }) => {
    asked.push(params)
    const [{ blockStateCalls }, block] = params
    return blockStateCalls.map(({ calls }, at) => ({
      number: numberToHex(numbered(BigInt(block) + 1n + BigInt(at))),
      calls: calls.map(() => answer)
    }))
  }
  return { asked, client: createPublicClient({ transport: custom({ request }) }) }
}
const passed = { status: "0x1", returnData: "0x2a", gasUsed: "0x5208", logs: [{ data: "0x", topics: [] }] }

describe("simulated blocks", () => {
  it("are asked for as viem asks, and are what viem takes them for", () =>
    fc.assert(
      fc.asyncProperty(fc.array(block, { maxLength: 3 }), uint(62), async (blocks, number) => {
        const node = nodeThat(passed)
        const ours = await simulateBlocks(node.client, blocks, number)
        const theirs = await node.client.simulateBlocks({
          blockNumber: number,
          blocks: blocks.map(({ calls, stateOverride, ...blockOverrides }) => ({
            blockOverrides,
            stateOverrides: stateOverride.map((one) => ({ ...one, stateDiff: [...(one.stateDiff ?? [])] })),
            calls: calls.map(({ from, ...rest }) => ({ account: from, ...rest }))
          }))
        })
        expect(JSON.parse(JSON.stringify(node.asked[0]))).toEqual(JSON.parse(JSON.stringify(node.asked[1])))
        expect(ours).toEqual(
          theirs.map(({ calls }) =>
            calls.map(({ data, logs, status }) => ({
              ok: status === "success",
              data,
              told: logs?.length !== 0
            }))
          )
        )
      }),
      { numRuns: 40 }
    ))

  const one: SimulatedBlock = {
    time: 1n,
    baseFeePerGas: 1n,
    feeRecipient: "0x00000000000000000000000000000000000000aa",
    prevRandao: 2n ** 252n,
    stateOverride: [],
    calls: [
      {
        from: "0x00000000000000000000000000000000000000aa",
        to: "0x00000000000000000000000000000000000000bb",
        data: "0x",
        value: 0n,
        gas: 21_000n,
        gasPrice: 1n
      }
    ]
  }
  const told = (answer: Readonly<Record<string, unknown>>) =>
    simulateBlocks(nodeThat(answer).client, [one], 1n)

  it("are taken on top of the block that was asked for, as the nodes number them, and of no other", async () => {
    const numbered = (change: (next: bigint) => bigint) =>
      simulateBlocks(nodeThat(passed, change).client, [one, one], 7n)
    for (const shown of [(next: bigint) => next, (next: bigint) => next - 1n])
      expect(await numbered(shown)).toHaveLength(2)
    for (const other of [
      (next: bigint) => next + 1n,
      (next: bigint) => next - 2n,
      () => 8n,
      (next: bigint) => (next === 8n ? 8n : next + 1n)
    ])
      await expect(numbered(other)).rejects.toMatchObject({ kind: "malformed" })
  })

  it("tell whether events were left, where the node tells so, and what a failed call answered", async () => {
    expect(await told({ ...passed, logs: [] })).toEqual([[{ ok: true, data: "0x2a", told: false }]])
    expect(await told({ ...passed, logs: undefined })).toEqual([[{ ok: true, data: "0x2a", told: null }]])
    expect(await told({ ...passed, status: "0x0", error: { data: "0x08" } })).toEqual([
      [{ ok: false, data: "0x08", told: true }]
    ])
  })

  it.each([
    { status: "0x2" },
    { status: undefined },
    { returnData: 7 },
    { returnData: undefined },
    { logs: {} }
  ])("with %j in an outcome are no answer", (rubbish) =>
    expect(told({ ...passed, ...rubbish })).rejects.toMatchObject({ kind: "malformed" })
  )
})
