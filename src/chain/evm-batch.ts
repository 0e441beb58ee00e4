import type { Address, Hex } from "viem"
import {
  concatHex,
  decodeFunctionResult,
  encodeFunctionData,
  multicall3Abi,
  prepareEncodeFunctionData,
  size
} from "viem"
import { MULTICALL3 } from "../domain/base-contracts.ts"
import { code as batchReaderCode } from "./batch-reader.artifact.ts"
import {
  type BatchRead,
  type CodeRead,
  type EvmBatch,
  type EvmRead,
  type EvmReadResult,
  FOUND
} from "./chain-rpc.ts"
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
const kindFound = "fc"
const kindCode = "fe"
const kindRaw = "ff"
const maxArguments = 250

/** A read as it stands in the code, or a block of reads by its place among the blocks. */
type Part = string | { readonly word: string; readonly from: number; readonly length: number }

/** Bytes of a kind, a place and where a block begins and ends. */
const foundBytes = 7
const sizeOf = (part: Part): number => (typeof part === "string" ? part.length / 2 : foundBytes)

/** Two bytes name the number of words, two the length of the blocks. */
const headBytes = 4

/** One init code being filled: words stand once, reads name them by their place, and so do blocks of reads. */
class Chunk {
  readonly items: Array<BatchRead> = []
  /** Each word and the place, in hexadecimal, at which it stands. */
  private readonly words = new Map<string, string>()
  /** Those of addresses. */
  private readonly places = new Map<string, string>()
  /** Each block and where it begins, in bytes behind the first one. */
  private readonly blocks = new Map<string, number>()
  /** Those of lists of reads: of hundreds of addresses that may be found the same is read. */
  private readonly lists = new Map<ReadonlyArray<EvmRead>, Part>()
  private blockBytes = 0
  private readonly parts: Array<Part> = []
  private bytes = headBytes

  /** Adds reads that belong together; false where they have no room, unless they are the first. */
  add(unit: ReadonlyArray<BatchRead>): boolean {
    const [words, blocks, { blockBytes }] = [this.words.size, this.blocks.size, this]
    const parts = this.partsOf(unit)
    const grown =
      parts.reduce((sum, part) => sum + sizeOf(part), 0) +
      (this.words.size - words) * wordBytes +
      (this.blockBytes - blockBytes)
    if (this.items.length > 0 && this.bytes + grown > maxBatchBytes) {
      // Nothing is added behind a unit that has no room: what knows of its words is not asked again.
      for (const word of [...this.words.keys()].slice(words)) this.words.delete(word)
      for (const block of [...this.blocks.keys()].slice(blocks)) this.blocks.delete(block)
      this.blockBytes = blockBytes
      return false
    }
    this.parts.push(...parts)
    this.items.push(...unit)
    this.bytes += grown
    return true
  }

  get data(): Hex {
    const table = [...this.words.keys()].join("")
    const start = headBytes + this.words.size * wordBytes
    const body = this.parts.map((part) =>
      typeof part === "string"
        ? part
        : `${kindFound}${part.word}${hex(start + part.from, 2)}${hex(start + part.from + part.length, 2)}`
    )
    return concatHex([
      batchReaderCode,
      `0x${hex(this.words.size, 2)}${table}${hex(this.blockBytes, 2)}`,
      `0x${[...this.blocks.keys()].join("")}`,
      `0x${body.join("")}`
    ])
  }

  private partsOf(unit: ReadonlyArray<BatchRead>): ReadonlyArray<Part> {
    return unit.map((item) => ("ofFound" in item ? this.list(item.ofFound) : this.read(item)))
  }

  private list(reads: ReadonlyArray<EvmRead>): Part {
    const known = this.lists.get(reads)
    if (known !== undefined) return known
    const part = this.block(reads.map((item) => this.read(item)).join(""))
    this.lists.set(reads, part)
    return part
  }

  private block(text: string): Part {
    const known = this.blocks.get(text)
    const from = known ?? this.blockBytes
    if (known === undefined) {
      this.blocks.set(text, from)
      this.blockBytes += text.length / 2
    }
    return { word: this.account(FOUND), from, length: text.length / 2 }
  }

  private read(item: EvmRead | CodeRead): string {
    return "codeOf" in item ? `${kindCode}${this.account(item.codeOf)}` : this.call(item)
  }

  /** The place of an address. */
  private account(address: Address): string {
    const known = this.places.get(address)
    if (known !== undefined) return known
    const place = this.word(address.slice(2))
    this.places.set(address, place)
    return place
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
    const target = this.account(to)
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
    if (chunks.at(-1)?.add(unit) === true) continue
    const next = new Chunk()
    next.add(unit)
    chunks.push(next)
  }
  return chunks.map(({ data, items }) => ({ data, items }))
}

/** So many bytes of whole hex. Throws where there are not as many. */
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
