import { toBase58 } from "../../../domain/base58.ts"

/** One instruction; its program and its accounts are places in the message's accounts, which nobody has looked up yet. */
export interface CompiledInstruction {
  readonly programAddressIndex: number
  readonly accountIndices: ReadonlyArray<number>
  readonly data: Uint8Array
}

/** Accounts of a table on chain that a message names by their places there. */
export interface TableLookup {
  readonly lookupTableAddress: string
  readonly writableIndexes: ReadonlyArray<number>
  readonly readonlyIndexes: ReadonlyArray<number>
}

/** A message in one of the two forms that payments use. Addresses and the blockhash are base58. */
export interface Message {
  readonly version: "legacy" | 0
  readonly header: {
    readonly numSignerAccounts: number
    readonly numReadonlySignerAccounts: number
    readonly numReadonlyNonSignerAccounts: number
  }
  /** The signers first, and the fee payer first of them. */
  readonly staticAccounts: ReadonlyArray<string>
  /** The recent blockhash. */
  readonly lifetimeToken: string
  readonly instructions: ReadonlyArray<CompiledInstruction>
  /** None in a legacy message. */
  readonly addressTableLookups: ReadonlyArray<TableLookup>
}

const ADDRESS_BYTES = 32
/** Set in the first byte of a message that tells its version; a legacy message begins with its number of signers. */
const VERSIONED = 0x80
/** A compact-u16 takes one byte below this, and three at most. */
const COMPACT = 0x80
const COMPACT_BITS = 7
const COMPACT_BYTES = 3
const MOST_COMPACT = 0xffff

class Malformed extends Error {}

/** Reads from the front, and throws `Malformed` where the bytes end. */
class Reader {
  #at = 0
  readonly #bytes: Uint8Array

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length
  }

  byte(): number {
    const value = this.#bytes[this.#at]
    if (value === undefined) throw new Malformed()
    this.#at += 1
    return value
  }

  bytes(count: number): Uint8Array {
    const end = this.#at + count
    if (end > this.#bytes.length) throw new Malformed()
    const taken = this.#bytes.subarray(this.#at, end)
    this.#at = end
    return taken
  }

  /** A length: seven bits a byte, lowest first, in as few bytes as it takes. */
  length(): number {
    let value = 0
    for (let place = 0; place < COMPACT_BYTES; place++) {
      const part = this.byte()
      value |= (part & (COMPACT - 1)) << (COMPACT_BITS * place)
      if (part >= COMPACT) continue
      // A last byte of nothing, or a number that two bytes do not hold, is a second spelling of another one.
      if ((part === 0 && place > 0) || value > MOST_COMPACT) throw new Malformed()
      return value
    }
    throw new Malformed()
  }

  address(): string {
    return toBase58(this.bytes(ADDRESS_BYTES))
  }

  list<A>(item: () => A): ReadonlyArray<A> {
    const count = this.length()
    const items: Array<A> = []
    while (items.length < count) items.push(item())
    return items
  }
}

const readInstruction = (from: Reader): CompiledInstruction => ({
  programAddressIndex: from.byte(),
  accountIndices: from.list(() => from.byte()),
  data: from.bytes(from.length())
})

const readLookup = (from: Reader): TableLookup => ({
  lookupTableAddress: from.address(),
  writableIndexes: from.list(() => from.byte()),
  readonlyIndexes: from.list(() => from.byte())
})

const readMessage = (bytes: Uint8Array): Message => {
  const from = new Reader(bytes)
  const isVersioned = (bytes[0] ?? 0) >= VERSIONED
  if (isVersioned && from.byte() !== VERSIONED) throw new Malformed()
  const message: Message = {
    version: isVersioned ? 0 : "legacy",
    header: {
      numSignerAccounts: from.byte(),
      numReadonlySignerAccounts: from.byte(),
      numReadonlyNonSignerAccounts: from.byte()
    },
    staticAccounts: from.list(() => from.address()),
    lifetimeToken: from.address(),
    instructions: from.list(() => readInstruction(from)),
    addressTableLookups: isVersioned ? from.list(() => readLookup(from)) : []
  }
  // Trailing bytes would give one transfer several identities.
  if (!from.isAtEnd) throw new Malformed()
  return message
}

/** Strict decoding of a legacy or version 0 message, in its one spelling; `undefined` for any other bytes. */
export const decodeMessage = (bytes: Uint8Array): Message | undefined => {
  try {
    return readMessage(bytes)
  } catch (cause) {
    if (cause instanceof Malformed) return undefined
    throw cause
  }
}
