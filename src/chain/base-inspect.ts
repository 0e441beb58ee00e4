import { Clock, Duration, Effect, Random, Ref } from "effect"
import type { Address, Hex } from "viem"
import { lasts } from "../domain/lasts.ts"
import { concatHex, numberToHex, pad } from "viem"
import type { Sender } from "./base-reads.ts"
import {
  OF_SEVERAL_BLOCKS,
  blockTag,
  decodeHex,
  decodeQuantity,
  ofBlock,
  onceMore,
  reading,
  result
} from "./base-reads.ts"
import type { AccountOverride, BaseRpc, Inspected } from "./chain-rpc.ts"
import type { RpcReply } from "./json-rpc-answer.ts"
import { code as slotReaderCode } from "./slot-reader.artifact.ts"

/** A word of storage, which some nodes write without its leading zeros. */
const decodeWord = (reply: unknown) =>
  Effect.map(decodeQuantity(reply), (value) => numberToHex(value, { size: 32 }))

type Asked = Parameters<BaseRpc["inspect"]>[0]

const getSlots = Effect.fnUntraced(function* (rpc: Sender, accounts: Asked, block: bigint | undefined) {
  const requests = accounts.flatMap(({ address, slots = [] }) =>
    slots.map((slot) => ({ method: "eth_getStorageAt", params: [address, slot, blockTag(block)] }))
  )
  const replies = yield* rpc.send(requests)
  const values = yield* Effect.forEach(replies, (reply) => Effect.flatMap(result(reply), decodeWord))
  let at = 0
  return accounts.map(({ slots = [] }) => values.slice(at, (at += slots.length)))
})

const words = (data: Hex): ReadonlyArray<Hex> =>
  (data.slice(2).match(/.{64}/g) ?? []).map((text): Hex => `0x${text}`)

/**
 * All slots in one call: a reader stands in each account's place. The first answer comes from an address that had no
 * code before: where it is missing, the node has replaced nothing.
 */
const slotReading = (accounts: Asked, witness: Address, block: bigint | undefined) => {
  const asked = accounts.filter(({ slots = [] }) => slots.length > 0)
  const reads = [
    { to: witness, data: pad("0x00", { size: 32 }) },
    ...asked.map(({ address, slots = [] }) => ({
      to: address,
      data: concatHex(slots.map((slot) => pad(slot, { size: 32 })))
    }))
  ]
  const override = reads.map(({ to }): AccountOverride => ({ address: to, code: slotReaderCode }))
  const { requests, decode } = reading(reads, block, override)
  return {
    requests,
    /** `null` where the node has replaced nothing, or not all; no slots where it read at several blocks. */
    decode: (replies: ReadonlyArray<RpcReply>) =>
      Effect.map(decode(replies), (batch) => {
        if (batch === null) return null
        const { blockNumber, results } = batch
        if (results.length < reads.length) return { blockNumber, slots: [] }
        const found = results.map(({ data }) => words(data))
        if (found[0]?.length !== 1) return null
        let at = 0
        const slots = accounts.map(({ slots: own = [] }) => (own.length === 0 ? [] : (found[++at] ?? [])))
        const isWhole = slots.every(({ length }, index) => length === (accounts[index]?.slots?.length ?? 0))
        return isWhole ? { blockNumber, slots } : null
      })
  }
}

const getCodes = (rpc: Sender, accounts: Asked, block: bigint | undefined) =>
  rpc
    .send(accounts.map(({ address }) => ({ method: "eth_getCode", params: [address, blockTag(block)] })))
    .pipe(Effect.flatMap(Effect.forEach((reply) => Effect.flatMap(result(reply), decodeHex))))

/** What `inspect` answers, or the block to ask for where the two parts are of different ones. */
type Found = ReadonlyArray<Inspected> | { readonly again: bigint }

/** Code by the batch reader, slots by one that stands in the accounts' places, together in one exchange. */
const inspectOnce = Effect.fnUntraced(function* (rpc: Sender, accounts: Asked, block: bigint | undefined) {
  const witness: Address = `0x${(yield* Random.nextIntBetween(1, 2 ** 31)).toString(16).padStart(40, "5")}`
  const codes = reading(
    accounts.map(({ address }) => ({ codeOf: address })),
    block
  )
  const hasSlots = accounts.some(({ slots = [] }) => slots.length > 0)
  const slots = slotReading(accounts, witness, block)
  const replies = yield* rpc.send([...codes.requests, ...(hasSlots ? slots.requests : [])])
  const batch = yield* codes.decode(replies.slice(0, codes.requests.length))
  if (batch === null) return null
  const { blockNumber, blockTime, results } = yield* ofBlock(block, batch)
  const values = hasSlots
    ? yield* slots.decode(replies.slice(codes.requests.length))
    : { blockNumber, slots: accounts.map((): ReadonlyArray<Hex> => []) }
  if (values === null) return null
  yield* ofBlock(block, values)
  const isOne = values.blockNumber === blockNumber && values.slots.length === accounts.length
  if (!isOne || results.length < accounts.length) return { again: blockNumber }
  return accounts.map((_, index) => ({
    code: results[index]?.data ?? "0x",
    slots: values.slots[index] ?? [],
    at: { blockNumber, blockTime }
  }))
})

/** The same, all of one block; `null` where a node runs no such calls. */
const inspectByCalls = Effect.fnUntraced(
  function* (rpc: Sender, accounts: Asked, block: bigint | undefined) {
    const first: Found | null = yield* inspectOnce(rpc, accounts, block)
    if (first === null || !("again" in first)) return first
    const second: Found | null = block === undefined ? yield* inspectOnce(rpc, accounts, first.again) : first
    return second !== null && "again" in second ? yield* Effect.fail(OF_SEVERAL_BLOCKS) : second
  },
  Effect.catchIf(
    ({ kind }) => kind === "rejected",
    () => Effect.succeed(null)
  )
)

/** Where a node runs no such calls, one request for every code and slot. */
const inspectOneByOne = Effect.fnUntraced(function* (
  rpc: Sender,
  accounts: Asked,
  block: bigint | undefined
) {
  const [codes, slots] = yield* Effect.all([getCodes(rpc, accounts, block), getSlots(rpc, accounts, block)], {
    concurrency: 2
  })
  return accounts.map((_, index) => ({ code: codes[index] ?? "0x", slots: slots[index] ?? [] }))
})

/** How long a node that ran no such calls is asked one by one: it may have refused only once, or another one answers. */
const ONE_BY_ONE = Duration.toMillis("1 minute")

/** Asks by calls, and where they do not run one by one until it is time to try them again. */
export const makeInspect = (rpc: Sender): Effect.Effect<BaseRpc["inspect"]> =>
  Effect.map(Ref.make(0), (oneByOneUntil) =>
    Effect.fn("BaseRpc.inspect")(function* (accounts, options) {
      if (accounts.length === 0) return []
      const block = options?.blockNumber
      const now = yield* Clock.currentTimeMillis
      const isOneByOne = lasts(yield* Ref.get(oneByOneUntil), ONE_BY_ONE, now)
      const found = isOneByOne ? null : yield* onceMore(block, inspectByCalls(rpc, accounts, block))
      if (found !== null) return found
      if (!isOneByOne) yield* Ref.set(oneByOneUntil, now + ONE_BY_ONE)
      return yield* inspectOneByOne(rpc, accounts, block)
    })
  )
