import type { Hex } from "viem"
import { decodeFunctionResult, encodeFunctionData, multicall3Abi, prepareEncodeFunctionData } from "viem"
import { MULTICALL3 } from "../domain/base-contracts.ts"
import { Chunk } from "./batch-chunk.ts"
import type { BatchRead, EvmBatch, EvmRead, EvmReadResult } from "./chain-rpc.ts"
import { SELECTORS } from "./selectors.ts"

const aggregate = prepareEncodeFunctionData({ abi: multicall3Abi, functionName: "aggregate3" })

/** Call data of one `aggregate3` that also reads the block's number and time. */
export const encodeAggregate = (reads: ReadonlyArray<EvmRead>): Hex =>
  encodeFunctionData({
    ...aggregate,
    args: [
      [
        { to: MULTICALL3, data: SELECTORS["getBlockNumber()"] } as const,
        { to: MULTICALL3, data: SELECTORS["getCurrentBlockTimestamp()"] } as const,
        ...reads
      ].map(({ to, data }) => ({ target: to, allowFailure: true, callData: data }))
    ]
  })

/** Decodes what `encodeAggregate` asked for. Throws on anything else. */
export const decodeAggregate = (data: Hex): EvmBatch => {
  const [number, time, ...rest] = decodeFunctionResult({
    abi: multicall3Abi,
    functionName: "aggregate3",
    data
  })
  if (number?.success !== true || time?.success !== true) throw new Error("Multicall3 did not give its block")
  return {
    blockNumber: BigInt(number.returnData),
    blockTime: BigInt(time.returnData),
    results: rest.map(({ success, returnData }) => ({ ok: success, data: returnData }))
  }
}

/** Reads that must stand in one init code: one, with what is read of the address it answers. */
const unitsOf = (reads: ReadonlyArray<BatchRead>): ReadonlyArray<ReadonlyArray<BatchRead>> => {
  const units: Array<ReadonlyArray<BatchRead>> = []
  for (let at = 0; at < reads.length;) {
    const next = reads[at + 1]
    const length = next !== undefined && "ofFound" in next ? 2 : 1
    units.push(reads.slice(at, at + length))
    at += length
  }
  return units
}

/** Init codes that together run the reads, in order. At least one. */
export const packDeployless = (
  reads: ReadonlyArray<BatchRead>
): ReadonlyArray<{ readonly data: Hex; readonly items: ReadonlyArray<BatchRead> }> => {
  const chunks = [new Chunk()]
  for (const unit of unitsOf(reads)) {
    const last = chunks.at(-1)
    // What is put together already stands as it is at the beginning only.
    const isBegun = last !== undefined && last.items.length > 0 && unit.some((item) => "alike" in item)
    if (!isBegun && last?.add(unit) === true) continue
    const next = new Chunk()
    next.add(unit)
    chunks.push(next)
  }
  return chunks.map(({ data, items }) => ({ data, items }))
}

/** `length` bytes of hex from byte `from` on. Throws where the data ends before. */
const bytesAt = (data: Hex, from: number, length: number): Hex => {
  const end = 2 + (from + length) * 2
  if (end > data.length) throw new Error("an answer ends out of bounds")
  return `0x${data.slice(2 + from * 2, end)}`
}

/** The answers to these reads, one behind the other from a place on, and where they end. */
const resultsAt = (
  data: Hex,
  items: ReadonlyArray<BatchRead>,
  start: number
): { readonly results: ReadonlyArray<EvmReadResult>; readonly end: number } => {
  const results: Array<EvmReadResult> = []
  let at = start
  for (const item of items) {
    if ("alike" in item) {
      const own = resultsAt(data, item.alike, at)
      results.push({ ok: true, data: "0x", found: own.results })
      at = own.end
      continue
    }
    const head = Number(bytesAt(data, at, 4))
    const length = head & 0xffffff
    const result = {
      ok: head >>> 24 === 1,
      data: length === 0 ? "0x" : bytesAt(data, at + 4, length)
    } as const
    at += 4 + length
    if (result.ok && "ofFound" in item) {
      const own = resultsAt(data, item.ofFound, at)
      results.push({ ...result, found: own.results })
      at = own.end
    } else results.push(result)
  }
  return { results, end: at }
}

/** Decodes the batch reader's answer to these reads. Throws on anything else. */
export const decodeDeployless = (data: Hex, items: ReadonlyArray<BatchRead>): EvmBatch => ({
  blockNumber: BigInt(bytesAt(data, 0, 32)),
  blockTime: BigInt(bytesAt(data, 32, 32)),
  results: resultsAt(data, items, 64).results
})
