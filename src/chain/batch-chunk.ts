import type { Address, Hex } from "viem"
import { concatHex, size } from "viem"
import { code as batchReaderCode } from "./batch-reader.artifact.ts"
import {
  type AlikeReads,
  type BatchRead,
  type CodeRead,
  type EvmRead,
  FOUND,
  SUBJECT,
  readsOf
} from "./chain-rpc.ts"

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

/** A word of up to 64 digits, of either case, without `0x`. */
const asWord = (digits: string): string => digits.toLowerCase().padStart(64, "0")

const SUBJECT_WORD = asWord(SUBJECT.slice(2))

/** One init code being filled: words stand once, reads name them by their place, and so do blocks of reads. */
export class Chunk {
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
  /** Some call data stands as it is, where no word can take another's place. */
  private hasRaw = false

  /** Adds reads that belong together; false where they have no room, unless they are the first. */
  add(unit: ReadonlyArray<BatchRead>): boolean {
    const [item] = unit
    if (this.items.length === 0 && item !== undefined && "alike" in item && this.begin(item)) return true
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

  /** Begins with reads that were put together before; false where these are not the same but for one word. */
  private begin(item: AlikeReads): boolean {
    const known = preparedOf(item.alike)
    const word = asWord(item.of.slice(2))
    if (known.hasRaw || known.bytes > maxBatchBytes || known.words.has(word)) return false
    for (const [one, place] of known.words) this.words.set(one === SUBJECT_WORD ? word : one, place)
    for (const [one, place] of known.places) this.places.set(one === SUBJECT ? item.of : one, place)
    for (const [text, from] of known.blocks) this.blocks.set(text, from)
    for (const [reads, part] of known.lists) this.lists.set(reads, part)
    this.parts.push(...known.parts)
    this.items.push(item)
    this.blockBytes = known.blockBytes
    this.bytes = known.bytes
    return true
  }

  private partsOf(unit: ReadonlyArray<BatchRead>): ReadonlyArray<Part> {
    return unit.flatMap((item) =>
      "alike" in item
        ? this.partsOf(readsOf(item))
        : "ofFound" in item
          ? this.list(item.ofFound)
          : this.read(item)
    )
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
    const word = asWord(digits)
    const place = this.words.get(word) ?? hex(this.words.size, 2)
    this.words.set(word, place)
    return place
  }

  private call({ to, data, writes = false }: EvmRead): string {
    const target = this.account(to)
    const args = (data.length - 10) / 64
    if (writes || !Number.isInteger(args) || args < 0 || args > maxArguments) {
      const kind = writes ? kindWriting : kindRaw
      this.hasRaw = true
      return `${kind}${target}${hex(size(data), 3)}${data.slice(2)}`
    }
    let words = ""
    for (let at = 10; at < data.length; at += 64) words += this.word(data.slice(at, at + 64))
    return `${hex(args, 1)}${target}${data.slice(2, 10)}${words}`
  }
}

/** Chunks that hold nothing but such reads, of `SUBJECT`, by their lists. */
const prepared = new WeakMap<AlikeReads["alike"], Chunk>()

const preparedOf = (alike: AlikeReads["alike"]): Chunk => {
  const known = prepared.get(alike)
  if (known !== undefined) return known
  const made = new Chunk()
  // The first unit is taken whether it has room or not.
  made.add(alike)
  prepared.set(alike, made)
  return made
}

/** A number below 256^bytes as so many bytes. */
const hex = (value: number, bytes: number): string => value.toString(16).padStart(bytes * 2, "0")
