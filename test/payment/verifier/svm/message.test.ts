import {
  address,
  getCompiledTransactionMessageDecoder,
  getCompiledTransactionMessageEncoder
} from "@solana/kit"
import { describe, expect, it } from "@effect/vitest"
import * as fc from "fast-check"
import { toBase58 } from "../../../../src/domain/base58.ts"
import { decodeMessage } from "../../../../src/payment/verifier/svm/message.ts"
import { tried } from "../../../support/properties.ts"

const decoder = getCompiledTransactionMessageDecoder()
const encoder = getCompiledTransactionMessageEncoder()

const plain = (data: ArrayLike<number> | undefined) => Array.from(data ?? [])

/** What @solana/kit reads, where writing that again gives the same bytes: lengths have several spellings, we take one. */
const theirs = (bytes: Uint8Array) => {
  try {
    const message = decoder.decode(bytes)
    if (message.version === 1 || !Buffer.from(encoder.encode(message)).equals(bytes)) return undefined
    const lookups = "addressTableLookups" in message ? (message.addressTableLookups ?? []) : []
    return {
      version: message.version,
      header: { ...message.header },
      staticAccounts: [...message.staticAccounts],
      lifetimeToken: message.lifetimeToken,
      instructions: message.instructions.map(({ accountIndices, data, programAddressIndex }) => ({
        programAddressIndex,
        accountIndices: plain(accountIndices),
        data: plain(data)
      })),
      addressTableLookups: lookups.map(({ lookupTableAddress, readonlyIndexes, writableIndexes }) => ({
        lookupTableAddress,
        writableIndexes: plain(writableIndexes),
        readonlyIndexes: plain(readonlyIndexes)
      }))
    }
  } catch {
    return undefined
  }
}

const ours = (bytes: Uint8Array) => {
  const message = decodeMessage(bytes)
  return (
    message && {
      ...message,
      instructions: message.instructions.map((one) => ({ ...one, data: plain(one.data) }))
    }
  )
}

const key = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => address(toBase58(bytes)))
const byte = fc.nat(255)
/** Lengths on both sides of what one byte of a compact-u16 holds. */
const bytes = fc.oneof(fc.uint8Array({ maxLength: 12 }), fc.uint8Array({ minLength: 126, maxLength: 131 }))
const places = fc.oneof(fc.array(byte, { maxLength: 6 }), fc.array(byte, { minLength: 126, maxLength: 131 }))

const message = fc
  .record({
    version: fc.constantFrom("legacy" as const, 0 as const),
    header: fc.record({
      numSignerAccounts: fc.nat(127),
      numReadonlySignerAccounts: byte,
      numReadonlyNonSignerAccounts: byte
    }),
    staticAccounts: fc.array(key, { maxLength: 5 }),
    lifetimeToken: key,
    instructions: fc.array(fc.record({ programAddressIndex: byte, accountIndices: places, data: bytes }), {
      maxLength: 4
    }),
    addressTableLookups: fc.array(
      fc.record({ lookupTableAddress: key, writableIndexes: places, readonlyIndexes: places }),
      { maxLength: 2 }
    )
  })
  .map((one) => Uint8Array.from(encoder.encode(one)))

/** A message with one byte changed, inserted or taken away; changed ones are mostly lengths. */
const mutated = fc
  .tuple(message, fc.nat(), fc.constantFrom(0, 1, 2, 0x7f, 0x80, 0x81, 0xff), fc.nat(3))
  .map(([whole, at, value, how]) => {
    const place = at % (whole.length + 1)
    const tail = how === 0 ? whole.subarray(place) : whole.subarray(place + 1)
    if (how === 3) return whole.subarray(0, place)
    return Uint8Array.of(...whole.subarray(0, place), ...(how === 2 ? [] : [value]), ...tail)
  })

/** A legacy message with one instruction, whose data has a length spelled by these bytes. */
const withData = (length: ReadonlyArray<number>, bytes: number): Uint8Array =>
  Uint8Array.of(1, 0, 0, 0, ...Array<number>(32).fill(7), 1, 0, 0, ...length, ...Array<number>(bytes).fill(9))

describe("a message", () => {
  it("has one spelling of each length: the shortest", () => {
    const spellings = [
      {
        bytes: 0,
        only: [0],
        others: [
          [0x80, 0],
          [0x80, 0x80, 0]
        ]
      },
      {
        bytes: 5,
        only: [5],
        others: [
          [0x85, 0],
          [0x85, 0x80, 0]
        ]
      },
      { bytes: 128, only: [0x80, 1], others: [[0x80, 0x81, 0]] },
      { bytes: 0x4000, only: [0x80, 0x80, 1], others: [[0x80, 0x80, 0x81, 0]] }
    ]
    for (const { bytes, only, others } of spellings) {
      expect(ours(withData(only, bytes))?.instructions[0]?.data).toHaveLength(bytes)
      for (const other of others) expect(ours(withData(other, bytes))).toBeUndefined()
    }
  })

  it("has no length that two bytes do not hold", () => {
    expect(ours(withData([0xff, 0xff, 3], 0xffff))?.instructions[0]?.data).toHaveLength(0xffff)
    expect(ours(withData([0x80, 0x80, 4], 0x1_0000))).toBeUndefined()
  })

  it("is decoded as @solana/kit decodes it", () => {
    fc.assert(
      fc.property(message, (whole) => {
        const read = ours(whole)
        expect(read).toBeDefined()
        expect(read).toEqual(theirs(whole))
      }),
      tried(500, 120)
    )
  })

  it("that is damaged or spelled otherwise is decoded or refused as by @solana/kit", () => {
    fc.assert(
      fc.property(fc.oneof(mutated, fc.uint8Array({ maxLength: 300 })), (some) => {
        expect(ours(some)).toEqual(theirs(some))
      }),
      tried(2_000, 400)
    )
  })
})
