import type { Hex } from "viem"
import {
  concatHex,
  decodeFunctionResult,
  encodeFunctionData,
  multicall3Abi,
  prepareEncodeFunctionData,
  size,
  sliceHex
} from "viem"
import { MULTICALL3 } from "../domain/base-contracts.ts"
import { code as batchReaderCode } from "./batch-reader.artifact.ts"
import type { CodeRead, EvmBatch, EvmRead, EvmReadResult } from "./chain-rpc.ts"
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

// EIP-3860 limits init code to 49,152 bytes; some room is left for the reader itself.
const maxBatchBytes = 48_000
const wordBytes = 32
/** Kinds of reads beside those with so many arguments; see BatchReader.yul. */
const kindWriting = "fd"
const kindCode = "fe"
const kindRaw = "ff"
const maxArguments = 250

/** One init code being filled: words stand once, reads name them by their place. */
class Chunk {
  /** Each word and the place, in hexadecimal, at which it stands. */
  private readonly words = new Map<string, string>()
  private readonly parts: Array<string> = []
  private bytes = 2
  count = 0

  /** Adds a read; false where it has no room, unless it is the first: a single read may be of any size. */
  add(read: EvmRead | CodeRead): boolean {
    const known = this.words.size
    const part = "codeOf" in read ? `${kindCode}${this.word(read.codeOf.slice(2))}` : this.call(read)
    const grown = part.length / 2 + (this.words.size - known) * wordBytes
    if (this.count > 0 && this.bytes + grown > maxBatchBytes) {
      for (const word of [...this.words.keys()].slice(known)) this.words.delete(word)
      return false
    }
    this.parts.push(part)
    this.bytes += grown
    this.count += 1
    return true
  }

  get data(): Hex {
    const table = [...this.words.keys()].join("")
    return concatHex([
      batchReaderCode,
      `0x${hex(this.words.size, 2)}`,
      `0x${table}`,
      `0x${this.parts.join("")}`
    ])
  }

  /** The place of a word of up to 64 digits, of either case, without `0x`. */
  private word(digits: string): string {
    const known = this.words.get(digits)
    if (known !== undefined) return known
    const word = digits.toLowerCase().padStart(64, "0")
    const place = this.words.get(word) ?? hex(this.words.size, 2)
    this.words.set(word, place)
    return place
  }

  private call({ to, data, writes = false }: EvmRead): string {
    const target = this.word(to.slice(2))
    const args = (data.length - 10) / 64
    if (writes || !Number.isInteger(args) || args < 0 || args > maxArguments) {
      const kind = writes ? kindWriting : kindRaw
      return `${kind}${target}${hex(size(data), 3)}${data.slice(2)}`
    }
    let words = ""
    for (let at = 10; at < data.length; at += 64) words += this.word(data.slice(at, at + 64))
    return `${hex(args, 1)}${target}${data.slice(2, 10)}${words}`
  }
}

/** A number below 256^bytes as so many bytes. */
const hex = (value: number, bytes: number): string => value.toString(16).padStart(bytes * 2, "0")

/** Init codes that together run the reads, in order. At least one. */
export const packDeployless = (
  reads: ReadonlyArray<EvmRead | CodeRead>
): ReadonlyArray<{ readonly data: Hex; readonly count: number }> => {
  const chunks = [new Chunk()]
  for (const read of reads) {
    if (chunks.at(-1)?.add(read) === true) continue
    const next = new Chunk()
    next.add(read)
    chunks.push(next)
  }
  return chunks.map(({ data, count }) => ({ data, count }))
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
