import { Array as Arr, Effect, Schema } from "effect"
import type { Address, Hex, PublicClient } from "viem"
import { concat, numberToHex } from "viem"
import type { BaseRpc } from "../../../chain/chain-rpc.ts"
import { Account, Bytes, Quantity, Word, decodedBy, lowerHex, malformed } from "../../../chain/evm-wire.ts"
import { keccakHex } from "../../../chain/keccak.ts"
import type { Fact } from "../../../domain/fact.ts"
import { known, missing } from "../../../domain/fact.ts"
import type { Places } from "./storage-places.ts"
import { restOf, sampleOf } from "./storage-sample.ts"
import type { StorageWord } from "./storage-root.ts"
import { isInTree, storageRoot } from "./storage-root.ts"
import { code as readerCode } from "./storage-reader.artifact.ts"

/** Reads of one call, so that it stays below half of what the smallest nodes grant a call. */
const ENTRIES_PER_CALL = 1_400
/** Calls in all; beyond them a storage is too large to be looked at everywhere. */
const MAX_CALLS = 6
/** A slot by itself costs a fifth of an entry, which is looked for in more ways than one. */
const SCALARS_PER_CALL = 4_000
/** Calls for the rest of a large one; beyond them it is too large to be read whole. */
const MAX_REST_CALLS = 8
/** Keys and pairs of a storage that can be read whole, at most. */
const MOST_ENTRIES = 10_000
const TIMEOUT = "4 seconds"

const count = (length: number): Hex => numberToHex(length, { size: 32 })

const callData = ({ scalars, bases, keys, pairs }: Places): Hex =>
  concat([
    count(scalars.length),
    count(bases.length),
    count(keys.length),
    count(pairs.length),
    ...scalars,
    ...bases,
    ...keys,
    ...pairs.flat()
  ])

/** The places split into calls of bounded cost; `null` where there are too many. */
const split = (places: Places): ReadonlyArray<Places> | null => {
  const room = Math.max(1, Math.floor(ENTRIES_PER_CALL / Math.max(1, places.bases.length)))
  const { bases } = places
  const parts: ReadonlyArray<Places> = [
    ...Arr.chunksOf(places.scalars, ENTRIES_PER_CALL).map((scalars) => ({
      scalars,
      bases: [],
      keys: [],
      pairs: []
    })),
    ...Arr.chunksOf(places.keys, room).map((keys) => ({ scalars: [], bases, keys, pairs: [] })),
    ...Arr.chunksOf(places.pairs, room).map((pairs) => ({ scalars: [], bases, keys: [], pairs }))
  ]
  return parts.length > MAX_CALLS ? null : parts
}

const decode = (data: Hex): ReadonlyArray<StorageWord> =>
  (data.slice(2).match(/.{128}/g) ?? []).map((pair) => ({
    slot: BigInt(`0x${pair.slice(0, 64)}`),
    value: BigInt(`0x${pair.slice(64)}`)
  }))

/** Few enough places to be looked at one by one. */
export const isSmall = (places: Places): boolean => split(places) !== null

/** Few enough to be read at all. */
export const isReadable = (places: Places): boolean =>
  isSmall(places) || places.keys.length + places.pairs.length <= MOST_ENTRIES

const TOO_LARGE = missing("its storage is too large to be read whole")

/** The words that are not zero at places in calls of bounded cost. */
const readParts = (
  rpc: BaseRpc,
  token: Address,
  blockNumber: bigint,
  parts: ReadonlyArray<Places>
): Effect.Effect<Fact<ReadonlyArray<StorageWord>>> => {
  const calls = parts.map((part) => ({
    to: token,
    data: callData(part),
    blockNumber,
    stateOverride: [{ address: token, code: readerCode } as const]
  }))
  return rpc.callAll(calls).pipe(
    Effect.map((results) =>
      results.every(({ ok, data }) => ok && (data.length - 2) % 128 === 0)
        ? known(results.flatMap(({ data }) => decode(data)))
        : missing("the node does not read storage under replaced code")
    ),
    Effect.timeout(TIMEOUT),
    Effect.catchAll(() => Effect.succeed(missing("the token's storage could not be read")))
  )
}

const slotParts = (slots: ReadonlyArray<Hex>): ReadonlyArray<Places> =>
  Arr.chunksOf(slots, SCALARS_PER_CALL).map((scalars) => ({ scalars, bases: [], keys: [], pairs: [] }))

/** A large storage: a sample of it everywhere, and the rest in the tables that are in use. */
const readLarge = Effect.fnUntraced(function* (
  rpc: BaseRpc,
  token: Address,
  blockNumber: bigint,
  places: Places
) {
  const sample = sampleOf(places)
  const parts = split({ ...sample, scalars: [] })
  if (parts === null || !isReadable(places)) return TOO_LARGE
  const own = slotParts(places.scalars)
  if (own.length > MAX_REST_CALLS) return TOO_LARGE
  const first = yield* readParts(rpc, token, blockNumber, [...own, ...parts])
  if (!first.known) return first
  const rest = slotParts(yield* restOf(places, sample, first.value))
  if (rest.length > MAX_REST_CALLS) return TOO_LARGE
  const more = yield* readParts(rpc, token, blockNumber, rest)
  return more.known ? known([...first.value, ...more.value]) : more
})

/** The words that are not zero at the given places; missing where the node does not run the reader. */
export const readWords = (
  rpc: BaseRpc,
  token: Address,
  blockNumber: bigint,
  places: Places
): Effect.Effect<Fact<ReadonlyArray<StorageWord>>> => {
  const parts = split(places)
  return parts === null
    ? readLarge(rpc, token, blockNumber, places)
    : readParts(rpc, token, blockNumber, parts)
}

const proof = decodedBy(
  Schema.Struct({
    address: Account,
    storageHash: Word,
    storageProof: Schema.Array(Schema.Struct({ key: Quantity, proof: Schema.Array(Bytes) }))
  }),
  "eth_getProof"
)

/** A storage root, and of each slot in the order they were asked for the nodes that lead to it. Rejects on anything else. */
const askProof = async (
  client: PublicClient,
  token: Address,
  slots: ReadonlyArray<bigint>,
  block: Hex | "latest"
) => {
  const storageKeys = slots.map((slot) => numberToHex(slot, { size: 32 }))
  const { address, storageHash, storageProof } = proof(
    await client.request({
      method: "eth_getProof",
      params: [token, storageKeys, block]
    })
  )
  const isAsked =
    lowerHex(address) === token &&
    storageProof.length === slots.length &&
    slots.every((slot, index) => BigInt(storageProof[index]?.key ?? "0x") === slot)
  if (!isAsked) throw malformed("eth_getProof: of something else")
  return { root: lowerHex(storageHash), proofs: storageProof.map((one) => one.proof) }
}

/** The storage root the chain itself vouches for (`eth_getProof`), and which of some slots stand in its tree. */
export interface Root {
  readonly hash: Hex
  readonly inTree: ReadonlyArray<bigint>
}

/** A node's bytes need not be a tree's: of what does not decode, nothing stands in it. */
const standing = (slots: ReadonlyArray<bigint>, proofs: ReadonlyArray<ReadonlyArray<Hex>>) =>
  Effect.try(() => slots.filter((slot, index) => isInTree(slot, proofs[index] ?? []))).pipe(
    Effect.orElseSucceed((): ReadonlyArray<bigint> => [])
  )

/**
 * The root at a block, or, from a node that proves its newest block only, as reth does unless told otherwise, at that one.
 * Either does: words that were read at the block and make up a later root are all that stood there.
 */
export const readRoot = (
  rpc: Pick<BaseRpc, "client">,
  token: Address,
  blockNumber: bigint,
  slots: ReadonlyArray<bigint> = []
): Effect.Effect<Fact<Root>> =>
  Effect.tryPromise(() => askProof(rpc.client, token, slots, numberToHex(blockNumber))).pipe(
    Effect.orElse(() => Effect.tryPromise(() => askProof(rpc.client, token, slots, "latest"))),
    Effect.timeout(TIMEOUT),
    Effect.flatMap(({ root, proofs }) =>
      Effect.map(standing(slots, proofs), (inTree) => known({ hash: root, inTree }))
    ),
    Effect.catchAll(() => Effect.succeed(missing("the node gives no storage root")))
  )

/** The slot of a mapping's value; both words whole. */
export const entry = (key: Hex, base: bigint): bigint => {
  const word = base.toString(16).padStart(64, "0")
  return BigInt(keccakHex(`${key}${word}`))
}

/** Known where the words are proven to be all there are. */
export const completeness = (
  words: Fact<ReadonlyArray<StorageWord>>,
  root: Fact<Root>,
  emptied: ReadonlyArray<bigint> = []
): Effect.Effect<Fact<ReadonlyArray<StorageWord>>> => {
  if (!words.known) return Effect.succeed(words)
  if (!root.known) return Effect.succeed(root)
  const { hash, inTree } = root.value
  return Effect.map(storageRoot(words.value, [...emptied, ...inTree]), (own) =>
    own === hash ? words : missing("its storage holds words that could not be accounted for")
  )
}
