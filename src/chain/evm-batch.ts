import type { Hex } from "viem"
import {
  concatHex,
  decodeFunctionResult,
  encodeFunctionData,
  multicall3Abi,
  numberToHex,
  size,
  sliceHex
} from "viem"
import { code as batchReaderCode } from "./batch-reader.artifact.ts"
import type { EvmBatch, EvmRead, EvmReadResult } from "./chain-rpc.ts"

/** Multicall3, at the same address on every chain that has it. Source: viem `chains/base`. */
export const multicall3 = "0xcA11bde05977b3631167028862bE2a173976CA11"

const getBlockNumber: Hex = "0x42cbb15c"
const getCurrentBlockTimestamp: Hex = "0x0f28c97d"

/** Call data of one `aggregate3` that also reads the block's number and time. */
export const encodeAggregate = (reads: ReadonlyArray<EvmRead>): Hex =>
  encodeFunctionData({
    abi: multicall3Abi,
    functionName: "aggregate3",
    args: [
      [
        { to: multicall3, data: getBlockNumber } as const,
        { to: multicall3, data: getCurrentBlockTimestamp } as const,
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

// EIP-3860 limits init code to 49,152 bytes; some room is left for the reader itself.
const maxBatchBytes = 48_000

const packRead = ({ to, data }: EvmRead): Hex => concatHex([to, numberToHex(size(data), { size: 3 }), data])

/** Init codes that together run the reads, in order, where Multicall3 does not exist. At least one. */
export const packDeployless = (
  reads: ReadonlyArray<EvmRead>
): ReadonlyArray<{ readonly data: Hex; readonly count: number }> => {
  const chunks: Array<{ parts: Array<Hex>; bytes: number }> = [{ parts: [], bytes: 0 }]
  for (const read of reads) {
    const part = packRead(read)
    const last = chunks.at(-1)
    if (last === undefined || last.bytes + size(part) > maxBatchBytes) {
      chunks.push({ parts: [part], bytes: size(part) })
    } else {
      last.parts.push(part)
      last.bytes += size(part)
    }
  }
  return chunks.map(({ parts }) => ({ data: concatHex([batchReaderCode, ...parts]), count: parts.length }))
}

/** Decodes the batch reader's answer to `count` reads. Throws on anything else. */
export const decodeDeployless = (data: Hex, count: number): EvmBatch => {
  const blockNumber = BigInt(sliceHex(data, 0, 32, { strict: true }))
  const blockTime = BigInt(sliceHex(data, 32, 64, { strict: true }))
  const results: Array<EvmReadResult> = []
  for (let at = 64; results.length < count;) {
    const head = Number(sliceHex(data, at, at + 4, { strict: true }))
    const length = head & 0xffffff
    const body = length === 0 ? "0x" : sliceHex(data, at + 4, at + 4 + length, { strict: true })
    results.push({ ok: head >>> 24 === 1, data: body })
    at += 4 + length
  }
  return { blockNumber, blockTime, results }
}
