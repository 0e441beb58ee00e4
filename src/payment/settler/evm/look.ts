import { Clock, Effect, Option } from "effect"
import { countEvent } from "../metrics.ts"
import type { Terms } from "./choice.ts"
import type { Place, Slot } from "./job.ts"
import type { Address, SettlementJournal } from "./journal.ts"
import type { EvmNode } from "./node.ts"
import type { makePush } from "./push.ts"
import type { Recorded, Recorder } from "./recorder.ts"
import type { Strangers } from "./strangers.ts"

/** Milliseconds without a receipt for a used nonce before it is looked for at a safe block. */
const UNEXPLAINED = 30_000
/**
 * Blocks below the head whose transactions are looked after; deeper ones are looked at once more when they are safe.
 */
const REORGANISED = 12
const LOOK_AT_BLOCKS = 2_000
/** Milliseconds after the end of its window for which a transaction behind a gap is looked after. */
const BEHIND = 60_000
/** Nonces looked at together. */
const AT_ONCE = 8

const NOTHING: ReadonlyArray<Recorded> = []

interface LookOptions {
  readonly node: EvmNode
  readonly journal: SettlementJournal["Type"]
  readonly address: Address
  readonly recorder: Recorder
  readonly strangers: Strangers
  readonly push: ReturnType<typeof makePush>
}

/**
 * Blocks with transactions of ours that are not in the chain any more. Those transactions, or another attempt at their
 * nonce, may be in other blocks, which the count of used nonces does not show.
 */
const makeGoneBlocks = (node: EvmNode) => {
  let askedForBlocks = 0
  return Effect.fnUntraced(function* (included: ReadonlyArray<Place>) {
    const now = yield* Clock.currentTimeMillis
    if (Math.abs(now - askedForBlocks) < LOOK_AT_BLOCKS) return new Set<string>()
    askedForBlocks = now
    const blocks = new Map(included.map(({ blockHash, height }) => [blockHash, height] as const))
    const isGone = ([hash, height]: readonly [string, number]) =>
      Effect.orElseSucceed(
        Effect.map(node.blockHash(height), (found) => found !== hash),
        () => false
      )
    return new Set((yield* Effect.filter(blocks, isGone, { concurrency: REORGANISED })).map(([hash]) => hash))
  })
}

/** A nonce the chain has used: by one of our attempts, or by somebody else's transaction with this key. */
const makeExplain = ({ address, journal, node, recorder, strangers }: LookOptions) =>
  Effect.fnUntraced(function* (slot: Slot, terms: Terms) {
    const recorded = yield* recorder.find(slot, terms.price)
    if (recorded !== undefined) {
      strangers.settle(slot.nonce)
      return recorded
    }
    yield* strangers.doubt(slot.nonce)
    const now = yield* Clock.currentTimeMillis
    if (now - slot.createdAt < UNEXPLAINED) return []
    const used = yield* node.used(address, yield* node.safeHeight)
    if (used <= slot.nonce || (yield* recorder.find(slot, terms.price)) !== undefined) return []
    yield* strangers.tell(slot.nonce)
    strangers.settle(slot.nonce)
    yield* countEvent("foreign")
    yield* journal.abandon(address, slot.nonce)
    return []
  })

/**
 * The next nonce of the chain, where nothing of ours is at it and others of ours wait behind it: a node has told too high a
 * number once, or somebody's transaction that was counted is gone. The count is believed of a node that has the newest
 * block we know: one that is behind shows a nonce that is long done.
 */
const makeGap = ({ address, node }: LookOptions) =>
  Effect.fnUntraced(function* (
    ours: ReadonlyArray<{ readonly nonce: number }>,
    used: number,
    height: number
  ) {
    const isGap = (next: number) =>
      ours.some(({ nonce }) => nonce > next) && !ours.some(({ nonce }) => nonce === next)
    if (!isGap(used)) return undefined
    const next = yield* Effect.option(node.used(address, height))
    return Option.getOrUndefined(Option.filter(next, isGap))
  })

/**
 * A transaction behind a gap waits for what is sent next to fill it. Given up when its window is long over: then it moves
 * nothing any more, wherever it may still be.
 */
const makeLookBehind = ({ address, journal, push }: LookOptions) =>
  Effect.fnUntraced(function* (slot: Slot, terms: Terms) {
    if ((yield* Clock.currentTimeMillis) < slot.windowEnd + BEHIND) return yield* push(slot, terms)
    yield* Effect.logWarning("a settlement waited behind a nonce that nobody used", { nonce: slot.nonce })
    yield* journal.abandon(address, slot.nonce)
  })

/**
 * One look at the chain for every nonce in flight; what it settled, how many nonces still wait for a block (`waiting`), and
 * how many are used while no receipt is there yet (`unseen`): two nodes behind one name need not see the same block. Those
 * behind a gap wait for no block, and the next nonce has to be learnt anew (`isGapped`).
 */
export const makeLook = (options: LookOptions) => {
  const { address, journal, node, push, recorder } = options
  const explain = makeExplain(options)
  const goneBlocks = makeGoneBlocks(node)
  const gapIn = makeGap(options)
  const lookBehind = makeLookBehind(options)

  const lookAt = (slot: Slot, used: number, gap: number, terms: Terms) => {
    if (slot.nonce < used) return explain(slot, terms)
    return Effect.as(slot.nonce > gap ? lookBehind(slot, terms) : push(slot, terms), NOTHING)
  }

  /** A block that held a transaction is not in the chain any more. */
  const again = Effect.fnUntraced(function* (place: Place, terms: Terms) {
    const slots = yield* journal.slots(address, place.height - 1)
    const slot = slots.find(({ nonce }) => nonce === place.nonce)
    return slot === undefined ? NOTHING : yield* recorder.again(slot, terms.price)
  })

  const lookBack = (place: Place, used: number, terms: Terms) =>
    place.nonce >= used ? Effect.as(recorder.recheck(place), NOTHING) : again(place, terms)

  return Effect.fnUntraced(function* (terms: Terms) {
    const { included, open } = yield* journal.underWay(address, terms.market.height - REORGANISED)
    const unfinished = open.length + included.length
    if (unfinished === 0) return { results: [], waiting: 0, unseen: 0, unfinished, isGapped: false }
    const used = yield* node.used(address, "latest")
    const gap = yield* gapIn([...open, ...included], used, terms.market.height)
    const end = gap ?? Infinity
    const gone = yield* goneBlocks(included)
    const doubtful = included.filter(({ blockHash, nonce }) => nonce >= used || gone.has(blockHash))
    const results = yield* Effect.all(
      [
        ...open.map((slot) => lookAt(slot, used, end, terms)),
        ...doubtful.map((place) => lookBack(place, used, terms))
      ],
      { concurrency: unfinished > 1 ? AT_ONCE : 1 }
    )
    const inLine = open.filter(({ nonce }) => nonce >= used)
    const waiting = inLine.filter(({ nonce }) => nonce < end).length
    const unsettled = open.filter((_, index) => results[index]?.length === 0).length
    const unseen = unsettled - inLine.length
    return { results: results.flat(), waiting, unseen, unfinished, isGapped: gap !== undefined }
  })
}
