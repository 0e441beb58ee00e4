import type { Address, Hex } from "viem"
import type { AlikeReads, EvmRead, EvmReadResult, FoundReads } from "../../../chain/chain-rpc.ts"
import type { Signature } from "../../../chain/selectors.ts"
import { SELECTORS } from "../../../chain/selectors.ts"

/**
 * Reads and how to understand their answers, as one value: queries are put together freely and sent as one batch, and
 * each part finds its own answers again.
 */
export interface Query<A, R = EvmRead | FoundReads | AlikeReads> {
  readonly reads: ReadonlyArray<R>
  /** Total: what cannot be decoded is `undefined` in the parts, never an exception. */
  readonly decode: (results: ReadonlyArray<EvmReadResult>) => A
}

/** A query that is part of what is put together once for many accounts. */
export type PlainQuery<A> = Query<A, EvmRead | FoundReads>

/** A word of call data: an address, a number (below zero too), a flag, or 32 bytes of hex. */
export type Word = Hex | bigint | number | boolean

const toWord = (value: Word): string => {
  if (typeof value === "string") return value.slice(2).toLowerCase().padStart(64, "0")
  return BigInt.asUintN(256, BigInt(value)).toString(16).padStart(64, "0")
}

/** Static words one after another, as the ABI encodes them. */
export const encodeWords = (...words: ReadonlyArray<Word>): Hex => `0x${words.map(toWord).join("")}`

/** Call data of a function whose arguments are all static words. */
export const callData = (signature: Signature, ...args: ReadonlyArray<Word>): Hex =>
  `${SELECTORS[signature]}${args.map(toWord).join("")}`

/** One call. Answers that are reverts or empty (no such contract) decode to `undefined`. */
export const read = <A>(
  to: Address,
  data: Hex,
  decode: (data: Hex) => A | undefined
): Query<A | undefined> => ({
  reads: [{ to, data }],
  decode: ([result]) =>
    result === undefined || !result.ok || result.data === "0x" ? undefined : decode(result.data)
})

export const pure = <A>(value: A): Query<A> => ({ reads: [], decode: () => value })

export const mapQuery = <A, B, R>(query: Query<A, R>, f: (value: A) => B): Query<B, R> => ({
  reads: query.reads,
  decode: (results) => f(query.decode(results))
})

/** Several queries of one kind, answered in order. */
export const list = <A, R>(queries: ReadonlyArray<Query<A, R>>): Query<ReadonlyArray<A>, R> => ({
  reads: queries.flatMap(({ reads }) => reads),
  decode: (results) => {
    let start = 0
    return queries.map(({ reads, decode }) => {
      const own = results.slice(start, start + reads.length)
      start += reads.length
      return decode(own)
    })
  }
})

/** Two queries as one. */
export const both = <A, B>(first: Query<A>, second: Query<B>): Query<readonly [A, B]> => ({
  reads: [...first.reads, ...second.reads],
  decode: (results) => [
    first.decode(results.slice(0, first.reads.length)),
    second.decode(results.slice(first.reads.length))
  ]
})

/** A read that answers an address, and what is read of that address in the same round trip: `FOUND` in its place. */
export interface Finding<A> {
  readonly read: EvmRead
  /** Reads of the address, which themselves find none. */
  readonly rest: Query<A>
}

/** What was read of an address that the same batch found; `made` is false where the node could not. */
export interface OfFound<A> {
  /** Which of the findings. */
  readonly at: number
  readonly address: Address
  readonly made: boolean
  readonly value: A
}

const NO_ADDRESS = `0x${"0".repeat(64)}`

/** The address that a read answered; undefined where it answered none, or the zero address. */
const answeredAddress = (result: EvmReadResult | undefined): Address | undefined =>
  result?.ok !== true || result.data.startsWith(NO_ADDRESS) ? undefined : addressAt(result.data, 0)

const isRead = (item: Query<unknown>["reads"][number]): item is EvmRead => "to" in item

/** The reads of findings, one behind the other. */
export const findingReads = (
  findings: ReadonlyArray<Finding<unknown>>
): ReadonlyArray<EvmRead | FoundReads> => {
  const marks = new Map(
    [...new Set(findings.map(({ rest }) => rest))].map((rest) => [
      rest,
      rest.reads.length === 0 ? [] : [{ ofFound: rest.reads.filter(isRead) }]
    ])
  )
  return findings.flatMap(({ read, rest }) => [read, ...(marks.get(rest) ?? [])])
}

/**
 * Of hundreds of reads, nearly all of which find nothing, those that did: nothing is made of the others.
 * @param decode what the answers to the rest of that finding say
 */
export const foundIn = <A>(
  findings: ReadonlyArray<Finding<unknown>>,
  results: ReadonlyArray<EvmReadResult>,
  decode: (at: number, answers: ReadonlyArray<EvmReadResult>) => A
): ReadonlyArray<OfFound<A>> => {
  const found: Array<OfFound<A>> = []
  let next = 0
  for (const [at, { rest }] of findings.entries()) {
    const address = answeredAddress(results[next++])
    const own = rest.reads.length === 0 ? undefined : results[next++]
    if (address === undefined) continue
    found.push({ at, address, made: own?.ok === true, value: decode(at, own?.found ?? []) })
  }
  return found
}

/** Whether each finding's own read was answered, be it that there is nothing: what failed may have found something. */
export const areAnswered = (
  reads: ReturnType<typeof findingReads>,
  results: ReadonlyArray<EvmReadResult>
): boolean => reads.every((read, at) => !isRead(read) || results[at]?.ok === true)

/** Reads of one round trip, gathered part by part; each part gets a reader for its own answers back. */
export const makeBatch = () => {
  const reads: Array<Query<unknown>["reads"][number]> = []
  return {
    reads,
    add: <A>(query: Query<A>): ((results: ReadonlyArray<EvmReadResult>) => A) => {
      const start = reads.length
      reads.push(...query.reads)
      const end = reads.length
      return (results) => query.decode(results.slice(start, end))
    }
  }
}

/** The i-th 32-byte word of an answer. */
export const wordAt = (data: Hex, index: number): bigint | undefined => {
  const text = data.slice(2 + index * 64, 66 + index * 64)
  return /^[0-9a-f]{64}$/i.test(text) ? BigInt(`0x${text}`) : undefined
}

/** The i-th word as an address; `undefined` when its upper 12 bytes are not zero. */
export const addressAt = (data: Hex, index: number): Address | undefined => {
  const word = wordAt(data, index)
  return word === undefined || word >> 160n !== 0n ? undefined : `0x${word.toString(16).padStart(40, "0")}`
}

/** A single number or address answered by a getter without arguments. */
export const uint = (
  to: Address,
  signature: Signature,
  ...args: ReadonlyArray<Word>
): Query<bigint | undefined> => read(to, callData(signature, ...args), (data) => wordAt(data, 0))

export const account = (
  to: Address,
  signature: Signature,
  ...args: ReadonlyArray<Word>
): Query<Address | undefined> => read(to, callData(signature, ...args), (data) => addressAt(data, 0))

/** ERC-20 `balanceOf`. */
export const balanceOf = (token: Address, holder: Address): Query<bigint | undefined> =>
  uint(token, "balanceOf(address)", holder)
/** ERC-20 `totalSupply`. */
export const totalSupply = (token: Address): Query<bigint | undefined> => uint(token, "totalSupply()")
