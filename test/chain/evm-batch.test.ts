import { describe, expect, it } from "@effect/vitest"
import * as fc from "fast-check"
import type { Hex } from "viem"
import { concatHex, numberToHex, size } from "viem"
import { decodeDeployless, packDeployless } from "../../src/chain/evm-batch.ts"
import { reads } from "../support/chain/echo-chain.ts"

describe("deployless batches", () => {
  const read = fc.record({
    to: fc
      .uint8Array({ minLength: 20, maxLength: 20 })
      .map((bytes): Hex => `0x${Buffer.from(bytes).toString("hex")}`),
    data: fc.uint8Array({ maxLength: 300 }).map((bytes): Hex => `0x${Buffer.from(bytes).toString("hex")}`)
  })

  it("never exceed the limit on init code and lose no read", () => {
    fc.assert(
      fc.property(fc.array(read, { maxLength: 400 }), (many) => {
        const chunks = packDeployless(many)
        expect(chunks.flatMap(({ items }) => items)).toEqual(many)
        expect(chunks.every(({ data }) => size(data) <= 49_152)).toBe(true)
      }),
      { numRuns: 20 }
    )
  })

  it("decode exactly what was answered and throw on less", () => {
    const answer = fc.record({ ok: fc.boolean(), data: read.map(({ data }) => data) })
    fc.assert(
      fc.property(
        fc.array(answer, { minLength: 1, maxLength: 20 }),
        fc.bigInt(0n, 2n ** 64n - 1n),
        fc.bigInt(0n, 2n ** 64n - 1n),
        (results, number, time) => {
          const parts = results.flatMap(({ ok, data }) => [
            numberToHex(ok ? 1 : 0, { size: 1 }),
            numberToHex(size(data), { size: 3 }),
            data
          ])
          const whole = concatHex([
            numberToHex(number, { size: 32 }),
            numberToHex(time, { size: 32 }),
            ...parts
          ])
          const asked = results.map(() => reads[0])
          expect(decodeDeployless(whole, asked)).toEqual({
            blockNumber: number,
            blockTime: time,
            results
          })
          expect(() => decodeDeployless(`0x${whole.slice(2, -2)}`, asked)).toThrow(/Slice|out of bounds/i)
        }
      )
    )
  })
})
