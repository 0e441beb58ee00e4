import { Clock, Effect } from "effect"
import { countEvent } from "../metrics.ts"
import type { Terms } from "./choice.ts"
import type { Slot } from "./job.ts"
import type { Address, SettlementJournal } from "./journal.ts"
import type { EvmNode } from "./node.ts"
import type { makePush } from "./push.ts"
import type { Recorded, Recorder } from "./recorder.ts"

/** Milliseconds without a receipt for a used nonce before it is looked for at a safe block. */
const UNEXPLAINED = 30_000
/** Blocks below the head whose transactions are looked after; deeper ones are looked at once more when they are safe. */
const REORGANISED = 12
const LOOK_AT_BLOCKS = 2_000

interface LookOptions {
  readonly node: EvmNode
  readonly journal: SettlementJournal["Type"]
  readonly address: Address
  readonly recorder: Recorder
  readonly push: ReturnType<typeof makePush>
}

/**
 * Blocks of ours that are not in the chain any more. Their transactions may be in others, or another attempt at
 * their nonce is, which the count of used nonces does not show.
 */
const makeGoneBlocks = (node: EvmNode) => {
  let askedForBlocks = 0
  return (slots: ReadonlyArray<Slot>) =>
    Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      if (Math.abs(now - askedForBlocks) < LOOK_AT_BLOCKS) return new Set<string>()
      askedForBlocks = now
      const blocks = new Map(
        slots.flatMap(({ inclusion }) =>
          inclusion === undefined ? [] : [[inclusion.blockHash, inclusion.height] as const]
        )
      )
      const isGone = ([hash, height]: readonly [string, number]) =>
        Effect.orElseSucceed(
          Effect.map(node.blockHash(height), (found) => found !== hash),
          () => false
        )
      return new Set(
        (yield* Effect.filter(blocks, isGone, { concurrency: REORGANISED })).map(([hash]) => hash)
      )
    })
}

/** A nonce the chain has used: by one of our attempts, or by somebody else's transaction with this key. */
const makeExplain =
  ({ address, journal, node, recorder }: LookOptions) =>
  (slot: Slot, terms: Terms) =>
    Effect.gen(function* () {
      const recorded = yield* recorder.find(slot, terms.price)
      if (recorded !== undefined) return recorded
      const now = yield* Clock.currentTimeMillis
      if (now - slot.createdAt < UNEXPLAINED) return []
      const used = yield* node.used(address, yield* node.safeHeight)
      if (used <= slot.nonce || (yield* recorder.find(slot, terms.price)) !== undefined) return []
      yield* Effect.logError("a stranger's transaction took a nonce of the settling key", { address })
      yield* countEvent("foreign")
      yield* journal.abandon(address, slot.nonce)
      return []
    })

/** One look at the chain for every nonce in flight; what it settled, and how many nonces still wait for a block. */
export const makeLook = (options: LookOptions) => {
  const { address, journal, node, push, recorder } = options
  const explain = makeExplain(options)
  const goneBlocks = makeGoneBlocks(node)

  const lookAt = (slot: Slot, used: number, gone: ReadonlySet<string>, terms: Terms) => {
    const nothing: ReadonlyArray<Recorded> = []
    if (slot.inclusion === undefined) {
      return slot.nonce < used ? explain(slot, terms) : Effect.as(push(slot, terms), nothing)
    }
    if (slot.nonce >= used) return Effect.as(recorder.recheck(slot, slot.inclusion), nothing)
    return gone.has(slot.inclusion.blockHash) ? recorder.again(slot, terms.price) : Effect.succeed(nothing)
  }

  return (terms: Terms) =>
    Effect.gen(function* () {
      const slots = yield* journal.slots(address, terms.market.height - REORGANISED)
      if (slots.length === 0) return { results: [], waiting: 0, unfinished: 0 }
      const used = yield* node.used(address, "latest")
      const gone = yield* goneBlocks(slots)
      const results = yield* Effect.forEach(slots, (slot) => lookAt(slot, used, gone, terms), {
        concurrency: 8
      })
      const waiting = slots.filter(({ inclusion, nonce }) => inclusion === undefined && nonce >= used).length
      return { results: results.flat(), waiting, unfinished: slots.length }
    })
}
